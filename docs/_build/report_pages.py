"""The folder reports/ as pages of the site, and links that work in the checkout as on the site."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File

ROOT = Path(__file__).parents[2]
KINDS = {".md", ".csv", ".json", ".png", ".svg", ".html", ".css", ".js"}
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)]*)?\))")


def files(config: MkDocsConfig) -> Iterator[File]:
    """Yield the tables, the pictures, and the pages that are to be opened in a browser."""
    from mkdocs.structure.files import File

    for path in sorted((ROOT / "reports").rglob("*")):
        if path.suffix in KINDS:
            yield File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path))


def linked(markdown: str, page: str) -> str:
    """Rewrite the relative links of a page; docs/ is the site's root, and reports/ a folder of it.

    Parameters
    ----------
    page
        Where it is on the site, as `model.md` or `reports/audit/audit.md`.
    """
    checkout = posixpath.dirname(page if page.startswith("reports/") else f"docs/{page}")

    def rewritten(found: re.Match[str]) -> str:
        if "://" in found[2]:
            return found[0]
        target = posixpath.normpath(posixpath.join(checkout, found[2]))
        if not target.startswith(("docs/", "reports/")):
            return found[0]
        site = posixpath.relpath(target.removeprefix("docs/"), posixpath.dirname(page) or ".")
        return f"{found[1]}{site}{found[3]}"

    return LINK.sub(rewritten, markdown)
