"""What a report holds of instances, solved here or with plans that are given."""

import json
from dataclasses import replace

import pytest
from workers_here import Here

from hypar_opt import load
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.report.content import gather, given_plans, slug_of
from hypar_opt.report.content.named_plan import best_first
from hypar_opt.util.errors import InputError
from tests.report.content.cases import plan_file

ARRAY = "hypar-row-stationary-16"


def test_all_sections_of_an_instance_that_allows_them():
    (subject,), faults = gather([load("lenet-c", array=ARRAY)], ["joint-dp", "data-parallel"])
    assert faults == ()
    assert [named.name for named in subject.plans] == ["joint-dp", "data-parallel"]
    assert subject.front.complete
    assert subject.exploration.space.count == 256
    assert [point.accelerators for point in subject.scaling[::3]] == [1, 2, 4, 8, 16, 32, 64]
    assert subject.missing == {}


def test_sections_that_are_not_wanted_say_so():
    (subject,), _ = gather([load("sfc")], ["hypar-dp"], sections=())
    assert subject.missing == dict.fromkeys(("front", "exploration", "scaling", "regrets"), "not asked for")


def test_an_array_that_says_nothing_of_its_accelerators_has_no_front():
    (subject,), _ = gather([load("sfc")], ["hypar-dp"], sections=("front",))
    assert subject.front is None
    assert "accelerator" in subject.missing["front"]


def test_links_without_energies_leave_the_front_out_and_the_report_whole(tmp_path):
    path = tmp_path / "pair.json"
    graph = {"nodes": [{"name": "a"}, {"name": "b"}], "links": [{"ends": ["a", "b"], "bandwidth": 1000}]}
    path.write_text(json.dumps({"topology": "custom", "levels": 1, "placement": "identity", "graph": graph}))
    (subject,), faults = gather([load("lenet-c", array=str(path), levels=1)], ["joint-dp"], sections=("front",))
    assert (subject.front, faults) == (None, ())
    assert subject.missing["front"] == "array.links[0].energy: has no energy, which comm-energy needs"


@pytest.mark.parametrize("objective", ["communication", "time", "energy", "hop-bytes"])
def test_data_parallelism_stands_beside_plans_whatever_the_objective(objective):
    instance = load("lenet-c", array=ARRAY, objective=objective)
    (subject,), _ = gather([instance], ["joint-dp"], sections=())
    assert [named.name for named in subject.plans] == ["joint-dp"], "no formulation was asked for it"
    base = subject.baseline
    assert set("".join(base.strategies.values())) == {"d"}
    assert base.plan.objective == subject.problem.objective_of(base.breakdown, base.placed)
    assert base.plan.objective > subject.plans[0].plan.objective


def test_where_the_placement_is_to_be_decided_data_parallelism_stands_in_order_or_where_the_best_plan_does():
    instance = load("lenet-c", array="ring-16", levels=2, objective="hop-bytes", placement="free")
    (subject,), _ = gather([instance], ["alternating"], sections=())
    base, own = subject.baseline, subject.plans[0].plan.placement
    places = (instance.machine.accelerators[:4], own)
    assert base.plan.placement in places
    cost = {place: replace(base, plan=replace(base.plan, placement=place)).placed for place in places}
    objectives = [subject.problem.objective_of(base.breakdown, sites) for sites in cost.values()]
    assert base.plan.objective == min(objectives)


def test_the_one_that_was_asked_for_is_the_baseline():
    (subject,), _ = gather([load("lenet-c")], ["joint-dp", "data-parallel"], sections=())
    assert subject.baseline is subject.plans[1]


def test_data_parallelism_that_does_not_fit_says_so(tmp_path):
    array = tmp_path / "small.json"
    accelerator = {"model": "as-evaluated", "rate": 1e9, "utilisation": 1, "memory": {"capacity": 600_000}}
    array.write_text(json.dumps({"topology": "h-tree", "levels": 4, "accelerator": accelerator}))
    (subject,), _ = gather([load("lenet-c", array=str(array))], ["joint-dp"], sections=())
    assert subject.plans and subject.baseline is None
    why = subject.missing["baseline"]
    assert why.startswith("data parallelism needs ") and why.endswith(", which has a memory of 600 kB")


def test_regrets_of_every_layer_of_the_best_plan():
    (subject,), _ = gather([load("lenet-c")], ["hypar-dp", "joint-dp"], sections=("regrets",))
    assert subject.regrets.named is min(subject.plans, key=best_first)
    assert list(subject.regrets.explanation.regrets) == ["conv1", "conv2", "fc1", "fc2"]
    product = load("lenet-c", array=ARRAY, objective="product:time,energy")
    (subject,), _ = gather([product], ["joint-dp"], sections=("regrets",))
    assert len(subject.regrets.explanation.regrets) == 4 and "regrets" not in subject.missing
    many = load("resnet-50", array=ARRAY, objective="product:time,energy")
    (subject,), _ = gather([many], ["data-parallel"], sections=("regrets",))
    assert subject.regrets is None
    assert "is no weighted sum: it would have to be solved again for each of" in subject.missing["regrets"]


def test_one_accelerator_leaves_nothing_to_explore():
    (subject,), _ = gather([load("sfc", levels=0)], ["joint-dp"], sections=("exploration",))
    assert subject.exploration is None
    assert subject.missing["exploration"] == "on one accelerator every layer has one strategy only"


def test_an_instance_with_given_plans_is_not_solved(tmp_path):
    given = given_plans([plan_file(tmp_path, "sfc", "joint-dp")])
    (with_plan, without), faults = gather(
        [load("sfc"), load("lenet-c")], ["hypar-dp", "data-parallel"], given=given, sections=()
    )
    assert faults == ()
    assert [(cell.formulation, cell.row) for cell in with_plan.cells] == [("joint-dp", 0)]
    assert with_plan.plans[0].source == str(given[0].path)
    assert [(cell.formulation, cell.row) for cell in without.cells] == [("hypar-dp", 1), ("data-parallel", 1)]
    assert [named.source for named in without.plans] == ["", ""]


def test_it_is_where_formulations_are_named_and_names_stay_apart(tmp_path):
    given = given_plans([plan_file(tmp_path, "sfc"), plan_file(tmp_path, "sfc", file="mine.json")])
    (subject,), _ = gather([load("sfc")], [], given=given, again=["hypar-dp"], sections=())
    names = ["hypar-dp", "hypar-dp (mine)", "hypar-dp (solved here)"]
    assert [cell.formulation for cell in subject.cells] == names
    assert [named.name for named in subject.plans] == names


def test_a_plan_of_no_instance_of_the_report_is_an_error(tmp_path):
    (given,) = given_plans([plan_file(tmp_path, "sfc")])
    with pytest.raises(InputError) as error:
        gather([load("lenet-c")], [], given=[given])
    assert str(error.value) == f"{given.path}: instance: is a plan of 'sfc', the report is of lenet-c"


def test_plans_go_to_the_instance_with_their_overrides(tmp_path):
    given = given_plans([plan_file(tmp_path, "sfc", batch=128)])
    subjects, _ = gather([load("sfc"), load("sfc", batch=128)], [], given=given, sections=())
    assert [len(subject.plans) for subject in subjects] == [0, 1]
    assert [subject.slug for subject in subjects] == ["sfc", "sfc-2"]


def test_a_proof_that_cannot_be_true_beside_another_plan_is_a_fault(tmp_path):
    from dataclasses import replace

    (given,) = given_plans([plan_file(tmp_path, "sfc", "data-parallel")])
    wrong = replace(given.plan, status=Status.OPTIMAL, bound=given.plan.objective)
    claim = replace(given.claim, status=Status.OPTIMAL, bound=given.plan.objective)
    _, faults = gather([load("sfc")], [], given=[replace(given, plan=wrong, claim=claim)], again=["joint-dp"])
    assert len(faults) == 1
    assert faults[0].startswith("sfc: data-parallel says OPTIMAL")


def test_nothing_begins_after_a_stop():
    limits = Limits()
    limits.stop.set()
    assert gather([load("sfc")], ["hypar-dp"], limits=limits) == ((), ())


@pytest.mark.parametrize(
    ("name", "slug"), [("VGG-E", "vgg-e"), ("../../etc/passwd", "etc-passwd"), ("<b>", "b"), ("網", "")]
)
def test_names_of_files_are_letters_digits_and_hyphens(name, slug):
    assert slug_of(name) == slug


def test_what_given_strategies_cost_and_why_layers_are_as_they_are_stands_with_the_plans():
    given = {"conv1": "mmmm"}
    (subject,), _ = gather([load("lenet-c", fix=given)], ["joint-dp"], sections=("regrets",))
    assert subject.price.startswith("the given strategies cost ") and subject.price.endswith("(proven by joint-dp)")
    assert [one.layer for one in subject.reasons] == ["conv1", "conv2", "fc1", "fc2"]
    (without,), _ = gather([load("lenet-c")], ["joint-dp"], sections=())
    assert (without.price, without.reasons) == ("", ())


def test_where_no_plan_keeps_what_is_given_it_is_said_what_there_is_without_it():
    instance = load("lenet-c", splits="divisible", levels=2, fix={"conv1": "mm"})  # which has one input channel
    (subject,), _ = gather([instance], ["joint-dp"], sections=())
    assert subject.cells[0].plan.status is Status.INFEASIBLE and not subject.plans
    assert "without the given strategies" in subject.price


def answers(subjects):
    """Return what subjects say, but for how long it took."""
    return [
        (one.slug, [(cell.formulation, replace(cell.plan, runtime_s=0) if cell.plan else None) for cell in one.cells])
        for one in subjects
    ]


def test_workers_find_the_same_of_instances_with_plans_and_without(tmp_path):
    lenet, sfc = load("lenet-c"), load("sfc")
    given = given_plans([plan_file(tmp_path, "sfc")])
    heard = []
    asked = {"given": given, "again": ["hypar-dp"], "sections": ()}
    subjects, faults = gather([lenet, sfc], ["joint-dp", "hypar-dp"], workers=Here(), on_cell=heard.append, **asked)
    here, none = gather([lenet, sfc], ["joint-dp", "hypar-dp"], **asked)
    assert answers(subjects) == answers(here)
    assert faults == none == ()
    assert sorted((cell.row, cell.instance, cell.formulation) for cell in heard) == [
        (0, "lenet-c", "hypar-dp"), (0, "lenet-c", "joint-dp"), (1, "sfc", "hypar-dp"),
    ]  # fmt: skip


def test_a_stop_keeps_what_workers_have_found():
    limits = Limits()
    subjects, _ = gather(
        [load("lenet-c"), load("sfc")], ["hypar-dp"], sections=(), limits=limits, workers=Here(),
        on_cell=lambda _: limits.stop.set(),
    )  # fmt: skip
    assert len(subjects) >= 1
    assert all(one.cells for one in subjects)
