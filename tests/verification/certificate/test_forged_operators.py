"""Certificates of operators that somebody changed: none proves more than the optimum of the problem that it states."""

from __future__ import annotations

import json
from functools import cache
from random import Random

import pytest
from helpers import each
from make import changed
from operator_certificates import certified, least_of, packed

from hypar_opt.verification.certificate.check import CertificateError, check
from hypar_opt.verification.certificate.check_operators import charges, placements

SEEDS = (3, 12, 31, 0, 1, 2, 4, 6, 7, 10, 11, 13, 14, 20, 21, 24, 26, 30, 32, 37, 42, 47, 52, 58)
"""Of problems of few plans, of which there are messages."""
SAID_ONLY = ("instance", "batch", "overrides", "name")
"""What the costs do not depend on: `verify` compares it with the instance's."""


@cache
def known(seed):
    """Return the certificate of a small problem."""
    return certified(seed, most=500)


def leaves(value, path=""):
    """Yield the paths of all values that hold no others."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inner is None:
        yield path, value
    for key, one in inner or ():
        yield from leaves(one, f"{path}.{key}" if path else str(key))


def replaced(header, path, value):
    """Return a copy of a header with the value at a path of `leaves` replaced."""
    copy = json.loads(json.dumps(header))
    place, keys = copy, path.split(".")
    for key in keys[:-1]:
        place = place[int(key)] if isinstance(place, list) else place[key]
    place[int(keys[-1]) if isinstance(place, list) else keys[-1]] = value
    return copy


def others(value):
    """Return values of the same kind."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, max(0, value - 1), 2 * value + 1]
    return ["none", "1"] if isinstance(value, str) else ["batch"]


def judged(file):
    """Return what the checker says of a file, None if it is damaged."""
    try:
        return check(file)
    except CertificateError:
        return None


def sound(found, file):
    """Check that a file proves no more than the best plan of its problem costs; return whether it proves its claim."""
    said = judged(file)
    if said is None:
        return False
    least = found.least if said.header["problem"] == found.header["problem"] else least_of(said.header["problem"])
    if least is not None:
        assert said.bound <= least
        assert said.cost is None or said.cost >= least
        assert not said.proven or said.bound == said.cost == least
    return said.proven


@each("seed", SEEDS, quick=2)
def test_of_no_field_that_is_changed_more_is_proven_than_is_true(seed):
    found, random = known(seed), Random(seed)
    paths = [*leaves({name: found.header[name] for name in ("problem", "scale", "clusters", "messages", "claim")})]
    proven = set()
    for path, value in random.sample(paths, 12):
        for other in others(value):
            if other != value and sound(found, packed(replaced(found.header, path, other), found.tables)):
                proven.add(path)
    same = [path for path in proven if not any(one in path for one in SAID_ONLY)]
    assert len(same) < len(paths) / 3, same


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("problem.axes[0].size", 5), ("problem.splits", "divisible"), ("problem.storages", ["zero-3"]),
        ("problem.objective.communication", "2"), ("problem.tensors[1].element_bytes", 3),
        ("problem.choices", ["none"]), ("problem.tensors[1].role", "input"),
        ("claim.bound", "1"), ("problem.operators[0].splits", ["batch"]),
        ("clusters[0].unary", []), ("clusters[0].edges", []), ("schema", "hypar-opt/certificate/2"),
    ],
)  # fmt: skip
def test_what_the_costs_depend_on_cannot_be_changed(path, value):
    found = known(3)
    assert changed(found.header, path, value) != found.header
    said = judged(packed(changed(found.header, path, value), found.tables))
    assert said is None or not said.proven


@each("seed", SEEDS, quick=3)
def test_messages_that_are_changed_by_one_prove_no_more(seed):
    found, seen = known(seed), []
    for number, table in enumerate(found.tables):
        for step in (1, -1):
            other = table.copy()
            other.reshape(-1)[number % table.size] += step
            tables = [other if place == number else one for place, one in enumerate(found.tables)]
            seen.append(sound(found, packed(found.header, tables)))
    assert not all(seen) or not seen


@each("seed", SEEDS, quick=4)
def test_random_messages_prove_no_more_than_the_optimum(seed):
    found, random = known(seed), Random(seed)
    for size in (1, 1000, 2**62):
        tables = [one.astype(object) for one in found.tables]
        for one in tables:
            one.reshape(-1)[:] = [random.randint(-size, size) for _ in range(one.size)]
        sound(found, packed(found.header, tables))
        sound(found, packed(found.header, tables, 9))


@each("seed", SEEDS, quick=2)
def test_costs_that_are_left_out_or_charged_twice_are_seen(seed):
    found = known(seed)
    for number, cluster in enumerate(found.header["clusters"]):
        for kind in ("unary", "edges"):
            for other in ([], 2 * cluster[kind]):
                if other != cluster[kind]:
                    file = packed(changed(found.header, f"clusters[{number}].{kind}", other), found.tables)
                    with pytest.raises(CertificateError, match=f"{kind}: expected each of"):
                        check(file)


@each("seed", SEEDS, quick=1)
def test_a_plan_s_words_are_judged(seed):
    found = known(seed)
    plan = found.header["claim"]["plan"]
    for name, word in plan.items():
        for other in sorted({*plan.values(), "whole", ""} - {word})[::3]:
            sound(
                found,
                packed(found.header | {"claim": found.header["claim"] | {"plan": plan | {name: other}}}, found.tables),
            )
        less = {one: word for one, word in plan.items() if one != name}
        for wrong in (less, plan | {"other": word}, plan | {f"{name}:storage": "zero-9"}):
            file = packed(found.header | {"claim": found.header["claim"] | {"plan": wrong}}, found.tables)
            assert not sound(found, file) or name.endswith(":storage")


def fails():
    """Return whether some certificate is no longer proven."""
    return any(
        said is None or not said.proven for said in (judged(known(seed).file()) for seed in range(30) if known(seed))
    )


@pytest.mark.parametrize("pair", [*placements.POWERS], ids=" to ".join)
def test_every_power_counts(monkeypatch, pair):
    """With another formula, the certificates are not proven: the table is that of the project, entry by entry."""
    right = placements.POWERS[pair]
    for place in range(4):
        wrong = tuple(2 - power if at == place else power for at, power in enumerate(right))
        if wrong != right:
            monkeypatch.setitem(placements.POWERS, pair, wrong)
            assert fails()
    monkeypatch.setitem(placements.POWERS, pair, right)


@pytest.mark.parametrize(
    ("owner", "name", "twice"),
    [
        (charges, "_updates", lambda right, given: [*right(*given), *right(*given)]),
        (placements.Rows, "lacking", lambda right, given: right(*given).times(2)),
        (charges.Charges, "_charge_direct", lambda right, given: [right(*given), right(*given)]),
        (charges.Charges, "_charge_shared", lambda right, given: [right(*given), right(*given)]),
    ],
    ids=["updates", "borders", "direct", "shared"],
)
def test_every_kind_of_charge_counts(monkeypatch, owner, name, twice):
    """Charged twice, it is not what the certificates say any more."""
    assert not fails()
    right = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *given: twice(right, given))
    assert fails()


@pytest.mark.parametrize("phase", ["forward", "backward"])
def test_statistics_are_summed_up_in_both_phases(phase):
    seen = []
    for found in map(known, SEEDS):
        for number, one in enumerate(found.header["problem"]["operators"]):
            path = f"problem.operators[{number}].statistics[0].{phase}"
            seen += [sound(found, packed(changed(found.header, path, 77), found.tables))] if one["statistics"] else []
    assert not all(seen)
