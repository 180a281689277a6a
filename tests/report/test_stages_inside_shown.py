"""Plans with stages and strategies inside, as they are shown: rows, tables, pictures, pages."""

from __future__ import annotations

import pytest

from hypar_opt.instance.read import load
from hypar_opt.report.staged.plan import headline, layer_rows, stage_rows, staged_plan_document
from hypar_opt.report.staged.tables import staged_plan_tables
from hypar_opt.solver.solve import solve
from hypar_opt.solver.staged.problem import StagedProblem
from hypar_opt.verification.claim import claim_of
from hypar_opt.web.kinds import JOB_KINDS
from hypar_opt.web.suited import suited


@pytest.fixture(scope="module")
def found():
    instance = load("sfc", array="hypar-16", objective="time", levels=2, microbatches=8)
    return StagedProblem(instance), solve(instance)


def test_rows_say_what_stages_do(found):
    problem, plan = found
    rows = stage_rows(problem.judged(plan.strategies))
    assert [row["accelerators"] for row in rows] == ["1-2", "3-4"]
    assert [row["words"] for row in rows] == ["m x 2", "m x 2"]
    assert "100 %" in {row["busy"] for row in rows}
    assert "in 2 stages" in headline(problem, plan)
    assert layer_rows(problem.judged(plan.strategies))[0]["levels"] == "m"


def test_machines_are_told_exactly(found):
    problem, plan = found
    document = staged_plan_document(problem, plan)
    assert document["stages"][0]["words"] == {"fc1": "m", "fc2": "m"}
    table = staged_plan_tables(problem, claim_of(plan)).data
    assert len(table.rows) == len(problem.layers)


def test_the_picture_names_the_slowest(found):
    from hypar_opt.report.charts.staged_layers import staged_figure

    problem, plan = found
    figure = staged_figure(problem.judged(plan.strategies))
    assert "The slowest:" in figure.alternative


def test_the_live_page_has_a_row_a_layer_and_says_who_can_solve_it(found):
    problem, plan = found
    rows = JOB_KINDS["staged"].rows(problem, plan)
    assert [row["word"] for row in rows["rows"]] == list(plan.strategies.values())
    assert suited(problem.instance)["default"] == "submesh-dp"
    assert "joint-dp" in suited(problem.instance)["declining"]


@pytest.mark.slow
def test_a_page_of_stages(tmp_path, run_report):
    page = run_report("sfc", "--array", "hypar-16", "--objective", "time", "--levels", "2", "--microbatches", "8")
    assert "Microbatches" in page
    assert "1-2" in page


@pytest.fixture
def run_report(tmp_path):
    from click.testing import CliRunner

    from hypar_opt.cli.group import cli

    def run(*words):
        done = CliRunner().invoke(cli, ["report", *words, "-f", "submesh-dp", "-o", str(tmp_path / "pages")])
        assert done.exit_code == 0, done.output
        return "\n".join(one.read_text(encoding="utf-8") for one in sorted((tmp_path / "pages").rglob("*.html")))

    return run
