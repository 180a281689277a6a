"""Claims about printed numbers alone: what follows from them, by interval arithmetic, and what says the same."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from hypar_opt.studies.claims import audit, read_claims
from hypar_opt.studies.claims.number_means import MEANS
from hypar_opt.util.errors import InputError


def arithmetic(**fields):
    return {"arithmetic": fields}


def verdict_of(row):
    return row.judgement.recomputed, row.verdict.value, row.judgement.why


OFF = "does not round to what is printed"
CUT = f"{OFF}; it gives it only where further digits are cut off"


@pytest.mark.parametrize(
    ("fields", "recomputed", "why"),
    [
        ({"numbers": {"a": "0.75", "b": "0.5"}, "value": "1.5"}, "1.5", ""),
        ({"numbers": {"a": "0.75", "b": "0.50"}, "value": "1.52"}, "1.5, 1.475248 to 1.525253", ""),
        ({"numbers": {"a": "0.75", "b": "0.50"}, "value": "1.54"}, "1.5, 1.475248 to 1.525253", OFF),
        ({"counts": {"a": 2, "b": 3}, "value": "0.67"}, "0.6667", ""),
        ({"counts": {"a": 2, "b": 3}, "value": "0.66"}, "0.6667", CUT),
        ({"counts": {"a": 2, "b": 3}, "value": "0.65"}, "0.6667", OFF),
        ({"counts": {"a": 1, "b": 8}, "value": "0.12"}, "0.125", ""),
        ({"counts": {"a": 1, "b": 8}, "value": "0.13"}, "0.125", ""),
        ({"counts": {"a": 2, "b": 3}, "value": "0.65", "within": "5 %"}, "0.6667 (within 5 %)", ""),
        ({"counts": {"a": 2, "b": 3}, "value": "~0.5", "within": "5 %"}, "0.667",
         "not within 5 % of what was read off: 33.33% above it"),
        ({"counts": {"a": 3, "b": 2}, "more_than": "1"}, "1.500000", ""),
        ({"counts": {"a": 3, "b": 2}, "less_than": "1.5"}, "1.500000", "it is not less than 1.5"),
    ],
)  # fmt: skip
def test_a_quotient_is_judged_by_all_that_rounds_to_its_numbers(judge, fields, recomputed, why):
    row = judge(arithmetic(equals="a / b", **fields))
    assert verdict_of(row) == (recomputed, "refuted" if why else "confirmed", why)


def test_digits_may_leave_open_which_is_more(judge):
    row = judge(arithmetic(numbers={"a": "1.0", "b": "1.0"}, equals="a / b", more_than="1"))
    assert verdict_of(row) == (
        "1", "undecided", "the printed digits leave it open: 0.9047619 to 1.105263",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "claims[0].arithmetic: expected one of value, more_than, less_than, got none"),
        ({"value": "1", "less_than": "2"}, "expected one of value, more_than, less_than, got value and less_than"),
        ({"more_than": "1", "within": "1 %"}, "claims[0].arithmetic.within: expected none beside more_than"),
        ({"value": "~1"}, "'~1' was read off an axis; expected how near is near enough"),
        ({"value": "1", "equals": "a / c"}, "claims[0].arithmetic.equals: nothing is called 'c'"),
        ({"value": "1", "equals": "a"}, "claims[0].arithmetic.equals: 'b' is not in the expression 'a'"),
        ({"value": "1", "counts": {"a": 1}}, "claims[0].arithmetic.counts: 'a' is among 'numbers' as well"),
        ({"value": "1", "numbers": {"a": "1", "b": "0"}}, "equals: divides by what may be 0"),
        ({"value": "1", "numbers": {"a": "one", "b": "1"}}, 'a number as printed, such as "0.681" or "-0.05", got'),
        ({"value": "1", "numbers": {"1a": "1"}}, "expected a name of letters, digits and _"),
        ({"value": "1", "numbers": {"sum": "1", "a": "1", "b": "1"}}, "'sum' is a function; expected another name"),
        ({"value": "1", "numbers": {"a": [], "b": "1"}}, "expected a list that is not empty"),
    ],
)  # fmt: skip
def test_what_cannot_be_computed_is_refused(write, fields, message):
    with pytest.raises(InputError) as caught:
        read_claims(write(arithmetic(**{"numbers": {"a": "1", "b": "2"}, "equals": "a / b", **fields})))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("how", "numbers", "value"),
    [
        ("arithmetic", [2, 4, 9], "5"),
        ("harmonic", [2, 3, 6], "3"),
        ("geometric", [1, 3, 9], "3"),
        ("median", [1, 2, 9, 4], "3"),
        ("geometric-of-gains", [0, 300], "100"),
        ("harmonic-of-gains", [0, 100], "33"),
        ("time-saved", [0, 100], "25"),
    ],
)
def test_means(judge, how, numbers, value):
    row = judge({"mean": {"numbers": numbers if how.endswith("ic") or how == "median" else [f"{n}.0" for n in numbers],
                          "how": [how], "value": value}})  # fmt: skip
    assert row.verdict.value == "confirmed"
    off = judge({"mean": {"numbers": [f"{n}.000" for n in numbers], "how": [how], "value": str(int(value) + 2)}})
    assert off.verdict.value == "refuted"
    assert set(MEANS) >= {how}


def test_a_mean_is_judged_by_what_its_numbers_were_rounded_by(judge):
    printed = {"numbers": ["58.65", "56.12", "58.43", "55.47"]}
    rows = {
        value: verdict_of(judge({"mean": {**printed, "value": value}}))
        for value in ("57.15", "57.16", "57.17", "57.18")
    }
    assert rows["57.16"] == ("57.1675, 57.16250 to 57.17250", "confirmed", "")
    assert rows["57.17"] == ("57.1675", "confirmed", "")
    assert [rows[value][1] for value in ("57.15", "57.18")] == ["refuted", "refuted"]


def test_of_several_means_one_is_enough(judge):
    said = {"numbers": ["2", "8"], "value": "4"}
    assert verdict_of(judge({"mean": {**said, "how": ["geometric", "arithmetic"]}}))[1] == "confirmed"
    row = judge({"mean": {**said, "numbers": ["2.0", "18.0"], "how": ["geometric", "arithmetic"]}})
    assert verdict_of(row) == ("6 geometric; 10 arithmetic", "refuted", "none of the 2 means rounds to what is printed")


def test_one_number_is_the_same_as_none(write):
    with pytest.raises(InputError) as caught:
        read_claims(write({"same": {"numbers": ["1"]}}))
    assert "claims[0].same.numbers: expected a list of at least 2, got ['1']" in str(caught.value)


def test_a_mean_needs_numbers_that_have_one(write):
    with pytest.raises(InputError) as caught:
        read_claims(write({"mean": {"numbers": ["0", "1"], "how": ["geometric"], "value": "1"}}))
    assert "claims[0].mean.numbers: expected numbers above 0 for 'geometric', got 0" in str(caught.value)


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        (["2.5", "2.48"], ""),
        (["32.65", "32.64"], "nothing rounds to both 32.65 and 32.64"),
        (["-0.05", "1"], "nothing rounds to both -0.05 and 1"),
        (["2", "2.4", "1.6"], "nothing rounds to both 2.4 and 1.6"),
    ],
)
def test_numbers_of_one_thing(judge, numbers, why):
    row = judge({"same": {"numbers": numbers}})
    assert (row.verdict.value, row.judgement.why) == ("refuted" if why else "confirmed", why)


def test_formulae_of_one_thing(judge):
    said = {"counts": {"P": [2, 4], "N": [1, 3]}}
    same = judge({"identity": {**said, "expressions": ["2 * (P - 1) * N", "2 * N * P - 2 * N"]}})
    assert verdict_of(same) == ("the same", "confirmed", "")
    other = judge({"identity": {**said, "expressions": ["2 * (P - 1) * N", "P * N"]}})
    assert verdict_of(other) == (
        "18, 12 (P = 4, N = 3)", "refuted", "in 2 of 4 cases they are not: 6 and 4 (P = 4, N = 1)",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"expressions": ["P", "Q"]}, "claims[0].identity.expressions: nothing is called 'Q'"),
        ({"counts": {"P": [1] * 101, "Q": [1] * 100}}, "claims[0].identity.counts: expected at most 10,000 choices"),
        ({"expressions": ["P"]}, "claims[0].identity.expressions"),
    ],
)
def test_formulae_that_cannot_be_computed_are_refused(write, fields, message):
    with pytest.raises(InputError) as caught:
        read_claims(write({"identity": {"expressions": ["P", "P"], "counts": {"P": [1]}, **fields}}))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "recomputed", "why"),
    [
        ({"percent": "50", "speedup": "2.00", "whole": "1.33"}, "1.3333", ""),
        ({"percent": "50.0", "speedup": "2.00", "whole": "1.4"}, "1.333",
         "it needs a part of 57.14 % of the time, or the part 2.333 times as fast"),
        ({"percent": "44.5", "speedup": "6", "whole": "6"}, "1.59",
         "it needs a part of 100 % of the time; no speed-up of the part is enough"),
        ({"percent": "44.5", "whole": "1.80", "at_most": True}, "at most 1.8018", ""),
        ({"percent": "44.5", "whole": "1.7"}, "at most 1.802", ""),
        ({"percent": "44.5", "whole": "1.7", "at_most": True}, "at most 1.802",
         "it needs a part of 41.18 % of the time, or the part 13.39 times as fast"),
        ({"percent": "44.5", "whole": "1.9"}, "at most 1.802",
         "it needs a part of 47.37 % of the time; no speed-up of the part is enough"),
        ({"speedup": "2.3", "whole": "2.0"}, "at most 2.3, and that where it is 88.46 % of the time", ""),
        ({"speedup": "2.3", "whole": "5.26"}, "at most 2.3", "no share is enough; the part 5.26 times as fast"),
    ],
)  # fmt: skip
def test_a_part_that_gets_faster(judge, fields, recomputed, why):
    row = judge({"part_speedup": fields})
    assert (row.judgement.recomputed, row.verdict.value) == (recomputed, "refuted" if why else "confirmed")
    assert row.judgement.why == why


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "claims[0].part_speedup: expected percent, speedup or both, got none"),
        ({"percent": "100"}, "claims[0].part_speedup.percent: expected less than 100, got 100"),
        ({"speedup": "1"}, "claims[0].part_speedup.speedup: expected more than 1, got 1"),
        ({"percent": "5", "whole": "0.9"}, "claims[0].part_speedup.whole: expected more than 1, got 0.9"),
        (
            {"percent": "5", "speedup": "2", "at_most": True},
            "claims[0].part_speedup.at_most: expected none beside both",
        ),
    ],
)
def test_parts_of_which_nothing_follows_are_refused(write, fields, message):
    with pytest.raises(InputError) as caught:
        read_claims(write({"part_speedup": {"whole": "2", **fields}}))
    assert message in str(caught.value)


def test_what_is_listed_only_says_why(judge):
    row = judge({"not_reproducible": {"why": "measured"}})
    assert verdict_of(row) == ("-", "not reproducible", "measured")
    row = judge({"out_of_scope": {"why": "learnt"}})
    assert verdict_of(row) == ("-", "not reproducible", "out of scope: learnt")


def test_they_are_of_no_instance(write):
    with pytest.raises(InputError) as caught:
        read_claims(write({"instance": "small.json", "same": {"numbers": ["1", "1"]}}))
    assert "claims[0].instance: 'same' is about no instance; expected none" in str(caught.value)


def moved(text, units):
    """Return a printed number so many units of its last digit further."""
    number = Decimal(text)
    return f"{number + units * Decimal(1).scaleb(number.as_tuple().exponent):f}"


def exact_claims():
    """Return the shipped claims with a number that follows from numbers, each rounded by less than shows in it."""
    claims = [
        one for name in ("thesis-bsc-2019", "abstracts-isca21-page", "oxml-2022") for one in read_claims(name).claims
    ]
    held = [
        row.claim
        for row in audit(one for one in claims if one.kind in ("arithmetic", "mean"))
        if row.verdict == "confirmed"
    ]
    return [one for one in held if getattr(one.statement, "value", None) is not None and one.statement.within is None]


ROUNDED = {
    "accpar-over-hypar", "accpar-over-owt", "hypar-over-owt", "helix-area", "helix-power",
    "epoch-128", "gain-cfd2-ifcg1", "gain-cfd2-ifcg2", "gain-ifcg1", "gain-ifcg2",
    "mean-16k-power9", "mean-16k-x86", "mean-32k-power9", "mean-32k-x86",
    "share-norms-power9", "share-packing-power9", "share-packing-x86", "to-device-power9", "to-device-x86",
    "spatial-128-backward-4", "spatial-256-backward-4",
    "wafer-bandwidth-1", "wafer-bandwidth-2", "wafer-density-1", "wafer-density-2", "wafer-fabric-1", "wafer-fabric-2",
    "wafer-memory-1", "wafer-memory-2",
}  # fmt: skip
"""Claims whose numbers were rounded by so much that the next digit is possible, too, or which are half-way."""


def still_confirmed(write, claims):
    """Return which claims are confirmed with a unit of their last digit more or less, too, and which these all are."""
    changed, ids = [], []
    for claim in claims:
        body = claim.spec.model_dump(mode="python", exclude_unset=True)[claim.kind]
        for units in (-1, 1):
            value = moved(claim.statement.value.text, units)
            if Decimal(value) > 0:
                changed.append({claim.kind: json.loads(json.dumps({**body, "value": value}, default=str))})
                ids.append(claim.id)
    rows = audit(read_claims(write(*changed)).claims)
    return {name for row, name in zip(rows, ids, strict=True) if row.verdict == "confirmed"}, set(ids)


def test_a_unit_of_the_last_digit_decides(write):
    still, tried = still_confirmed(write, exact_claims()[::5])
    assert still == ROUNDED & tried
    assert len(still) > 2 and len(tried - still) > 10


@pytest.mark.slow
def test_a_unit_of_the_last_digit_decides_all(write):
    still, tried = still_confirmed(write, exact_claims())
    assert still == ROUNDED
    assert len(tried - ROUNDED) > 60
