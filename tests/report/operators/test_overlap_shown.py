"""What is shown of a step whose exchanges overlap its computing."""

from __future__ import annotations

import io
from fractions import Fraction

from rich.console import Console

from hypar_opt.report.operators.plan import operator_plan_document, show_operator_plan
from hypar_opt.report.overlap import overlap_line
from hypar_opt.report.pages.operator_tables import time_table
from tests.report.operator_plans import named


def test_overlapped_steps_are_shown_beside_their_parts():
    one, text = named(array="a100-2x8"), io.StringIO()
    together = one.step.together
    show_operator_plan(Console(file=text, width=200), one.problem, one.plan)
    assert overlap_line(together) in text.getvalue().splitlines()
    document = operator_plan_document(one.problem, one.plan)
    assert Fraction(document["step"]["overlap"]["by_layer_s"]) == together.by_layer
    assert overlap_line(together)[1:] in time_table(one).notes[0]


def test_nothing_is_said_of_times_that_are_not_known():
    one, text = named(), io.StringIO()
    show_operator_plan(Console(file=text, width=200), one.problem, one.plan)
    assert "overlap" not in text.getvalue()
    assert "step" not in operator_plan_document(one.problem, one.plan)


def test_what_is_printed_of_a_plan_is_understood_once(monkeypatch):
    one, asked = named(array="a100-2x8"), []
    understood = type(one.problem).plan_of
    monkeypatch.setattr(type(one.problem), "plan_of", lambda *of: asked.append(of) or understood(*of))
    show_operator_plan(Console(file=io.StringIO(), width=200), one.problem, one.plan)
    assert len(asked) == 1
