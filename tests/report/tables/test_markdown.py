"""Markdown, read again by a parser: what stood in the table stands there, and nothing else."""

from __future__ import annotations

import html
import re
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hypar_opt.report.tables import Column, Entry, Table, markdown_line, markdown_text

ROOT = Path(__file__).parents[3]
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
ANY = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp"), include_characters=" ")).map(
    lambda text: " ".join(text.split())
)
HOSTILE = ["a|b", "\\", "\\|", "<script>alert(1)</script>", "**b**", "_i_", "`c`", "[l](u)", "![i](u)", "&amp;",
           "~~s~~", "$x$", "<!--", "http://x", "a_b", "__a__", "| - |"]  # fmt: skip


class AnyTag(yaml.SafeLoader):
    """Reads what mkdocs.yml says of Python objects as nothing."""


AnyTag.add_multi_constructor("", lambda loader, suffix, node: None)


def texts(tokens):
    """Return what is read, and fail on anything that is not text."""
    for token in tokens:
        assert token.type in ("text", "text_special", "softbreak"), token
        yield token.content


def cells(text):
    """Return the cells of a table, as text."""
    pairs = pairwise(PARSER.parse(text))
    return ["".join(texts(token.children)) for before, token in pairs if before.type in ("td_open", "th_open")]


def with_cell(text, heading="h"):
    return Table("t", "T", (Column("a", heading),), ({"a": Entry(text)},))


@given(ANY)
@pytest.mark.parametrize("place", ["cell", "heading"])
def test_any_text_of_a_cell_is_read_again(place, text):
    written = markdown_text(with_cell(text) if place == "cell" else with_cell("h", text))
    assert text in cells(written)


@pytest.mark.parametrize("text", HOSTILE)
def test_names_are_never_markup(text):
    assert cells(markdown_text(with_cell(text))) == ["h", text]


@pytest.mark.parametrize("text", [*HOSTILE, "{: onclick=alert(1)}", "\\\\(x\\\\)", "x_i^2", ":::", "!!! note", "=1+1"])
def test_names_are_never_markup_on_the_site(text):
    import markdown

    extensions = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader=AnyTag)["markdown_extensions"]
    names = [one if isinstance(one, str) else next(iter(one)) for one in extensions]
    page = markdown.markdown(markdown_text(with_cell(text)), extensions=names)
    (cell,) = re.findall(r"<td[^>]*>(.*)</td>", page)
    assert (html.unescape(cell), cell.count("<")) == (text, 0)


@given(ANY.filter(bool))
@example("# a")
@example("- a")
@example("1. a")
@example("> a")
@example("=")
@example("+ a")
@example("<b>")
def test_any_line_is_a_paragraph_of_itself(text):
    opened, inline, closed = PARSER.parse(markdown_line(text))
    assert (opened.type, closed.type) == ("paragraph_open", "paragraph_close")
    assert "".join(texts(inline.children)) == text


@pytest.mark.parametrize("code", ["a", "a|b", "`", "a``b", "`a`", "--x <b>"])
def test_code_is_code(code):
    table = Table("t", "T", (Column("a", "h", code=True),), ({"a": Entry(code)},))
    tokens = [token for token in PARSER.parse(markdown_text(table)) if token.type == "inline"]
    (only,) = tokens[-1].children
    assert (only.type, only.content) == ("code_inline", code)


def test_the_best_is_bold_and_footnotes_stand_below():
    column = Column("a", "cost", "GB", 10**9, 4, notes=("of the column",))
    entry = Entry(1_994_958_720, best=True, notes=("of the cell",), mark="*")
    text = markdown_text(Table("t", "T", (column,), ({"a": entry},), ("*: proven",)), level=3)
    assert text.startswith("### T\n\n\\*: proven.\n\n|   cost (GB)[^t-1] |\n")
    assert re.search(r"^\| +\*\*1\.995\*\*\\\*\[\^t-2\] \|$", text, re.MULTILINE)
    assert text.endswith("\n\n[^t-1]: of the column\n[^t-2]: of the cell\n")


def test_a_table_without_rows_has_headings():
    text = markdown_text(Table("t", "T", (Column("a", "A"), Column("b", "B")), ()))
    assert cells(text) == ["A", "B"]
