"""Tables as LaTeX: booktabs, units in the headings, numbers aligned by their points, the best in bold, footnotes.

Needs booktabs, and for long tables and folded texts longtable and array, which every TeX brings.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from hypar_opt.report.tables.displayed import Displayed, displayed
from hypar_opt.report.tables.formats import TableFormat
from hypar_opt.report.tables.latex_cells import LatexColumn, latex, notes_of, reference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.report.tables.table import Table

ROWS_OF_A_PAGE: Final = 40
"""Beyond them a table is broken over pages."""
NEEDS: Final = "% needs \\usepackage{array,booktabs,longtable}"
SIZES: Final = ((80, r"\small"), (105, r"\footnotesize"))
"""Characters that fit into a line of a page at a size; the smallest beyond."""
CROWDED: Final = 120
"""Characters beyond which columns stand closer."""


def latex_text(table: Table, *, long: bool | None = None) -> str:
    """Return the table, with its caption, the label `tab:NAME`, and its footnotes below it.

    Parameters
    ----------
    long
        Whether it may be broken over pages; where it has more than 40 rows, unless told.
    """
    found = displayed(table, "latex")
    columns = [LatexColumn.of(table, column) for column in table.columns_of("latex")]
    head = [r"\toprule", *_head(found, columns), r"\midrule"]
    body, feet = _body(found, columns), _feet(table, found)
    caption, label = f"\\caption{{{latex(table.title)}}}", f"\\label{{tab:{table.name}}}"
    size, spec, whole = _size(columns), _spec(columns), sum(column.cells for column in columns)
    if len(table.rows) > ROWS_OF_A_PAGE if long is None else long:
        lines = [
            r"\begingroup",
            size,
            f"\\begin{{longtable}}{{{spec}}}",
            f"{caption}{label}\\\\",
            *head,
            r"\endfirsthead",
            f"\\multicolumn{{{whole}}}{{l}}{{\\itshape continued}}\\\\",
            *head,
            r"\endhead",
            r"\bottomrule",
            r"\endfoot",
            *body,
            r"\end{longtable}",
            *feet,
            r"\endgroup",
        ]
    else:
        lines = [r"\begin{table}[htbp]", r"\centering", caption, label, r"\smallskip", size]
        lines += [f"\\begin{{tabular}}{{{spec}}}", *head, *body, r"\bottomrule", r"\end{tabular}"]
        lines += [*feet, r"\end{table}"]
    return "\n".join([NEEDS, *lines, ""])


def _body(found: Displayed, columns: Sequence[LatexColumn]) -> list[str]:
    """Return a line a row; rows of several lines are set a little apart."""
    rows = ([column.cell(cell) for column, cell in zip(columns, row, strict=True)] for row in found.rows)
    lines = [f"{' & '.join(row)} \\\\" for row in rows]
    apart = ["\\addlinespace[2pt]"] if _folded(columns) else []
    return [line for one in lines for line in (*apart, one)][len(apart) :]


def _spec(columns: Sequence[LatexColumn]) -> str:
    """Return the columns' kinds, without space at both ends, as booktabs wants it."""
    return f"@{{}}{''.join(column.spec(len(columns)) for column in columns)}@{{}}"


def _size(columns: Sequence[LatexColumn]) -> str:
    need = sum(column.characters + 3 for column in columns)
    size = next((size for most, size in SIZES if need <= most), r"\scriptsize")
    if _folded(columns):
        return r"\scriptsize\setlength{\tabcolsep}{4pt}"
    return f"{size}\\setlength{{\\tabcolsep}}{{{4 if need <= CROWDED else 3}pt}}"


def _folded(columns: Sequence[LatexColumn]) -> bool:
    return any(column.width is not None for column in columns)


def _head(found: Displayed, columns: Sequence[LatexColumn]) -> list[str]:
    """Return the lines of headings: groups, where there are some, the columns' names, their units."""
    pairs = list(zip(found.headings, columns, strict=True))
    lines, units, spans, rules, at = [], [], [], [], 1
    for group, members in groupby(pairs, key=lambda pair: pair[0].group):
        some = list(members)
        width, common = sum(column.cells for _, column in some), {heading.unit for heading, _ in some}
        shared = common.pop() if group and len(common) == 1 else ""
        title = latex(group) + (f" ({latex(shared)})" if shared else "")
        spans.append(f"\\multicolumn{{{width}}}{{c}}{{{title}}}" if group else "&" * (width - 1))
        if group:
            rules.append(f"\\cmidrule({'lr' if at > 1 else 'r'}){{{at}-{at + width - 1}}}")
        units += ["" if shared else heading.unit for heading, _ in some]
        at += width
    if rules:
        lines += [" & ".join(spans) + r" \\", "".join(rules)]
    lines.append(" & ".join(column.headed(heading) for heading, column in pairs) + r" \\")
    if any(units):
        texts = [f"({latex(unit)})" if unit else "" for unit in units]
        lines.append(" & ".join(column.over(text) for text, column in zip(texts, columns, strict=True)) + r" \\")
    return lines


def _feet(table: Table, found: Displayed) -> list[str]:
    """Return what is said of the table, and its footnotes, as wide as the text."""
    said = [latex(f"{note.rstrip('.')}.") for note in table.notes]
    feet = [f"{notes_of([reference(number)])}~{latex(note)}" for number, note in enumerate(found.footnotes, 1)]
    if not said and not feet:
        return []
    first, *others = [rf"{line}\par" for line in (" ".join(said), *feet) if line]
    lines = [first, *(rf"\noindent {line}" for line in others)]
    return ["", r"\smallskip", r"{\footnotesize\raggedright\noindent\ignorespaces", *lines, "}"]


def standalone(*texts: str) -> str:
    """Return a document of nothing but tables, to look at them."""
    parts = [r"\documentclass{article}", r"\usepackage[margin=2.5cm]{geometry}"]
    parts += [r"\usepackage{array,booktabs,longtable}", r"\begin{document}"]
    return "\n".join([*parts, *texts, r"\end{document}", ""])


FORMAT: Final = TableFormat("latex", ".tex", lambda document: "\n".join(map(latex_text, document.tables)))
