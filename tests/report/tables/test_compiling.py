"""The tables through a TeX, where one is installed."""

from __future__ import annotations

import shutil
import string
import subprocess
import sysconfig
import unicodedata
from pathlib import Path

import pytest
import yaml
from pypdf import PdfReader
from samples import SAMPLES, hostile, plain

from hypar_opt.report.compare.table import cost_table, time_table
from hypar_opt.report.tables import Column, Entry, Table, latex_text, standalone
from hypar_opt.report.tables.latex import NEEDS
from hypar_opt.report.tables.latex_cells import ACCENTS, SIGNS
from hypar_opt.studies.compare import Cell

PDFLATEX = shutil.which("pdflatex")
pytestmark = [
    pytest.mark.latex,
    pytest.mark.skipif(PDFLATEX is None, reason="there is no pdflatex; Debian has it in texlive-latex-recommended"),
]


def compiled(folder, document):
    """Return the words of the PDF, and what TeX said; shell commands and files elsewhere are out of its reach."""
    (folder / "table.tex").write_text(document, encoding="utf-8")
    command = [PDFLATEX, "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "table.tex"]
    for _ in range(3):  # longtable settles its widths
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    assert ran.returncode == 0, ran.stdout[-2000:]
    return " ".join("".join(page.extract_text() for page in PdfReader(folder / "table.pdf").pages).split()), ran.stdout


@pytest.mark.parametrize("long", [False, True], ids=["floating", "long"])
@pytest.mark.parametrize("name", SAMPLES)
def test_it_compiles_without_a_complaint(tmp_path, name, long):
    _, said = compiled(tmp_path, standalone(latex_text(SAMPLES[name](), long=long)))
    assert [line for line in said.splitlines() if "Warning" in line and "Font Warning" not in line] == []
    assert "Overfull" not in said


def test_what_is_set_is_what_is_in_the_table(tmp_path):
    words, _ = compiled(tmp_path, standalone(latex_text(plain())))
    for expected in (
        "0.7731",
        "0.01206",
        "99.02",
        "communication (GB)",
        "instance",
        "not proven: a rule",
        "for chains",
    ):
        assert expected in words


def test_a_comparison_of_hostile_names_compiles(tmp_path):
    names = [entry["name"].value for entry in hostile().rows]
    cells = [
        Cell(name, "published", 8, 1, formulation, None, f"{formulation} declines {name}", row)
        for row, name in enumerate(names)
        for formulation in ("f_1", "&", "\\end{table}")
    ]
    words, said = compiled(tmp_path, standalone(latex_text(cost_table(cells)), latex_text(time_table(cells))))
    assert "Overfull" not in said
    assert words.count("declines under") == 6


def test_every_sign_of_a_keyboard_is_set(tmp_path):
    signs = string.printable[:94]
    table = Table("t", "T", (Column("a", "a"),), tuple({"a": Entry(f"{sign}x{sign}")} for sign in signs))
    words, _ = compiled(tmp_path, standalone(latex_text(table, long=True)))
    close = words.replace(" ", "")  # kerning reads like blanks
    set_as = {"'": "’", "`": "‘", '"': "”", "-": "-", "~": "˜", "^": "ˆ"}
    missing = [sign for sign in signs if f"{set_as.get(sign, sign)}x{set_as.get(sign, sign)}" not in close]
    assert missing == ["_"], words  # which is drawn, not set


def test_accents_and_signs_compile(tmp_path):
    letters = [unicodedata.normalize("NFC", f"e{mark}") for mark in ACCENTS]
    signs = (*SIGNS, *"±≤≥≠≈−μ–—…‘’“”ßæÆøØłŁœ", *letters, "漢", "\u202e")
    rows = tuple({"a": Entry(sign), "b": Entry(f"{ord(sign[0]):04X}")} for sign in signs)
    compiled(tmp_path, standalone(latex_text(Table("t", "T", (Column("a", "a"), Column("b", "b")), rows), long=True)))


def test_a_command_that_is_not_escaped_would_be_seen(tmp_path):
    with pytest.raises(AssertionError, match="Undefined control sequence"):
        compiled(tmp_path, standalone(latex_text(plain()).replace("instance", r"\nosuchcommand")))


CLAIMS = {
    "schema": "hypar-opt/claims/1", "title": "of a_test & more", "source": "nobody",
    "claims": [
        {"id": f"{name}_1", "source": "Table 1 & 2", "text": f"100 % {name}", "instance": "sfc", **one}
        for name, one in (
            ("total", {"total": {"formulation": "hypar-dp", "communication_bytes": 7}}),
            ("best", {"optimal": {"formulation": "hypar-dp"}}),
        )
    ],
}  # fmt: skip
ACCELERATORS = ("--array", "hypar-row-stationary-16")
SOLVED = {
    "a plan": ("vgg-e",),
    "of eight levels": ("vgg-a", "--levels", "8"),
    "of ten levels": ("vgg-a", "--levels", "10"),
    "with joins, over pages": ("resnet-50",),
    "placed": ("lenet-c", "--array", "hypar-16", "--objective", "time"),
    "fractions": ("lenet-c", "--accounting", "leaf-exact", "--batch", "7"),
}
WRITTEN = {
    "a front": ("pareto", "vgg-a", *ACCELERATORS, "--table", "out/front.tex"),
    "a front over pages": (
        "pareto", "vgg-e", *ACCELERATORS, "--components", "communication,time,energy", "--table", "out/front.tex",
    ),
    "a comparison": ("compare", "sfc", "lenet-c", "-f", "joint-dp,hypar-dp,data-parallel", "-o", "out"),
    "arrays": ("compare-arrays", "sfc", "lenet-c", "--arrays", "h-tree-16,ring-16", "--levels", "2", "-o", "out"),
    "verdicts": ("audit", "claims.yaml", "-o", "out"),
}  # fmt: skip


def ran(*arguments):
    program = Path(sysconfig.get_path("scripts")) / "hypar-opt"
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*SOLVED, *WRITTEN])
def test_whatever_a_command_writes_compiles_with_the_packages_that_it_names(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("out").mkdir()
    Path("claims.yaml").write_text(yaml.safe_dump(CLAIMS), encoding="utf-8")
    if kind in SOLVED:
        ran("solve", *SOLVED[kind], "-o", "plan.json", "--no-explain")
        ran("show", SOLVED[kind][0], "--plan", "plan.json", "-o", "out/plan.tex")
    else:
        ran(*WRITTEN[kind])
    (path,) = Path("out").glob("*.tex")
    written = path.read_text(encoding="utf-8")
    (needs,) = {line for line in written.splitlines() if "usepackage" in line}
    head = ["\\documentclass{article}", "\\setlength{\\textwidth}{16cm}", needs.removeprefix("% needs ")]
    words, said = compiled(tmp_path, "\n".join([*head, "\\begin{document}", written, "\\end{document}", ""]))
    assert [line for line in said.splitlines() if "Warning" in line and "Font Warning" not in line] == []
    assert "Overfull" not in said
    assert "Table 1:" in words


def test_the_documentation_names_the_packages():
    docs = Path(__file__).parents[3] / "docs" / "tables.md"
    assert NEEDS.removeprefix("% needs ") in docs.read_text(encoding="utf-8")
