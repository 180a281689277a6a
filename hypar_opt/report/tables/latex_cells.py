"""Cells and columns in LaTeX."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from string import ascii_lowercase
from typing import TYPE_CHECKING, Final

from hypar_opt.report.tables.formatting import MISSING, shown
from hypar_opt.report.tables.latex_escape import latex, latex_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.report.tables.displayed import Heading, Shown
    from hypar_opt.report.tables.table import Column, Table

PLAIN: Final = re.compile(r"-?[\d,]+(\.\d+)?")
"""Numbers whose points can stand in line."""
LINE: Final = 8
"""Characters of a heading above numbers."""


@dataclass(frozen=True)
class Setting:
    """How a column is set.

    Parameters
    ----------
    numeric
        Numbers: two cells of a row, what belongs to the number and what stands behind it.
    places
        Digits behind the point, at most; others are filled up with blanks as wide, so that points stand in line.
    width
        Share of a line that texts are folded to, or None.
    characters
        Of the longest entry.
    """

    numeric: bool
    places: int
    width: float | None
    characters: int

    @classmethod
    def of(cls, table: Table, column: Column) -> Setting:
        """Return how a table's column is set."""
        texts = [shown(column, row[column.key]) for row in table.rows]
        numeric = table.is_numeric(column)
        places = max((len(text.partition(".")[2]) for text in texts if _is_plain(text)), default=0) if numeric else 0
        return cls(numeric, places, column.width, max(map(len, (*texts, *_broken(column.heading)))))

    @property
    def cells(self) -> int:
        """How many of a row's it takes."""
        return 2 if self.numeric else 1

    def spec(self, columns: int) -> str:
        """Return its kind for tabular; of what columns are apart, each folded one gives its part."""
        if self.numeric:
            return "r@{}l"
        if self.width is None:
            return "l"
        apart = f"{2 * (columns - 1) / columns:.3g}\\tabcolsep"
        return f">{{\\raggedright\\arraybackslash}}p{{\\dimexpr {self.width:g}\\linewidth-{apart}\\relax}}"

    def headed(self, heading: Heading) -> str:
        """Return a heading, of numbers in several lines and in the middle."""
        notes = notes_of([reference(number) for number in heading.notes])
        if not self.numeric:
            return latex(heading.text) + notes
        lines = [latex(line) for line in _broken(heading.text)]
        lines[-1] += f"\\rlap{{{notes}}}" if notes else ""
        return self.over(lines[0] if len(lines) == 1 else r"\shortstack{\strut " + r"\\".join(lines) + "}")

    def over(self, text: str) -> str:
        """Return LaTeX across the cells of the column."""
        return f"\\multicolumn{{2}}{{c}}{{{text}}}" if self.numeric else text

    def cell(self, cell: Shown) -> str:
        """Return an entry, with its mark and the letters of its footnotes."""
        behind = notes_of([latex(cell.mark), *map(reference, cell.notes)] if cell.mark else map(reference, cell.notes))
        if not self.numeric:
            text = f"\\texttt{{{_breakable(cell.text)}}}" if cell.code else latex(cell.text)
            return _bold_if(cell.best, text) + behind
        if cell.sort is None:
            return self.over(f"{'--' if cell.text == MISSING else latex(cell.text)}{behind}")
        text, blanks = _bold_if(cell.best, latex_number(cell.text)), self._blanks(cell.text)
        if blanks and behind:  # close to the number, over the blanks, with room for what they do not cover
            return f"{text}\\rlap{{{behind}}}{blanks} & \\phantom{{{behind}}}"
        return f"{text}{blanks} & {behind}"

    def _blanks(self, text: str) -> str:
        """Return what fills a number up to the places of its column."""
        if not self.places or not _is_plain(text):
            return ""
        _, point, digits = text.partition(".")
        missing = ("" if point else ".") + "0" * (self.places - len(digits))
        return f"\\phantom{{{missing}}}" if missing else ""


def cells(columns: Sequence[Setting], row: Sequence[Shown]) -> list[str]:
    """Return the cells of a row."""
    return [column.cell(cell) for column, cell in zip(columns, row, strict=True)]


def _breakable(code: str) -> str:
    """Return code that may be broken behind its hyphens, strokes and points."""
    return r"\allowbreak{}".join(map(latex, re.split(r"(?<=[-/_.=])(?=.)", code)))


def _bold_if(wanted: bool, text: str) -> str:
    return f"\\textbf{{{text}}}" if wanted else text


def _is_plain(text: str) -> bool:
    return bool(PLAIN.fullmatch(text))


def _broken(heading: str) -> list[str]:
    """Break a heading that is longer than most numbers, where it has hyphens and blanks."""
    return textwrap.wrap(heading, LINE, break_long_words=False) or [""]


def reference(number: int) -> str:
    """Return a footnote's letters: a to z, aa, ab and so on; figures would be taken for powers."""
    letters = ""
    while number:
        number, place = divmod(number - 1, 26)
        letters = ascii_lowercase[place] + letters
    return letters


def notes_of(marks: Sequence[str] | map[str]) -> str:
    """Return marks and letters, raised."""
    text = ",".join(marks)
    return f"\\textsuperscript{{{text}}}" if text else ""
