"""Formats of tables: ours are found by their names, and another's is one module."""

import os
import subprocess
import sys

import pytest
from samples import plain

from hypar_opt.report.tables import Column, Entry, Table, TableDocument, files_of, formats, text_table
from hypar_opt.util.errors import Refusal

ORG = """
from hypar_opt.report.tables import TableFormat, displayed


def _table(table):
    rows = [[one.text + one.mark for one in row] for row in displayed(table, "org").rows]
    return "".join("| " + " | ".join(row) + " |\\n" for row in rows)


FORMAT = TableFormat("org", ".org", lambda document: "".join(map(_table, document.tables)))
"""
WRITE = """
import sys
from pathlib import Path
from hypar_opt.report.tables import Column, TableDocument, Entry, Table, files_of, write_document

table = Table("t", "T", (Column("a", "a", "GB", 10**9, 3), Column("b", "b", formats=("data",))), (
    {"a": Entry(773_124_096, mark="*"), "b": Entry("unseen")},
))
paths = write_document(TableDocument("t", table, (table,)), Path(sys.argv[1]))
assert tuple(path.name for path in paths) == files_of("t")
"""


@pytest.fixture
def installed(tmp_path):
    """Return an environment in which somebody else's format is installed, and a function that writes its module."""
    folder = tmp_path / "plug-in"
    information = folder / "org_tables-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: org-tables\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[hypar_opt.table_formats]\norg = org_tables:FORMAT\n")
    module = folder / "org_tables.py"
    module.write_text(ORG)
    return {**os.environ, "PYTHONPATH": str(folder)}, module


def test_another_format_is_one_module(installed, tmp_path):
    environment, _ = installed
    subprocess.run([sys.executable, "-c", WRITE, tmp_path], env=environment, check=True)
    written = {path.name for path in tmp_path.iterdir() if path.is_file()}
    assert written == {"t.csv", "t.md", "t.tex", "t.json", "t.org"}
    assert (tmp_path / "t.org").read_text() == "| 0.773* |\n"


def test_a_command_writes_it_too(installed, tmp_path):
    environment, _ = installed
    command = "import sys; from hypar_opt.cli import main; sys.argv[0] = 'hypar-opt'; main()"
    asked = ["compare", "lenet-c", "-f", "joint-dp", "-o", str(tmp_path / "new"), "-q"]
    subprocess.run([sys.executable, "-c", command, *asked], env=environment, check=True, capture_output=True)
    assert "| lenet-c | " in (tmp_path / "new" / "comparison.org").read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("raise OSError('broken')", "org (org_tables:FORMAT) cannot be loaded: OSError: broken"),
        ("FORMAT = 1", "the entry point 'org' of org_tables:FORMAT is not a table format"),
    ],
)
def test_one_that_cannot_be_loaded_is_named(installed, tmp_path, text, said):
    environment, module = installed
    module.write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", WRITE, tmp_path], env=environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert f"{Refusal.__name__}: {said}" in done.stderr


def test_ours_and_their_files():
    assert list(formats()) == ["csv", "markdown", "latex", "json", "page", "terminal"]
    assert files_of("x") == ("x.csv", "x.md", "x.tex", "x.json")
    assert all(one.name == name for name, one in formats().items())


def test_one_description_in_every_format():
    document = TableDocument("plain", plain(), (plain(),))
    written = {name: one.write(document) for name, one in formats().items()}
    assert all("99.02" in written[name] for name in ("markdown", "latex", "page", "terminal"))
    assert all("99020000001" in written[name] for name in ("csv", "json"))
    assert written["page"].strip().startswith('<div class="scroll"')
    lines = written["terminal"].splitlines()
    assert lines[0].split()[:2] == ["instance", "joint-dp"]
    assert lines[1].split() == ["sfc", "0.7731*", "0.8559", "1.50"]
    ends = {line.index("(GB)") + 4 if "(GB)" in line else line.index("*") + 1 for line in lines[:3]}
    assert len(ends) == 1, "numbers stand on the right, below the end of their heading"


def test_lists_stand_below_and_plain_data_instead_of_rows():
    table = Table("t", "T", (Column("a", "a"),), ({"a": Entry(1)},))
    document = TableDocument("t", table, (table, table), "All", (("Why:", ("one", "# two")),), {"rows": 1})
    text = formats()["markdown"].write(document)
    assert text.startswith("# All\n\n## T\n")
    assert text.endswith("Why:\n\n- one\n- \\# two\n")
    assert formats()["json"].write(document) == '{\n "rows": 1\n}'


def test_tables_of_texts():
    made = text_table([{"name": "a|b", "count": 3}])
    assert [(one.heading, one.align) for one in made.columns] == [("name", "left"), ("count", "right")]
    assert text_table([], right=("b",), headings=("a", "b")).columns[1].align == "right"
