"""Check a certificate of optimality, or of a bound, whose format and meaning hypar-opt's docs/certificates.md gives.

Every cost is charged to one cluster of layers, and what a message gives to one cluster it takes from another: no plan
costs less than the sum of the clusters' least sums, and one that costs just that is optimal. This file reads the
certificate, computes the costs (formulas: docs/model.md) and the least sums. A strategy graph's clusters are its nodes
and edges, once nodes that follow others are merged with these; its memory has a price. It needs NumPy and the standard
library only and shares nothing with the solvers. `python check.py FILE` exits with 0: proven; 1: not; 2: damaged.

All numbers are exact: amounts are added and multiplied as Python's integers or in an `_Exact` table, and nowhere else.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import sys
import warnings
import zipfile
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from itertools import accumulate, pairwise
from math import ceil, gcd, lcm, prod
from pathlib import Path
from reprlib import repr as short
from types import ModuleType
from typing import IO, Any, BinaryIO, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]
Costs: TypeAlias = "tuple[tuple[int, ...], _Exact | _Boundary]"  # layers, and a number for all that their words may be
MOST_BYTES = 2**28  # of a table; there are a few at a time
MOST_IN_ALL = 2**30  # bytes of all tables that a graph is kept in, or that one cluster is charged
MOST_WORK = 2**35  # numbers of all tables that are ever computed
NPY = re.compile(  # not left to NumPy, which evaluates what stands there
    rb"\x93NUMPY((?s:\x01\0..|\x02\0....))\{'descr': '(<i8|\|u1)', 'fortran_order': False, "
    rb"'shape': \((\d{1,12}),(?: ([1-9]\d?))?\), \} *\n"
)
# What fields hold: a text matches a pattern, an integer is in a range, an object has these fields ("*": any names).
TEXT, SIZE, POSITIVE, DIGEST = "(?s:.*)", range(2**127), range(1, 2**63), "[0-9a-f]{64}"
EXACT = "-?[0-9]{1,999}([.][0-9]{1,999}|/[1-9][0-9]{0,998})?"
HEADER = {
    "schema": "hypar-opt/certificate/1",
    "problem": {
        "kind": "network", "instance": TEXT, "instance_sha256": DIGEST, "overrides": {"*": None}, "batch": POSITIVE,
        "levels": range(25), "accounting": "published|as-evaluated|receiver|leaf-exact|collective",
        "choices": r"(?!.*(.).*\1)[dmor]{1,4}", "bytes_per_element": POSITIVE, "splits": "any|divisible",
        "fix": {"*": TEXT}, "objective": {"communication": None}, "boundaries": [[SIZE]],  # None: see _weights
        "layers": [{"name": TEXT, "join": True, "feature_in": SIZE, "weight": SIZE, "feature_out": SIZE,
                    "in_sizes": [POSITIVE], "out_sizes": [POSITIVE], "groups": POSITIVE}],
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
MISSING = {"groups": 1}  # what is meant where a file that is older than the field has none
FORBIDDEN = 10**18  # what costs as much or more must not be
READS = {"d": "B", "m": "C", "o": "R", "r": "R"}  # how F[l] lies: batch halves, channel halves, whole
WRITES = {"d": "B", "m": "R", "o": "C"}  # how F[l+1] lies, but as F[l] behind joins and where m splits groups
LETTERS = {"weighted": "dmo", "grouped": "dm", "join": "dmr"}  # which some layer may have
SHARE = {"B": 2, "C": 2, "R": 4}  # the quarters of a tensor on a side
BY_LEAVES = ("leaf-exact", "collective")  # which count no levels, and have dense tables


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
        value |= {name: meant for name, meant in MISSING.items() if name in shape.keys() - value.keys()}
        fields = dict.fromkeys(value, shape["*"]) if "*" in shape else shape
        wrong = short(sorted(fields.keys() ^ value.keys()))
        _expect(wrong == "[]", f"{where}: missing or unknown fields: {wrong}")
        for name in fields:
            _conform(value[name], fields[name], f"{where}: {name}")
    for i, one in enumerate(value if kind is list else ()):
        _conform(one, shape[0], f"{where}[{i}]")


def _document(archive: zipfile.ZipFile) -> dict[str, Any]:
    """Read what header.json holds, once the archive's members are known to claim no more than there is."""
    for one in archive.infolist():
        is_plain = one.compress_type == zipfile.ZIP_STORED and not one.flag_bits & 1
        is_there = one.file_size == one.compress_size <= archive.start_dir  # which is behind the members
        _expect(is_plain and is_there, f"{one.filename}: expected to be stored as it is, in all its length")
    names = sorted(archive.namelist())
    _expect("header.json" in names, f"expected header.json and messages.npy, got {short(names)}")
    header: dict[str, Any] = json.loads(archive.read("header.json").decode("utf-8"))
    return header


def _kind(header: Any) -> Any:
    """Return the kind that a header says its problem is of, if it does."""
    problem = header.get("problem") if isinstance(header, dict) else None
    return problem.get("kind") if isinstance(problem, dict) else None


def _check_header(archive: zipfile.ZipFile, header: dict[str, Any]) -> None:
    """Check the types and ranges of all that the header holds, and which members there are."""
    names, is_graph = sorted(archive.namelist()), _kind(header) == "strategy-graph"
    members = [f"{one}.npy" for one in MEMBERS["strategy-graph" if is_graph else "network"]]
    _expect(
        names == sorted(["header.json", *members]), f"expected header.json and {', '.join(members)}, got {short(names)}"
    )
    _conform(header, GRAPH_HEADER if is_graph else HEADER, "header.json")


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


def _npy(member: IO[bytes], name: str, forms: str) -> tuple[int, int | None]:
    """Read what stands before the entries of an array: how many there are, and the bytes of a row if there are rows."""
    found = NPY.fullmatch(text := member.readline(1000))
    is_so = found and int.from_bytes(found[1][2:], "little") == len(text) - 6 - len(found[1])
    if not found or not is_so or (found[2] == b"<i8") != (found[4] is None) or (found[4] and "u1" not in forms):
        raise CertificateError(f"{name}: expected {forms}, got {short(text)}")
    return int(found[3]), int(found[4]) if found[4] else None


def _messages(archive: zipfile.ZipFile, shapes: list[list[int]], digest: str) -> Iterator[_Exact]:
    """Yield one message after the other; behind the last, compare the digest."""
    with archive.open("messages.npy") as member:
        entries, row = _npy(member, "messages.npy", "'<i8' (n,) or '|u1' (n, bytes)")
        width, count, hashed = row or 8, sum(map(prod, shapes)), hashlib.sha256()
        left = archive.getinfo("messages.npy").file_size - member.tell()
        is_so = entries == count and left == count * width
        _expect(is_so, f"messages.npy: expected {count} entries of {width} bytes, got {entries} and {left} bytes")
        for shape in shapes:
            _dtype(prod(shape), 2 ** (8 * width - 1) if row else 0)  # whether there is room
            raw = member.read(prod(shape) * width)
            hashed.update(raw)
            if row:
                rows = (raw[at : at + width] for at in range(0, len(raw), width))
                numbers = np.array([int.from_bytes(one, "little", signed=True) for one in rows], object)
            else:
                numbers = np.frombuffer(raw, "<i8").astype(np.int64)
            yield _Exact.of(numbers.reshape(shape))
        _expect(hashed.hexdigest() == digest, "header.json: arrays_sha256: messages.npy has another digest")


def _size(entries: int, most: int) -> int:
    """Return the bytes of so many integers, none of which exceeds `most`; Python's are objects behind pointers."""
    return entries * (8 if most < 2**63 else 56 + most.bit_length() // 7)


def _dtype(entries: int, most: int) -> Any:
    """Return the type of so many integers, none of which exceeds `most`; refuse them if they need too much memory."""
    size = _size(entries, most)
    text = f"expected tables of at most {MOST_BYTES} bytes, {entries} numbers of {most.bit_length()} bits need {size}"
    _expect(size <= MOST_BYTES, text)
    return np.int64 if most < 2**63 else object


class _Work:
    """How many numbers may still be computed."""

    def __init__(self) -> None:
        self.left = MOST_WORK

    def spend(self, entries: int, most: int) -> None:
        """Compute so many, none of which exceeds `most`; Python's integers are slower, and count 64 times."""
        self.left -= entries * (1 if most < 2**63 else 64)
        _expect(self.left >= 0, f"expected tables of at most {MOST_WORK} numbers to be computed in all")


class _Exact:
    """A table of exact integers, and a number that none of them exceeds, whatever its sign.

    The entries are of 64 bits if that number is, else Python's. Whatever makes a table says first what none of its
    numbers exceeds, and computes in the type which that asks for: nothing is wrapped around, rounded or cut. Without
    axes, too, an array stays one, since NumPy's single numbers have other rules.
    """

    def __init__(self, values: Any, most: int) -> None:
        self.values: Array = np.asarray(values, _dtype(np.size(values), most))
        self.most = most

    @staticmethod
    def of(raw: Array) -> _Exact:
        """Return integers as they are read: of 64 bits, or Python's."""
        return _Exact(raw, max(int(raw.max(initial=0)), -int(raw.min(initial=0))))

    def __add__(self, other: _Exact) -> _Exact:
        most, shape = self.most + other.most, np.broadcast_shapes(self.values.shape, other.values.shape)
        dtype = _dtype(prod(shape), most)
        return _Exact(self.values.astype(dtype, copy=False) + other.values.astype(dtype, copy=False), most)

    def times(self, factor: int) -> _Exact:
        """Return so many times these numbers."""
        most = self.most * abs(factor)
        dtype = _dtype(self.values.size, max(self.most, abs(factor), most))
        return _Exact(self.values.astype(dtype, copy=False) * np.array(factor, dtype), most)

    def over(self, divisor: int) -> _Exact:
        """Return these numbers divided by one that divides them all."""
        values = self.values.astype(_dtype(self.values.size, max(self.most, divisor)), copy=False)
        _expect(not (values % divisor).any(), "header.json: scale: too small, a cost is not whole in its units")
        return _Exact(values // divisor, self.most // divisor)

    def __getitem__(self, where: Any) -> _Exact:
        return _Exact(self.values[where], self.most)

    def at(self, *words: Array) -> Array:
        """Return the numbers of words that are given as arrays."""
        return np.asarray(self.values[words], self.values.dtype)


@dataclass(frozen=True, eq=False)
class _Boundary:
    """Costs of the words of two layers, end 0 and end 1, that are sums over the levels.

    A level has 2^level groups; a tensor is halved by the letters above that split it, so what it costs doubles with
    those that don't: the level's weight x the sum over both ends of rates[end][a, b] x the product of growth[end] over
    that end's letters above. Rates are Python's integers.
    """

    weights: tuple[int, ...]
    rates: Sequence[Array]
    growth: Sequence[Sequence[int]]

    @cached_property
    def most(self) -> int:
        """What no cost exceeds, nor any part of the sum that it is."""
        ends = [(int(abs(some).max()), max(growth)) for some, growth in zip(self.rates, self.growth, strict=True)]
        return sum(weight * some * most**h for h, weight in enumerate(self.weights) for some, most in ends)

    @property
    def tables(self) -> int:
        """How many tables passing it needs at most: one for each product of the growth of end 0."""
        return 1 + len(self.weights) * (max(self.growth[0]) - 1)

    def _levels(self, dtype: Any) -> list[list[Array]]:
        """Return by level the weighed rates of both ends."""
        return [[(some * weight).astype(dtype) for some in self.rates] for weight in self.weights]

    def at(self, *words: Array) -> Array:
        """Return the costs of words of both ends that are given as arrays."""
        shape = np.broadcast_shapes(*(some.shape for some in words))
        dtype = _dtype(prod(shape), self.most)
        growth = [np.array(some, dtype) for some in self.growth]
        found, above = np.zeros(shape, dtype), [np.ones(1, dtype)] * 2
        for below, rates in reversed([*enumerate(self._levels(dtype)[::-1])]):
            letters = tuple(x // len(some) ** below % len(some) for x, some in zip(words, growth, strict=True))
            for end in (0, 1):
                np.add(found, rates[end][letters] * above[end], out=found)
                above[end] = above[end] * growth[end][letters[end]]
        return found

    def passed(self, table: _Exact, allowed: Array) -> _Exact:
        """Minimise a table [words of end 0, rest] plus these costs over the allowed words: [words of end 1, rest].

        From the root on, a letter of end 0 is minimised away and one of end 1 comes in its place: the letters above of
        end 1 are the first axis. If those of end 0 count, too, there is a table for each product of their growth.
        """
        most, old, size = table.most + self.most, table.values, table.values.size
        count, kept = len(old), len(self.growth[1]) ** len(self.weights)
        too_much = most + self.most + 1  # which these costs cannot make less than `most`, so that it is never the least
        entries = max(size, size // count * kept) * self.tables
        dtype = _dtype(entries, most if len(allowed) == count else too_much + self.most)
        if len(allowed) < count:
            old = np.full(old.shape, too_much, dtype)
            old[allowed] = table.values[allowed]
        above, tables = np.ones(1, dtype), {1: old.astype(dtype, copy=False)}
        for rates in self._levels(dtype):
            found = dict[int, Array]()
            for times, one in tables.items():
                parts = one.reshape(len(above), len(self.growth[0]), 1, -1)
                for a, growth in enumerate(self.growth[0]):
                    costs = rates[0][a] * times + np.multiply.outer(above, rates[1][a])
                    new, key = parts[:, a] + costs[:, :, None], times * growth
                    found[key] = np.minimum(found[key], new) if key in found else new
            tables, above = found, np.multiply.outer(above, np.array(self.growth[1], dtype)).reshape(-1)
        return _Exact(reduce(np.minimum, tables.values()), most)


def _doubling(letters: str, letter: str, weights: tuple[int, ...]) -> _Exact:
    """Return by word the sum of the weights (root first) of the letter's levels, doubled by every such level above."""
    most = reduce(lambda below, weight: weight + 2 * below, reversed(weights), 0)
    found = np.zeros(1, _dtype(len(letters) ** len(weights), most))
    for weight in reversed(weights):
        found = np.concatenate([weight + 2 * found if one == letter else found for one in letters])
    return _Exact(found, most)


def _weights(problem: dict[str, Any]) -> tuple[Fraction, tuple[int, ...]]:
    """Return what a byte weighs at every level, root first: a unit, and how many of it; 1 each for one weight."""
    where, given = "header.json: problem: objective: communication", problem["objective"]["communication"]
    texts, levels = given if (is_list := type(given) is list) else [given], problem["levels"]
    _conform(given, [EXACT] if is_list else EXACT, where)
    most = 1 if problem["accounting"] in BY_LEAVES else f"1 or a list of {levels}"
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
        self.is_even = [one["join"] or one["groups"] > 1 for one in self.layers]  # input and output lie in the same way
        roles = ["join" if one["join"] else "grouped" if one["groups"] > 1 else "weighted" for one in self.layers]
        self.letters = ["".join(a for a in problem["choices"] if a in LETTERS[role]) for role in roles]
        self.sizes = [len(letters) ** self.levels for letters in self.letters]
        self.read = {one[0] for one in problem["boundaries"]}
        unit, self.weights = _weights(problem)
        self.units = unit.denominator // (unit.denominator & -unit.denominator) << scale
        self.element: Fraction = unit * self.units * problem["bytes_per_element"]  # what it costs, in 1 / units
        self.work = _Work()
        self._check_limits()

    def _check_limits(self) -> None:
        where, accounting, sizes = "header.json: problem", self.problem["accounting"], self.sizes
        _expect(0 < len(self.names) == len(self.layers), f"{where}: layers: expected different names")
        for x, one in enumerate(self.layers):
            _expect(one["in_sizes"] and one["out_sizes"], f"{where}: layers[{x}]: expected sizes of input and output")
            _expect(one["groups"] == 1 or not one["join"], f"{where}: layers[{x}]: groups: expected 1 of a join")
        _expect(self.problem["fix"].keys() <= self.names.keys(), f"{where}: fix: expected names of layers")
        others = {
            "array",
            "placement",
            "objective",
            "input_error",
            "fix",
        }  # which a problem has as levels, weights, words
        is_so = all(x in others or (x, to) in self.problem.items() for x, to in self.problem["overrides"].items())
        _expect(is_so, f"{where}: overrides: not as in the problem")
        self._check_given(self.problem["overrides"].get("fix", {}), f"{where}: overrides: fix")
        is_so = 0 < min(sizes) <= max(sizes) <= MOST_BYTES // 8
        text = f"{where}: levels: expected 1 to {MOST_BYTES // 8} words, got {min(sizes)} to {max(sizes)}"
        _expect(is_so, text)
        _expect(self.levels <= 6 or accounting not in BY_LEAVES, f"{where}: levels: expected at most 6 if {accounting}")
        is_so = accounting != "collective" or len(self.read) == len(self.problem["boundaries"])
        _expect(is_so, f"{where}: boundaries: expected one reader of each layer if collective")
        is_so = accounting != "as-evaluated" or set(self.problem["choices"]) <= {"d", "m"}
        _expect(is_so, f"{where}: choices: expected d and m only if as-evaluated")

    def _check_given(self, given: Any, where: str) -> None:
        """Check that strategies said to be added are of layers, by name or pattern, and are among those given."""
        _conform(given, {"*": TEXT}, where)
        for pattern, word in given.items():
            names = [pattern] if pattern in self.names else [x for x in self.names if fnmatchcase(x, pattern)]
            if not names:
                near = short(get_close_matches(pattern[:100], self.names, 1, 0)[0])
                raise CertificateError(f"{where}: {short(pattern)} is no layer; the nearest is {near}")
            for name in names:
                fixed = self.problem["fix"].get(name, "." * len(word))
                is_so = len(fixed) == len(word) and all(a in (".", b) for a, b in zip(word, fixed, strict=True))
                _expect(is_so, f"{where}: {short(pattern)}: {short(word)} is not what fix gives {short(name)}")

    def whole(self, shares: _Exact, elements: int, parts: int = 1) -> _Exact:
        """Return what exchanging shares x elements / parts costs."""
        each = Fraction(elements, parts) * self.element
        return shares.over(each.denominator).times(each.numerator)

    def unary(self, x: int) -> Costs:
        """Return the intra-layer costs: a letter's are 1, 2, 4, ... times the two sides' partial sums, weighed."""
        one, batch, found = self.layers[x], self.problem["batch"], _Exact(np.zeros(self.sizes[x], np.int64), 0)
        sums = {"d": one["weight"], "m": batch * one["feature_out"], "o": batch * one["feature_in"]}
        summed = set() if one["join"] else {"d", "o"} if self.is_even[x] else {"d", "m", "o"}
        if self.problem["accounting"] == "collective":  # the rest is the boundaries', but for the input's error
            summed -= {"m", "o"} if x in self.read else {"o"}
        for letter in filter(summed.__contains__, self.letters[x]):
            found += self.whole(_doubling(self.letters[x], letter, self.weights), 2 * sums[letter])
            self.work.spend(self.sizes[x], found.most)
        return (x,), found

    def boundary(self, i: int, j: int, elements: int) -> Costs:
        """Return the inter-layer costs of a tensor of so many elements from layer i to layer j."""
        has = [(READS if self.is_even[i] else WRITES)[a] for a in self.letters[i]]
        needs, accounting = [READS[b] for b in self.letters[j]], self.problem["accounting"]
        # In quarters: what a side needs of F[l+1], of E[l+1], and what it needs and has of either.
        f, e = np.array([[SHARE[y] for y in needs] for _ in has]), np.array([[SHARE[x] for _ in needs] for x in has])
        both = np.array([[SHARE[x] if x == y else SHARE[x] * SHARE[y] // 4 for y in needs] for x in has])
        if accounting in BY_LEAVES:  # at most 6 levels, so that a share is below 2^13
            if accounting == "collective":  # what is whole on a side is first scattered
                both = np.minimum(both, SHARE["B"])
            f, e, both = (reduce(np.kron, [one] * self.levels, np.ones((1, 1), np.int64)) for one in (f, e, both))
            self.work.spend(f.size, 0)
            if accounting == "leaf-exact":
                return (i, j), self.whole(_Exact.of(f + e - 2 * both), elements, 2**self.levels)
            # F[l+1] is scattered, and E[l+1] gathered, as it is written; all else is done behind the pools, twice, too
            written = self.problem["batch"] * self.layers[i]["feature_out"]
            sums = self.whole(_Exact.of(2 * (e - 2**self.levels)), written, 2**self.levels)
            return (i, j), sums + self.whole(_Exact.of(2 * (f - both)), elements, 2**self.levels)
        rates = [e - both, f - both]
        growth = [(e[:, 0] // 2).tolist(), (f[0] // 2).tolist()]  # 2 if a letter leaves the tensor whole
        if accounting != "receiver":  # E, too, is of the size that the reader needs
            rates, growth[0] = [0 * both, rates[0] + rates[1]], [1 for _ in has]
        if accounting == "as-evaluated":
            rates[1][[x == "R" for x in has]] = 0  # nothing behind a weighted mp layer
        rates = [self.whole(_Exact.of(one), elements, 2).values.astype(object) for one in rates]
        if max(growth[1]) > 1:
            return (i, j), _Boundary(self.weights, rates, growth)
        return (j, i), _Boundary(self.weights, [one.T for one in rates[::-1]], growth[::-1])  # end 1 is what grows

    def costs(self, unary: Iterable[int], boundaries: Iterable[Sequence[int]]) -> Iterator[Costs]:
        """Yield the costs of some layers and of some boundaries, of which those between the same layers are one."""
        tensors: Counter[tuple[int, int]] = Counter()
        for i, j, elements in boundaries:
            tensors[i, j] += elements * self.problem["batch"]
        yield from map(self.unary, unary)
        yield from (self.boundary(*pair, elements) for pair, elements in tensors.items())

    def charged(self, unary: Iterable[int], boundaries: Iterable[Sequence[int]]) -> Iterator[Costs]:
        """Yield the same as long as there is room for all of them."""
        room = MOST_IN_ALL
        for scope, table in self.costs(unary, boundaries):
            room -= _size(table.values.size, table.most) if isinstance(table, _Exact) else 0
            _expect(room >= 0, f"expected at most {MOST_IN_ALL} bytes in all tables that a cluster is charged")
            yield scope, table

    def number(self, x: int, word: str) -> int:
        """Return the number of a layer's word."""
        return reduce(lambda some, letter: some * len(self.letters[x]) + self.letters[x].index(letter), word, 0)

    def halvings(self, x: int) -> dict[str, int]:
        """Return how often at most a layer may have a letter that divides something, which has to remain whole."""
        one, found = self.layers[x], {}
        if self.problem["splits"] == "divisible":
            sizes = {"d": self.problem["batch"], "m": gcd(*one["in_sizes"]), "o": gcd(*one["out_sizes"])}
            found = {letter: sizes[letter] for letter in self.letters[x] if letter in sizes}
        if one["groups"] > 1 and "m" in self.letters[x]:
            found["m"] = one["groups"]
        return {letter: (size & -size).bit_length() - 1 for letter, size in found.items()}

    def allows(self, x: int, word: str) -> bool:
        """Return whether a layer may have a word."""
        is_word = len(word) == self.levels and set(word) <= set(self.letters[x])
        is_whole = all(word.count(letter) <= most for letter, most in self.halvings(x).items())
        given = self.problem["fix"].get(self.layers[x]["name"], word)
        is_given = len(given) == len(word) and all(y in (a, ".") for a, y in zip(word, given, strict=True))
        return is_word and is_whole and is_given

    def words(self, x: int) -> Array:
        """Return the numbers of all words that a layer may have."""
        name, found = self.layers[x]["name"], np.ones(self.sizes[x], bool)
        self.work.spend(self.sizes[x], 0)
        for letter, most in self.halvings(x).items():  # as 2^n - 1 is below 2^most
            found &= _doubling(self.letters[x], letter, (1,) * self.levels).values < 2**most
        if (given := self.problem["fix"].get(name)) is not None:
            each = [[y in (a, ".") for a in self.letters[x]] for y in given[: self.levels]]
            self.work.spend(self.sizes[x], 0)
            found &= len(given) == self.levels and reduce(np.kron, each, np.ones(1, bool))
        _expect(found.any(), f"layer {short(name)} has no allowed strategy: nothing to prove")
        return np.flatnonzero(found)

    def faults(self, plan: dict[str, str]) -> Iterator[str]:
        """Yield what is illegal in a plan."""
        for name in self.names | plan:
            x, word = self.names.get(name), plan.get(name)
            if x is None or word is None:
                yield f"the plan {'has a' if x is None else 'lacks the'} layer {short(name)}"
            elif not self.allows(x, word):
                yield f"the plan gives {short(name)} {short(word)}, which is not allowed"

    def cost(self, plan: dict[str, str]) -> Fraction:
        """Return what a legal plan costs."""
        words = [np.array([self.number(x, plan[name])]) for name, x in self.names.items()]
        costs = self.costs(range(len(words)), self.problem["boundaries"])
        return Fraction(sum(int(table.at(*(words[x] for x in scope))[0]) for scope, table in costs), self.units)

    def total(self, words: dict[int, Array], costs: Iterable[Costs]) -> _Exact:
        """Return the sum of costs by words of their layers."""
        shape, costs = [len(some) for some in words.values()], [*costs]
        most, places = sum(table.most for _, table in costs), dict(zip(words, np.ix_(*words.values()), strict=True))
        found = np.zeros(shape, _dtype(prod(shape), most))
        for scope, table in costs:
            self.work.spend(found.size, most)
            np.add(found, table.at(*(places[x] for x in scope)), out=found)
        return _Exact(found, most)

    def least(self, variables: Sequence[int], costs: list[Costs]) -> int:
        """Return the least sum of costs over all words that the variables may have.

        If a boundary is all that its ends have in common, it is passed level by level, and one end is done with.
        """
        scopes = [set(scope) for scope, _ in costs]
        for scope, edge in costs:
            if isinstance(edge, _Boundary) and [one.issuperset(scope) for one in scopes].count(True) == 1:
                gone, kept = scope
                rest = [x for x in variables if x not in scope and any({gone, x} <= one for one in scopes)]
                _dtype(prod(self.sizes[x] for x in (gone, *rest)), 0)  # whether there is room
                every = {x: np.arange(self.sizes[x]) for x in (gone, *rest)}
                table = self.total(every, (one for one in costs if gone in one[0] and one[1] is not edge))
                self.work.spend(3 * self.levels * table.values.size * edge.tables, table.most + edge.most)
                left = edge.passed(table, self.words(gone))
                left = _Exact(left.values.reshape([self.sizes[x] for x in (kept, *rest)]), left.most)
                after = [*(one for one in costs if gone not in one[0]), ((kept, *rest), left)]
                return self.least([x for x in variables if x != gone], after)
        words: dict[int, Array] = {}
        for x in variables:
            words[x] = self.words(x)
            _dtype(prod(map(len, words.values())), 0)  # whether there is room, before there are more
        return int(self.total(words, costs).values.min())


def _bound(header: dict[str, Any], network: _Network, messages: Iterator[_Exact]) -> Fraction:
    """Return the sum of the clusters' least sums; a message is kept from its first cluster to its second."""
    found, waiting, coming = 0, defaultdict(list), header["messages"][::-1]
    for c, cluster in enumerate(header["clusters"]):
        while coming and c == min(coming[-1]["from"], coming[-1]["to"]):
            one, table = coming.pop(), next(messages)
            waiting[one["from"]].append((tuple(one["variables"]), table.times(-1)))
            waiting[one["to"]].append((tuple(one["variables"]), table))
        boundaries = (header["problem"]["boundaries"][e] for e in cluster["edges"])
        costs = [*waiting.pop(c, []), *network.charged(cluster["unary"], boundaries)]
        found += network.least(cluster["variables"], costs)
    return Fraction(found, network.units)


class _Costs:
    """A table of costs, and which of its entries are allowed; the others are 0."""

    def __init__(self, numbers: _Exact, allowed: Array) -> None:
        self.numbers, self.allowed = numbers, allowed

    @staticmethod
    def of(raw: Array, allowed: Array | None = None) -> _Costs:
        """Return numbers of a file as costs, all of them allowed unless it is said which are."""
        allowed = np.ones(raw.shape, bool) if allowed is None else allowed
        return _Costs(_Exact.of(np.where(allowed, raw, 0)), allowed)

    @property
    def size(self) -> int:
        """How many bytes they take."""
        return _size(self.allowed.size, self.numbers.most)

    def __add__(self, other: _Costs) -> _Costs:
        return _Costs(self.numbers + other.numbers, self.allowed & other.allowed)

    def times(self, factor: int) -> _Costs:
        """Return so many times these costs."""
        return _Costs(self.numbers.times(factor), self.allowed)

    def __getitem__(self, where: Any) -> _Costs:
        return _Costs(self.numbers[where], self.allowed[where])

    def where(self, allowed: Any) -> _Costs:
        """Return these costs where no more than this is allowed."""
        return _Costs(self.numbers, self.allowed & allowed)

    @property
    def turned(self) -> _Costs:
        """The same table, its rows as columns."""
        return _Costs(_Exact(self.numbers.values.T, self.numbers.most), self.allowed.T)

    @property
    def least(self) -> int:
        """The least that is allowed."""
        _expect(self.allowed.any(), "nothing is allowed: there is no plan, and nothing to prove")
        return int(self.numbers.values[self.allowed].min())


class _Graph:
    """A strategy graph whose nodes are merged with those that they follow.

    `own` are the costs of every node's strategies and `near` those of pairs, by the two nodes, the first one's by row.
    `items` are the times that a node's usages count from and to, and these usages, those of its followers included.
    """

    def __init__(self, arrays: dict[str, Array], limit: int) -> None:
        self.arrays, self.limit, self.room, self.work = arrays, limit, MOST_IN_ALL, _Work()
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
        raw = self.arrays["tables"][place:last]
        raw = raw.reshape(rows, columns) if columns else raw
        return self._kept(_Costs.of(raw, raw < FORBIDDEN))

    def _charge(self, size: int) -> None:
        self.room -= size
        _expect(self.room >= 0, f"expected at most {MOST_IN_ALL} bytes in all tables that are made")

    def _kept(self, costs: _Costs) -> _Costs:
        self._charge(costs.size)
        return costs

    def _join(self, i: int, j: int, costs: _Costs) -> None:
        """Add the costs of a pair of nodes, or of one."""
        if i == j:
            one = np.arange(self.sizes[i])
            self.own[i] += costs if costs.allowed.ndim == 1 else costs[one, one]
            return
        if j in self.near[i]:
            costs = self._kept(self.near[i][j] + costs)
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
        self._charge(8 * len(to) * len(self.items[node]))
        self.items[leader] += [(start, end, usages[to]) for start, end, usages in self.items[node]]
        del self.near[node][leader]
        for other, costs in self.near[node].items():
            del self.near[other][node]
            self._join(leader, other, self._kept(costs[to]))
        self.near[node], self.items[node], self.own[node] = {}, [], _Costs.of(np.zeros(1, np.int64))

    def crowd_out(self) -> None:
        """Forbid strategies that take more at some time than the least of all others leaves, until there is none."""
        most = self.limit + sum(int(usages.max()) for items in self.items for *_, usages in items)
        moments = np.array(sorted({time for items in self.items for item in items for time in item[:2]}), np.int64)
        profiles = [(i, *self._profile(i, moments, most)) for i, items in enumerate(self.items) if items]
        profiles = [one for one in profiles if one[2].any()]
        while profiles and self._crowded(profiles, np.zeros(len(moments), _dtype(len(moments), most))):
            self.work.spend(sum(usages.size for _, _, usages in profiles), most)

    def _profile(self, i: int, moments: Array, most: int) -> tuple[Array, Array]:
        """Return the moments at which a node's usages may change, and by row its strategies' from each to the next.

        No sum of usages, nor what it leaves of the limit, exceeds `most`: that of all of them and the limit.
        """
        times = sorted({time for item in self.items[i] for time in item[:2]})
        rows, shape = {time: row for row, time in enumerate(times)}, (len(times), self.sizes[i])
        self._charge(_size(prod(shape), most))
        changes = np.zeros(shape, _dtype(prod(shape), most))
        for start, end, usages in self.items[i]:
            changes[rows[start]] += usages
            changes[rows[end]] -= usages
        return np.searchsorted(moments, times), np.cumsum(changes, axis=0)

    def _crowded(self, profiles: list[tuple[int, Array, Array]], taken: Array) -> bool:
        """Do so once; return whether there was one. `taken` is what all take at least, by moment, to be filled in."""
        for i, at, usages in profiles:
            is_left = self.own[i].allowed.any()
            _expect(is_left, f"nothing is allowed for node {i}: there is no plan, and nothing to prove")
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
                        costs += first[:, None].times(-1) + second.times(-1)
                        own[i] += first
                        own[j] += second
                    found += costs.least
        _expect(not given, f"links.npy: expected different pairs of neighbours, got {short(sorted(given))}")
        times, paid = self._prices()
        found -= paid[-1] * self.limit
        for i, items in enumerate(self.items):
            for start, end, usages in items:
                each = paid[bisect_left(times, end)] - paid[bisect_left(times, start)]
                own[i] += _Costs.of(usages).times(each)
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
        chosen = np.array(self.starts[:-1], np.int64) + plan  # no more than there are costs
        costs, strategy, width = arrays["costs"][chosen].tolist(), plan.tolist(), self.sizes
        pairs = zip(arrays["ends"].reshape(-1, 2).tolist(), arrays["places"].tolist(), strict=True)
        at = [place + (strategy[i] if j < 0 else strategy[i] * width[j] + strategy[j]) for (i, j), place in pairs]
        costs += arrays["tables"][np.array(at, np.int64)].tolist()
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
                count, _ = _npy(member, f"{name}.npy", "'<i8' (n,)")
                raw = member.read()
            is_so = len(raw) == 8 * count
            _expect(is_so, f"{name}.npy: expected {count} entries of 8 bytes, got {len(raw)} bytes")
            is_so = name not in ("intervals", "ends", "ties", "links", "prices") or len(raw) % 16 == 0
            _expect(is_so, f"{name}.npy: expected pairs, got {count} entries")
            hashed.update(f"{name} {count}\n".encode() + raw)
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


def _folder_beside() -> ModuleType:
    """Return the checker of operators: a folder of its own, which is found beside this file however that is run."""
    if __package__:
        return importlib.import_module(".check_operators", __package__)
    name, folder = "check_operators", Path(__file__).resolve().parent / "check_operators"
    is_there = (folder / "__init__.py").is_file()
    _expect(is_there, "is of operators, which the folder check_operators checks: it belongs beside check.py")
    spec = importlib.util.spec_from_file_location(name, folder / "__init__.py")
    assert spec is not None and spec.loader is not None  # as it is a file of Python's
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _check_operators(source: str | Path | BinaryIO) -> Checked:
    """Check a certificate of operators."""
    folder = _folder_beside()
    try:
        found = folder.check(source)
    except folder.OperatorCertificateError as error:
        raise CertificateError(str(error)) from None
    return Checked(found.header, found.bound, found.cost, found.faults, found.plan)


def check(source: str | Path | BinaryIO) -> Checked:
    """Check a certificate, given as a path or as an open file; raises CertificateError if it is none, or damaged."""
    is_file = not isinstance(source, str | Path) or Path(source).is_file()  # a device has no end
    _expect(is_file, "no such file, or none that a certificate can be")
    try:
        with np.errstate(all="raise"), warnings.catch_warnings(), zipfile.ZipFile(source) as archive:
            warnings.simplefilter("error", RuntimeWarning)  # NumPy's, of what is not as exact as it should be
            header = _document(archive)
            if _kind(header) != "operators":
                _check_header(archive, header)
                is_graph = header["problem"]["kind"] == "strategy-graph"
                return (_check_graph if is_graph else _check_network)(archive, header)
        return _check_operators(source)
    except CertificateError:
        raise
    except Exception as error:  # a damaged file may fail anywhere, and what fails proves nothing
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
