"""How CBC can end, by a program in its place that writes what CBC would have written, or nothing."""

from __future__ import annotations

from threading import Event

import pytest
from family_cases import two_values

from formulations.flow_model.refinement import KEPT
from formulations.milp import CBC
from formulations.milp import cbc as cbc_run
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status

COLUMNS = "      0 X0000000 1 0\n      1 X0000001 0 0\n"


@pytest.fixture
def cbc(monkeypatch, tmp_path):
    """Return a function that puts a shell script in CBC's place and solves two values with it."""
    import pulp

    def run(script, limits=None):
        program = tmp_path / "cbc"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setattr(pulp.PULP_CBC_CMD, "pulp_cbc_path", str(program))
        return CBC.solve(two_values(), Run("milp-cbc", limits or Limits()))

    return run


def writes(first, columns=COLUMNS, log=""):
    return f"printf '{log}'; printf '%s\n%s' '{first}' '{columns}' > plan.sol"


@pytest.mark.parametrize("cause", ["time", "iterations", "difficulties", "ctrl-c"])
def test_a_search_that_was_stopped_claims_nothing(cbc, cause):
    plan = cbc(writes(f"Stopped on {cause} - objective value 0.0"))
    assert (plan.status, plan.choices) == (Status.FEASIBLE, (0,))
    none = cbc(writes(f"Stopped on {cause} (no integer solution - continuous used) - objective value 0.0"))
    assert (none.status, none.choices) == (Status.NO_SOLUTION, None)


def test_an_unknown_status_claims_nothing(cbc):
    assert cbc(writes("Status unknown - objective value 0.0")).status is Status.FEASIBLE


@pytest.mark.parametrize("first", ["Unbounded", "Fine"])
def test_every_other_ending_is_an_error(cbc, first):
    solution = cbc(writes(f"{first} - objective value 0.0"))
    assert (solution.status, solution.native_status) == (Status.ERROR, first)


def test_an_end_without_a_word_is_an_error_with_the_end_of_the_log(cbc):
    solution = cbc("echo out of memory")
    assert solution.status is Status.ERROR
    assert solution.native_status == "CBC wrote no solution file: out of memory"


def test_an_empty_solution_file_is_an_error(cbc):
    assert cbc(": > plan.sol").status is Status.ERROR


class Stop(Event().__class__):
    """Set from the second look on: after the search has begun."""

    looks = 0

    def is_set(self):
        self.looks += 1
        return self.looks > 2


@pytest.mark.parametrize("before", ["", ": > plan.sol; "])
def test_an_interrupt_before_cbc_listens_is_no_error(cbc, before):
    solution = cbc(f"{before}exec sleep 600", Limits(stop=Stop()))
    assert (solution.status, solution.native_status) == (Status.NO_SOLUTION, "interrupted before it wrote anything")


def test_a_proof_is_taken_from_the_log(cbc):
    solution = cbc(writes("Optimal - objective value 1.0", log="Lower bound: 1\\n"))
    assert (solution.status, solution.bound) == (Status.OPTIMAL, 7)


def test_a_solution_that_was_cut_off_before_ends_the_search(cbc):
    solution = cbc(writes("Optimal - objective value 0.0", log="Lower bound: 0\\n"))
    assert (solution.status, solution.bound, solution.note) == (Status.FEASIBLE, 4, KEPT)


@pytest.mark.parametrize(("first", "left"), [("Integer infeasible", "NO_SOLUTION"), ("Optimal", "FEASIBLE")])
def test_what_is_said_when_the_run_is_over_is_no_proof(monkeypatch, first, left):
    def finished(command, folder, limits):
        (folder / "log").write_text("Objective value: 1.0\n")
        (folder / "plan.sol").write_text(f"{first} - objective value 1.0\n{COLUMNS}")
        limits.stop.set()
        return True

    monkeypatch.setattr(cbc_run, "_finished", finished)
    assert CBC.solve(two_values(), Run("milp-cbc", Limits(stop=Event()))).status == left


def test_what_is_said_in_time_is_one(cbc):
    assert cbc(writes("Integer infeasible - objective value 1.0")).status is Status.INFEASIBLE
