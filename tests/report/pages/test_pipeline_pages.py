"""The pages of pipelines: stages, graph, schedules, regrets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hypar_opt.instance.read import load
from hypar_opt.report.content import Report, gather, provenance
from hypar_opt.report.pages import prepare, write_report
from hypar_opt.report.pages.overview import overview
from hypar_opt.util.errors import Refusal

SECTIONS = ("stages", "graph", "schedules", "throughput", "regrets", "operators")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    subjects, faults = gather([load("branched-training")], ["pipeline-dp"])
    prepare(folder, [])
    write_report(Report("of a test", subjects, provenance("", 0), faults=faults), folder)
    return folder


@pytest.mark.slow
def test_a_page_has_the_stages_the_graph_the_schedules_and_regrets(folder):
    page = (folder / "branched-training.html").read_text(encoding="utf-8")
    for name in SECTIONS:
        assert f'<h2 id="{name}">' in page
    assert "least time of a batch of 8 microbatches" in page
    assert "A batch of 8 microbatches." in page
    for name in ("gpipe", "1f1b", "pipedream"):
        assert f'data-choice="schedule-{name}"' in page
    assert "the optimum is not unique" in page
    found = {path.name for path in (folder / "data" / "branched-training").glob("*.csv")}
    assert {f"{name}.csv" for name in (*SECTIONS, "schedule-1f1b")} <= found


@pytest.mark.slow
def test_regrets_as_csv_are_exact(folder):
    lines = (folder / "data" / "branched-training" / "regrets.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "operator,stage,second_best,regret_s,before_s,behind_s"
    assert len(lines) == 12
    assert "text,2,gpu 2,0,2.1482,0" in lines


@pytest.mark.slow
def test_the_first_page_names_pipelines(folder):
    assert "Stages for 1 pipeline, by 1 formulation" in (folder / "index.html").read_text(encoding="utf-8")


def test_a_pipeline_without_a_backward_phase_has_no_schedules():
    (subject,), _ = gather([load("five-devices")], ["pipeline-equal"])
    for what in ("schedules", "throughput"):
        with pytest.raises(Refusal, match="no operator has a backward phase"):
            getattr(subject.plans[0], what)
    assert not subject.missing


def test_the_first_page_of_pipelines_has_no_columns_of_other_problems():
    (subject,), _ = gather([load("branched-training")], ["pipeline-equal"], sections=())
    keys = [column.key for column in overview([subject]).columns]
    assert keys == ["instance", "layers", "cost", "by", "proven", "different"]


def test_throughput_is_of_batches_up_to_what_a_page_waits_for(monkeypatch):
    (subject,), _ = gather([load("branched-training")], ["pipeline-dp"], sections=())
    found = subject.plans[0].throughput
    assert found.sizes == (1, 2, 4, 8, 16, 32, 64)
    assert all(one.rate <= found.most for one in found.points if one.rate is not None)
    monkeypatch.setattr("hypar_opt.report.content.pipeline_plan.MOST_PASSES", 4 * len(subject.plans[0].judged.stages))
    assert replace(subject.plans[0]).throughput.sizes == (1, 2)
