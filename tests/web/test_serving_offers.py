"""What the form offers: instances in groups, and the formulations that take the one that is chosen."""

import re
from html import unescape

import pytest

from hypar_opt.formulation.registry import formulations
from hypar_opt.formulation.run import GIB, Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.report.compare.notes import DECLINED, PLACED
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal
from hypar_opt.web import suited as suiting
from hypar_opt.web.form import instance_groups, instances
from hypar_opt.web.job_request import offered_instances
from hypar_opt.web.store import STATES as KNOWN
from hypar_opt.web.suited import suited
from hypar_opt.web.text_check import check_text
from hypar_opt.web.words import GROUPS, LAST_GROUPS, STATES, STATUSES
from tests.web.conftest import LENET

PLACED_ON = {"array": "torus-16", "placement": "free", "objective": "hop-bytes"}
FITTED = {"array": "hypar-16", "objective": "product:time,energy"}


def test_the_papers_networks_come_first_and_counterexamples_last(client):
    first, *others = instances().items()
    assert first[0] == "hypar" and len(first[1]) == 10
    assert others[-1][0] == "counterexamples"
    assert set(instances()) <= {*GROUPS, *LAST_GROUPS}, "a folder of instances without a heading"
    assert sorted(name for names in instances().values() for name in names) == sorted(offered_instances())
    headings = re.findall(r'<optgroup label="([^"]*)"', client.get("/").text)
    assert headings == [heading.replace("'", "&#39;") for heading in instance_groups()]


def test_a_folder_without_a_heading_stands_before_the_counterexamples(tmp_path, monkeypatch):
    from hypar_opt.web import form

    found = {name: tmp_path / folder / f"{name}.yaml" for name, folder in (("a", "counterexamples"), ("b", "mine"))}
    monkeypatch.setattr(form, "offered_instances", lambda: found)
    assert list(instance_groups()) == ["mine", LAST_GROUPS["counterexamples"]]


def test_every_state_and_status_has_words():
    assert set(STATES) == set(KNOWN)
    assert {status.value for status in Status} | {PLACED, DECLINED.lower()} == set(STATUSES)


CASES = [
    ("lenet-c", {}, "joint-dp", {"hypar-dp", "brute-force", "cp-sat", "data-parallel"}),
    ("resnet-18", {}, "joint-dp", {"cp-sat", "milp-highs"}),
    ("lenet-c", PLACED_ON, "joint-enumeration", {"alternating", "local-search", "placement-milp"}),
    ("lenet-c", {**PLACED_ON, "placement": "identity"}, "joint-dp", {"hypar-dp", "cp-sat"}),
    ("lenet-c", FITTED, "joint-dp", {"cp-sat"}),
    ("vgg-e", {"levels": 24}, "joint-dp", {"cp-sat"}),  # too large to be asked of each
]


@pytest.mark.parametrize(("name", "overrides", "default", "some"), CASES)
def test_what_takes_an_instance_is_offered(name, overrides, default, some):
    found = suited(load(name, **overrides))
    offered = set(formulations()) - set(found["declining"])
    assert found["default"] == default
    assert some | {default} <= offered
    assert "portfolio" not in offered
    assert all(found["declining"].values())
    decides = {formulations()[one].decides == "strategies" for one in offered}
    assert len(decides) == 1, "strategies and placement are never decided for the same instance"


@pytest.mark.parametrize(("shipped", "overrides"), [("lenet-c", {"levels": 2}), ("parallelism-first", {})])
def test_who_is_offered_takes_it_and_who_declines_does_not(shipped, overrides):
    instance = load(shipped, **overrides)
    declining = suited(instance)["declining"]
    for name in formulations():
        try:
            plan = solve(instance, name, limits=Limits(None, 0, 1, GIB))
        except Refusal:
            assert name in declining
        else:
            assert name not in declining and plan.status is not Status.ERROR


def test_why_formulations_decline_is_said_in_few_words():
    declining = suited(load("resnet-18"))["declining"]
    assert declining["hypar-dp"] == "is for chains and this network has joins or branches"
    assert declining["joint-cp-sat"] == "there is no placement to decide"
    assert suited(load("lenet-c", **PLACED_ON))["declining"]["joint-dp"] == "the placement is to be decided too"


def test_tables_that_only_need_more_memory_are_offered(monkeypatch):
    monkeypatch.setattr(suiting, "Limits", lambda **given: Limits(**{"memory_bytes": 1, **given}))
    found = suited(load("resnet-18"))
    assert "joint-dp" not in found["declining"]
    assert found["default"] == "cp-sat"


def test_the_check_of_a_text_says_what_takes_it():
    about = check_text(LENET, {}, None)["about"]
    assert about["default"] == "joint-dp" and "joint-cp-sat" in about["declining"]
    about = check_text(LENET, {}, {"field": "objective", "value": "time"})
    assert about["fault"]["field"] is not None, "an array that does not say what the objective needs"


def test_where_nothing_takes_the_instance_no_default_is_named():
    found = suited(load("lenet-c", **FITTED, placement="free"))
    assert found["default"] == ""
    assert set(found["declining"]) == set(formulations())
    assert found["declining"]["alternating"] == "placements are decided for weighted bytes only"


def test_the_form_asks_for_nothing_that_the_page_does_not_take(client):
    page = unescape(client.get("/").text)
    assert "Another array of those that come with hypar-opt" in page
    assert not any(word in page for word in ("PLAN.json", "hypar-opt list arrays", "may be repeated"))
