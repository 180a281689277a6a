"""What is shown of blocks that run once more, and of the peak of the memory."""

from __future__ import annotations

from fractions import Fraction

from hypar_opt.evaluation.operators import MemoryPeak
from hypar_opt.report.charts.operator_grid import operators_figure
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.operators.collectives import total_rows
from hypar_opt.report.operators.memory import memory_rows
from hypar_opt.report.operators.peak import memory_line, peak_document
from hypar_opt.report.operators.plan import headline, operator_plan_document
from hypar_opt.report.operators.times import time_rows
from hypar_opt.report.pages.operator_tables import memory_table, totals_table
from tests.report.operator_plans import named

GPT = {"name": "gpt2-small", "batch": 4, "array": "a100-2x8"}
PEAK = MemoryPeak(
    "recompute", "h.2.fc", {"parameters": Fraction(3000), "copies": Fraction(500), "unread maps": Fraction(1500)}
)


def test_what_runs_once_more_is_a_phase_of_its_own():
    plain, again = named(**GPT), named(**GPT, recompute="blocks")
    assert not any("recompute" in row for row in (*total_rows(plain.moved), *plain.moved.totals()))
    assert "recompute" not in time_rows(plain.step)[0]
    assert list(total_rows(again.moved)[0])[2:] == ["forward", "recompute", "backward", "update", "step"]
    assert time_rows(again.step)[0]["recompute"] != "0"
    assert sum(int(row["recompute"]) for row in again.moved.totals()) > 0
    assert "recompute" in [column.key for column in totals_table(again).columns]


def test_maps_of_the_block_that_runs_once_more_are_a_kind():
    plain, again = (memory_table(named(**GPT, recompute=how)) for how in ("none", "blocks"))
    assert "recomputed" not in [column.key for column in plain.columns]
    assert "recomputed" in [column.key for column in again.columns]
    assert any(note.startswith("Memory ") for note in again.notes)


def test_pages_say_which_blocks_run_once_more():
    chosen = named(**GPT, recompute="choose")
    figure = operators_figure(chosen)
    for notes in (memory_table(chosen).notes, figure.table.notes):
        [note] = [one for one in notes if "run once more" in one]
        assert note == "No block of 12 is run once more."
    assert note in figure.alternative
    assert not any("run once more" in one for one in memory_table(named(**GPT, recompute="blocks")).notes)


def test_the_memory_is_said_with_its_moment_and_parts():
    one = named(**GPT)
    (line,) = [line for line in headline(one.problem, one.plan).split("\n") if line.startswith("memory")]
    assert "of 80 GB on each device in the backward phase of 'lm_head': " in line
    memory = operator_plan_document(one.problem, one.plan)["memory"]
    assert (memory["phase"], memory["operator"]) == ("backward", "lm_head")
    work = sum(map(int, memory["work_space"].values()))
    assert int(memory["bytes"]) == one.step.peak.bytes == int(memory["kept"]) + work > work > 0


def test_the_memory_in_words():
    said = "on each device while 'h.2.fc' runs once more: 3 kB kept, 2 kB work space: unread maps 1.5 kB, copies 500 B"
    assert memory_line(PEAK, None) == f"memory 5 kB {said}"
    assert memory_line(PEAK, Fraction(6000)) == f"memory 5 kB of 6 kB {said}"
    assert peak_document(PEAK)["work_space"] == {"unread maps": 1500, "copies": 500}


def test_what_is_kept_has_a_row_an_operator_and_a_column_a_kind():
    """What blocks make anew is there when others have dropped theirs: it is in no sum."""
    one = named(**GPT, recompute="blocks")
    *rows, every = memory_rows(one.step, one.blocks)
    again = sum(own.get("recomputed", 0) for own in one.step.kept.values())
    kept = one.problem.kept_in_all(one.problem.plan_of(one.strategies)) - again
    assert every["operator"] == "all"
    assert (every["all"], every["recomputed"]) == (in_bytes(kept), in_bytes(again))
    assert list(every) == ["operator", "parameters", "gradients", "maps", "all", "recomputed"]
    assert "h.0 to h.11: key" in [row["operator"] for row in rows]
