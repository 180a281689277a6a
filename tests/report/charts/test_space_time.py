"""Schedules of collectives in space and time: a bar a send and link, in its step or at its time."""

from __future__ import annotations

from hypar_opt import load, solve
from hypar_opt.solver.collective_problem import CollectiveProblem
from tests.collectives import collective_of
from tests.report.charts.chart_data import drawn


def bars_of(instance, name="multitree"):
    from hypar_opt.report.charts.space_time import space_time_figure

    problem = CollectiveProblem(instance)
    judged = problem.judged(solve(problem, name).strategies)
    return judged, drawn(space_time_figure(judged), "link")


def test_a_send_is_a_bar_in_its_step():
    judged, bars = bars_of(collective_of("mesh", "all-reduce", dims=[2, 2]))
    assert len(bars) == len(judged.schedule.sends) == 24
    assert {bar["how"] for bar in bars} == {"added", "copied"}
    assert all(bar["end"] - bar["begin"] == 1 for bar in bars)
    assert {bar["of"] for bar in bars} == {"a0", "a1", "a2", "a3"}


def test_chunks_of_one_link_and_step_stand_one_after_the_other():
    _, bars = bars_of(load("ring-4"), "collective-cp-sat")
    for link in {bar["link"] for bar in bars}:
        own = sorted((bar["begin"], bar["end"]) for bar in bars if bar["link"] == link)
        assert [begin for begin, _ in own] == [0, *(end for _, end in own[:-1])]


def test_a_way_through_switches_has_a_bar_on_each_link_for_its_time():
    link = {"bandwidth": 2, "latency": 1}
    judged, bars = bars_of(collective_of("bigraph", accelerators=3, objective="time", link=link, bytes=12))
    assert len(bars) == sum(len(one.route) - 1 for one in judged.schedule.sends)
    assert max(bar["end"] for bar in bars) == judged.seconds


def test_more_links_than_rows_are_drawn_as_how_busy_they_are(monkeypatch):
    monkeypatch.setattr("hypar_opt.report.charts.space_time.MOST_LINKS", 7)
    judged, cells = bars_of(collective_of("mesh", "all-reduce", dims=[2, 2]))
    assert len(cells) == 4 * judged.steps
    assert sum(cell["busy"] for cell in cells) * 2 == sum(map(len, judged.by_step.values()))
