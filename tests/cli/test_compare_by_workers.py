"""hypar-opt compare --on as a user meets it."""

from __future__ import annotations

import json
import signal
from contextlib import nullcontext

import pytest
from workers_here import Here

from hypar_opt.executor import KilledWorkers, LostWorkers


def told(out):
    """Return the rows of a table for machines, but for times."""
    return [{key: value for key, value in row.items() if key != "runtime_s"} for row in json.loads(out)]


@pytest.mark.slow
def test_the_rows_are_those_of_one_process_and_times_are_said_to_be_none(program, run, tmp_path):
    asked = ("compare", "lenet-c", "ring-4", "-f", "hypar-dp,ring")
    ran = program(*asked, "--on", "local:2", "-o", tmp_path)
    assert (ran.code, ran.err) == (0, "on 2 local processes\n")
    caveat = "Up to 2 solves at a time, which may have shared processors: times are no measurement"
    assert caveat in " ".join(ran.out.split())
    assert f"{caveat}.\n" in (tmp_path / "comparison.md").read_text()
    here = run(*asked, "--json", "-o", tmp_path / "here")
    by_workers = told((tmp_path / "comparison.json").read_text())
    assert by_workers == told((tmp_path / "here" / "comparison.json").read_text())
    assert len(by_workers) == len(json.loads(here.out)["rows"]) == 4
    assert "at a time" not in (tmp_path / "here" / "comparison.md").read_text()


@pytest.mark.slow
def test_a_signal_keeps_what_is_solved_and_what_runs_ends_with_what_it_has(start_program, plug_in_environment):
    process = start_program(
        "compare", "sfc", "lenet-c", "-f", "hypar-dp,waits-with-a-plan", "--on", "local:2", "--json-lines",
        env=plug_in_environment,
    )  # fmt: skip
    for line in process.stdout:
        if json.loads(line).get("done") == 2:
            break
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=600)
    assert process.returncode == 130
    rows = [row for row in map(json.loads, out.splitlines()) if "status" in row]
    assert [(row["instance"], row["formulation"], row["status"]) for row in rows][:3] == [
        ("sfc", "hypar-dp", "FEASIBLE"), ("sfc", "waits-with-a-plan", "FEASIBLE"), ("lenet-c", "hypar-dp", "FEASIBLE"),
    ]  # fmt: skip


def test_an_engine_that_there_is_not_is_refused_before_any_work(run, tmp_path):
    ran = run("compare", "lenet-c", "-f", "hypar-dp", "--on", "locla", "-o", tmp_path / "table")
    assert ran.code == 2
    assert "did you mean 'local'" in ran.err
    assert not (tmp_path / "table").exists()


def dying(_):
    raise KilledWorkers("3 processes died while they ran it")


@pytest.mark.parametrize(
    ("module", "asked"),
    [
        ("compare_command", ("compare", "ring-4", "-f", "ring")),
        ("message_sizes", ("compare", "ring-4", "-f", "ring", "--bytes", "1KiB")),
        ("compare_arrays_command", ("compare-arrays", "lenet-c", "--arrays", "ring-16", "--levels", "1")),
        ("explore_command", ("explore", "lenet-c", "--scale", "0-1")),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_what_kills_its_workers_is_no_success(module, asked, run, monkeypatch):
    monkeypatch.setattr(f"hypar_opt.cli.{module}.opened", lambda *_: nullcontext(Here(dying)))
    ran = run(*asked)
    assert ran.code == 1
    assert "3 processes died while they ran it" in " ".join((ran.out + ran.err).split())


def test_a_claim_that_kills_what_judges_it_is_no_success(run, monkeypatch):
    monkeypatch.setattr("hypar_opt.cli.audit_command.opened", lambda *_: nullcontext(Here(dying)))
    ran = run("audit", "accpar-hpca20", "--only", "code-alexnet-plan", "--summary")
    assert (ran.code, ran.err) == (
        1, "error: code-alexnet-plan: the processes that judged it were killed, each time\n"
    )  # fmt: skip


LOST = "--on: the worker a:1 has other versions than this process: ortools 9.10 instead of 9.14"


def losing_after(count):
    """Return workers that are lost once they have done so many pieces."""
    done = []

    def change(result):
        done.append(result)
        if len(done) > count:
            raise LostWorkers(LOST.removeprefix("--on: "), field="--on")
        return result

    return Here(change)


@pytest.mark.parametrize(
    ("key", "asked"),
    [
        ("formulation", ("compare", "lenet-c", "ring-4", "-f", "hypar-dp,ring", "--json")),
        ("array", ("compare-arrays", "lenet-c", "--arrays", "ring-16,torus-16", "--levels", "1", "--json")),
        ("levels", ("explore", "lenet-c", "--scale", "0-2", "--json")),
        pytest.param("", ("report", "lenet-c", "-f", "hypar-dp,joint-dp", "--json"), marks=pytest.mark.slow),
    ],
    ids=lambda one: one if isinstance(one, str) else one[0],
)
def test_workers_that_are_lost_leave_the_rows_so_far_and_the_error(key, asked, run, monkeypatch, tmp_path):
    monkeypatch.setattr("hypar_opt.cli.on.open_workers", lambda *_: losing_after(1))
    more = ("-o", tmp_path / "report") if asked[0] == "report" else ()
    ran = run(*asked, "--on", "local:2", *more)
    assert ran.code == 2
    assert ran.err == f"error: {LOST}; what was done by then is kept\n"
    found = json.loads(ran.out)
    if key:
        rows = found if isinstance(found, list) else found.get("rows", found.get("points"))
        assert len({row[key] for row in rows}) == 1


@pytest.mark.parametrize("more", [(), ("--quiet",)])
def test_what_workers_say_is_a_warning_unless_it_is_to_be_quiet(more, run, monkeypatch):
    def saying(result):
        if workers.say is not None:
            workers.say("there has been no worker for 60 s")
        return result

    workers = Here(saying)
    monkeypatch.setattr("hypar_opt.cli.on.open_workers", lambda *_: workers)
    ran = run("compare", "lenet-c", "-f", "hypar-dp", "--on", "local:2", "--json", *more)
    assert (ran.code, ran.err) == (0, "" if more else "warning: there has been no worker for 60 s\n")
