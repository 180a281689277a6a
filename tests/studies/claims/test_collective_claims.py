"""Claims about collectives, and about steps of which the communication gets faster."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypar_opt.studies.claims import audit, read_claims
from hypar_opt.util.errors import InputError

TORUS = {"topology": "torus", "dims": [3, 3]}
RING = {"topology": "ring", "accelerators": 4, "link": {"bandwidth": 100, "latency": 3}}
STEPS = {"formulation": "multitree", "quantity": "steps", "collective": "all-gather", "arrays": [TORUS]}
GAIN = {"formulation": "multitree", "over": "ring", "arrays": [TORUS, RING], "bytes": "1KiB,1MiB"}


@pytest.mark.parametrize(
    ("claim", "recomputed", "verdict", "why"),
    [
        ({"collective": {**STEPS, "value": "3"}}, "3", "confirmed", ""),
        ({"collective": {**STEPS, "value": "5", "off": 2}}, "3", "confirmed", ""),
        ({"collective": {**STEPS, "value": "6", "off": 2}}, "3", "refuted", "in 1 of 1 it is not: torus 3x3 has 3"),
        ({"collective": {**STEPS, "formulation": "ring", "equals": "P - 1"}}, "8", "confirmed", ""),
        (
            {"collective": {**STEPS, "formulation": "ring", "equals": "2 (P - 1)"}},
            "8",
            "refuted",
            "in 1 of 1 it is not: torus 3x3 has 8, expected 16",
        ),
        ({"fewest_steps": {"collective": "all-gather", "steps": 2, "arrays": [TORUS]}}, "2", "confirmed", ""),
        (
            {"fewest_steps": {"collective": "all-gather", "steps": 3, "arrays": [TORUS]}},
            "2",
            "refuted",
            "torus 3x3: a schedule takes 2 steps, which is proven to be the fewest: "
            "8 chunks have to get into a0, by 4 links",
        ),
        ({"collective_gain": {**GAIN, "faster": True}}, None, "confirmed", ""),
        ({"collective_gain": {**GAIN, "value": "2.7", "of": "some"}}, None, "confirmed", ""),
        (
            {"collective_gain": {**GAIN, "value": "2.6", "of": "some"}},
            None,
            "not reproducible",
            "none of 4 settings gives it, and which is meant is open",
        ),
        ({"collective_gain": {**GAIN, "value": "2.7"}}, None, "refuted", "in 2 of 4 it is that"),
        ({"collective_gain": {**GAIN, "value": "2.08", "of": "mean"}}, None, "confirmed", ""),
        ({"collective_gain": {**GAIN, "value": "2.00", "of": "gmean"}}, None, "confirmed", ""),
        (
            {"collective_gain": {**GAIN, "value": "2.1", "of": "gmean"}},
            None,
            "refuted",
            "does not round to what is printed",
        ),
        (
            {"saving": {"speedup": "2.3", "percent": "81"}},
            "at most 56.52 %",
            "refuted",
            "it needs 5.263 times even where all of a step is communication",
        ),
        (
            {"saving": {"speedup": "1.56", "percent": "30"}},
            "at most 35.9 %, and that where 83.57 % of a step are communication",
            "confirmed",
            "",
        ),
    ],
)  # fmt: skip
def test_what_is_stated_is_recounted(judge, claim, recomputed, verdict, why):
    row = judge(claim)
    assert (row.verdict.value, row.judgement.why) == (verdict, why)
    assert recomputed is None or row.judgement.recomputed == recomputed


def test_gains_are_of_lockstep_and_heads_of_packets_count(judge):
    found = judge({"collective_gain": {**GAIN, "arrays": [RING], "value": "1.3", "over_bytes": "1.0625"}})
    gains = found.judgement.details["gains"]
    steps = 6, 4  # of the ring, and of its trees
    expected = {size: steps[0] * (3 + size * 17 / 16 / 400) / steps[1] / (3 + size / 400) for size in (1024, 2**20)}
    shown = {name: float(Fraction(gain)) for name, gain in gains.items()}
    assert shown == pytest.approx({f"ring 4, {size:,} B": gain for size, gain in expected.items()})


def test_a_step_saves_what_its_communication_does(judge):
    said = {"formulation": "multitree", "over": "ring", "arrays": [{"topology": "torus", "dims": [2, 2]}]}
    row = judge({"instance": "machine.json", "step_saving": {**said, "percent": "50"}})
    assert row.verdict.value == "refuted"
    assert "where computing takes no time it is 33.33 %" in row.judgement.why


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ({"collective": {**STEPS}}, "collective: expected one of equals, value, got none"),
        ({"collective": {**STEPS, "value": "3", "equals": "P N"}}, "expected one of equals, value, got both"),
        ({"collective": {**STEPS, "value": "3", "formulation": "multitre"}}, "did you mean 'multitree'"),
        ({"collective": {**STEPS, "value": "3", "arrays": [{"topology": "torus"}]}}, "arrays: array 1: array"),
        ({"collective": {**STEPS, "value": "3", "bytes": "4B"}}, "collective.bytes: expected at least a byte for each"),
        ({"collective": {**STEPS, "value": "3", "bytes": "4 bytes"}}, "collective.bytes: expected bytes as 64MiB"),
        ({"collective_gain": {**GAIN}}, "collective_gain: expected one of value, faster, got none"),
        ({"saving": {"speedup": "1", "percent": "81"}}, "saving.speedup: expected more than 1, got 1"),
        ({"saving": {"speedup": "2", "percent": "100"}}, "saving.percent: expected less than 100, got 100"),
        ({"instance": "small.json", "saving": {"speedup": "2", "percent": "9"}}, "'saving' is about no instance"),
    ],
)  # fmt: skip
def test_statements_of_no_collective_are_refused(write, claim, message):
    with pytest.raises(InputError) as caught:
        read_claims(write(claim))
    assert message in str(caught.value)


CHEAP = ("saving-", "fewest-", "steps-torus-3x3", "steps-mesh-4x4", "server-", "ring-rounds", "ring-sent", "sharded-")
SWITCHED = (
    "ring-bigraph", "ring-some", "ring-mean", "ring-one-of-each", "ring-one-of-each-large",
    "ring-one-of-each-large-heads", "ring-six-heads", "beats-bidirectional-halves", "double-binary-tree-some",
    "double-binary-tree-torus", "rabenseifner-some", "rabenseifner-torus",
)  # fmt: skip
"""That take long: BiGraphs of 64, and algorithms that are like others."""
REFUTED = {
    "ring-torus", "ring-mesh", "ring-fat-tree", "ring-grids", "ring-mesh-cycles", "bidirectional-ring-torus",
    "ring-2d-torus", "beats-bidirectional", "bidirectional-cycles", "saving-81", "saving-81-torus", "step-81-slow",
    "step-81-fast", "fewest-torus-3x3", "fewest-torus-4x4", "fewest-mesh-3x3", "fewest-mesh-4x4", "ring-rounds",
    "server-busiest", "server-time",
}  # fmt: skip
OPEN = {"bidirectional-ring-some", "ring-2d-some", "step-30-slow", "step-30-fast"}


def verdicts_of(claims):
    found = {row.claim.id: row.verdict.value for row in audit(claims)}
    assert found == {
        name: "refuted" if name in REFUTED else "not reproducible" if name in OPEN else "confirmed" for name in found
    }
    return found


def test_of_the_abstract_and_the_slides_what_is_decided_by_arithmetic():
    claims = [one for one in read_claims("multitree-isca21").claims if one.id.startswith(CHEAP)]
    assert len(verdicts_of(claims)) == 15


@pytest.mark.slow
def test_of_the_abstract_s_numbers_single_settings_give_none():
    claims = [one for one in read_claims("multitree-isca21").claims if one.id not in SWITCHED]
    found = verdicts_of(claims)
    assert found.keys() >= REFUTED | OPEN


def test_settings_that_are_counted_in_the_documentation_are_there():
    known = {one.id for one in read_claims("multitree-isca21").claims}
    assert (len(known), known >= {*SWITCHED, *REFUTED, *OPEN}) == (55, True)
