"""The checker of certificates of operators: it stands alone, refuses what is damaged, and bounds what it computes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from make import archive, changed, entries
from operator_certificates import certified, packed

from hypar_opt.verification.certificate import check as module
from hypar_opt.verification.certificate import check_operators
from hypar_opt.verification.certificate.check import CertificateError, check
from hypar_opt.verification.certificate.check_operators import exact
from hypar_opt.verification.certificate.check_operators.command import main

FOLDER = Path(check_operators.__file__).parent


@pytest.fixture(scope="module")
def good():
    return certified(3, most=500)


@pytest.fixture
def copy(tmp_path, good):
    """A folder with the checker, copied, and a certificate."""
    shutil.copy(module.__file__, tmp_path)
    shutil.copytree(FOLDER, tmp_path / "check_operators", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "plan.cert").write_bytes(good.file().getvalue())
    return tmp_path


def alone(folder, *arguments):
    command = [sys.executable, "-I", *arguments, "plan.cert"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("script", ["check.py", "check_operators"])
def test_it_runs_alone(copy, good, script):
    found = alone(copy, script)
    verdict = f"proven: the plan costs {good.least}, and none costs less\n"
    assert (found.returncode, found.stdout, found.stderr) == (0, verdict, "")
    wrong = packed(changed(good.header, "claim.bound", "1"), good.tables)
    (copy / "plan.cert").write_bytes(wrong.getvalue())
    found = alone(copy, script)
    said = f"not proven: the potentials prove the bound {good.least}, the file claims 1; "
    assert (found.returncode, found.stderr) == (1, "")
    assert found.stdout == f"{said}the potentials prove {good.least}\n"
    (copy / "plan.cert").write_bytes(b"")
    found = alone(copy, script)
    assert (found.returncode, found.stdout, len(found.stderr.splitlines())) == (2, "", 1)


def test_without_the_folder_it_says_what_is_missing(copy):
    shutil.rmtree(copy / "check_operators")
    found = alone(copy, "check.py")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == "is of operators, which the folder check_operators checks: it belongs beside check.py\n"


def test_it_imports_nothing_of_the_project(copy):
    script = "import sys, check_operators; print([x for x in sys.modules if 'hypar' in x])"
    found = subprocess.run([sys.executable, "-c", script], cwd=copy, capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


def test_main(copy, capsys):
    assert main([]) == 2
    assert capsys.readouterr().err == "usage: python check_operators FILE\n"
    assert main([str(copy / "plan.cert")]) == 0
    assert main([str(copy)]) == 2


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("problem.axes", [], "axes: expected 1 to 24"),
        ("problem.axes", [{"name": "a", "size": 2**16}] * 2, "of at most 65536 devices"),
        ("problem.axes[0].size", 1, "expected range"),
        ("problem.batch", True, "expected range"),
        ("problem.tensors[1].sizes", [2**62] * 3, "fewer than"),
        ("problem.tensors[1].sizes", [1] * 17, "expected at most 16"),
        ("problem.tensors[1].role", "map", "expected input"),
        ("problem.tensors[1].name", "x", "expected different names"),
        ("problem.operators[0].splits", ["height"], "of dimensions that it has"),
        ("problem.operators[0].output.dims", ["batch"], "by all their dimensions"),
        ("problem.operators[0].output.dims", ["batch", "batch", "out"], "expected different ones"),
        ("problem.operators[0].output.dims", ["batch", "sequence", "height"], "expected different ones that it has"),
        ("problem.operators[0].output.tensor", 0, "by all their dimensions|nothing has written"),
        ("problem.operators[0].operands[0].tensor", 99, "expected tensors that there are"),
        ("problem.operators[0].sizes", {"none": 3}, "different ones that it has"),
        ("problem.operators[1].name", "linear0", "expected different names"),
        ("problem.operators", [], "expected different names, and some"),
        ("problem.storages", [], "storages"),
        ("problem.fix", {"nobody": "batch batch"}, "there is nothing that is called"),
        ("problem.fix", {"linear0": "batch"}, "expected an entry an axis"),
        ("problem.fix", {"linear0": "sideways ."}, "has no word that is allowed"),
        ("problem.objective.communication", "0", "expected a weight above 0"),
        ("problem.overrides", {"batch": 5}, "not as in the problem"),
        ("clusters[0].variables", [0, 0], "different ones"),
        ("clusters[0].variables", [999], "different ones"),
        ("clusters[0].unary", [1], "expected costs of its variables only|expected each of"),
        ("messages[0].to", 999, "expected two clusters"),
        ("messages[0].to", 0, "expected two clusters"),
        ("messages[0].variables", [0, 1, 2, 3], "that both clusters have"),
        ("messages[0].table", 1, "tables are named in order"),
        ("claim.plan", [], "expected dict"),
        ("schema", ..., "missing or unknown fields"),
    ],
)
def test_what_does_not_fit_is_named(good, path, value, said):
    with pytest.raises(CertificateError, match=said):
        check(packed(changed(good.header, path, value), good.tables))


def test_tables_are_those_that_messages_name(good):
    for tables in (good.tables[:-1], [*good.tables, good.tables[0]]):
        with pytest.raises(CertificateError, match=r"messages.npy: expected \d+ entries"):
            check(packed(good.header, tables))


def test_a_table_has_the_shape_of_each_message_that_names_it():
    other = certified(31, most=500)
    shapes = [one.shape for one in other.tables]
    number = next(n for n, one in enumerate(other.header["messages"]) if n and shapes[one["table"]] != shapes[0])
    with pytest.raises(CertificateError, match="table: is of shape"):
        check(packed(changed(other.header, f"messages[{number}].table", 0), other.tables))


def test_the_digest_is_compared(good):
    wrong = json.dumps(good.header | {"arrays_sha256": "0" * 64})
    file = archive([("header.json", wrong), ("messages.npy", entries(good.tables)[0])])
    with pytest.raises(CertificateError, match=r"messages.npy has another digest"):
        check(file)


def test_members_are_stored_as_they_are(good):
    members = [("header.json", json.dumps(good.header)), ("messages.npy", entries(good.tables)[0])]
    for file, said in (
        (archive(members, zipfile.ZIP_DEFLATED), "expected to be stored as it is"),
        (archive([*members, ("more", b"")]), "expected header.json and messages.npy"),
        (archive([members[0], ("messages.npy", b"x")]), "messages.npy: expected '<i8'"),
    ):
        with pytest.raises(CertificateError, match=said):
            check(file)


def words(sizes, axes):
    """A header of one operator with so many dimensions on so many axes of two."""
    dims = [f"d{number}" for number in range(sizes)]
    operator = {
        "name": "one", "sizes": dict.fromkeys(dims, 2**40), "splits": dims, "is_cheap": False, "operands": [],
        "output": {"tensor": 0, "dims": [dims[0]]}, "statistics": [],
    }  # fmt: skip
    tensor = {"name": "out", "sizes": [8], "role": "activation", "element_bytes": 1, "has_gradient": False}
    return {
        "axes": [{"name": f"a{number}", "size": 2} for number in range(axes)],
        "tensors": [tensor],
        "operators": [operator],
    }


@pytest.mark.parametrize("axes", [13, 16])
def test_too_many_words_are_refused_before_they_are_made(good, axes):
    header = changed(good.header, "problem.fix", {})
    header["problem"] |= words(40, axes)
    with pytest.raises(CertificateError, match="'one' has more than 4096 words"):
        check(packed(header, good.tables))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("MOST_BYTES", 8, "expected tables of at most 8 bytes"),
        ("MOST_IN_ALL", 100, "bytes in all tables of costs"),
        ("MOST_WORK", 100, "numbers to be computed in all"),
    ],
)
def test_what_is_computed_is_bounded(good, monkeypatch, name, value, said):
    monkeypatch.setattr(exact, name, value)
    with pytest.raises(CertificateError, match=said):
        check(good.file())
