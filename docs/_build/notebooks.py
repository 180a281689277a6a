"""Notebooks as pages of the site: their text, their code, and the outputs that are kept in them."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File


def files(config: MkDocsConfig) -> Iterator[File]:
    """Yield a page for every notebook, which can itself be downloaded beside it."""
    from mkdocs.structure.files import File

    folder = Path(config.docs_dir)
    for path in sorted(folder.rglob("*.ipynb")):
        name = path.relative_to(folder).with_suffix(".md").as_posix()
        yield File.generated(config, name, content=as_markdown(json.loads(path.read_text(encoding="utf-8")), path.name))


def as_markdown(notebook: dict[str, Any], name: str) -> str:
    """Return a notebook as Markdown.

    Parameters
    ----------
    name
        Of its file, for the link to it.
    """
    parts = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "code":
            parts += [f"```python\n{text}\n```", *map(_output, cell["outputs"])]
        else:
            parts.append(text)
    return "\n\n".join([*parts, f"The [notebook]({name}) itself."]) + "\n"


def _output(output: dict[str, Any]) -> str:
    """Return the richest of an output's forms that a page can have."""
    data = {kind: "".join(lines) for kind, lines in output.get("data", {}).items()}
    if "image/svg+xml" in data:
        coded = base64.b64encode(data["image/svg+xml"].encode()).decode()
        return f'<img alt="The chart that the code above returns" src="data:image/svg+xml;base64,{coded}">'
    if "text/html" in data:
        return "\n".join(line for line in data["text/html"].splitlines() if line.strip())
    return "```text\n" + (data.get("text/plain") or "".join(output["text"])).rstrip("\n") + "\n```"
