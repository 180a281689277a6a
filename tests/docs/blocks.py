"""The fenced blocks of a page, with what the comments above them say of how they are run.

A comment is invisible on the page and stands right above the fence:

    <!-- slow -->                    over some 10 s: run by `make test-slow`
    <!-- smaller: A => B; C => D --> run with B in place of A, and D of C
    <!-- exit: 1 -->                 the commands end with this code, not 0
    <!-- like: FILE [MEMBER] -->     JSON with elisions: as this file that an earlier block made, a zip's member
    <!-- not run: why -->            test_rules.py lists all of these
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from markdown_it import MarkdownIt
from sybil import Document
from sybil.parsers.markdown.lexers import RawFencedCodeBlockLexer

ROOT = Path(__file__).parents[2]
NOTES = ("slow", "smaller", "exit", "like", "not run")
_INFO = re.compile(r"(?P<info>[^\n]*)$\n", re.MULTILINE)
_COMMENTS = re.compile(r"(?:<!--(?:(?!-->).)*-->\s*)+\Z", re.DOTALL)
_COMMENT = re.compile(r"<!--\s*(.*?)\s*-->", re.DOTALL)
_TITLE = re.compile(r'\btitle="([^"]+)"')


@dataclass(frozen=True)
class Block:
    """A fenced block.

    Parameters
    ----------
    page
        The Markdown file.
    line
        Of the fence, from 1.
    title
        The name of the file that the block is; empty if it is none.
    notes
        What the comments above say, by their first word.
    """

    page: Path
    line: int
    language: str
    body: str
    title: str = ""
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """File and line, for messages."""
        return f"{self.page.name}:{self.line}"


def pages() -> list[Path]:
    """Return the README and every page of the documentation."""
    return [ROOT / "README.md", ROOT / "instances" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks_of(page: Path, text: str | None = None) -> list[Block]:
    """Return a page's fenced blocks in order."""
    document = Document(page.read_text(encoding="utf-8") if text is None else text, str(page))
    return [_block(page, document, region) for region in RawFencedCodeBlockLexer(_INFO)(document)]


def indented_blocks(page: Path, text: str | None = None) -> list[int]:
    """Return the lines of code blocks without a fence, which nothing here would run."""
    tokens = MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8") if text is None else text)
    return [token.map[0] + 1 for token in tokens if token.type == "code_block"]


def _block(page, document, region) -> Block:
    info = region.lexemes["info"].strip()
    above = _COMMENTS.search(document.text[: region.start])
    notes = {}
    for comment in _COMMENT.findall(above[0] if above else ""):
        name, _, rest = comment.partition(":")
        assert name in NOTES, f"{page.name}: unknown comment above a block: {comment}; there are {', '.join(NOTES)}"
        notes[name] = " ".join(rest.split())
    title = _TITLE.search(info)
    line = document.line_column(region.start)
    return Block(
        page,
        int(re.search(r"line (\d+)", line)[1]),
        info.split()[0] if info else "",
        str(region.lexemes["source"]),
        title[1] if title else "",
        notes,
    )
