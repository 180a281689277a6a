"""Plans and networks of operators as tables: every operator and placement for scripts, blocks folded for people."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from functools import cache

import pytest
from pylatexenc.latexwalker import LatexWalker

from hypar_opt import load, solve
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.report.content.operator_plan import NamedOperatorPlan
from hypar_opt.report.network import network_tables as halved_tables
from hypar_opt.report.operators.network import network_tables
from hypar_opt.report.operators.plan_tables import MOST_AXES
from hypar_opt.report.plan_tables import plan_tables
from hypar_opt.report.tables import formats
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.verification.claim import claim_of
from tests.report.operator_plans import named


def many_axes():
    layers = [{"name": name, "linear": {"features": 2}} for name in ("one", "two")]
    network = {"input": {"features": 2}, "layers": layers}
    axes = {"axes": [{"name": f"a{place}", "size": 2} for place in range(MOST_AXES + 1)]}
    said = {"schema": "hypar-opt/instance/1", "name": "chain", "batch": 128, "network": network, "array": axes}
    problem = OperatorProblem(OperatorInstance.from_dict({**said, "cost": {"choices": ["batch"]}}))
    return NamedOperatorPlan("joint-dp", problem, solve(problem, "joint-dp"))


CASES = {
    "block": named,
    "many axes": cache(many_axes),
    "blocks": lambda: named("gpt2-small", batch=4),
}


def document(case):
    found = CASES[case]()
    return found, plan_tables(found.problem, claim_of(found.plan))


def rows_of(made):
    return list(csv.DictReader(io.StringIO(formats()["csv"].write(made))))


@pytest.mark.parametrize("case", CASES)
def test_scripts_read_every_word_and_bytes_that_add_up(case):
    found, made = document(case)
    rows, axes = rows_of(made), [f"axis_{axis}" for axis in found.problem.axes]
    ends = {"operator": "", "forward": ":forward", "gradient": ":gradient"}
    words = {row["operator"] + ends[row["what"]]: " ".join(row[axis] for axis in axes) for row in rows}
    plain = {name: word for name, word in found.strategies.items() if not name.endswith((":storage", ":kept"))}
    assert words == plain
    each = [row for row in rows if row["what"] == "operator"]
    assert sum(Fraction(row["bytes"]) for row in each) == found.plan.communication_bytes
    for row in each:
        assert sum(Fraction(row[f"{phase}_bytes"]) for phase in ("forward", "backward", "update")) == Fraction(
            row["bytes"]
        )
    assert sum(Fraction(row["memory_bytes"]) for row in each) == sum(found.kept.values())


def test_people_read_equal_blocks_once_and_the_sums():
    found, made = document("blocks")
    grid, shared, bytes_table = made.tables
    labels = [row["operator"].value for row in grid.rows]
    assert labels[4] == "h.0 to h.11: ln_1"
    assert sum(row["bytes"].value for row in grid.rows) == found.plan.communication_bytes
    assert bytes_table.rows[-1]["step"].value == found.plan.communication_bytes
    assert shared.rows[0]["tensor"].value == "wte.weight"
    assert "its file says optimal by joint-dp" in " ".join(grid.notes).lower()


def test_beyond_six_axes_a_word_is_one_column():
    grid = document("many axes")[1].tables[0]
    assert "word" in [column.key for column in grid.columns]


@pytest.mark.parametrize("case", CASES)
def test_latex_can_be_read(case):
    text = formats()["latex"].write(document(case)[1])
    LatexWalker(text).get_latex_nodes()
    assert text.count("\\end{") >= 2


def test_networks_are_tables_of_whole_numbers():
    rows = rows_of(network_tables(load("gpt2-small")))
    assert sum(int(row["parameters"]) for row in rows) == 124_439_808
    assert rows[0]["output"] == "batch 32 x sequence 1024 x features 768"
    people = network_tables(load("gpt2-small")).tables[0]
    assert len(people.rows) < len(rows)
    halves = rows_of(halved_tables(load("lenet-c")))
    assert [row["parameters"] for row in halves] == ["500", "", "25000", "", "400000", "5000"]
    assert "groups" in halves[0]  # which people are not shown where there are none
    assert "groups" not in [one.key for one in halved_tables(load("lenet-c")).tables[0].columns]
