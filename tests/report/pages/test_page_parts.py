"""What pages are made of: assets, data in scripts, cells, commands, the summary, plans that are the same."""

import hashlib
import json
import re
from dataclasses import replace
from fractions import Fraction
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt import load
from hypar_opt.formulation.solution import Status
from hypar_opt.report.compare.table import rows as flat_rows
from hypar_opt.report.content import Report, Subject, gather, provenance
from hypar_opt.report.pages.environment import OWN, SCRIPTS, VENDOR, as_data, asset_files, environment
from hypar_opt.report.pages.overview import asked, command, facts, numbers, overview
from hypar_opt.report.pages.pages import none_found, unlike
from hypar_opt.report.pages.plans import alike, plan_paths
from hypar_opt.report.pages.summary import PLACED_ALONE, PLACED_GIVEN, gap, same, summary
from hypar_opt.report.tables import Column, Entry, Table
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.studies.compare import Cell
from hypar_opt.util.numbers import exact

PAGES = files("hypar_opt.report.pages")


@pytest.fixture(scope="module")
def subjects():
    names = ["hypar-dp", "joint-dp", "brute-force", "data-parallel"]
    instances = [load("lenet-c", accounting="as-evaluated"), load("sfc", accounting="as-evaluated")]
    return gather(instances, names, sections=())[0]


def test_what_others_wrote_is_what_the_manifest_says():
    manifest = json.loads((PAGES / "vendor" / "manifest.json").read_text())
    for one in manifest["files"]:
        assert hashlib.sha256((PAGES / "vendor" / one["file"]).read_bytes()).hexdigest() == one["sha256"], one["file"]
        assert one["version"] and one["package"] and one["from"]
        assert one["licence"] in (PAGES / "vendor" / one["licence_file"]).read_text()
    listed = {one["file"] for one in manifest["files"]} | {one["licence_file"] for one in manifest["files"]}
    assert set(VENDOR) == listed | {"vega-licence.txt"}


def test_every_asset_is_shipped_and_every_script_is_an_asset():
    found = asset_files()
    assert set(found) == {*OWN, *VENDOR, "vega.js"}
    assert set(SCRIPTS) <= set(found)
    assert b"vegaEmbed" in found["vega.js"]


def test_own_assets_ask_for_nothing_outside():
    for name in OWN:
        text = (PAGES / "assets" / name).read_text(encoding="utf-8")
        for word in ("http:", "https:", "@import", "eval(", "innerHTML", "fetch("):
            assert word not in text, f"{word} in {name}"


def test_templates_have_no_handlers_no_styles_inside_and_no_unescaped_text():
    for template in (PAGES / "templates").iterdir():
        text = template.read_text(encoding="utf-8")
        for word in (" onclick", " onload", " style=", "|safe", "| safe", "autoescape"):
            assert word not in text, f"{word} in {template.name}"


@given(st.text())
def test_data_in_a_script_ends_no_script_and_comes_back(text):
    found = as_data({"name": text})
    assert not set("<>&") & set(found)
    assert json.loads(found) == {"name": text}


def rendered(table, **how):
    source = '{% from "macros.html" import table %}{{ table(one, **how) }}'
    return environment().from_string(source).render(one=table, how=how)


def test_a_cell_is_text_and_is_sorted_by_its_number():
    columns = (Column("name", "<Name>"), Column("cost", "Cost", unit="GB", scale=10**9, digits=4))
    rows = (
        {"name": Entry("<b>&</b>"), "cost": Entry(1_500_000_000, best=True, notes=("a <note>",))},
        {"name": Entry("none"), "cost": Entry(None)},
    )
    found = rendered(Table("t", "T", columns, rows), rich=True)
    assert "<b>" not in found
    assert "&lt;Name&gt;" in found
    assert '<td class="number best" data-order="1500000000.0" data-search="1.500">1.500' in found
    assert '<span class="for-readers"> (best)</span><span class="note-mark">1</span>' in found
    assert '<td class="number" data-order="1e999">-' in found
    assert "<li>a &lt;note&gt;</li>" in found


def test_the_summary_has_a_row_for_every_result_and_marks_the_best(subjects):
    table = summary(subjects)
    assert len(table.rows) == 8
    best = [(row["instance"].value, row["formulation"].value) for row in table.rows if row["objective"].best]
    assert best == [(name, who) for name in ("lenet-c", "sfc") for who in ("hypar-dp", "joint-dp", "brute-force")]
    assert same(table) == {"Accounting": "as-evaluated", "Batch": "256", "Levels": "4"}
    assert [column.key for column in table.columns_of("page")] == [
        "instance", "formulation", "status", "objective", "bound", "gap", "runtime_s", "native_status",
    ]  # fmt: skip
    lenet = table.rows[1]
    assert (lenet["status"].value, lenet["objective"].value, lenet["gap"].value) == ("OPTIMAL", 16067040, 0)
    assert (lenet["objective"].text, lenet["gap"].text) == ("16.07 MB", "0 %")


def test_what_declined_has_a_row_without_numbers(subjects):
    from dataclasses import replace

    one = subjects[0].cells[0]
    declined = Cell(one.instance, one.accounting, one.batch, one.levels, "other", None, "too large")
    (row,) = summary([replace(subjects[0], cells=(declined,))]).rows
    assert (row["status"].value, row["objective"].value, row["gap"].value) == ("DECLINED", None, None)
    assert row["note"].value == "too large"
    assert row["status"].notes == ("too large",)


def test_the_gap_is_exact(subjects):
    plan = replace(subjects[0].cells[0].plan, objective=Fraction(3))
    assert gap(plan, None) is None
    assert gap(plan, Fraction(2)) == Fraction(1, 3)
    assert gap(replace(plan, objective=Fraction(0)), Fraction(0)) == 0


def twice(cell):
    plan = cell.plan
    double = None if plan.bound is None else 2 * plan.bound
    return replace(cell, plan=replace(plan, objective=2 * plan.objective, bound=double))


def test_a_proof_of_the_placement_alone_is_no_proof_of_the_plan():
    """The strategies that are placed cost twice as much as the best ones, wherever they stand."""
    instance = load("lenet-c", array="ring-16", levels=2, objective="comm-time", placement="free")
    (subject,), _ = gather([instance], ["joint-enumeration", "placement-milp", "identity"], sections=())
    cells = [subject.cells[0], *(twice(cell) for cell in subject.cells[1:])]
    subject = replace(subject, cells=tuple(cells))
    rows = {row["formulation"].value: row for row in summary([subject]).rows}
    joint, placed = rows["joint-enumeration"], rows["placement-milp"]
    assert (joint["status"].value, joint["gap"].value) == ("OPTIMAL", 0)
    assert (placed["status"].value, placed["bound"].value) == ("OPTIMAL placement", None)
    assert placed["status"].notes[0] == PLACED_ALONE
    assert placed["status"].text == "Optimal placement for given strategies"
    assert (rows["identity"]["status"].text, rows["identity"]["status"].notes[0]) == ("FEASIBLE", PLACED_GIVEN)
    for one in (placed, rows["identity"]):  # which cost more than a bound of all strategies, another problem's
        assert one["objective"].value > joint["bound"].value
        assert (one["gap"].value, one["bound"].value) == (None, None)
    flat = {row["formulation"]: (row["status"], row["bound"]) for row in flat_rows(subject.cells)}
    assert flat["placement-milp"] == ("OPTIMAL placement", None)
    assert flat["joint-enumeration"] == ("OPTIMAL", exact(joint["objective"].value))


def test_plans_that_are_the_same_stand_together_the_best_and_proven_first(subjects):
    first, second, third = alike(subjects[0].plans)
    assert (first.names, second.names, third.names) == ("joint-dp, brute-force", "hypar-dp", "data-parallel")
    assert (first.status, second.status, third.status) == ("OPTIMAL", "OPTIMAL", "FEASIBLE")
    assert second.said == "communication 16,067,040 B (16.07 MB); no plan costs less, proven by joint-dp, brute-force."
    assert third.said == "communication 51,660,000 B (51.66 MB); not proven to be optimal."


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"objective": "time"}, r"time about \d\.\d+ s \([\d.]+ ms\); [\d,]+ bytes exchanged; no plan costs less,"),
        ({"objective": "product:time,energy"}, r"product:time,energy (about )?[\d.]+ J s \([\d.]+ J s\); "),
        ({"objective": "lexicographic:time,energy"}, r"lexicographic:time,energy [\d.]+ ms, [\d.]+ mJ; "),
        (
            {"fix": {"fc*": "m."}, "at_most": {"time": 9}},
            "no plan that keeps the bounds and the given strategies costs",
        ),
    ],
)
def test_a_plans_cost_has_its_unit_and_its_proof_says_of_which_plans(changes, expected):
    instance = load("lenet-c", array="hypar-16", levels=2, **changes)
    (subject,), _ = gather([instance], ["joint-dp"], sections=())
    (one,) = alike(subject.plans)
    assert re.search(expected, one.said), one.said


def test_a_proof_in_a_plan_file_is_the_files(subjects):
    from dataclasses import replace

    given = [replace(named, source="x.json") for named in subjects[0].plans]
    assert alike(given)[0].said.endswith("proven by joint-dp, brute-force, as plan files say.")


def test_the_best_placement_of_given_strategies_is_no_optimum(subjects):
    from dataclasses import replace

    from hypar_opt.formulation.solution import Status

    greedy = next(named for named in subjects[0].plans if named.name == "hypar-dp")
    placed = replace(greedy, plan=replace(greedy.plan, status=Status.OPTIMAL, decided="placement"))
    (one,) = alike([placed])
    assert (one.status, one.least) == ("Optimal placement for given strategies", ())
    assert one.said.endswith("; its placement is the best for its strategies, it is not proven to be optimal.")
    report = Report("T", (replace(subjects[0], plans=(placed,)),), provenance())
    assert {text: number for number, text in numbers(report)}["of them with a plan that is proven optimal"] == "0"
    assert overview(report.subjects).rows[0]["proven"].value is None


def test_plans_stand_in_the_same_order_wherever_they_come_from(subjects):
    def names(plans):
        return [one.names for one in alike(plans)]

    assert names(subjects[0].plans[::-1]) == names(subjects[0].plans)


def test_places_on_a_page_are_the_plans_own(subjects):
    from dataclasses import replace

    called = [replace(named, name="<>") for named in subjects[0].plans]
    assert len({one.slug for one in alike(called)}) == len(alike(called)) == 3


def test_marks_of_notes_are_told_apart_and_stay_on_the_line_of_their_badge():
    notes = tuple(Entry("OPTIMAL", notes=own) for own in (("one", "two"), ()))
    found = rendered(
        Table("t", "T", (Column("status", "Status"),), tuple({"status": one} for one in notes)), badges="status"
    )
    assert (
        '<span class="kept"><span class="badge optimal">OPTIMAL</span><span class="note-mark">1, 2</span></span>'
        in found
    )
    assert ".kept { white-space: nowrap; }" in (PAGES / "assets" / "report.css").read_text()


def test_an_instance_that_is_there_twice_is_told_apart():
    assert unlike(["a", "b", "a", "a"]) == ["a", "b", "a (2)", "a (3)"]


def test_no_two_plans_share_a_file(subjects):
    from dataclasses import replace

    plans = [replace(subjects[0].plans[0], name=name) for name in ("a/b", "a b", "../..", "<>")]
    assert list(plan_paths(replace(subjects[0], plans=tuple(plans))).values()) == [
        "plans/lenet-c/a-b.json", "plans/lenet-c/a-b-2.json", "plans/lenet-c/plan.json", "plans/lenet-c/plan-2.json",
    ]  # fmt: skip


def test_one_of_a_kind_is_not_told_as_several(subjects):
    one = Report("T", (replace(subjects[0], plans=subjects[0].plans[:1]),), provenance())
    assert numbers(one)[0] == ("1", "instance") and numbers(one)[2] == ("1", "plan, each checked")
    found = dict(facts(Subject("one", NetworkProblem(load("lenet-c", batch=1, levels=1)), (), ())))
    assert found["Batch"].startswith("1 sample a") and found["Array"].startswith("1 level, 2 accelerators")


def test_what_names_an_instance_on_a_command_line(tmp_path):
    shipped = load("lenet-c")
    assert asked(shipped) == "lenet-c"
    copy = tmp_path / "lenet-c.yaml"
    copy.write_text(shipped.source.read_text().replace("../", f"{shipped.source.parent.parent}/"))
    assert asked(load(copy)) == str(copy)
    assert command("verify", "a b", "$(c)") == "hypar-opt verify 'a b' '$(c)'"


def test_facts_of_an_instance(subjects):
    found = dict(facts(subjects[0]))
    assert found["Network"] == "lenet-c: 4 layers to decide, a chain, 430.5 k weights"
    assert found["Array"] == "4 levels, 16 accelerators: h-tree"
    assert found["Hash"] == subjects[0].instance.sha256
    assert "Each accelerator" not in found


@pytest.mark.parametrize(
    ("status", "said"),
    [(Status.INFEASIBLE, "no plan is allowed, proven by f: why"), (Status.NO_SOLUTION, "no formulation found a plan")],
)
def test_that_there_is_no_plan_is_said_of_proofs_only(subjects, status, said):
    plan = replace(
        subjects[0].cells[0].plan, status=status, strategies=None, communication_bytes=None, objective=None, bound=None
    )
    cell = replace(subjects[0].cells[0], formulation="f", plan=replace(plan, note="why"))
    assert none_found(replace(subjects[0], cells=(cell,), plans=())) == said
