"""Cells and columns in LaTeX."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.report.tables.displayed import MISSING, DisplayedCell, Heading, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pylatexenc.latexencode import UnicodeToLatexEncoder

    from hypar_opt.report.tables.table import Column, Table


SIGNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "`": "{`}",  # ?` is another sign
        '"': r"{\char34}",  # languages make it active
        "[": "{[}",  # an argument, where it begins a row
        "]": "{]}",
        "*": "{*}",
        "\x7f": "{[}U+007F{]}",
        "×": r"$\times$",
        "·": r"$\cdot$",
        "→": r"$\to$",
        "µ": r"$\mu$",
        "°": r"$^{\circ}$",
        "²": r"$^{2}$",
        "³": r"$^{3}$",
    }
)
"""What pylatexenc leaves, or writes by commands for which older TeXs need another package."""
KERNEL: Final = re.compile(
    r"\\([{}$&%#_]|ss|ae|AE|oe|OE|o|O|l|L|text(backslash|ascii(tilde|circum)|(en|em)dash|ellipsis|quote(dbl)?(left|right))"
    r"|ensuremath\{(-|\\(leq|geq|neq|approx|pm|mu))\})"
)
"""What every TeX sets, of what pylatexenc writes; its letters with accents are not all the right ones."""
LOOKALIKES: Final = "ˆ˜―"
"""Signs that pylatexenc takes for others."""
ACCENTS: Final[Mapping[str, str]] = MappingProxyType(
    {"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
     "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c"}
)  # fmt: skip
"""Combining marks, and the commands that set them."""
DOUBLED: Final = re.compile(r"([-',])(?=\1)")
"""Two of them are set as another sign."""


def latex(text: str) -> str:
    """Return text as LaTeX sets it; a character that not every font has, by its number: [U+6F22]."""
    line = unicodedata.normalize("NFC", " ".join(text.split()))
    return str(_encoder().unicode_to_latex(line)).replace(r" \%", r"~\%")


@cache
def _encoder() -> UnicodeToLatexEncoder:
    """Return what escapes: our own signs first, then what pylatexenc knows and every TeX sets."""
    from pylatexenc.latexencode import (
        RULE_CALLABLE,
        RULE_DICT,
        RULE_REGEX,
        UnicodeToLatexConversionRule,
        UnicodeToLatexEncoder,
        get_builtin_uni2latex_dict,
    )

    builtin = get_builtin_uni2latex_dict().items()
    known = {sign: said for sign, said in builtin if KERNEL.fullmatch(said) and chr(sign) not in LOOKALIKES}
    own = {ord(sign): said for sign, said in SIGNS.items()}
    rules = [
        UnicodeToLatexConversionRule(RULE_REGEX, [(DOUBLED, r"\1{}")], replacement_latex_protection="none"),
        UnicodeToLatexConversionRule(RULE_DICT, own, replacement_latex_protection="none"),
        UnicodeToLatexConversionRule(RULE_CALLABLE, _accented, replacement_latex_protection="none"),
        UnicodeToLatexConversionRule(RULE_DICT, known, replacement_latex_protection="braces-after-macro"),
    ]
    return UnicodeToLatexEncoder(conversion_rules=rules, unknown_char_policy=_by_number, unknown_char_warning=False)


def _by_number(sign: str) -> str:
    return f"{{[}}U+{ord(sign):04X}{{]}}"


def _accented(text: str, at: int) -> tuple[int, str] | None:
    """Return what sets a letter with an accent, of a text at a place; how many characters it stands for first."""
    parts = unicodedata.normalize("NFD", text[at])
    base, mark = parts[0], parts[1:]
    if mark not in ACCENTS or not (base.isascii() and base.isalpha()):
        return None
    return 1, f"\\{ACCENTS[mark]}{{{base}}}"


def latex_number(text: str) -> str:
    """Return a number with its minus, and its power of ten where it has one."""
    found = re.fullmatch(r"(-?)([\d.,/]+)(?:e([+-]\d+))?", text)
    if found is None:
        return latex(text)
    minus, digits, power = found.groups()
    sign = "$-$" if minus else ""
    return f"{sign}{digits}" if power is None else f"{sign}{digits}$\\times10^{{{int(power)}}}$"


PLAIN: Final = re.compile(r"-?[\d,]+(\.\d+)?")
"""Numbers whose points can stand in line."""
LINE: Final = 8
"""Characters of a heading above numbers."""


@dataclass(frozen=True)
class LatexColumn:
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
        Of the longest entry, of numbers with what their points in line leave blank.
    """

    numeric: bool
    places: int
    width: float | None
    characters: int

    @classmethod
    def of(cls, table: Table, column: Column) -> LatexColumn:
        """Return how a table's column is set."""
        texts = [shown(column, row[column.key]) for row in table.rows]
        numeric = table.is_numeric(column)
        plain = [text.partition(".") for text in texts if numeric and _is_plain(text)]
        places = max((len(digits) for _, _, digits in plain), default=0)
        in_line = max((len(whole) for whole, _, _ in plain), default=0) + (places + 1 if places else 0)
        return cls(numeric, places, column.width, max(in_line, *map(len, (*texts, *_broken(column.heading)))))

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

    def cell(self, cell: DisplayedCell) -> str:
        """Return an entry, with its mark and the letters of its footnotes."""
        behind = notes_of([*([latex(cell.mark)] if cell.mark else []), *map(reference, cell.notes)])
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


def notes_of(marks: Sequence[str]) -> str:
    """Return marks and letters, raised."""
    text = ",".join(marks)
    return f"\\textsuperscript{{{text}}}" if text else ""
