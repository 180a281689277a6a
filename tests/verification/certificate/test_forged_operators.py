"""Certificates of operators that somebody changed: none proves more than the optimum of the problem that it states."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import prod
from random import Random

import numpy as np
import pytest
from helpers import each
from make import changed
from operator_certificates import certified, least_of, packed

from hypar_opt.verification.certificate.check import CertificateError, check
from hypar_opt.verification.certificate.check_operators import charges, costs, padding, placements, windows
from hypar_opt.verification.certificate.check_operators.costs import Costs
from hypar_opt.verification.certificate.check_operators.exact import WorkRoom

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
        for entry, step in product(range(min(table.size, 3)), (1, -1)):
            other = table.copy()
            other.reshape(-1)[(number + entry) % table.size] += step
            tables = [other if place == number else one for place, one in enumerate(found.tables)]
            proven = sound(found, packed(found.header, tables))
            if table.size > 1:  # a lone number is paid and given, whatever it is
                seen.append(proven)
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


@pytest.mark.parametrize("size", [1, -1, 2**62, 2**63 - 1, -(2**63), 2**70, -(2**700)])
def test_messages_without_variables_change_nothing(size):
    """They are one number that is given and paid, however large it is."""
    found = known(31)
    messages = [one | {"table": one["table"] + 1} for one in found.header["messages"]]
    single = {"from": 0, "to": len(found.header["clusters"]) - 1, "variables": [], "table": 0}
    header = found.header | {"messages": [single, single, *messages]}
    said = check(packed(header, [np.array(size, object), *found.tables], 99))
    assert said.proven
    assert said.bound == found.least


def in_pairs(found, random):
    """Return a header with a cluster for every pair of variables, and random messages between any two that share some.

    Some messages have the same table, as those of equal blocks have.
    """
    pairs = [tuple(pair) for one in found.header["clusters"] for pair in one["edges"]]
    lonely = {x for one in found.header["clusters"] for x in one["unary"]} - {x for pair in pairs for x in pair}
    scopes, charged, clusters = random.sample(pairs, len(pairs)) + [(x,) for x in lonely], set(), []
    for scope in scopes:
        own = [x for x in scope if x not in charged]
        charged.update(own)
        edges = [scope] if len(scope) == 2 else []
        clusters.append({"variables": random.sample(scope, len(scope)), "unary": own, "edges": edges})
    prices = Costs(found.header["problem"], 1, WorkRoom())
    messages, tables = [], []
    for second, first in ((j, i) for i in range(len(scopes)) for j in range(i)):
        shared = sorted({*scopes[first]} & {*scopes[second]})
        if shared and random.random() < 0.8:
            shape = [prices.variables.domains[x].size for x in shared]
            same = [number for number, one in enumerate(tables) if list(one.shape) == shape]
            if not same or random.random() < 0.5:
                same = [len(tables)]
                values = [random.randint(-5000, 5000) for _ in range(prod(shape))]
                tables.append(np.array(values, np.int64).reshape(shape))
            ends = random.sample([first, second], 2)
            messages.append((ends, shared, random.choice(same)))
    return clusters, messages, tables, prices


def numbered(messages, tables):
    """Return messages in the order of the first of their clusters, and tables in that in which they are named."""
    order, found = [], []
    for ends, scope, table in sorted(messages, key=lambda one: min(one[0])):
        order += [table] if table not in order else []
        found.append({"from": ends[0], "to": ends[1], "variables": scope, "table": order.index(table)})
    return found, [tables[table] for table in order]


@each("seed", SEEDS, quick=6)
def test_other_clusters_prove_what_the_formula_says(seed):
    """Any clusters, any messages: the bound is the sum of the least sums, by tables of Python's integers."""
    found, random = known(seed), Random(seed)
    clusters, messages, tables, prices = in_pairs(found, random)
    total = 0
    for number, one in enumerate(clusters):
        scope = tuple(one["variables"])
        parts = [((x,), prices.own(x).values) for x in one["unary"]]
        parts += [(pair, prices.pair(*pair).values) for pair in one["edges"]]
        signs = (
            (ends, scope, table, 1 if ends[1] == number else -1) for ends, scope, table in messages if number in ends
        )
        parts += [(tuple(shared), sign * tables[table]) for _, shared, table, sign in signs]
        sizes = [range(prices.variables.domains[x].size) for x in scope]
        total += min(
            sum(int(values[tuple(place[scope.index(x)] for x in over)]) for over, values in parts)
            for place in product(*sizes)
        )
    named, ordered = numbered(messages, tables)
    header = found.header | {"clusters": clusters, "messages": named}
    said = check(packed(header, ordered))
    denominator = (Fraction(1) / prod(one["size"] for one in found.header["problem"]["axes"])).denominator
    assert said.bound == Fraction(total, denominator) <= found.least == said.cost


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
    found, random = known(seed), Random(seed)
    claim = found.header["claim"]
    plan = claim["plan"]
    for name in random.sample(sorted(plan), min(len(plan), 6)):
        other = random.choice([*sorted({*plan.values()}), "whole", ""])
        sound(found, packed(found.header | {"claim": claim | {"plan": plan | {name: other}}}, found.tables))


@each("seed", SEEDS, quick=2)
def test_a_plan_says_all_that_is_decided_and_no_more(seed):
    found = known(seed)
    claim = found.header["claim"]
    plan = claim["plan"]
    name = next(one for one in plan if not one.endswith(":storage"))
    for wrong in (
        {one: plan[one] for one in plan if one != name},
        plan | {"a": "b"},
        plan | {f"{name}:storage": "zero-9"},
    ):
        said = check(packed(found.header | {"claim": claim | {"plan": wrong}}, found.tables))
        assert (said.proven, said.cost) == (False, None)
        assert "the plan " in said.faults[0]


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
        (windows.WindowRows, "lacking", lambda right, given: right(*given).times(2)),
        (charges.OperatorCharges, "_charge_direct", lambda right, given: [right(*given), right(*given)]),
        (charges.OperatorCharges, "_charge_shared", lambda right, given: [right(*given), right(*given)]),
        (costs, "received_padded", lambda right, given: right(*given).times(2)),
        (padding, "_is_shard", lambda right, given: right(*given) & False),
    ],
    ids=["updates", "borders", "direct", "shared", "padded", "exchanged"],
)
def test_every_kind_of_charge_counts(monkeypatch, owner, name, twice):
    """Charged twice, it is not what the certificates say any more."""
    assert not fails()
    right = getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *given, **named: twice(partial(right, **named), given))
    assert fails()


@pytest.mark.parametrize("phase", ["forward", "backward"])
def test_statistics_are_summed_up_in_both_phases(phase):
    seen = []
    for found in map(known, SEEDS):
        for number, one in enumerate(found.header["problem"]["operators"]):
            path = f"problem.operators[{number}].statistics[0].{phase}"
            seen += [sound(found, packed(changed(found.header, path, 77), found.tables))] if one["statistics"] else []
    assert not all(seen)
