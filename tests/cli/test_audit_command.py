"""hypar-opt audit, in this process and as a program."""

from __future__ import annotations

import csv
import json
import signal

import pytest
import yaml
from helpers import document, linear_chain

SMALL = {"instance": "sfc", "overrides": {"accounting": "receiver"}}
TRUE = {**SMALL, "total": {"formulation": "hypar-dp", "communication_bytes": 1_003_794_432}}
FALSE = {**SMALL, "optimal": {"formulation": "hypar-dp"}, "finding": "greedy across levels"}
OPEN = {"instance": "resnet-18", "optimal": {"formulation": "hypar-dp"}}
LATER = {**SMALL, "performance_gain": {"formulation": "hypar-dp", "over": "data-parallel", "value": "23.48"}}
WAITING = {**SMALL, "total": {"formulation": "waits-with-a-plan", "communication_GB": "1"}}


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a claims file of claims by id, and returns its path."""

    def write_claims(**claims):
        told = [{"id": name, "source": "Table 1", "text": f"claim {name}", **one} for name, one in claims.items()]
        whole = {"schema": "hypar-opt/claims/1", "title": "of a test", "source": "nobody", "claims": told}
        path = tmp_path / "claims.yaml"
        path.write_text(yaml.safe_dump(whole, sort_keys=False), encoding="utf-8")
        return path

    return write_claims


def test_a_table_then_what_stands_behind_it(run, write, tmp_path, monkeypatch):
    write(true=TRUE, false=FALSE, open=OPEN, later=LATER)
    monkeypatch.chdir(tmp_path)
    ran = run("audit", "claims.yaml")
    assert (ran.code, ran.err) == (0, "")
    lines = [" ".join(line.split()) for line in ran.out.splitlines() if line.strip()]
    command = "hypar-opt audit claims.yaml --only"
    assert lines[:7] == [
        "of a test",
        "Table 1",
        "id claim printed recomputed verdict command",
        "true claim true 1003794432 B 1003794432 B confirmed hypar-opt solve sfc -f hypar-dp --accounting receiver",
        f"false claim false optimal better: 991,211,520 bytes refuted {command} false",
        f"open claim open optimal - undecided {command} open",
        f"later claim later 23.48 - not reproducible {command} later",
    ]
    assert lines[7:] == [
        "refuted: false",
        "a better plan exists",
        "finding: greedy across levels",
        "sfc, receiver, batch 256, H = 4: 1,003,794,432 bytes, better 991,211,520 bytes (fc1 mmdm, better dmmm)",
        f"$ {command} false",
        "undecided: open",
        "hypar-dp is for chains and this network has joins or branches; try joint-dp or cp-sat",
        "resnet-18, published, batch 256, H = 4",
        f"$ {command} open",
        "not reproducible: later",
        "the time of a plan needs array.accelerator, which is missing; the array hypar-16 has it",
        "sfc, receiver, batch 256, H = 4",
        f"$ {command} later",
        "4 claims: 1 confirmed, 1 refuted, 1 not reproducible, 1 undecided",
    ]


@pytest.mark.parametrize(
    ("claims", "code"),
    [
        ({"a": TRUE}, 0),
        ({"a": TRUE, "b": LATER}, 0),
        ({"a": TRUE, "b": OPEN}, 3),
        ({"a": OPEN, "b": FALSE}, 1),
    ],
)
def test_exit_codes(run, write, claims, code):
    path = write(**claims)
    assert run("audit", path, "-q").code == 0
    assert run("audit", path, "-q", "--strict").code == code


def test_an_array_of_a_claim_is_shown_as_it_is_given(run, write):
    array = {"topology": "h-tree", "levels": 1, "link": {"bandwidth": 0.5}}
    rows = json.loads(
        run(
            "audit",
            write(a={**TRUE, "overrides": {"array": array}}, b={**TRUE, "overrides": {"array": "hypar-16"}}),
            "--json",
        ).out
    )["rows"]
    assert [row["overrides"]["array"] for row in rows] == [array, "hypar-16"]


def test_a_confirmed_number_that_rests_on_something_says_so(run, write):
    gain = {"formulation": "hypar-dp", "over": "data-parallel", "value": "23.4", "within": "0.5 %"}
    claim = {"instance": "sfc", "performance_gain": gain, "finding": "rests on a fitted constant"}
    ran = run("audit", write(a={**claim, "overrides": {"accounting": "as-evaluated", "array": "hypar-16"}}))
    assert "23.476 (within 0.5 %)" in ran.out
    assert "confirmed: a\n  finding: rests on a fitted constant\n" in ran.out


def test_only(run, write):
    path = write(true=TRUE, false=FALSE, open=OPEN)
    printed = json.loads(run("audit", path, "--only", "open", "--only", "true", "--json").out)
    assert [row["id"] for row in printed["rows"]] == ["true", "open"]
    assert run("audit", path, "--strict", "--only", "true").code == 0
    ran = run("audit", path, "--only", "opne")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "error: --only: no claim is called 'opne'; did you mean 'open'?\n"


def test_the_command_of_a_row_shows_the_row_again(run, write):
    printed = json.loads(run("audit", write(true=TRUE, false=FALSE), "--json").out)
    solve, audit = (row["command"].split()[1:] for row in printed["rows"])
    assert "1,003,794,432 bytes" in run(*solve).out
    (row,) = json.loads(run(*audit, "--json").out)["rows"]
    assert row == printed["rows"][1]


def test_the_command_of_a_row_runs_where_a_name_begins_with_a_dash(run, write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-x.yaml").write_text(json.dumps(document(linear_chain(8, 4), [8])), encoding="utf-8")
    total = {"formulation": "hypar-dp", "communication_GB": "1"}
    path = write(
        a={"instance": "-x.yaml", "total": total}, b={"instance": "-x.yaml", "exact": {"formulation": "hypar-dp"}}
    )
    path.rename(tmp_path / "-c.yaml")
    ran = run("audit", "--json", "--", "-c.yaml")
    assert ran.err == ""
    printed = json.loads(ran.out)
    solve, audit = (row["command"].split()[1:] for row in printed["rows"])
    assert run(*solve).code == 0
    assert [row["id"] for row in json.loads(run(*audit, "--json").out)["rows"]] == ["b"]


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ('"1.9e2"', "1.9e2"),
        ('"1.9E+2"', "1.9E+2"),
        ('"2.00"', "2.00"),
        ('".5"', ".5"),
        ("2.00", "2.00"),
        ("1.9e+2", "1.9e2"),
        ("0.0000001", "0.0000001"),
        ("12", "12"),
    ],
)
def test_numbers_are_shown_as_printed(run, write, number, shown):
    total = {"formulation": "hypar-dp", "communication_GB": "NUMBER"}
    path = write(
        a={**SMALL, "total": total}, b={**LATER, "performance_gain": {**LATER["performance_gain"], "value": "NUMBER"}}
    )
    path.write_text(path.read_text(encoding="utf-8").replace("NUMBER", number), encoding="utf-8")
    ran = run("audit", path, "--json")
    assert [row["printed"] for row in json.loads(ran.out)["rows"]] == [f"{shown} GB", shown], ran.err


def test_columns_are_as_wide_as_their_headings(run, write):
    lines = run("audit", write(a={**TRUE, "source": "T", "text": "b"})).out.splitlines()
    assert [line.split()[0] for line in lines[2:5]] == ["T", "id", "a"]
    assert lines[3].split()[:3] == ["id", "claim", "printed"]


def test_words_of_no_level_are_shown(run, write):
    none = {"instance": "sfc", "overrides": {"levels": 0}}
    claims = {
        "a": {**none, "plan": {"formulation": "hypar-dp", "others": ""}},
        "b": {**none, "plan": {"formulation": "hypar-dp", "strategies": {"fc1": ""}, "others": ""}},
    }
    rows = json.loads(run("audit", write(**claims), "--json").out)["rows"]
    assert [row["printed"] for row in rows] == ['others ""', 'fc1 "", others ""']
    assert [row["verdict"] for row in rows] == ["confirmed", "confirmed"]


def test_json_has_everything(run, write):
    printed = json.loads(run("audit", write(false=FALSE), "--json").out)
    assert {key: printed[key] for key in ("title", "source", "claims", "counts")} == {
        "title": "of a test",
        "source": "nobody",
        "claims": 1,
        "counts": {"confirmed": 0, "refuted": 1, "not reproducible": 0, "undecided": 0},
    }
    (row,) = printed["rows"]
    assert list(row) == [
        "id", "source", "claim", "kind", "instances", "overrides", "printed", "recomputed", "verdict", "why",
        "evidence", "command", "finding", "details",
    ]  # fmt: skip
    assert (row["kind"], row["instances"], row["overrides"]) == ("optimal", ["sfc"], {"accounting": "receiver"})
    assert row["finding"] == "greedy across levels"
    assert row["details"]["trials"][0]["best_bytes"] == 991_211_520


def test_json_lines_end_with_a_line_a_row(run, write):
    lines = [json.loads(line) for line in run("audit", write(a=TRUE, b=FALSE), "--json-lines").out.splitlines()]
    assert [line["id"] for line in lines if line["event"] == "result"] == ["a", "b"]
    assert "phase" in {line["event"] for line in lines}


def test_files_beside_the_table(run, write, tmp_path):
    out = tmp_path / "a" / "b"
    ran = run("audit", write(true=TRUE, false=FALSE), "-o", out)
    paths = [out / name for name in ("audit.csv", "audit.md", "audit.tex", "audit.json")]
    assert ran.out.splitlines()[-1] == f"written: {', '.join(map(str, paths))}"
    assert sorted(path.name for path in out.iterdir()) == ["audit.csv", "audit.json", "audit.md", "audit.tex"]
    whole = json.loads((out / "audit.json").read_text(encoding="utf-8"))
    with (out / "audit.csv").open(encoding="utf-8", newline="") as stream:
        flat = list(csv.DictReader(stream))
    assert [row["verdict"] for row in flat] == [row["verdict"] for row in whole["rows"]] == ["confirmed", "refuted"]
    assert json.loads(flat[1]["details"]) == whole["rows"][1]["details"]
    text = (out / "audit.md").read_text(encoding="utf-8")
    table = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]
    assert table[0] == ["id", "source", "claim", "printed", "recomputed", "verdict", "evidence", "command"]
    assert [row[5] for row in table[2:]] == ["confirmed", "refuted[^audit-1]"]
    assert text.splitlines()[-1] == "[^audit-1]: a better plan exists; greedy across levels"
    assert "refuted\\textsuperscript{a}" in (out / "audit.tex").read_text(encoding="utf-8")


@pytest.mark.slow
def test_figures_beside_the_table(run, write, tmp_path):
    out = tmp_path / "out"
    assert run("audit", write(true=TRUE, false=FALSE), "-o", out, "--figures", "-q").code == 0
    assert {path.name for path in out.iterdir()} == {
        *(f"audit.{form}" for form in ("csv", "md", "tex", "json")),
        *(f"verdicts.{form}" for form in ("svg", "pdf", "png")),
    }
    ran = run("audit", write(true=TRUE), "--figures")
    assert (ran.code, "say where with -o DIR" in ran.err) == (2, True)


def test_a_folder_that_cannot_be_made_is_an_error_before_the_work(run, write, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    ran = run("audit", write(a=TRUE), "-o", tmp_path / "file" / "out")
    assert (ran.code, ran.out, ran.err[:7]) == (2, "", "error: ")


def test_bad_input_exits_2_before_anything_is_computed(run, write):
    path = write(a=TRUE, b={**TRUE, "instance": "scf"})
    ran = run("audit", path, "--json-lines")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"error: {path}:17: claims[1].instance: scf: neither a file, relative to this one, nor the name of a shipped "
        "instance; did you mean 'sfc'?\n"
    )


def test_bad_usage(run, write):
    assert run("audit").code == 2
    ran = run("audit", write(a=TRUE), "--json", "--json-lines")
    assert (ran.code, "choose one" in ran.err) == (2, True)
    ran = run("audit", "hypar-hpca91")
    expected = "neither a file nor the name of shipped claims; did you mean 'hypar-hpca19'?"
    assert (ran.code, ran.err) == (2, f"error: hypar-hpca91: {expected}\n")


@pytest.mark.slow
def test_the_shipped_claims_from_anywhere(program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = program("audit", "hypar-hpca19", "--only", "fig8-hypar-vgg-b", "--strict", "--json")
    assert (ran.code, ran.err) == (1, "")
    (row,) = json.loads(ran.out)["rows"]
    assert (row["printed"], row["recomputed"], row["verdict"]) == ("1.47 GB", "1.4908 GB", "refuted")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_leaves_the_rows_so_far(start_program, write, plug_in_environment, tmp_path, number, code):
    out = tmp_path / "out"
    path = write(first=TRUE, waits=WAITING, last=TRUE)
    process = start_program("audit", path, "--strict", "--json-lines", "-o", out, env=plug_in_environment)
    for line in process.stdout:
        if json.loads(line).get("text") == "waiting":
            break
    process.send_signal(number)
    rest, err = process.communicate(timeout=600)
    assert (process.returncode, err) == (code, "")
    assert rest == ""
    whole = json.loads((out / "audit.json").read_text(encoding="utf-8"))
    assert [row["id"] for row in whole["rows"]] == ["first"]
    assert whole["claims"] == 3


def test_the_time_limit_is_of_each_solve(program, write, plug_in_environment):
    path = write(waits=WAITING, true=TRUE)
    ran = program("audit", path, "--time-limit", "0.3", "--strict", "--json", env=plug_in_environment)
    rows = json.loads(ran.out)["rows"]
    assert (ran.code, [row["verdict"] for row in rows]) == (3, ["undecided", "confirmed"])


@pytest.mark.slow
def test_nothing_is_wider_than_the_terminal():
    from io import StringIO

    from rich.console import Console

    from hypar_opt.report.claims import show
    from hypar_opt.studies.claims import audit, read_claims

    claims = read_claims("hypar-hpca19").only(["fig5-vgg-a", "fig8-mp-sfc", "algorithm-2-receiver", "fig6-mp-sfc"])
    audited = list(audit(claims.claims))
    for width in (40, 60, 80, 100, 140, 200):
        out = StringIO()
        console = Console(file=out, width=width, force_terminal=True, color_system=None, markup=False)
        show(console, claims, audited)
        assert max(map(len, out.getvalue().splitlines())) <= width
        assert ("(too narrow for: " in out.getvalue()) is (width < 100)


@pytest.fixture
def write_two(write, tmp_path):
    """Return the paths of two claims files, one of a claim that holds, the other of one that does not."""
    first = write(a={"arithmetic": {"counts": {"n": 2}, "equals": "n + n", "value": "4"}})
    first.rename(tmp_path / "first.yaml")
    second = write(b={"same": {"numbers": ["1", "2"]}}, c={"not_reproducible": {"why": "measured"}})
    second.rename(tmp_path / "second.yaml")
    return tmp_path / "first.yaml", tmp_path / "second.yaml"


def test_several_files_end_with_a_table_of_all(run, write_two):
    ran = run("audit", *write_two)
    lines = [" ".join(line.split()) for line in ran.out.splitlines() if line.strip()]
    table = [
        "claims file claims confirmed refuted not reproducible",
        "first 1 1 0 0",
        "second 2 0 1 1",
        "all 3 1 1 1",
    ]
    assert (ran.code, ran.err, lines[-4:]) == (0, "", table)
    assert lines.count("of a test") == 2
    brief = run("audit", *write_two, "--summary", "--strict")
    assert (brief.code, [" ".join(line.split()) for line in brief.out.splitlines()]) == (1, table)


def test_several_files_for_machines(run, write_two):
    whole = json.loads(run("audit", *write_two, "--json").out)
    assert whole["counts"] == {"confirmed": 1, "refuted": 1, "not reproducible": 1, "undecided": 0}
    assert [(one["file"], [row["id"] for row in one["rows"]]) for one in whole["files"]] == [
        ("first", ["a"]), ("second", ["b", "c"]),
    ]  # fmt: skip
    brief = json.loads(run("audit", write_two[0], "--summary", "--json").out)
    assert [sorted(one) for one in brief["files"]] == [["claims", "counts", "file", "source", "title"]]


def test_several_files_have_a_folder_each(run, write_two, tmp_path):
    out = tmp_path / "out"
    ran = run("audit", *write_two, "-o", out)
    assert {str(path.relative_to(out)) for path in out.rglob("*.*")} == {
        f"{name}.{form}" for name in ("audits", "first/audit", "second/audit") for form in ("csv", "md", "tex", "json")
    }
    assert ran.out.splitlines()[-1].count(str(out)) == 12
    with (out / "audits.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["claims_file"], row["refuted"]) for row in rows] == [("first", "0"), ("second", "1"), ("all", "1")]


def test_one_claim_of_several_files(run, write_two):
    (row,) = json.loads(run("audit", *write_two, "--only", "c", "--json").out)["rows"]
    assert row["verdict"] == "not reproducible"
    ran = run("audit", *write_two, "--only", "d")
    assert (ran.code, ran.err) == (2, "error: --only: no claim is called 'd'\n")
    assert run("audit", *write_two, "--only", "a", "--only", "b", "--summary").out.count("1") == 6


def test_a_file_is_named_once(run, write_two, tmp_path):
    ran = run("audit", write_two[0], write_two[0])
    assert (ran.code, ran.err) == (2, f"error: {write_two[0]}: CLAIMS: is named twice\n")
    (tmp_path / "sub").mkdir()
    other = tmp_path / "sub" / "first.yaml"
    other.write_bytes(write_two[1].read_bytes())
    ran = run("audit", write_two[0], other, "-o", tmp_path / "out")
    assert (ran.code, "two files are called first" in ran.err) == (2, True)
    assert not (tmp_path / "out").exists()


def test_few_claims_start_no_processes(run, write_two, monkeypatch):
    def opened(*_):
        raise AssertionError("workers are opened")

    monkeypatch.setattr("hypar_opt.cli.on.open_workers", opened)
    assert run("audit", *write_two, "-q").code == 0
    with pytest.raises(AssertionError):
        run("audit", *write_two, "--on", "local:2")
    monkeypatch.setattr("hypar_opt.studies.claims.audits.MANY", 0)
    with pytest.raises(AssertionError):
        run("audit", *write_two)


def test_an_engine_that_there_is_not_is_refused(run, write_two):
    ran = run("audit", *write_two, "--on", "locla")
    assert (ran.code, ran.out, "did you mean 'local'?" in ran.err) == (2, "", True)


@pytest.mark.slow
def test_processes_judge_as_this_one_does(program, write, write_two):
    third = write(true=TRUE, false=FALSE, open=OPEN, later=LATER)
    alone, ran = (program("audit", *write_two, third, "--json", *on) for on in ((), ("--on", "local:2")))
    assert ran == alone
    assert len(json.loads(ran.out)["files"]) == 3


@pytest.mark.slow
def test_a_signal_leaves_what_processes_have_judged(start_program, write, plug_in_environment, tmp_path):
    out = tmp_path / "out"
    sums = {"arithmetic": {"counts": {"n": 2}, "equals": "n + n", "value": "4"}}
    path = write(waits=WAITING, sum=sums, after=TRUE)
    command = "audit", path, "--on", "local:2", "--json-lines", "-o", out
    process = start_program(*command, env=plug_in_environment)
    for line in process.stdout:
        if json.loads(line).get("done"):
            break
    process.send_signal(signal.SIGINT)
    rest, err = process.communicate(timeout=600)
    assert (process.returncode, err) == (130, "")
    assert [json.loads(line).get("id") for line in rest.splitlines() if '"id"' in line] == ["sum"]
    whole = json.loads((out / "audit.json").read_text(encoding="utf-8"))
    assert ([row["id"] for row in whole["rows"]], whole["claims"]) == (["sum"], 3)
