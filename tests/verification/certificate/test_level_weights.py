"""Certificates where every level weighs its bytes by itself: what they prove, what is refused, what is noticed."""

from __future__ import annotations

import io
import json
import math
from dataclasses import dataclass
from fractions import Fraction
from random import Random

import pytest
from bank.random_networks import MODELS, random_document
from helpers import document, each, instance_of, linear_chain, problem_of
from hypothesis import given
from hypothesis import strategies as st
from make import Tables, certificate, chain, changed, edgewise, eliminate, header_of, proven

from hypar_opt import NetworkProblem, load
from hypar_opt.cost.weights import Charges
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError
from hypar_opt.verification.certificate import check as module
from hypar_opt.verification.certificate.check import CertificateError, check
from hypar_opt.verification.certificate.header import bind
from hypar_opt.verification.certificate.write import write_certificate

BY_LEVEL = [model for model in MODELS if model[0] != "leaf-exact"]
IDS = [f"{accounting}-{''.join(choice[0] for choice in choices)}" for accounting, choices in BY_LEVEL]
SEEDS = range(12)
WEIGHTS = [Fraction(one) for one in ("0", "0", "1", "2", "3", "1/2", "5/3", "1/1024", "2/7", f"{2**45}", f"{10**30}/9")]
WHERE = "header.json: problem: objective: communication"


@dataclass(frozen=True)
class Weighed(NetworkProblem):
    """A problem whose levels have weights that no array need have."""

    by_level: tuple[Fraction, ...]

    @property
    def charges(self):
        return Charges(self.by_level, {})

    def objective_of(self, breakdown, placed=None):
        """From the boxes of every level."""
        return sum((one * breakdown.level(h) for h, one in enumerate(self.by_level)), start=Fraction(0))


def weighed(whole, weights):
    return Weighed(instance_of(whole), tuple(map(Fraction, weights)))


def random_weights(rng, levels):
    found = [rng.choice(WEIGHTS) for _ in range(levels)]
    return found if any(found) or not levels else random_weights(rng, levels)


def random_tables(seed, model):
    """A random problem of a few levels that is small enough for trying all."""
    accounting, choices = model
    for attempt in range(seed, 10_000, len(SEEDS)):
        whole = random_document(attempt, most_layers=5)
        whole["cost"] |= {"accounting": accounting, "choices": choices}
        letters = {choice[0] for choice in choices}
        whole["fix"] = {name: word for name, word in whole.get("fix", {}).items() if set(word) <= letters}
        levels = whole["array"]["levels"]
        tables = Tables(weighed(whole, random_weights(Random(attempt), levels)))
        if levels > 1 and tables.is_feasible and math.prod(tables.sizes) <= 20_000:
            return tables
    raise AssertionError("no small problem")


def written(problem):
    """The optimal plan of a problem and its certificate as it is written."""
    proofs, file = [], io.BytesIO()
    plan = solve(problem, "joint-dp", proof=proofs.append)
    assert plan.status is Status.OPTIMAL, plan.native_status
    write_certificate(file, problem, proofs.pop(), plan)
    return plan, file


def of_chain(weights, features=(8, 4, 6), **options):
    """A chain's header and the messages that prove its optimum."""
    whole = document(linear_chain(*features), [8], **{"levels": len(weights)} | options)
    tables = Tables(weighed(whole, weights))
    value, choices = tables.best()
    clusters, messages = chain(tables)
    return header_of(tables, clusters, messages, choices, Fraction(value, tables.denominator)), messages


# --- what they prove


@pytest.mark.parametrize("model", BY_LEVEL, ids=IDS)
@each("seed", SEEDS)
def test_what_joint_dp_writes_proves_the_optimum_of_trying_all(model, seed):
    tables = random_tables(seed, model)
    plan, file = written(tables.problem)
    found = check(file)
    assert found.faults == ()
    assert found.bound == found.cost == plan.objective == Fraction(tables.best()[0], tables.denominator)


@pytest.mark.parametrize("model", BY_LEVEL, ids=IDS)
@each("seed", SEEDS)
def test_messages_of_any_elimination_order_prove_the_optimum(model, seed):
    tables = random_tables(seed, model)
    value, choices = tables.best()
    order = [*range(len(tables.sizes))]
    Random(seed).shuffle(order)
    clusters, messages = eliminate(tables, order)
    header = header_of(tables, clusters, messages, choices, Fraction(value, tables.denominator))
    assert check(certificate(header, messages)).faults == ()


@pytest.mark.parametrize("model", BY_LEVEL, ids=IDS)
@each("seed", SEEDS)
def test_any_messages_prove_what_the_formula_says(model, seed):
    tables = random_tables(seed, model)
    value, choices = tables.best()
    clusters, messages = edgewise(tables, Random(seed))
    found = check(certificate(header_of(tables, clusters, messages, choices, 1), messages))
    assert found.bound == Fraction(proven(tables, clusters, messages), tables.denominator)
    assert found.bound <= found.cost == Fraction(value, tables.denominator)


@pytest.mark.parametrize(
    ("word", "bytes_of"),
    [("dd", (56_000, 112_000)), ("dm", (56_000, 25_600)), ("md", (25_600, 56_000)), ("mm", (25_600, 51_200))],
)
@pytest.mark.parametrize("weights", [(1, 0), (0, 1), (1, 1), (7, Fraction(1, 3))])
def test_one_layer_by_hand(word, bytes_of, weights):
    """The paper's 70 -> 100 at batch 32: 56.0 kB in dp, 25.6 kB in mp; below dp half of F is left, below mp half of W.

    Level 2 has two groups.
    """
    whole = document(linear_chain(100), [70], batch=32, levels=2, fix={"fc1": word})
    _, file = written(weighed(whole, weights))
    assert check(file).bound == sum(weight * some for weight, some in zip(weights, bytes_of, strict=True))


rationals = st.fractions(0, 10**6, max_denominator=1000)
words = st.text("dmo", min_size=3, max_size=3)


@pytest.mark.slow
@given(
    st.lists(rationals, min_size=3, max_size=3).filter(any),
    st.tuples(words, words, words),
    st.sampled_from(["published", "receiver"]),
)
def test_a_fixed_plan_costs_what_boxes_say_of_every_level(weights, plan, accounting):
    fix = {f"fc{i}": word for i, word in enumerate(plan, start=1)}
    choices = ["dp", "mp", "op"]
    header, messages = of_chain(weights, fix=fix, accounting=accounting, choices=choices)
    problem = problem_of(document(linear_chain(8, 4, 6), [8], levels=3, accounting=accounting, choices=choices))
    levels = [problem.bytes_of(fix).level(h) for h in range(3)]
    found = check(certificate(header, messages))
    assert found.bound == found.cost == sum(weight * some for weight, some in zip(weights, levels, strict=True))


@pytest.mark.parametrize("accounting", ["published", "as-evaluated", "receiver"])
def test_equal_weights_are_as_one(accounting):
    header, messages = of_chain(["1/3"] * 3, accounting=accounting)
    as_one = changed(header, "problem.objective.communication", "1/3")
    assert check(certificate(header, messages)).proven
    assert check(certificate(as_one, messages)).proven
    assert check(certificate(as_one, messages)).bound == check(certificate(header, messages)).bound


@pytest.mark.parametrize("exponent", [20, 30, 38, 39, 40, 41, 42, 43, 44, 45, 46, 60, 62, 63, 64, 100])
def test_sums_are_exact_wherever_64_bits_end(exponent):
    for weights in ([2**exponent, 1], [1, 2**exponent], [2**exponent, 0, 2**exponent - 1]):
        assert check(certificate(*of_chain(weights))).proven


@pytest.mark.parametrize("exponent", [40, 62, 63, 64, 100])
def test_nothing_to_exchange_at_any_weight(exponent):
    """No element is in any tensor, so that all that could leave 64 bits is the weights."""
    _, file = written(weighed(document(linear_chain(8), [8], levels=2), [2**exponent, 1]))
    header = check(file).header
    for field in ("feature_in", "weight", "feature_out"):
        header = changed(header, f"problem.layers[0].{field}", 0)
    found = check(certificate(header, []))
    assert found.bound == found.cost == 0


def test_one_accelerator_has_no_level_to_weigh():
    header, messages = of_chain([], levels=0)
    assert header["problem"]["objective"] == {"communication": []}
    assert check(certificate(header, messages)).faults == ()


# --- certificates of arrays


TORUS = {"topology": "torus", "levels": 4, "dims": [4, 4], "link": {"bandwidth": 200_000_000, "energy": 8.0e-11}}
RING = {"topology": "ring", "levels": 3, "accelerators": 9, "link": {"bandwidth": 3, "energy": 0.1}}
OBJECTIVES = ["hop-bytes", "comm-time", "comm-energy", "communication=0.5,hop-bytes=0.25,comm-time=1000000"]


@pytest.mark.parametrize("array", ["torus-16", TORUS, RING], ids=["shipped", "torus", "ring"])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_of_a_placement_in_an_array(array, objective, tmp_path):
    problem = NetworkProblem(load("lenet-c", array=array, objective=objective, placement="identity"))
    plan, file = written(problem)
    found = check(file)
    assert found.faults == ()
    assert found.bound == plan.objective
    assert len(found.header["problem"]["objective"]["communication"]) == problem.instance.levels
    assert found.header["problem"]["overrides"].keys() == {"array", "placement", "objective"}
    bind(found.header, problem, tmp_path)


def of_lenet(**overrides):
    return NetworkProblem(
        load("lenet-c", **{"array": TORUS, "objective": "hop-bytes", "placement": "identity"} | overrides)
    )


def refused_by(problem, header):
    with pytest.raises(InputError) as caught:
        bind(header, problem, "plan.cert")
    return str(caught.value)


def test_of_another_placement_or_of_one_to_be_decided():
    header = check(written(of_lenet())[1]).header
    other = "plan.cert: problem.{}: is a certificate of another problem: "
    text = refused_by(of_lenet(placement="free"), header)
    detail = "it is of strategies for a given placement, and this instance's is to be decided"
    assert text == other.format("objective") + detail
    assert refused_by(of_lenet(objective="comm-time"), header).startswith(other.format("overrides"))


def test_of_other_weights():
    problem = of_lenet()
    header = check(written(problem)[1]).header
    found = refused_by(problem, changed(header, "problem.objective.communication[3]", "2"))
    assert found == (
        "plan.cert: problem.objective: is a certificate of another problem: "
        "it has {'communication': ['2', '1', '2', '2']}, this instance has {'communication': ['2', '1', '2', '1']}"
    )


# --- not proven


def test_another_weight_of_one_level():
    """By hand, in kB: dm 56 and 25.6, md 25.6 and 56, mm 25.6 and 51.2 at the two levels."""
    whole = document(linear_chain(100), [70], batch=32, levels=2)
    _, file = written(weighed(whole, [1, 2]))
    header = check(file).header
    assert header["claim"] == {"bound": "107200", "plan": {"fc1": "dm"}}
    for weights, faults in (
        (["1", "3"], ("the potentials prove the bound 132800, the file claims 107200",)),
        (
            ["3", "1"],
            (
                "the potentials prove the bound 128000, the file claims 107200",
                "the plan in the file costs 193600, the bound is 128000",
            ),
        ),
    ):
        assert check(certificate(changed(header, "problem.objective.communication", weights), [])).faults == faults


@each("seed", range(10))
@pytest.mark.parametrize("model", BY_LEVEL, ids=IDS)
def test_a_changed_weight_never_proves_the_old_plan_wrongly(model, seed):
    """Whatever weight a level is given, what is proven of the changed problem is true of it."""
    tables, rng = random_tables(seed, model), Random(seed)
    value, choices = tables.best()
    clusters, messages = eliminate(tables, [*range(len(tables.sizes))])
    header = header_of(tables, clusters, messages, choices, Fraction(value, tables.denominator))
    weights = list(tables.problem.by_level)
    weights[rng.randrange(len(weights))] += rng.choice([1, Fraction(1, 2), 100])
    header = changed(header, "problem.objective.communication", [str(one) for one in weights])
    other = Tables(Weighed(tables.problem.instance, tuple(weights)))
    found = check(certificate(changed(header, "scale", 12), messages))
    assert found.bound <= Fraction(other.best()[0], other.denominator) <= found.cost
    assert found.cost == Fraction(other.problem.graph.value(choices), other.denominator)


# --- not a certificate


def refusal(header, messages):
    with pytest.raises(CertificateError) as caught:
        check(certificate(header, messages))
    return str(caught.value)


NUMBER = "-?[0-9]{1,999}([.][0-9]{1,999}|/[1-9][0-9]{0,998})?"
POSITIVE = "expected a weight above 0, and none below"
BAD = [
    (["1"], f"{WHERE}: expected 1 or a list of 2, got ['1']"),
    ([], f"{WHERE}: expected 1 or a list of 2, got []"),
    (["1", "2", "3"], f"{WHERE}: expected 1 or a list of 2, got ['1', '2', '3']"),
    (["1", "-1"], f"{WHERE}: {POSITIVE}"),
    (["-1/3", "1"], f"{WHERE}: {POSITIVE}"),
    (["0", "0"], f"{WHERE}: {POSITIVE}"),
    ("0", f"{WHERE}: {POSITIVE}"),
    ("-1", f"{WHERE}: {POSITIVE}"),
    (["1", "NaN"], f"{WHERE}[1]: expected {NUMBER}, got 'NaN'"),
    (["inf", "1"], f"{WHERE}[0]: expected {NUMBER}, got 'inf'"),
    (["1", "1e3"], f"{WHERE}[1]: expected {NUMBER}, got '1e3'"),
    (["1", "1/0"], f"{WHERE}[1]: expected {NUMBER}, got '1/0'"),
    (["1", ""], f"{WHERE}[1]: expected {NUMBER}, got ''"),
    (["1", 1], f"{WHERE}[1]: expected {NUMBER}, got 1"),
    (["1", None], f"{WHERE}[1]: expected {NUMBER}, got None"),
    (["1", ["1"]], f"{WHERE}[1]: expected {NUMBER}, got ['1']"),
    (["1", math.nan], f"{WHERE}[1]: expected {NUMBER}, got nan"),
    ({"0": "1"}, f"{WHERE}: expected {NUMBER}, got {{'0': '1'}}"),
    (None, f"{WHERE}: expected {NUMBER}, got None"),
    (True, f"{WHERE}: expected {NUMBER}, got True"),
    (
        [f"1/{10**600 + 1}", f"1/{10**600 + 3}"],
        f"{WHERE}: expected a common denominator of at most 1000 digits",
    ),
]


@pytest.mark.parametrize(("value", "message"), BAD, ids=[str(one[0])[:20] for one in BAD])
def test_weights_that_are_none(value, message):
    header, messages = of_chain([1, 2])
    assert refusal(changed(header, "problem.objective.communication", value), messages) == message


def test_leaf_exact_counts_no_levels():
    header, messages = of_chain([1, 2])
    header = changed(header, "problem.accounting", "leaf-exact")
    assert refusal(header, messages) == f"{WHERE}: expected 1, got ['1', '2']"
    header = changed(header, "problem.objective.communication", "1")
    assert not check(certificate(changed(header, "scale", 2), messages)).proven  # read, and judged


@pytest.mark.parametrize("weights", [["1/16", "1"], ["1", "1/16"]])
def test_a_scale_that_leaves_fractions(weights):
    header, messages = of_chain([1, 1])
    for name in ("feature_in", "weight", "feature_out"):
        header = changed(header, f"problem.layers[0].{name}", 1)
    header = changed(header, "problem.objective.communication", weights)
    header = changed(header, "problem.batch", 1)
    assert refusal(header, messages) == "header.json: scale: too small, a cost is not whole in its units"
    check(certificate(changed(header, "scale", 4), messages))


@pytest.mark.parametrize(
    ("overrides", "fits"),
    [
        ({"array": {"topology": "ring", "count": 4}, "placement": "identity", "objective": "hop-bytes"}, True),
        ({"batch": 8, "levels": 2, "accounting": "published", "array": {}}, True),
        ({"levels": 3, "array": {"levels": 3}}, False),
        ({"levels": 3}, False),
        ({"batch": 9, "objective": "hop-bytes"}, False),
        ({"seed": 0, "placement": "identity"}, False),
    ],
)
def test_overrides_repeat_what_the_problem_says_alike(overrides, fits):
    header, messages = of_chain([1, 2])
    header = changed(header, "problem.overrides", overrides)
    if fits:
        assert check(certificate(header, messages)).proven
    else:
        assert refusal(header, messages) == "header.json: problem: overrides: not as in the problem"


# --- each use of a level's weight in the checker is noticed


def swapped(weights):
    return (*weights[1::-1], *weights[2:])


def swap_everywhere(monkeypatch):
    right = module._weights
    monkeypatch.setattr(module, "_weights", lambda problem: (lambda unit, some: (unit, swapped(some)))(*right(problem)))


def swap_in_layers(monkeypatch):
    right = module._doubling
    monkeypatch.setattr(module, "_doubling", lambda a, b, weights: right(a, b, swapped(weights)))


def swap_in(name, monkeypatch):
    right = getattr(module._Boundary, name)

    def wrong(self, *given):
        return right(module._Boundary(swapped(self.weights), self.rates, self.growth), *given)

    monkeypatch.setattr(module._Boundary, name, wrong)


MUTATIONS = {
    "everywhere": swap_everywhere,
    "layers": swap_in_layers,
    "boundaries, minimised": lambda monkeypatch: swap_in("passed", monkeypatch),
    "boundaries, read": lambda monkeypatch: swap_in("at", monkeypatch),
}


@pytest.mark.parametrize("accounting", ["published", "as-evaluated", "receiver"])
@pytest.mark.parametrize("mutation", MUTATIONS)
def test_swapped_weights_are_noticed(monkeypatch, mutation, accounting):
    """The plan is fixed, and its boundaries exchange at level 2 only."""
    fix = {"fc1": "dd", "fc2": "dm", "fc3": "dd"}
    file = certificate(*of_chain([1, 5], fix=fix, accounting=accounting))
    assert check(file).proven
    MUTATIONS[mutation](monkeypatch)
    found = check(file)
    assert not found.proven
    assert found.faults[0].startswith("the potentials prove the bound ") or found.faults[0].startswith("the plan in ")


def test_the_header_is_plain_json():
    header, _ = of_chain(["1/3", 2])
    assert json.loads(json.dumps(header)) == header
    assert header["problem"]["objective"] == {"communication": ["1/3", "2"]}
