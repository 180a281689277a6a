"""Check a certificate of optimality, or of a bound, whose format and meaning hypar-opt's docs/certificates.md gives.

Every cost is charged to one cluster of layers, and what a message gives to one cluster it takes from another: no plan
costs less than the sum of the clusters' least sums, and one that costs just that is optimal. This file reads the
certificate, computes the costs (formulas: docs/model.md) and the least sums. A strategy graph's clusters are its nodes
and edges, once nodes that follow others are merged with these; its memory has a price. It needs NumPy and the standard
library only and shares nothing with the solvers. `python check.py FILE` exits with 0: proven; 1: not; 2: damaged.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
import sys
import zipfile
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import accumulate, pairwise
from math import ceil, gcd, lcm, prod
from pathlib import Path
from reprlib import repr as short
from typing import Any, BinaryIO, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]
Costs: TypeAlias = "tuple[tuple[int, ...], Array | _Boundary]"  # layers, and a number for all that their words may be
MOST_ENTRIES = 2**25  # of a table: a quarter of a GiB, and there are a few at a time
DAMAGE = (OSError, EOFError, ValueError, RuntimeError, MemoryError, LookupError, ArithmeticError, TypeError)
NPY = re.compile(  # not left to NumPy, which evaluates what stands there
    rb"\x93NUMPY(?s:\x01\0..|\x02\0....)\{'descr': '(<i8|\|u1)', 'fortran_order': False, "
    rb"'shape': \((\d{1,12}),(?: ([1-9]\d?))?\), \} *\n"
)
# What fields hold: a text matches a pattern, an integer is in a range, an object has these fields ("*": any names).
TEXT, SIZE, POSITIVE, DIGEST = "(?s:.*)", range(2**127), range(1, 2**63), "[0-9a-f]{64}"
EXACT = "-?[0-9]{1,999}([.][0-9]{1,999}|/[1-9][0-9]{0,998})?"
HEADER = {
    "schema": "hypar-opt/certificate/1",
    "problem": {
        "kind": "network", "instance": TEXT, "instance_sha256": DIGEST, "overrides": {"*": None}, "batch": POSITIVE,
        "levels": range(25), "accounting": "published|as-evaluated|receiver|leaf-exact",
        "choices": r"(?!.*(.).*\1)[dmo]{1,3}", "bytes_per_element": POSITIVE, "splits": "any|divisible",
        "fix": {"*": TEXT}, "objective": {"communication": None}, "boundaries": [[SIZE]],  # None: see _weights
        "layers": [{"name": TEXT, "join": True, "feature_in": SIZE, "weight": SIZE, "feature_out": SIZE,
                    "in_sizes": [POSITIVE], "out_sizes": [POSITIVE]}],
    },
    "scale": range(1025), "multipliers": [TEXT], "arrays_sha256": DIGEST,
    "clusters": [{"kind": "boundary|bucket|edge", "variables": [SIZE], "unary": [SIZE], "edges": [SIZE]}],
    "messages": [{"from": SIZE, "to": SIZE, "variables": [SIZE]}],
    "claim": {"bound": EXACT, "plan": {"*": TEXT}},
}  # fmt: skip
GRAPH_HEADER = {
    "schema": "hypar-opt/certificate/1",
    "problem": {"kind": "strategy-graph", "instance": TEXT, "instance_sha256": DIGEST, "overrides": {},
                "usage_limit": range(2**63), "arrays_sha256": DIGEST},
    "scale": range(1025), "arrays_sha256": DIGEST,
    "claim": {"proves": "optimality|bound", "bound": "-?[0-9]{1,999}", "cost": "-?[0-9]{1,999}", "rests_on": TEXT},
}  # fmt: skip
GRAPH_ARRAYS = ("intervals", "sizes", "costs", "usages", "ends", "places", "tables")  # which say what the problem is
PROOF_ARRAYS = ("ties", "links", "messages", "prices", "plan")
MEMBERS = {"network": ("messages",), "strategy-graph": GRAPH_ARRAYS + PROOF_ARRAYS}  # beside the header
FORBIDDEN = 10**18  # what costs as much or more must not be
MOST_IN_ALL = 2**27  # entries of all tables of a graph
READS = {"d": "B", "m": "C", "o": "R"}  # how F[l] lies: batch halves, channel halves, whole; so a join's output, too
WRITES = {"d": "B", "m": "R", "o": "C"}  # how F[l+1] lies
SHARE = {"B": 2, "C": 2, "R": 4}  # the quarters of a tensor on a side


class CertificateError(Exception):
    """A file is not a certificate, or damaged."""


@dataclass(frozen=True)
class Checked:
    """What a certificate proves: that no plan costs less than `bound`; and what its own costs, None if it is not legal.

    Both are in the objective's unit. `faults` say what keeps the claim in `header` from being proven. Where a bound is
    all that is claimed, the plan may cost more.
    """

    header: dict[str, Any]
    bound: Fraction
    cost: Fraction | None
    faults: tuple[str, ...]
    plan: dict[str, str]

    @property
    def proven(self) -> bool:
        """Whether the potentials prove the bound claimed, and the plan costs as much where optimality is claimed."""
        return not self.faults

    @property
    def optimal(self) -> bool:
        """Whether the plan is proven to be optimal."""
        return self.proven and self.cost == self.bound


def _expect(is_so: object, message: str) -> None:
    if not is_so:
        raise CertificateError(message)


def _conform(value: Any, shape: Any, where: str) -> None:
    """Check the types and ranges of a value and of all in it."""
    kind = int if isinstance(shape, range) else type(shape)
    fits = shape is None or type(value) is kind  # true is no integer
    fits = fits and (kind is not int or value in shape) and (kind is not str or bool(re.fullmatch(shape, value)))
    if not fits:
        raise CertificateError(
            f"{where}: expected {shape if kind in (int, str) else kind.__name__}, got {short(value)}"
        )
    if kind is dict:
        fields = dict.fromkeys(value, shape["*"]) if "*" in shape else shape
        wrong = short(sorted(fields.keys() ^ value.keys()))
        _expect(wrong == "[]", f"{where}: missing or unknown fields: {wrong}")
        for name in fields:
            _conform(value[name], fields[name], f"{where}: {name}")
    for i, one in enumerate(value if kind is list else ()):
        _conform(one, shape[0], f"{where}[{i}]")


def _header(archive: zipfile.ZipFile) -> dict[str, Any]:
    """Read the header, once the archive's members are known to claim no more than there is."""
    for one in archive.infolist():
        is_plain = one.compress_type == zipfile.ZIP_STORED and not one.flag_bits & 1
        is_there = one.file_size == one.compress_size <= archive.start_dir  # which is behind the members
        _expect(is_plain and is_there, f"{one.filename}: expected to be stored as it is, in all its length")
    names = sorted(archive.namelist())
    _expect("header.json" in names, f"expected header.json and messages.npy, got {short(names)}")
    header: dict[str, Any] = json.loads(archive.read("header.json").decode("utf-8"))
    problem = header.get("problem") if isinstance(header, dict) else None
    is_graph = isinstance(problem, dict) and problem.get("kind") == "strategy-graph"
    members = [f"{one}.npy" for one in MEMBERS["strategy-graph" if is_graph else "network"]]
    _expect(
        names == sorted(["header.json", *members]), f"expected header.json and {', '.join(members)}, got {short(names)}"
    )
    _conform(header, GRAPH_HEADER if is_graph else HEADER, "header.json")
    return header


def _consistent(header: dict[str, Any]) -> None:
    """Check what the bound rests on: that every cost is charged once, and that messages are between two clusters."""
    boundaries, count = header["problem"]["boundaries"], len(header["problem"]["layers"])
    own, first = [set(one["variables"]) for one in header["clusters"]], 0
    for e, one in enumerate(boundaries):
        is_so = len(one) == 3 and max(one[:2]) < count and one[0] != one[1]
        _expect(is_so, f"header.json: problem: boundaries[{e}]: expected two layers and the elements, got {short(one)}")
    for c, one in enumerate(header["clusters"]):
        where, is_so = f"header.json: clusters[{c}]", 0 < len(own[c]) == len(one["variables"]) and max(own[c]) < count
        _expect(is_so, f"{where}: variables: expected different layers, got {short(one['variables'])}")
        is_so = all(e < len(boundaries) and own[c].issuperset(boundaries[e][:2]) for e in one["edges"])
        _expect(is_so and own[c].issuperset(one["unary"]), f"{where}: expected costs of its variables only")
    for kind, number in (("unary", count), ("edges", len(boundaries))):
        charged = sorted(x for one in header["clusters"] for x in one[kind])
        _expect(charged == [*range(number)], f"header.json: clusters: {kind}: expected each of {number} once in all")
    for m, one in enumerate(header["messages"]):
        where, scope, (low, high) = f"header.json: messages[{m}]", one["variables"], sorted((one["from"], one["to"]))
        _expect(first <= low < high < len(own), f"{where}: expected two clusters, and messages ordered by the first")
        is_so = len(set(scope)) == len(scope) and (own[low] & own[high]).issuperset(scope)
        _expect(is_so, f"{where}: variables: expected different ones that both clusters have, got {short(scope)}")
        first = low
    _expect(not header["multipliers"], "header.json: multipliers: expected none, as a network has no capacities")


def _messages(archive: zipfile.ZipFile, shapes: list[list[int]], digest: str) -> Iterator[Array]:
    """Yield one message after the other; behind the last, compare the digest."""
    with archive.open("messages.npy") as member:
        found = NPY.fullmatch(text := member.readline(1000))
        if not found or (found[1] == b"<i8") != (found[3] is None):
            raise CertificateError(f"messages.npy: expected '<i8' (n,) or '|u1' (n, bytes), got {short(text)}")
        width, count, hashed = int(found[3] or 8), sum(map(prod, shapes)), hashlib.sha256()
        left = archive.getinfo("messages.npy").file_size - len(text)
        is_so = int(found[2]) == count and left == count * width
        _expect(is_so, f"messages.npy: expected {count} entries of {width} bytes, got {int(found[2])} and {left} bytes")
        for shape in shapes:
            raw = member.read(prod(shape) * width)
            hashed.update(raw)
            rows = (raw[at : at + width] for at in range(0, len(raw) if found[3] else 0, width))
            numbers = [int.from_bytes(row, "little", signed=True) for row in rows]
            yield (np.array(numbers, object) if found[3] else np.frombuffer(raw, "<i8")).reshape(shape)
        _expect(hashed.hexdigest() == digest, "header.json: arrays_sha256: messages.npy has another digest")


@dataclass(frozen=True, eq=False)
class _Boundary:
    """Costs of the words of two layers, end 0 and end 1, that are sums over the levels.

    A level has 2^level groups; a tensor is halved by the letters above that split it, so what it costs doubles with
    those that don't: the level's weight x the sum over both ends of rates[end][a, b] x the product of growth[end] over
    that end's letters above.
    """

    weights: tuple[int, ...]
    rates: Sequence[Array]
    growth: Sequence[Array]

    def __getitem__(self, words: tuple[Any, ...]) -> Any:
        """Return the costs of two words, given as numbers or as two arrays of them."""
        found, above = 0, [1, 1]
        for below, weight in reversed([*enumerate(self.weights[::-1])]):
            letters = tuple(x // len(some) ** below % len(some) for x, some in zip(words, self.growth, strict=True))
            found = found + (self.rates[0] * weight)[letters] * above[0] + (self.rates[1] * weight)[letters] * above[1]
            above = [above[end] * self.growth[end][letters[end]] for end in (0, 1)]
        return found

    def passed(self, table: Array) -> Array:
        """Minimise a table [words of end 0, rest] plus these costs over end 0; return [words of end 1, rest].

        From the root on, a letter of end 0 is minimised away and one of end 1 comes in its place: the letters above of
        end 1 are the first axis. If those of end 0 count, too, there is a table for each product of their growth.
        """
        above, tables = np.ones(1, table.dtype), {1: table}
        for weight in self.weights:
            rates, found = [one.astype(table.dtype) * weight for one in self.rates], dict[int, Array]()
            for times, old in tables.items():
                parts = old.reshape(len(above), len(self.growth[0]), 1, -1)
                for a, growth in enumerate(self.growth[0]):
                    costs = rates[0][a] * times + np.multiply.outer(above, rates[1][a])
                    new, key = parts[:, a] + costs[:, :, None], times * int(growth)
                    found[key] = np.minimum(found[key], new) if key in found else new
            tables, above = found, np.multiply.outer(above, self.growth[1]).reshape(-1)
        return reduce(np.minimum, tables.values())


@lru_cache(maxsize=8)
def _doubling(letters: str, letter: str, weights: tuple[int, ...], dtype: Any) -> Array:
    """Return by word the sum of the weights (root first) of the letter's levels, doubled by every such level above."""
    found = np.zeros(1, dtype)
    for weight in reversed(weights):
        found = np.concatenate([weight + 2 * found if one == letter else found for one in letters])
    return found


def _weights(problem: dict[str, Any]) -> tuple[Fraction, tuple[int, ...]]:
    """Return what a byte weighs at every level, root first: a unit, and how many of it; 1 each for one weight."""
    where, given = "header.json: problem: objective: communication", problem["objective"]["communication"]
    texts, levels = given if (is_list := type(given) is list) else [given], problem["levels"]
    _conform(given, [EXACT] if is_list else EXACT, where)
    most = 1 if problem["accounting"] == "leaf-exact" else f"1 or a list of {levels}"  # which counts no levels
    _expect(not is_list or (most != 1 and len(texts) == levels), f"{where}: expected {most}, got {short(given)}")
    weights = [Fraction(one) for one in texts]
    is_so = min(weights, default=0) >= 0 and any(weights or [1])  # one accelerator has no levels
    _expect(is_so, f"{where}: expected a weight above 0, and none below")
    common = lcm(*(one.denominator for one in weights))
    _expect(common < 10**1000, f"{where}: expected a common denominator of at most 1000 digits")
    whole = [int(one * common) for one in weights]
    unit = gcd(*whole)
    return Fraction(unit, common), tuple(one // unit for one in whole) if is_list else (1,) * levels


class _Network:
    """Strategies of a network (letters are numbered as in `letters`, words so, too) and their costs."""

    def __init__(self, problem: dict[str, Any], scale: int) -> None:
        self.problem, self.layers, self.levels = problem, problem["layers"], problem["levels"]
        self.names = {one["name"]: x for x, one in enumerate(self.layers)}
        self.letters = [problem["choices"].replace("o", "" if one["join"] else "o") for one in self.layers]
        self.sizes = [len(letters) ** self.levels for letters in self.letters]
        unit, self.weights = _weights(problem)
        self.units = unit.denominator // (unit.denominator & -unit.denominator) << scale
        self.element: Fraction = unit * self.units * problem["bytes_per_element"]  # what it costs, in 1 / units
        # No plan costs more than `upper`, as no level's groups exchange more than every tensor twice.
        sizes = [one["weight"] + problem["batch"] * (one["feature_in"] + one["feature_out"]) for one in self.layers]
        sizes += [problem["batch"] * elements for _, _, elements in problem["boundaries"]]
        most = 1 + sum(weight << level for level, weight in enumerate(self.weights))
        self.upper = 2 * most * max(1, sum(sizes)) * self.element.numerator
        self.dtype: Any = np.int64 if self.upper < 2**62 else object
        self._check_limits()

    def _check_limits(self) -> None:
        where, accounting, sizes = "header.json: problem", self.problem["accounting"], self.sizes
        _expect(0 < len(self.names) == len(self.layers), f"{where}: layers: expected different names")
        _expect(self.problem["fix"].keys() <= self.names.keys(), f"{where}: fix: expected names of layers")
        others = {"array", "placement", "objective"}  # which a problem has as levels and as weights
        is_so = all(x in others or (x, to) in self.problem.items() for x, to in self.problem["overrides"].items())
        _expect(is_so, f"{where}: overrides: not as in the problem")
        is_so = 0 < min(sizes) <= max(sizes) <= MOST_ENTRIES
        _expect(is_so, f"{where}: levels: expected 1 to {MOST_ENTRIES} words, got {min(sizes)} to {max(sizes)}")
        _expect(self.levels <= 6 or accounting != "leaf-exact", f"{where}: levels: expected at most 6 if leaf-exact")
        is_so = accounting != "as-evaluated" or "o" not in self.problem["choices"]
        _expect(is_so, f"{where}: choices: expected no 'o' if as-evaluated")

    def whole(self, shares: Any, elements: int, parts: int = 1) -> Any:
        """Return what exchanging shares x elements / parts costs."""
        each = Fraction(elements, parts) * self.element
        if each.denominator > 1:
            is_whole = each.denominator < 2**62 and not np.any(shares % each.denominator)
            _expect(is_whole, "header.json: scale: too small, a cost is not whole in its units")
            shares = shares // each.denominator
        return np.asarray(shares, self.dtype) * each.numerator

    def unary(self, x: int) -> Costs:
        """Return the intra-layer costs: a letter's are 1, 2, 4, ... times the two sides' partial sums, weighed."""
        one, batch, found = self.layers[x], self.problem["batch"], np.zeros(self.sizes[x], self.dtype)
        sums = {"d": one["weight"], "m": batch * one["feature_out"], "o": batch * one["feature_in"]}
        for letter in "" if one["join"] else self.letters[x]:
            found += self.whole(_doubling(self.letters[x], letter, self.weights, self.dtype), 2 * sums[letter])
        return (x,), found

    def boundary(self, i: int, j: int, elements: int) -> Costs:
        """Return the inter-layer costs of a tensor of so many elements from layer i to layer j."""
        has = [(READS if self.layers[i]["join"] else WRITES)[a] for a in self.letters[i]]
        needs, accounting = [READS[b] for b in self.letters[j]], self.problem["accounting"]
        # In quarters: what a side needs of F[l+1], of E[l+1], and what it needs and has of either.
        f, e = np.array([[SHARE[y] for y in needs] for _ in has]), np.array([[SHARE[x] for _ in needs] for x in has])
        both = np.array([[SHARE[x] if x == y else SHARE[x] * SHARE[y] // 4 for y in needs] for x in has])
        if accounting == "leaf-exact":
            f, e, both = (reduce(np.kron, [one] * self.levels, np.ones((1, 1), int)) for one in (f, e, both))
            return (i, j), self.whole(f + e - 2 * both, elements, 2**self.levels)
        rates = [e - both, f - both]
        growth = [one.astype(self.dtype) // 2 for one in (e[:, 0], f[0])]  # 2 if a letter leaves the tensor whole
        if accounting != "receiver":  # E, too, is of the size that the reader needs
            rates, growth[0] = [0 * both, rates[0] + rates[1]], 0 * growth[0] + 1
        if accounting == "as-evaluated":
            rates[1][[x == "R" for x in has]] = 0  # nothing behind a weighted mp layer
        rates = [self.whole(one, elements, 2) for one in rates]
        if max(growth[1]) > 1:
            return (i, j), _Boundary(self.weights, rates, growth)
        return (j, i), _Boundary(self.weights, [one.T for one in rates[::-1]], growth[::-1])  # end 1 is what grows

    def costs(self, unary: Iterable[int], boundaries: Iterable[Sequence[int]]) -> list[Costs]:
        """Return the costs of some layers and of some boundaries, of which those between the same layers are one."""
        tensors: Counter[tuple[int, int]] = Counter()
        for i, j, elements in boundaries:
            tensors[i, j] += elements * self.problem["batch"]
        return [*map(self.unary, unary), *(self.boundary(*pair, elements) for pair, elements in tensors.items())]

    def number(self, x: int, word: str) -> int:
        """Return the number of a layer's word, -1 if it is none."""
        if len(word) != self.levels or not set(word) <= set(self.letters[x]):
            return -1
        return reduce(lambda some, letter: some * len(self.letters[x]) + self.letters[x].index(letter), word, 0)

    def allowed(self, x: int) -> Array:
        """Return by word whether a layer may have it."""
        one, found = self.layers[x], np.ones(self.sizes[x], bool)
        sizes = {"d": self.problem["batch"], "m": gcd(*one["in_sizes"]), "o": gcd(*one["out_sizes"])}
        for letter in self.letters[x] if self.problem["splits"] == "divisible" else "":
            found &= sizes[letter] % (_doubling(self.letters[x], letter, (1,) * self.levels, np.int64) + 1) == 0
        if one["name"] in self.problem["fix"]:
            found &= np.arange(len(found)) == self.number(x, self.problem["fix"][one["name"]])
        _expect(found.any(), f"layer {short(one['name'])} has no allowed strategy: nothing to prove")
        return found

    def faults(self, plan: dict[str, str]) -> Iterator[str]:
        """Yield what is illegal in a plan."""
        for name in self.names | plan:
            x, word = self.names.get(name), plan.get(name)
            if x is None or word is None:
                yield f"the plan {'has a' if x is None else 'lacks the'} layer {short(name)}"
            elif (number := self.number(x, word)) < 0 or not self.allowed(x)[number]:
                yield f"the plan gives {short(name)} {short(word)}, which is not allowed"

    def cost(self, plan: dict[str, str]) -> Fraction:
        """Return what a legal plan costs."""
        words = [self.number(x, plan[name]) for name, x in self.names.items()]
        costs = self.costs(range(len(words)), self.problem["boundaries"])
        return Fraction(sum(int(values[tuple(words[x] for x in scope)]) for scope, values in costs), self.units)


def _total(variables: Sequence[int], costs: Iterable[Costs], sizes: Sequence[int], dtype: Any) -> Array:
    """Return the sum of costs by the words of the variables."""
    _check_room(variables, prod(sizes[x] for x in variables))
    words = dict(zip(variables, np.ix_(*(np.arange(sizes[x]) for x in variables)), strict=True))
    found = np.zeros([sizes[x] for x in variables], dtype)
    for scope, values in costs:
        found += np.asarray(values[tuple(words[x] for x in scope)], dtype)
    return found


def _check_room(variables: Sequence[int], entries: int) -> None:
    where = f"header.json: clusters: that of the layers {short(list(variables))}"
    _expect(entries <= MOST_ENTRIES, f"{where}: expected tables of at most {MOST_ENTRIES} entries, needs {entries}")


def _least(variables: Sequence[int], costs: list[Costs], sizes: Sequence[int], dtype: Any) -> int:
    """Return the least sum of costs over all words of the variables.

    If a boundary is all that its ends have in common, it is passed level by level, and one end is done with.
    """
    scopes = [set(scope) for scope, _ in costs]
    for scope, edge in costs:
        if isinstance(edge, _Boundary) and [one.issuperset(scope) for one in scopes].count(True) == 1:
            gone, kept = scope
            rest = [x for x in variables if x not in scope and any({gone, x} <= one for one in scopes)]
            shape, tables = [sizes[x] for x in (kept, *rest)], 1 + len(edge.weights) * int(edge.growth[0].max() - 1)
            _check_room((gone, kept, *rest), prod(shape) * tables)
            before = [one for one in costs if gone in one[0] and one[1] is not edge]
            left = edge.passed(_total((gone, *rest), before, sizes, dtype)).reshape(shape)
            after = [*(one for one in costs if gone not in one[0]), ((kept, *rest), left)]
            return _least([x for x in variables if x != gone], after, sizes, dtype)
    return int(_total(variables, costs, sizes, dtype).min())


def _bound(header: dict[str, Any], network: _Network, messages: Iterator[Array]) -> Fraction:
    """Return the sum of the clusters' least sums; a message is kept from its first cluster to its second."""
    found, waiting, coming = 0, defaultdict(list), header["messages"][::-1]
    for c, cluster in enumerate(header["clusters"]):
        while coming and c == min(coming[-1]["from"], coming[-1]["to"]):
            one, values = coming.pop(), next(messages)
            values = values if values.min() > -(2**63) else values.astype(object)  # as -(-2^63) would wrap around
            waiting[one["from"]].append((tuple(one["variables"]), -values))
            waiting[one["to"]].append((tuple(one["variables"]), values))
        most = network.upper + sum(max(int(one.max()), -int(one.min())) for _, one in waiting[c])
        # What is forbidden costs so much more that it is not the least. If all sums fit, nothing wraps around.
        too_much, variables = 2 * most + 1, cluster["variables"]
        dtype = np.int64 if most + too_much * len(variables) < 2**62 else object
        boundaries = (header["problem"]["boundaries"][e] for e in cluster["edges"])
        costs = [*waiting.pop(c), *network.costs(cluster["unary"], boundaries)]
        masks = ((x, network.allowed(x)) for x in variables)
        costs += [((x,), np.where(mask, 0, np.array(too_much, dtype))) for x, mask in masks if not mask.all()]
        found += _least(variables, costs, network.sizes, dtype)
    return Fraction(found, network.units)


class _Costs:
    """A table of costs as exact integers: which entries are allowed, and a size that none of these exceeds.

    What is not allowed has the value 0. Sums are of 64 bits where `most` says that they fit, else Python's integers.
    """

    def __init__(self, values: Array, allowed: Array, most: int) -> None:
        self.values = values if most < 2**62 or values.dtype == object else values.astype(object)
        self.allowed, self.most = allowed, most

    @staticmethod
    def of(raw: Array, allowed: Array | None = None) -> _Costs:
        """Return numbers of a file as costs, all of them allowed unless it is said which are."""
        allowed = np.ones(raw.shape, bool) if allowed is None else allowed
        values = np.where(allowed, raw, 0)
        return _Costs(values, allowed, max(int(values.max()), -int(values.min())))

    def __add__(self, other: _Costs) -> _Costs:
        most = self.most + other.most
        dtype = np.int64 if most < 2**62 else object
        return _Costs(self.values.astype(dtype) + other.values.astype(dtype), self.allowed & other.allowed, most)

    def times(self, factor: int) -> _Costs:
        """Return so many times these costs."""
        most = self.most * abs(factor)
        dtype = np.int64 if max(most, abs(factor)) < 2**62 else object
        return _Costs(self.values.astype(dtype) * factor, self.allowed, most)

    def __getitem__(self, where: Any) -> _Costs:
        return _Costs(self.values[where], self.allowed[where], self.most)

    def where(self, allowed: Any) -> _Costs:
        """Return these costs where no more than this is allowed."""
        return _Costs(self.values, self.allowed & allowed, self.most)

    @property
    def turned(self) -> _Costs:
        """The same table, its rows as columns."""
        return _Costs(self.values.T, self.allowed.T, self.most)

    @property
    def least(self) -> int:
        """The least that is allowed."""
        _expect(self.allowed.any(), "nothing is allowed: there is no plan, and nothing to prove")
        return int(self.values[self.allowed].min())


class _Graph:
    """A strategy graph whose nodes are merged with those that they follow.

    `own` are the costs of every node's strategies and `near` those of pairs, by the two nodes, the first one's by row.
    `items` are the times that a node's usages count from and to, and these usages, those of its followers included.
    """

    def __init__(self, arrays: dict[str, Array], limit: int) -> None:
        self.arrays, self.limit, self.room = arrays, limit, MOST_IN_ALL
        self.sizes: list[int] = arrays["sizes"].tolist()
        intervals, ends = arrays["intervals"].reshape(-1, 2), arrays["ends"].reshape(-1, 2)
        self._check(intervals, ends)
        self.starts = [0, *accumulate(self.sizes)]
        parts = [slice(*pair) for pair in pairwise(self.starts)]
        self.own = [_Costs.of(arrays["costs"][part], arrays["costs"][part] < FORBIDDEN) for part in parts]
        self.items = [[(*span, arrays["usages"][part])] for span, part in zip(intervals.tolist(), parts, strict=True)]
        self.near: list[dict[int, _Costs]] = [{} for _ in parts]
        table = lru_cache(maxsize=None)(self._table)  # many edges have the same
        for (i, j), place in zip(ends.tolist(), arrays["places"].tolist(), strict=True):
            self._join(i, i if j < 0 else j, table(place, self.sizes[i], self.sizes[j] if j >= 0 else 0))

    def _check(self, intervals: Array, ends: Array) -> None:
        arrays, count = self.arrays, len(self.sizes)
        is_so = len(intervals) == count and min(self.sizes, default=1) > 0
        is_so = is_so and sum(self.sizes) == len(arrays["costs"]) == len(arrays["usages"])
        _expect(is_so, "sizes.npy: expected a number above 0 for every interval, and as many costs and usages in all")
        _expect((intervals[:, 0] <= intervals[:, 1]).all(), "intervals.npy: expected no end before its start")
        _expect((arrays["usages"] >= 0).all(), "usages.npy: expected none below 0")
        is_so = len(ends) == len(arrays["places"]) and bool((ends < count).all() and (ends >= [0, -1]).all())
        _expect(is_so, f"ends.npy: expected two of {count} nodes (the second may be -1) for every place")

    def _table(self, place: int, rows: int, columns: int) -> _Costs:
        """Return the costs of an edge; those of one that has one node in a row of their own."""
        last = place + rows * max(columns, 1)
        is_so = 0 <= place <= last <= len(self.arrays["tables"])
        _expect(is_so, f"places.npy: expected tables inside tables.npy, got one from {place} to {last}")
        self._charge(last - place)
        raw = self.arrays["tables"][place:last]
        raw = raw.reshape(rows, columns) if columns else raw
        return _Costs.of(raw, raw < FORBIDDEN)

    def _charge(self, entries: int) -> None:
        self.room -= entries
        _expect(self.room >= 0, f"expected at most {MOST_IN_ALL} entries in all tables that are made")

    def _join(self, i: int, j: int, costs: _Costs) -> None:
        """Add the costs of a pair of nodes, or of one."""
        if i == j:
            one = np.arange(self.sizes[i])
            self.own[i] = self.own[i] + (costs if costs.values.ndim == 1 else costs[one, one])
            return
        if j in self.near[i]:
            self._charge(costs.values.size)
            costs = self.near[i][j] + costs
        self.near[i][j], self.near[j][i] = costs, costs.turned

    def merge(self, leader: int, node: int) -> None:
        """Merge a node with the one that it follows: whose every strategy allows it one at most, which is `to` here."""
        is_pair = 0 <= leader < len(self.near) and node in self.near[leader]
        _expect(is_pair, f"ties.npy: {node} cannot follow {leader}: no edge joins the two")
        allowed = self.near[leader][node].allowed & self.own[leader].allowed[:, None] & self.own[node].allowed
        is_so = bool((allowed.sum(axis=1) <= 1).all())
        _expect(is_so, f"ties.npy: {node} cannot follow {leader}, as more than one pair of a strategy is allowed")
        to, pairs = allowed.argmax(axis=1), self.near[leader].pop(node)
        own = self.own[leader] + self.own[node][to] + pairs[np.arange(len(to)), to]
        self.own[leader] = own.where(allowed.any(axis=1))
        self._charge(len(to) * len(self.items[node]))
        self.items[leader] += [(start, end, usages[to]) for start, end, usages in self.items[node]]
        del self.near[node][leader]
        for other, costs in self.near[node].items():
            del self.near[other][node]
            self._charge(len(to) * self.sizes[other])
            self._join(leader, other, costs[to])
        self.near[node], self.items[node], self.own[node] = {}, [], _Costs.of(np.zeros(1, np.int64))

    def crowd_out(self) -> None:
        """Forbid strategies that take more at some time than the least of all others leaves, until there is none."""
        most = sum(int(usages.max()) for items in self.items for *_, usages in items)
        dtype: Any = np.int64 if most + self.limit < 2**62 else object
        moments = np.array(sorted({time for items in self.items for item in items for time in item[:2]}), np.int64)
        profiles = [(i, *self._profile(i, moments, dtype)) for i, items in enumerate(self.items) if items]
        profiles = [one for one in profiles if one[2].any()]
        while profiles and self._crowded(profiles, np.zeros(len(moments), dtype)):
            continue

    def _profile(self, i: int, moments: Array, dtype: Any) -> tuple[Array, Array]:
        """Return the moments at which a node's usages may change, and by row its strategies' from each to the next."""
        times = sorted({time for item in self.items[i] for time in item[:2]})
        rows, changes = {time: row for row, time in enumerate(times)}, np.zeros((len(times), self.sizes[i]), dtype)
        for start, end, usages in self.items[i]:
            changes[rows[start]] += usages
            changes[rows[end]] -= usages
        return np.searchsorted(moments, times), np.cumsum(changes, axis=0)

    def _crowded(self, profiles: list[tuple[int, Array, Array]], taken: Array) -> bool:
        """Do so once; return whether there was one. `taken` is what all take at least, by moment, to be filled in."""
        for i, at, usages in profiles:
            _expect(
                self.own[i].allowed.any(), f"nothing is allowed for node {i}: there is no plan, and nothing to prove"
            )
            taken[at] += np.diff(usages[:, self.own[i].allowed].min(axis=1), prepend=0)
        spare, found = self.limit - np.cumsum(taken), False
        _expect(spare.min() >= 0, "memory is too little: there is no plan, and nothing to prove")
        for i, at, usages in profiles:
            least = usages[:, self.own[i].allowed].min(axis=1)
            fits = (usages <= (least + np.minimum.reduceat(spare, at))[:, None]).all(axis=0)
            if (self.own[i].allowed > fits).any():
                self.own[i], found = self.own[i].where(fits), True
        return found

    def bound(self, scale: int) -> Fraction:
        """Return what no plan costs less than by messages and prices; costs grow by their units."""
        found, given = 0, self._messages()
        own = [costs.times(2**scale) for costs in self.own]
        for i, near in enumerate(self.near):
            for j, costs in near.items():
                if i < j:
                    costs = costs.where(self.own[i].allowed[:, None] & self.own[j].allowed).times(2**scale)
                    for first, second in given.pop((i, j), ()):
                        costs = costs + first[:, None].times(-1) + second.times(-1)
                        own[i], own[j] = own[i] + first, own[j] + second
                    found += costs.least
        _expect(not given, f"links.npy: expected different pairs of neighbours, got {short(sorted(given))}")
        times, paid = self._prices()
        found -= paid[-1] * self.limit
        for i, items in enumerate(self.items):
            for start, end, usages in items:
                each = paid[bisect_left(times, end)] - paid[bisect_left(times, start)]
                own[i] = own[i] + _Costs.of(usages).times(each) if each else own[i]
        return Fraction(found + sum(costs.least for costs in own), 2**scale)

    def _messages(self) -> dict[tuple[int, int], list[tuple[_Costs, _Costs]]]:
        """Return by link what its edge gives to the strategies of either node."""
        links, messages, first = self.arrays["links"].reshape(-1, 2).tolist(), self.arrays["messages"], 0
        found: dict[tuple[int, int], list[tuple[_Costs, _Costs]]] = {}
        for i, j in links:
            _expect(0 <= i < j < len(self.sizes), f"links.npy: expected two nodes, the lower one first, got {i}, {j}")
            _expect((i, j) not in found, f"links.npy: expected different pairs of neighbours, got {i}, {j} twice")
            middle, last = first + self.sizes[i], first + self.sizes[i] + self.sizes[j]
            _expect(last <= len(messages), f"messages.npy: ends before those of {i}, {j}")
            found[i, j] = [(_Costs.of(messages[first:middle]), _Costs.of(messages[middle:last]))]
            first = last
        _expect(first == len(messages), f"messages.npy: expected {first} entries, got {len(messages)}")
        return found

    def _prices(self) -> tuple[list[int], list[int]]:
        """Return the times at which memory has a price, and what the prices of the first 0, 1, 2, ... add up to."""
        times, prices = (self.arrays["prices"].reshape(-1, 2)[:, end].tolist() for end in (0, 1))
        is_so = sorted(set(times)) == times and min(prices, default=1) > 0
        _expect(is_so, "prices.npy: expected times in ascending order, each with a price above 0")
        return times, [0, *accumulate(prices)]

    def judge(self) -> tuple[Fraction | None, list[str]]:
        """Return what the plan costs, and what is illegal in it; from the file's own costs."""
        arrays, count = self.arrays, len(self.sizes)
        plan, sizes = arrays["plan"], arrays["sizes"]
        if len(plan) != count or (plan < 0).any() or (plan >= sizes).any():
            return None, [f"the plan has {len(plan)} strategies, expected one of its own for each of {count} nodes"]
        ends = arrays["ends"].reshape(-1, 2)
        columns = np.where(ends[:, 1] < 0, 1, sizes[ends[:, 1]])
        pairs = plan[ends[:, 0]] * columns + np.where(ends[:, 1] < 0, 0, plan[ends[:, 1]])
        chosen = np.array(self.starts[:-1], np.int64) + plan
        costs = [*arrays["costs"][chosen].tolist(), *arrays["tables"][arrays["places"] + pairs].tolist()]
        faults = [f"the plan has a forbidden cost, {cost}" for cost in costs if cost >= FORBIDDEN][:1]
        faults += self._too_much(arrays["usages"][chosen].tolist())
        return None if faults else Fraction(sum(costs)), faults

    def _too_much(self, usages: list[int]) -> Iterator[str]:
        """Yield where a plan needs more memory than there is, first."""
        changes: Counter[int] = Counter()
        for usage, (start, end) in zip(usages, self.arrays["intervals"].reshape(-1, 2).tolist(), strict=True):
            changes.update({start: usage})
            changes.update({end: -usage})  # the same time, if the interval is empty
        times = sorted(changes)
        for time, used in zip(times, accumulate(changes[time] for time in times), strict=True):
            if used > self.limit:
                yield f"the plan needs {used} of memory at time {time}, the limit is {self.limit}"
                return


def _arrays(archive: zipfile.ZipFile, header: dict[str, Any]) -> dict[str, Array]:
    """Read the arrays of a strategy graph and of a proof about it; compare the digests."""
    found = {}
    for names, where in ((GRAPH_ARRAYS, "problem: "), (PROOF_ARRAYS, "")):
        hashed = hashlib.sha256()
        for name in names:
            with archive.open(f"{name}.npy") as member:
                head, raw = NPY.fullmatch(text := member.readline(1000)), member.read()
            if not head or head[1] != b"<i8" or head[3] is not None:
                raise CertificateError(f"{name}.npy: expected '<i8' (n,), got {short(text)}")
            is_so = len(raw) == 8 * int(head[2])
            _expect(is_so, f"{name}.npy: expected {int(head[2])} entries of 8 bytes, got {len(raw)} bytes")
            is_so = name not in ("intervals", "ends", "ties", "links", "prices") or len(raw) % 16 == 0
            _expect(is_so, f"{name}.npy: expected pairs, got {int(head[2])} entries")
            hashed.update(f"{name} {int(head[2])}\n".encode() + raw)
            found[name] = np.frombuffer(raw, "<i8").astype(np.int64)
        is_so = hashed.hexdigest() == (header["problem"] if where else header)["arrays_sha256"]
        _expect(is_so, f"header.json: {where}arrays_sha256: the arrays have another digest")
    return found


def _check_graph(archive: zipfile.ZipFile, header: dict[str, Any]) -> Checked:
    """Check a certificate of a strategy graph: what its messages and prices prove, and its plan."""
    claim, arrays = header["claim"], _arrays(archive, header)
    graph = _Graph(arrays, header["problem"]["usage_limit"])
    cost, faults = graph.judge()
    for leader, node in arrays["ties"].reshape(-1, 2).tolist():
        graph.merge(leader, node)
    graph.crowd_out()
    bound = Fraction(ceil(graph.bound(header["scale"])))  # as costs are whole
    if bound < int(claim["bound"]):
        faults.append(f"messages and prices prove the bound {bound}, the file claims {claim['bound']}")
    if cost not in (None, int(claim["cost"])):
        faults.append(f"the plan in the file costs {cost}, it claims {claim['cost']}")
    if claim["proves"] == "optimality" and cost not in (None, bound):
        faults.append(f"the plan in the file costs {cost}, the bound is {bound}")
    plan = {str(node): str(strategy) for node, strategy in enumerate(arrays["plan"].tolist())}
    return Checked(header, bound, cost, tuple(faults), plan)


def _check_network(archive: zipfile.ZipFile, header: dict[str, Any]) -> Checked:
    """Check a certificate of a network: what its messages prove, and its plan."""
    _consistent(header)
    network = _Network(header["problem"], header["scale"])
    shapes = [[network.sizes[x] for x in one["variables"]] for one in header["messages"]]
    messages = _messages(archive, shapes, header["arrays_sha256"])
    bound = _bound(header, network, messages)
    next(messages, None)  # what stands behind the last one: the comparison of the digests
    faults, claimed = [*network.faults(header["claim"]["plan"])], Fraction(header["claim"]["bound"])
    cost = None if faults else network.cost(header["claim"]["plan"])
    if bound != claimed:
        faults.append(f"the potentials prove the bound {bound}, the file claims {claimed}")
    if cost not in (None, bound):
        faults.append(f"the plan in the file costs {cost}, the bound is {bound}")
    return Checked(header, bound, cost, tuple(faults), header["claim"]["plan"])


def check(source: str | Path | BinaryIO) -> Checked:
    """Check a certificate, given as a path or as an open file; raises CertificateError if it is none, or damaged."""
    is_file = not isinstance(source, str | Path) or Path(source).is_file()  # a device has no end
    _expect(is_file, "no such file, or none that a certificate can be")
    try:
        with zipfile.ZipFile(source) as archive:
            header = _header(archive)
            is_graph = header["problem"]["kind"] == "strategy-graph"
            return (_check_graph if is_graph else _check_network)(archive, header)
    except (*DAMAGE, struct.error, zipfile.BadZipFile) as error:
        text = f"not a certificate, or damaged: {type(error).__name__}: {error}"
        raise CertificateError(text.splitlines()[0]) from error


def _word(header: dict[str, Any]) -> str:
    """Return what is claimed beyond what the certificate proves, and on whose word that rests."""
    rests_on = header["claim"].get("rests_on")
    return f"; beyond that {rests_on}" if rests_on else ""


def main(argv: Sequence[str]) -> int:
    """Check the file that `argv` names and print the verdict; return the exit code."""
    try:
        _expect(len(argv) == 1, "usage: python check.py FILE")
        found = check(argv[0])
    except CertificateError as error:
        print(str(error).encode("unicode_escape").decode(), file=sys.stderr)
        return 2
    verdict = f"not proven: {'; '.join(found.faults)}; the potentials prove {found.bound}"
    if found.proven:
        none = "none costs less" if found.optimal else f"none costs less than {found.bound}{_word(found.header)}"
        verdict = f"proven: the plan costs {found.cost}, and {none}"
    print(verdict.encode("unicode_escape").decode())
    return 0 if found.proven else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
