"""AWP's rule on traces: by hand, what is wrong with a trace, beside the static optimum, and as a user runs it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import Instance
from hypar_opt.solver.precision_problem import PrecisionProblem
from hypar_opt.studies.precision import NormRule, NormTrace, beside_static, read_norms, replayed
from hypar_opt.util.errors import InputError
from tests.helpers import document, each, linear_chain
from tests.precision_brute_force import drawn

HEAD = "batch,layer,norm\n"


def trace_of(**norms):
    return NormTrace({name: tuple(map(Fraction, own)) for name, own in norms.items()})


def test_the_rule_by_hand():
    """Changes of fc1: 1/10, 1/11, 1/12, 0, 0; below 1/10 are the last four, so that the second and the fourth raise."""
    trace = trace_of(fc1=[10, 11, 12, 13, 13, 13], fc2=[1, 2, 4, 8, 16, 32])
    periods = replayed(trace, NormRule(Fraction(1, 10), 2, 8, 8), 32)
    assert [(one.first, one.batches, one.bits["fc1"]) for one in periods] == [(0, 4, 8), (4, 2, 16)]
    assert all(one.bits["fc2"] == 8 for one in periods)


def test_bits_end_at_all_that_there_are():
    periods = replayed(trace_of(fc1=[1] * 9), NormRule(Fraction(1), 1, 12, 16), 32)
    assert [(one.first, one.batches, one.bits["fc1"]) for one in periods] == [(0, 2, 16), (2, 1, 28), (3, 6, 32)]


def test_in_a_row_or_in_all():
    trace = trace_of(fc1=[10, 10, 20, 20, 40, 40])
    in_all = replayed(trace, NormRule(Fraction(1, 10), 2, 8, 8), 32)
    in_a_row = replayed(trace, NormRule(Fraction(1, 10), 2, 8, 8, in_a_row=True), 32)
    assert [one.bits["fc1"] for one in in_all] == [8, 16]
    assert [one.bits["fc1"] for one in in_a_row] == [8]


def test_a_change_that_is_the_threshold_is_not_below_it():
    assert len(replayed(trace_of(fc1=[10, 11, 11]), NormRule(Fraction(1, 10), 2, 8, 8), 32)) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("batch,layer\n", ":1: columns: expected a column norm, once"),
        ("batch,layer,norms\n", ":1: columns: expected batch, layer, norm, got 'norms'; did you mean 'norm'?"),
        (HEAD, "expected a row for every batch and layer, got none"),
        (HEAD + "1,fc1,2\n", ":2: batch: expected batch 0, got '1': a trace has no gaps"),
        (HEAD + "0,fc1,2\n2,fc1,2\n", ":3: batch: expected batch 0 or 1, got '2': a trace has no gaps"),
        (HEAD + "0,fc1,2\n0,fc2,2\n1,fc1,2\n2,fc1,2\n", ":5: layer: batch 1 has no norm of 'fc2': a trace has no gaps"),
        (HEAD + "0,fc1,2\n0,fc2,2\n1,fc1,2\n", ":4: layer: batch 1 has no norm of 'fc2'"),
        (HEAD + "0,fc1,2\n0,fc1,2\n", ":3: layer: 'fc1' comes twice in batch 0"),
        (HEAD + "0,fc1,2\n1,fc2,2\n", ":3: layer: expected a layer of batch 0, got 'fc2'; did you mean 'fc1'?"),
        (HEAD + "0,fc1,0\n", ":2: norm: expected a norm above 0, got '0'"),
        (HEAD + "0,fc1,nan\n", ":2: norm: expected a norm, got 'nan'"),
        (HEAD + "0,fc1\n", ":2: expected 3 columns, got 2"),
    ],
)
def test_what_is_wrong_with_a_trace(tmp_path, text, message):
    path = tmp_path / "norms.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_norms(path)
    assert message in str(caught.value)


@pytest.fixture(scope="module")
def problem():
    whole = document(linear_chain(12, 8), [16], levels=2)
    errors = {"fc1": {"gradient": [5, 2, 0]}, "fc2": {"all": [4, 1, 0]}}
    return PrecisionProblem(Instance.from_dict(whole | {"precision": {"bits": [8, 16, 32], "sensitivities": errors}}))


def test_beside_the_best_static_bits(problem):
    trace = trace_of(fc1=[10, 10, 10, 10], fc2=[1, 2, 4, 8])
    found = beside_static(problem, trace, NormRule(Fraction(1, 10), 2, 8, 8), Limits())
    assert (found.batches, [one.batches for one in found.periods]) == (4, [3, 1])
    assert found.errors == (9, 6)
    assert found.mean_error == Fraction(3 * 9 + 6, 4)
    assert found.any_words.status is found.same_words.status is Status.OPTIMAL
    assert found.any_words.costs["rounding-error"] <= found.mean_error
    assert found.mixed <= found.any_words.objective <= found.same_words.objective
    judged = problem.judged(
        {name: f"{word} {'gradient' if name == 'fc1' else 'all'}:8" for name, word in found.words.items()}
    )
    assert found.sent[0] == judged.breakdown.total


@each("seed", range(24), quick=2)
def test_no_rule_sends_less_than_plans_in_turn(seed):
    problem = PrecisionProblem(drawn(seed))
    bits = problem.instance.precision.bits
    names = list(problem.instance.precision.sensitivities)
    trace = trace_of(
        **{name: [1 + (seed * place + batch) % 3 for batch in range(6)] for place, name in enumerate(names)}
    )
    rule = NormRule(Fraction(1, 10), 1, bits[1] - bits[0], bits[0])
    try:
        found = beside_static(PrecisionProblem(problem.instance.replace(at_most=None)), trace, rule, Limits())
    except InputError as error:
        assert "another --start or --step may do" in str(error)
        return
    if found.mixed is not None:
        assert found.mixed <= found.mean_sent
        assert found.any_words.objective is None or found.mixed <= found.any_words.objective


@pytest.mark.parametrize(
    ("norms", "rule", "message"),
    [
        ({"fc1": [1, 1], "fc3": [1, 1]}, {}, "the trace has a layer 'fc3', the instance has no sensitivities of it"),
        ({"fc1": [1, 1]}, {}, "the trace has no norms of layer 'fc2', whose bits may be chosen"),
        ({"fc1": [1, 1], "fc2": [1, 1]}, {"start": 12}, "the rule sends 'fc1' in 12 bits, expected 8, 16, 32"),
        ({"fc1": [1, 1, 1], "fc2": [1, 2, 4]}, {"step": 4}, "the rule sends 'fc1' in 12 bits"),
    ],
)
def test_what_does_not_go_together(problem, norms, rule, message):
    with pytest.raises(InputError, match=message):
        beside_static(
            problem,
            trace_of(**norms),
            NormRule(**{"threshold": Fraction(1, 2), "interval": 1, "step": 8, "start": 8} | rule),
            Limits(),
        )


@pytest.mark.parametrize("field", ["interval", "step", "start"])
def test_a_rule_of_nothing(field):
    with pytest.raises(InputError, match=f"--{field}"):
        NormRule(**{"threshold": Fraction(1), "interval": 1, "step": 8, "start": 8} | {field: 0})
