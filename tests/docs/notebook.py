"""A notebook's cells run in order, as Jupyter runs them; `python -m tests.docs.notebook FILE` keeps their outputs."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
from pathlib import Path


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def source(cell: dict) -> str:
    return "".join(cell["source"])


def run(notebook: dict, folder: Path) -> list[list[dict]]:
    """Run the cells of code in one namespace and one folder; return the outputs of each."""
    names = {"__name__": "__main__"}
    with contextlib.chdir(folder):
        return [_outputs(source(cell), names) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def _outputs(code: str, names: dict) -> list[dict]:
    """Run a cell; its outputs are what it prints, and the value of its last line."""
    tree = ast.parse(code)
    last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        value = None if last is None else eval(compile(last, "<cell>", "eval"), names)
    text = printed.getvalue()
    stream = [{"output_type": "stream", "name": "stdout", "text": text.splitlines(keepends=True)}] if text else []
    return stream if value is None else [*stream, _shown(value)]


def _shown(value: object) -> dict:
    if hasattr(value, "_repr_mimebundle_"):
        data = value._repr_mimebundle_()
        data = data[0] if isinstance(data, tuple) else data
    else:
        html = {"text/html": value._repr_html_()} if hasattr(value, "_repr_html_") else {}
        data = {"text/plain": repr(value), **html}
    lines = {kind: one.splitlines(keepends=True) for kind, one in data.items()}
    return {"output_type": "execute_result", "metadata": {}, "data": lines}


def keep(path: Path, folder: Path) -> None:
    """Write the outputs into a notebook."""
    notebook = read(path)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, outputs) in enumerate(zip(cells, run(notebook, folder), strict=True), start=1):
        results = [{**one, "execution_count": number} if "data" in one else one for one in outputs]
        cell |= {"execution_count": number, "outputs": results}
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    import tempfile

    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as scratch:
            keep(Path(name), Path(scratch))
