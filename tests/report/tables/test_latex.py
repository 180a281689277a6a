"""LaTeX: nothing that a file says is a command, and what is set is what was said."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexGroupNode, LatexMacroNode, LatexMathNode, LatexWalker

from hypar_opt.report.tables import Column, Entry, Table, latex_text, standalone
from hypar_opt.report.tables.latex_cells import ACCENTS, latex, latex_number, reference

PRINTED = st.text(st.sampled_from(string.printable[:95] + "äÖñ×≤"), max_size=12).map(
    lambda text: " ".join(text.split())
)
SETS = {"textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater", "textbar", "char", "times",
        "ensuremath", "cdot", "pm", "leq", "geq", "neq", "approx", "to", "mu", "circ", "textellipsis", "textendash",
        "textemdash",
        "textquoteleft", "textquoteright", "textquotedblleft", "textquotedblright", "ss", "ae", "AE", "oe", "OE", "o",
        "O", "l", "L", *"{}$&%#_", *ACCENTS.values()}  # fmt: skip
"""The commands that escaping may write."""
UNKNOWN = {
    r"{\char34}": '"',
    r"\textbar{}": "|",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textasciicircum{}": "^",
}
"""Those that the reader does not know; the test that compiles tables sees that they are right."""


def commands(nodes):
    """Return the names of all commands."""
    for node in nodes:
        if isinstance(node, LatexMacroNode):
            yield node.macroname
            if node.nodeargd is not None:
                yield from commands([one for one in node.nodeargd.argnlist if one is not None])
        elif isinstance(node, LatexGroupNode | LatexMathNode):
            yield from commands(node.nodelist)
        elif hasattr(node, "nodelist"):
            raise AssertionError(f"an environment: {node}")


def parsed(text):
    return LatexWalker(text, tolerant_parsing=False).get_latex_nodes()[0]


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_no_text_becomes_a_command(text):
    assert set(commands(parsed(latex(text)))) <= SETS


@given(PRINTED)
def test_what_is_set_is_what_was_said(text):
    plain = latex(text)
    for command, sign in UNKNOWN.items():
        plain = plain.replace(command, sign)
    assert LatexNodes2Text(math_mode="text").latex_to_text(plain).replace("\xa0", " ") == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a_b & 5 %", r"a\_b \& 5~\%"),
        ("--objective", "-{}-objective"),
        ("''", "'{}'"),
        ("a\n\tb", "a b"),
        ("[x]*", "{[}x{]}{*}"),
        ("é", r"\'{e}"),
        ("e\u0301", r"\'{e}"),
        ("űĠẽ", r"\H{u}\.{G}\~{e}"),
        ("±2 – “x”", r"\ensuremath{\pm}2 \textendash{} \textquotedblleft{}x\textquotedblright{}"),
        ("ˆ˜я", "{[}U+02C6{]}{[}U+02DC{]}{[}U+044F{]}"),
        ("\x7f", "{[}U+007F{]}"),
        ("漢\x07", "{[}U+6F22{]}{[}U+0007{]}"),
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
    ],
)
def test_escapes(text, expected):
    assert latex(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("-1.5", "$-$1.5"), ("1.234e-07", r"1.234$\times10^{-7}$"), ("12,345", "12,345"), ("none_", r"none\_")],
)
def test_numbers(text, expected):
    assert latex_number(text) == expected


@pytest.mark.parametrize(("number", "letters"), [(1, "a"), (26, "z"), (27, "aa"), (52, "az"), (53, "ba"), (702, "zz")])
def test_footnotes_have_letters(number, letters):
    assert reference(number) == letters


def test_numbers_stand_in_line_units_in_the_heading_notes_below():
    costs = {"unit": "GB", "scale": 10**9, "digits": 4, "group": "bytes"}
    columns = (
        Column("name", "instance"),
        Column("a", "joint-dp", **costs),
        Column("b", "one-weird-trick", **costs, notes=("a rule",)),
        Column("c", "time", "ms"),
    )
    entries = Entry("sfc"), Entry(303_523_712, best=True, mark="*"), Entry(1_994_958_720), Entry(None, notes=("no",))
    other = Entry("x_y"), Entry(12_060_000_000), Entry(99_020_000_000), Entry(5)
    keys = [column.key for column in columns]
    rows = tuple(dict(zip(keys, row, strict=True)) for row in (entries, other))
    text = latex_text(Table("t", "A 5 % title", columns, rows, ("Said of all",)))
    lines = text.splitlines()
    assert r"\caption{A 5~\% title}" in lines
    assert r"\label{tab:t}" in lines
    assert r"\begin{tabular}{@{}lr@{}lr@{}lr@{}l@{}}" in lines
    top, middle = lines.index(r"\toprule"), lines.index(r"\midrule")
    assert lines[top + 1 : middle] == [
        r" & \multicolumn{4}{c}{bytes (GB)} & & \\",
        r"\cmidrule(lr){2-5}",
        r"instance & \multicolumn{2}{c}{joint-dp} & "
        r"\multicolumn{2}{c}{\shortstack{\strut one-\\weird-\\trick\rlap{\textsuperscript{a}}}} & "
        r"\multicolumn{2}{c}{time} \\",
        r" & \multicolumn{2}{c}{} & \multicolumn{2}{c}{} & \multicolumn{2}{c}{(ms)} \\",
    ]
    assert lines[middle + 1 : middle + 3] == [
        r"sfc & \textbf{0.3035} & \textsuperscript{{*}} & 1.995 &  & \multicolumn{2}{c}{--\textsuperscript{b}} \\",
        r"x\_y & 12.06\phantom{00} &  & 99.02\phantom{0} &  & 5 &  \\",
    ]
    assert [line for line in lines if line.endswith(r"\par")] == [
        r"Said of all.\par",
        r"\noindent \textsuperscript{a}~a rule\par",
        r"\noindent \textsuperscript{b}~no\par",
    ]


@pytest.mark.parametrize(("count", "kind"), [(40, "{tabular}"), (41, "{longtable}")])
def test_tables_longer_than_a_page_are_broken(count, kind):
    rows = tuple({"a": Entry(position)} for position in range(count))
    text = latex_text(Table("t", "T", (Column("a", "a"),), rows))
    assert text.count(rf"\begin{kind}") == text.count(rf"\end{kind}") == 1
    assert parsed(text)


def test_folded_texts_share_the_line():
    columns = (Column("a", "a", width=0.25, code=True), Column("b", "b", width=0.75))
    text = latex_text(Table("t", "T", columns, ({"a": Entry("x-y.z"), "b": Entry("long")},) * 2))
    assert r"p{\dimexpr 0.25\linewidth-1\tabcolsep\relax}" in text
    assert r"p{\dimexpr 0.75\linewidth-1\tabcolsep\relax}" in text
    row = r"\texttt{x-\allowbreak{}y.\allowbreak{}z} & long \\"
    assert text.count("\n".join([row, r"\addlinespace[2pt]", row])) == 1


def test_a_document_of_its_own_needs_packages_of_every_tex_only():
    text = standalone(latex_text(Table("t", "T", (Column("a", "a"),), ({"a": Entry(1)},))))
    lines = text.splitlines()
    assert [line for line in lines if line.startswith(r"\usepackage")] == [
        r"\usepackage[margin=2.5cm]{geometry}",
        r"\usepackage{array,booktabs,longtable}",
    ]
    assert (lines[0], lines[-1]) == (r"\documentclass{article}", r"\end{document}")


def test_every_sign_that_means_something_is_escaped_and_no_other():
    changed = {sign for sign in string.printable[:94] if latex(sign) != sign}
    assert changed == set('\\{}$&%#_~^<>|`"[]*')
