"""The pages of the evaluation, and the study of the proxy."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from hypar_opt.instance.overrides import array_text
from reports.evaluation import accpar_front, accpar_optima, accpar_shares, figure_9, figure_13, proxy
from reports.evaluation.facts import MACHINE, array_of, deviation, geometric_mean, number
from reports.evaluation.pages import FIGURES, SHEETS, index
from reports.evaluation.sheet import FOLDER, Sheet, plain


def test_numbers_are_exact():
    assert number("~3.55") == Fraction(71, 20)
    assert deviation(Fraction(71, 20), "~3.55") == 0
    assert geometric_mean([Fraction(2), Fraction(8)]) == 4


def test_a_page_has_a_table_and_a_picture(tmp_path):
    sheet = figure_9.sheet_9()
    sheet.write(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figure-9.csv", "figure-9.md", "figure-9.png"]
    assert len((tmp_path / "figure-9.csv").read_text().splitlines()) == 257
    page = (tmp_path / "figure-9.md").read_text()
    assert "the peak is HyPar's plan and the only one: level 1 0011, level 4 0011" in page


def test_numbers_of_a_csv_are_rounded_and_text_is_not(tmp_path):
    Sheet("x", "X", "", [{"a": Fraction(1, 3), "b": "0.10", "c": None}], [], None).write(tmp_path)
    assert (tmp_path / "x.csv").read_text() == "a,b,c\n0.333333,0.10,\n"
    assert plain(7) == 7


def test_fc3s_page_speaks_of_the_nearest_map():
    page = figure_13.sheet().page()
    assert "a map of 13 x 13 comes nearest" in page
    assert "13 x 13 at H = 2, 12 x 12 at H = 3, 13 x 13 at H = 4" in page


def without_widths(page):
    """Return a page without what depends on how wide its columns are drawn."""
    return re.sub(r":?-{2,}:?", "--", re.sub(r" +", " ", page))


def check_committed(sheet):
    """Check that a page, its table and its line in the index are what the code gives."""
    page = (FOLDER / f"{sheet.stem}.md").read_text(encoding="utf-8")
    assert without_widths(page) == without_widths(sheet.page())
    assert (FOLDER / f"{sheet.stem}.csv").read_text(encoding="utf-8") == sheet.csv()
    assert sheet.line() in (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("make", FIGURES, ids=lambda make: f"{make.__module__}.{make.__name__}")
def test_a_committed_page_is_what_the_code_gives(make):
    check_committed(make())


@pytest.mark.slow
def test_the_committed_page_on_accpars_search_is_what_is_computed():
    check_committed(accpar_optima.sheet())


@pytest.mark.slow
def test_the_committed_page_on_one_front_for_all_machines_is_what_is_computed():
    check_committed(accpar_front.sheet())


@pytest.mark.slow
def test_a_networks_gains_at_unequal_shares_are_what_is_computed():
    """One of the nine: all take a minute."""
    network, links = accpar_shares.Halves("lenet-c"), accpar_shares.LINKS["v3 twice v2"]
    lines = (FOLDER / "accpar-shares.csv").read_text(encoding="utf-8").splitlines()
    for share in accpar_shares.SHARES:
        gains = network.gain(float(share), links), network.own_gain(share, links)
        assert ",".join(["lenet-c", "v3 twice v2", str(share), *(plain(Fraction(one)) for one in gains)]) in lines


@pytest.mark.slow
def test_the_committed_page_on_the_proxy_is_what_is_computed():
    check_committed(proxy.sheet())


def test_the_index_has_all_pages_and_nothing_else():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| [")]
    assert len(lines) == len(SHEETS)
    assert text.rstrip("\n") == index(lines)


def test_a_page_with_another_number_would_be_found_out():
    page = figure_9.sheet_9().page()
    assert without_widths(page.replace("3.0546", "3.0547")) != without_widths(page)
    assert without_widths("| a   |\n|:----|") == without_widths("| a |\n|:--|")


@pytest.fixture(scope="module")
def tree():
    """The H tree of the evaluation: every case of it."""
    return tuple(proxy._on(("h-tree", "as-evaluated"), array_text(array_of(MACHINE))))


@pytest.mark.slow
def test_on_the_papers_machine_communication_is_time(tree):
    own = proxy.summary(tree, component="time")
    assert (own["cases"], own["right"], own["worst"]) == (33, 33, 0)


def test_bytes_are_nearly_a_proxy_of_energy_as_the_paper_counts_it(tree):
    own = proxy.summary(tree, component="energy")
    assert (own["right"], own["where"]) == (23, "lenet-c, receiver")
    assert 0 < own["worst"] < Fraction(1, 100)


def test_no_plan_is_better_than_the_best(tree):
    assert all(case.gap >= 0 for case in tree)


def test_every_machine_has_as_much_bandwidth_as_the_h_tree():
    given = proxy.machines()
    assert len(given) == 2 * len(proxy.TOPOLOGIES) + len(proxy.FASTER)


@pytest.mark.slow
def test_the_verdict_on_the_proxy():
    time = proxy.summary([case for case in proxy.cases() if case.topology not in proxy.FASTER], component="time")
    assert (time["cases"], time["right"]) == (726, 672)
    assert Fraction(5, 100) < time["worst"] < Fraction(6, 100)
    flow = proxy.summary(proxy.cases(), component="energy", accelerator="row-stationary", topology="h-tree")
    assert (flow["right"], flow["cases"]) == (5, 33)
    assert Fraction(15, 100) < flow["worst"] < Fraction(16, 100)
