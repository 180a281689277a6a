"""Wrong usage: exit code 2, one line that says what was expected, never a traceback, nothing written."""

from __future__ import annotations

import pytest

CASES = {
    "no command": ([], "Usage: hypar-opt"),
    "unknown command": (["solv", "lenet-c"], "did you mean 'solve'?"),
    "unknown option": (["solve", "lenet-c", "--levles", "3"], "--levels"),
    "no instance": (["solve"], "Missing argument 'INSTANCE'"),
    "two instances": (["solve", "sfc", "lenet-c"], "unexpected extra argument"),
    "unknown instance": (["solve", "lenet-d"], "lenet-d: neither a file nor the name of a shipped instance; "
                         "did you mean 'lenet-c'?"),
    "unknown formulation": (["solve", "sfc", "-f", "jont-dp"], "did you mean 'joint-dp'?"),
    "unknown accounting": (["solve", "sfc", "--accounting", "full"], "'published', 'as-evaluated', 'receiver'"),
    "levels of text": (["solve", "sfc", "--levels", "four"], "'four' is not a valid integer"),
    "too many levels": (["solve", "sfc", "--levels", "25"], "--levels: expected at most 24 levels"),
    "negative levels": (["solve", "sfc", "--levels", "-1"], "--levels: expected an integer of at least 0"),
    "batch of nothing": (["solve", "sfc", "--batch", "0"], "--batch: expected an integer of at least 1, got 0"),
    "no time": (["solve", "sfc", "--time-limit", "0"], "expected a positive number of seconds"),
    "negative time": (["solve", "sfc", "--time-limit", "-1"], "expected a positive number of seconds"),
    "time that is no number": (["solve", "sfc", "--time-limit", "nan"], "expected a positive number of seconds"),
    "time without end": (["solve", "sfc", "--time-limit", "inf"], "expected a positive number of seconds"),
    "negative seed": (["solve", "sfc", "--seed", "-1"], "--seed"),
    "no workers": (["solve", "sfc", "--workers", "0"], "--workers"),
    "no memory": (["solve", "sfc", "--memory-limit", "0"], "--memory-limit"),
    "too large": (["solve", "vgg-e", "-f", "brute-force"], "brute-force declines: about 10^22 assignments"),
    "not a chain": (["solve", "resnet-18", "-f", "hypar-dp"], "hypar-dp is for chains"),
    "tables too large": (["solve", "sfc", "-f", "joint-dp", "--memory-limit", "0.0000001"], "or cp-sat"),
    "endless memory": (["solve", "sfc", "--memory-limit", "inf"], "expected a positive number of GiB"),
    "two kinds of machine output": (["solve", "sfc", "--json", "--json-lines"], "choose one"),
    "one file for two things": (["solve", "sfc", "-o", "a.txt", "--log", "a.txt"], "name the same file"),
    "no start": (["solve", "sfc", "--start", "no-such-plan.json"], "no-such-plan.json: no such file"),
    "compare nothing": (["compare"], "Missing argument 'INSTANCES...'"),
    "compare with an unknown formulation": (["compare", "sfc", "-f", "joint-dp,hypr-dp"], "did you mean 'hypar-dp'?"),
    "compare an unknown instance": (["compare", "sfc", "lenet"], "did you mean 'lenet-c'?"),
    "list something else": (["list", "instance"], "'instances', 'formulations', 'topologies'"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_bad_usage_is_explained(run, case):
    arguments, message = CASES[case]
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("option", ["-o", "--log"])
@pytest.mark.parametrize("quiet", [[], ["--quiet"]], ids=["plain", "quiet"])
def test_places_that_cannot_be_written_are_refused_before_the_search(run, tmp_path, option, quiet):
    folder, missing = run("solve", "sfc", option, tmp_path, *quiet), tmp_path / "none" / "x.json"
    nowhere = run("solve", "sfc", option, missing, *quiet)
    assert (folder.code, folder.out) == (nowhere.code, nowhere.out) == (2, "")
    assert folder.err == f"error: {tmp_path}: is a directory, expected the name of a file to write\n"
    assert nowhere.err == f"error: {missing}: there is no folder '{missing.parent}' to write it in\n"


def test_an_output_that_fails_in_the_end_is_an_error(run):
    ran = run("solve", "sfc", "-o", "/proc/plan.json")
    assert ran.code == 2
    assert ran.err.startswith("error: /proc/plan.json: cannot be written: ")


def test_a_log_that_cannot_be_opened_is_an_error(run):
    ran = run("solve", "sfc", "--log", "/proc/events.jsonl")
    assert ran.code == 2
    assert ran.err.startswith("error: /proc/events.jsonl: cannot be written: ")


def test_a_bad_instance_file_is_named_with_its_line(run, tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text("schema: hypar-opt/instance/1\nname: bad\nbatches: 3\n", encoding="utf-8")
    ran = run("solve", path)
    assert ran.code == 2
    assert ran.err.startswith(f"error: {path}:3: batches: unknown field")
    assert "did you mean 'batch'?" in ran.err
    assert ran.err.count("\n") == 1


def test_a_file_to_compare_into_is_refused(run, tmp_path):
    path = tmp_path / "file"
    path.write_text("kept", encoding="utf-8")
    ran = run("compare", "sfc", "-o", path)
    assert (ran.code, ran.err) == (2, f"error: {path}: is a file, expected a folder to write to\n")
    assert path.read_text(encoding="utf-8") == "kept"


def test_an_empty_folder_to_compare_is_an_error(run, tmp_path):
    ran = run("compare", tmp_path)
    assert (ran.code, ran.err) == (2, f"error: {tmp_path}: has no instance files (*.yaml, *.yml, *.json, *.json.gz)\n")


NO_NUMBERS = (
    "1_000",
    "010",
    "0x10",
    "\u0663",
    "1e\u0663",
    "1e1_0",
    "inf",
    "-inf",
    "nan",
    "sNaN",
    "true",
    "[1]",
    "1/3",
    "",
    "1e",
    "1 0",
)


def test_numbers_of_options_are_written_as_in_files(run, tmp_path):
    for text in NO_NUMBERS:
        for option, given in (("--at-most", f"time={text}"), ("--objective", f"time={text}")):
            ran = run("solve", "lenet-c", "--array", "hypar-16", option, given, "-q")
            assert (ran.code, ran.out) == (2, ""), given
            assert ran.err.startswith(f"error: {option} time: expected a number") and f"got '{text}'" in ran.err
        assert run("solve", "lenet-c", "--batch", text, "-q").err.endswith(f"{text!r} is not a valid integer.\n")
    for text in ("20", "+20", "2.5e1", ".5e2", "20."):
        assert run("solve", "lenet-c", "--array", "hypar-16", "--at-most", f"time={text}", "-q").code == 0


def test_a_number_out_of_range_is_told_the_range(run):
    ran = run("solve", "lenet-c", "--array", "hypar-16", "--at-most", "time=1e400")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith("got '1e400'; a number beyond 1e100 or below 1e-100 is not allowed\n")
    ran = run("solve", "lenet-c", "--array", "hypar-16", "--at-most", "time=" + "9" * 150)
    assert ran.err.endswith("...'; a number of more than 100 characters is not allowed\n")


def test_integers_of_options_are_written_as_in_files(run):
    for text in ("1_0", "\u0662", "01", "1e3", ""):
        for words in (
            ("pareto", "sfc", "-o", "x", "--point"),
            ("solve", "sfc", "--seed"),
            ("solve", "sfc", "--workers"),
        ):
            ran = run(*words, text)
            assert (ran.code, ran.out) == (2, "")
            assert ran.err.endswith(f"Invalid value for '{words[-1]}': {text!r} is not a valid integer range.\n")


def test_a_pattern_that_is_very_long_is_cut(run):
    ran = run("solve", "sfc", "--fix", "a" * 5000 + "=dddd")
    assert ran.code == 2 and "is no layer" in ran.err and len(ran.err) < 300
