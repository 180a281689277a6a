"""The pages of collectives: the schedule in space and time, bounds, ways of chunks, loads of links."""

from __future__ import annotations

import pytest

from hypar_opt.instance.read import load
from hypar_opt.report.content import Report, gather, provenance
from hypar_opt.report.pages import prepare, write_report
from tests.collectives import collective_of

SECTIONS = ("bounds", "steps", "ways", "links")


def report_of(folder, *instances, formulations=("multitree",)):
    subjects, faults = gather(instances, formulations)
    prepare(folder, [])
    write_report(Report("of a test", subjects, provenance("", 0), faults=faults), folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return report_of(tmp_path_factory.mktemp("pages"), load("ring-4"), formulations=["multitree", "ring"])


@pytest.mark.slow
def test_a_page_has_the_bounds_the_steps_the_ways_and_the_links(folder):
    page = (folder / "ring-4.html").read_text(encoding="utf-8")
    for name in SECTIONS:
        assert f'<h2 id="{name}">' in page
    assert "6 chunks have to get into a0, by 2 links" in page
    assert "all-gather among all 4 accelerators of a ring: 8 chunks" in page
    assert "rounds 3; " in page
    rows = (folder / "data" / "ring-4" / "loads.csv").read_text(encoding="utf-8").splitlines()
    assert (rows[0], len(rows)) == ("link,chunks,bytes,steps", 9)
    assert "Schedules for 1 collective, by 2 formulations" in (folder / "index.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_schedule_in_seconds_has_no_steps(tmp_path):
    link = {"bandwidth": 1000, "latency": 1}
    page = report_of(tmp_path, collective_of(dims=[3, 3], objective="time", link=link, bytes=9000)) / "of-a-test.html"
    text = page.read_text(encoding="utf-8")
    assert '<h2 id="steps">' not in text
    assert '<h2 id="ways">' in text


@pytest.mark.slow
def test_a_page_of_trees_has_their_shares_and_what_links_carry(tmp_path):
    report_of(tmp_path, load("dgx-1-trees"), formulations=["forestcoll", "multitree"])
    page = (tmp_path / "dgx-1-trees.html").read_text(encoding="utf-8")
    for name in ("trees", "links", "branches"):
        assert f'<h2 id="{name}">' in page
    rows = (tmp_path / "data" / "dgx-1-trees" / "links.csv").read_text(encoding="utf-8").splitlines()
    assert (rows[0], len(rows)) == ("link,chunks,bytes,seconds", 33)
