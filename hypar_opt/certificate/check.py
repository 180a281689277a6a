"""Check a certificate of optimality, whose format and meaning hypar-opt's docs/certificates.md gives.

This file needs NumPy and the standard library only and shares nothing with the solvers; it runs alone too:
`python check.py FILE` prints a verdict. Exit code 0: proven; 1: not proven; 2: not a certificate.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import struct
import sys
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from itertools import product
from math import gcd, prod
from pathlib import Path
from reprlib import repr as short
from typing import Any, BinaryIO, NoReturn, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]
MOST_ENTRIES, MOST_LAYERS, MOST_TOGETHER, MOST_HEADER = 2**28, 100_000, 32, 2**28
UNREADABLE = (OSError, EOFError, ValueError, RuntimeError, MemoryError, struct.error, zipfile.BadZipFile)
# not left to NumPy, which evaluates what stands there
NPY = re.compile(rb"\{'descr': '(<i8|\|u1)', 'fortran_order': False, 'shape': \((\d{1,12}),(?: ([1-9]\d?))?\), \} *\n")
# Fields: a text is a pattern, a range one of integers; {str: ...} has any names, [...] any number.
SIZE, POSITIVE, DIGEST = range(2**63), range(1, 2**63), "[0-9a-f]{64}"
EXACT = r"-?[0-9]{1,999}([.][0-9]{1,999}|/[1-9][0-9]{0,998})?"
LAYER = {
    "name": str, "join": bool, "feature_in": SIZE, "weight": SIZE, "feature_out": SIZE,
    "in_sizes": [POSITIVE], "out_sizes": [POSITIVE],
}  # fmt: skip
PROBLEM = {
    "kind": "network", "instance": str, "instance_sha256": DIGEST, "overrides": {str: object}, "batch": POSITIVE,
    "levels": range(25), "accounting": "published|as-evaluated|receiver|leaf-exact",
    "choices": r"(?!.*(.).*\1)[dmo]{1,3}", "bytes_per_element": POSITIVE, "splits": "any|divisible",
    "fix": {str: str}, "objective": {"communication": EXACT}, "layers": [LAYER], "boundaries": [[SIZE]],
}  # fmt: skip
HEADER = {
    "schema": "hypar-opt/certificate/1", "problem": PROBLEM, "scale": range(1025),
    "clusters": [{"kind": "boundary|bucket|edge", "variables": [SIZE], "unary": [SIZE], "edges": [SIZE]}],
    "messages": [{"from": SIZE, "to": SIZE, "variables": [SIZE]}], "multipliers": [str], "arrays_sha256": DIGEST,
    "claim": {"bound": EXACT, "plan": {str: str}},
}  # fmt: skip
READS = {"d": "B", "m": "C", "o": "R"}  # how F[l] lies: batch halves, channel halves, whole; so a join's output, too
WRITES = {"d": "B", "m": "R", "o": "C"}  # how F[l+1] lies
SHARE = {"B": 2, "C": 2, "R": 4}  # quarters on a side


class CertificateError(Exception):
    """A file is not a certificate, or damaged."""


@dataclass(frozen=True)
class Checked:
    """What a certificate proves.

    `bound` is what its potentials prove, `cost` that of the plan in it (None if it is not legal), both in the
    objective's unit; `faults` say what keeps the claim in `header` from being proven.
    """

    header: dict[str, Any]
    bound: Fraction
    cost: Fraction | None
    faults: tuple[str, ...]

    @property
    def proven(self) -> bool:
        """Whether the potentials prove the bound claimed, and the plan costs as much."""
        return not self.faults


def _expect(is_so: object, message: str) -> None:
    if not is_so:
        raise CertificateError(message)


def _conform(value: Any, shape: Any, where: str) -> None:
    """Check a value and all in it: types, ranges, and that objects have their fields and no others."""
    if isinstance(shape, str):
        fits, wanted = type(value) is str and re.fullmatch(shape, value) is not None, repr(shape)
    elif isinstance(shape, range):
        fits, wanted = type(value) is int and value in shape, f"an integer from {shape.start} to {shape.stop - 1}"
    else:
        kind = shape if isinstance(shape, type) else type(shape)
        fits = kind in (object, type(value))
        wanted = {dict: "an object", list: "an array", bool: "true or false"}.get(kind, "a text")
    if not fits:  # here and below no _expect: a million values, none of which is to be spelt out in vain
        raise CertificateError(f"{where}: expected {wanted}, got {short(value)}")
    if isinstance(shape, dict):
        fields = dict.fromkeys(value, shape[str]) if str in shape else shape
        for name in fields:
            if name not in value:
                raise CertificateError(f"{where}: field '{name}' is missing")
            _conform(value[name], fields[name], f"{where}: {name}" if where == "header.json" else f"{where}.{name}")
        if unknown := value.keys() - fields:
            raise CertificateError(f"{where}: unknown field {short(min(unknown))}")
    for i, one in enumerate(value) if isinstance(shape, list) else ():
        _conform(one, shape[0], f"{where}[{i}]")


def _consistent(header: dict[str, Any], network: _Network) -> None:
    """Check what the fields say of each other."""
    problem, clusters, where = header["problem"], header["clusters"], "header.json: problem"
    layers, boundaries, names = problem["layers"], problem["boundaries"], network.names
    known = {name: PROBLEM[name] for name in problem["overrides"] if name in PROBLEM}
    _conform(problem["overrides"], known, f"{where}.overrides")
    is_so = problem["overrides"].items() <= problem.items()
    _expect(is_so, f"{where}.overrides: expected values that the problem has, got {short(problem['overrides'])}")
    two = problem["accounting"] != "as-evaluated" or "o" not in problem["choices"]
    _expect(two, f"{where}.choices: expected 'd' and 'm' only under 'as-evaluated', got '{problem['choices']}'")
    dense = problem["accounting"] == "leaf-exact" and problem["levels"] > 6
    _expect(not dense, f"{where}.levels: expected at most 6 under 'leaf-exact', got {problem['levels']}")
    most = max(network.sizes)
    _expect(most <= MOST_ENTRIES, f"{where}.levels: expected at most {MOST_ENTRIES} strategies of a layer, got {most}")
    name = next((one["name"] for one, letters in zip(layers, network.letters, strict=True) if not letters), None)
    _expect(name is None, f"layer {name} has no allowed strategy: nothing to prove")
    _expect(network.unit > 0, f"{where}.objective.communication: expected a weight above 0")
    _expect(len(names) == len(layers), f"{where}.layers: expected different names")
    _expect(not header["multipliers"], "header.json: multipliers: expected none, as a network has no capacities")
    for name, word in problem["fix"].items():
        is_so = name in names and network.spells(names[name], word)
        _expect(is_so, f"{where}.fix: expected words of layers, got {short(word)} for {short(name)}")
    for e, one in enumerate(boundaries):
        is_so = len(one) == 3 and max(one[:2]) < len(layers) and one[0] != one[1]
        _expect(is_so, f"{where}.boundaries[{e}]: expected two layers and the elements, got {one!r:.99}")
    own = [set(one["variables"]) for one in clusters]
    for c, one in enumerate(clusters):
        is_so = 0 < len(own[c]) == len(one["variables"]) <= MOST_TOGETHER and max(own[c]) < len(layers)
        _expect(is_so, f"header.json: clusters[{c}].variables: expected 1 to {MOST_TOGETHER} different layers")
        is_so = all(e < len(boundaries) and own[c].issuperset(boundaries[e][:2]) for e in one["edges"])
        _expect(is_so, f"header.json: clusters[{c}].edges: expected boundaries between its variables")
        _expect(own[c].issuperset(one["unary"]), f"header.json: clusters[{c}].unary: expected some of its variables")
    for kind, number in (("unary", len(layers)), ("edges", len(boundaries))):
        times = Counter(x for one in clusters for x in one[kind])
        wrong = next((x for x in range(number) if times[x] != 1), 0)
        _expect(
            times[wrong] == 1 or not number,
            f"header.json: clusters: expected every cost once, {kind} {wrong} is charged {times[wrong]} times",
        )
    ends = [sorted((one["from"], one["to"])) for one in header["messages"]]
    for m, (one, (low, high)) in enumerate(zip(header["messages"], ends, strict=True)):
        here, scope = f"header.json: messages[{m}]", one["variables"]
        _expect(low < high < len(clusters), f"{here}: expected two of {len(clusters)} clusters, got {low} and {high}")
        _expect(low >= ends[max(0, m - 1)][0], f"{here}: expected messages in the order of min(from, to)")
        is_so = len(set(scope)) == len(scope) and own[low].intersection(own[high]).issuperset(scope)
        _expect(is_so, f"{here}.variables: expected different ones that both clusters have, got {scope!r:.99}")


@contextlib.contextmanager
def _reading(what: str) -> Iterator[None]:
    """Name what could not be read."""
    try:
        yield
    except UNREADABLE as error:
        raise CertificateError(f"{what}: {(str(error) or type(error).__name__).splitlines()[0]}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise CertificateError(f"header.json: field {short(twice)} stands twice in an object")
    return found


def _no_float(text: str) -> NoReturn:
    raise CertificateError(f"header.json: expected integers only, got {text[:30]}")


def _header(archive: zipfile.ZipFile, length: int) -> dict[str, Any]:
    """Read the header of an archive of so many bytes, once its members are known to claim no more."""
    members = sorted(archive.infolist(), key=lambda one: one.filename)
    names = [one.filename for one in members]
    is_so = names == ["header.json", "messages.npy"]
    _expect(is_so, f"expected the members header.json and messages.npy, got {short(names)}")
    for one in members:
        is_plain = one.compress_type == zipfile.ZIP_STORED and not one.flag_bits & 1
        _expect(is_plain, f"{one.filename}: expected to be stored, neither compressed nor encrypted")
        is_there = one.file_size == one.compress_size <= length - one.header_offset
        _expect(is_there, f"{one.filename}: claims {one.file_size} bytes, more than the file has")
    _expect(members[0].file_size <= MOST_HEADER, f"header.json: expected at most {MOST_HEADER} bytes")
    with _reading("header.json"):
        text = archive.read("header.json").decode("utf-8")
        header = json.loads(text, object_pairs_hook=_object, parse_float=_no_float, parse_constant=_no_float)
    _conform(header, HEADER, "header.json")
    count = len(header["problem"]["layers"])
    _expect(0 < count <= MOST_LAYERS, f"header.json: problem.layers: expected 1 to {MOST_LAYERS}, got {count}")
    return dict(header)


def _messages(archive: zipfile.ZipFile, sizes: list[int], digest: str) -> Iterator[Array]:
    """Yield the entries of one message after the other; behind the last, compare the digest."""
    with _reading("messages.npy"), archive.open("messages.npy") as member:
        length = {b"\x93NUMPY\x01\x00": 2, b"\x93NUMPY\x02\x00": 4}.get(member.read(8), 0)
        text = member.read(min(int.from_bytes(member.read(length), "little"), 2**16))
        found, wanted = NPY.fullmatch(text), "a NumPy array '<i8' (entries,) or '|u1' (entries, bytes)"
        if not found or (found[1] == b"<i8") != (found[3] is None):
            raise CertificateError(f"messages.npy: expected {wanted}, got {text.strip()!r:.99}")
        width, left = int(found[3] or 8), archive.getinfo("messages.npy").file_size - member.tell()
        _expect(int(found[2]) == sum(sizes), f"messages.npy: expected {sum(sizes)} entries, got {int(found[2])}")
        _expect(left == sum(sizes) * width, f"messages.npy: expected {sum(sizes) * width} bytes of entries, got {left}")
        hashed = hashlib.sha256()
        for size in sizes:
            hashed.update(raw := member.read(size * width))
            rows = (raw[at : at + width] for at in range(0, len(raw), width))
            numbers = (int.from_bytes(row, "little", signed=True) for row in rows)
            yield np.array([*numbers], object) if found[3] else np.frombuffer(raw, "<i8")
        _expect(hashed.hexdigest() == digest, "header.json: arrays_sha256: messages.npy has another digest")


@dataclass(frozen=True, eq=False)
class _Table:
    """The costs `values` x `factor` of the variables in `scope`; `largest` is that of |values|."""

    scope: tuple[int, ...]
    values: Array
    factor: int = 1
    largest: int = 0

    @property
    def upper(self) -> int:
        return abs(self.factor) * self.largest

    def dense(self, dtype: Any) -> Array:
        values: Array = self.values.astype(dtype, copy=False)
        return values if self.factor == 1 else values * self.factor


@dataclass(frozen=True, eq=False)
class _Boundary:
    """Costs of two words, of end 0 (the producer's) and end 1 (the reader's), that are sums over levels.

    A level has 2^level groups; a tensor is halved by the letters above that split it, so what it costs doubles with
    those that don't: sum over the ends of rates[end][a, b] x the product of growth[end] over that end's letters above.
    """

    scope: tuple[int, int]
    levels: int
    rates: tuple[Array, Array]
    growth: tuple[list[int], list[int]]

    @cached_property
    def grows(self) -> tuple[bool, ...]:
        return tuple(2 in growth and bool(rates.any()) for rates, growth in zip(self.rates, self.growth, strict=True))

    @property
    def kept(self) -> int:
        """The end for which the other is minimised away: the one whose letters above count."""
        return 0 if self.grows == (True, False) else 1

    @property
    def upper(self) -> int:
        return sum(int(rates.max()) for rates in self.rates) << self.levels

    def value(self, words: Sequence[Sequence[int]]) -> int:
        found, above = 0, [1, 1]
        for letters in zip(*words, strict=True):
            found += sum(int(rates[letters]) * times for rates, times in zip(self.rates, above, strict=True))
            above = [times * self.growth[end][letters[end]] for end, times in enumerate(above)]
        return found

    def dense(self, dtype: Any) -> Array:
        found, above = np.zeros((1, 1), dtype), [np.ones(1, dtype)] * 2
        first, second = (rates.astype(dtype)[:, None, :] for rates in self.rates)
        for _ in range(self.levels):
            level = found[:, None, :, None] + first * above[0][:, None, None, None] + second * above[1][:, None]
            found = level.reshape(len(found) * len(first), -1)
            above = [np.outer(times, growth).ravel() for times, growth in zip(above, self.growth, strict=True)]
        return found

    def passed(self, table: Array, dtype: Any) -> Array:
        """Minimise a table (words gone, rest) plus these costs over the words gone; return (rest, words kept).

        From the root on, a letter gone is minimised away in front and a letter kept appended behind, so that the
        letters above of the word kept are the last axis. If those of the word gone count, too, each count has a table.
        """
        mine, other = (self.rates[end] if self.kept else self.rates[end].T for end in (self.kept, 1 - self.kept))
        steps = [growth - 1 if all(self.grows) else 0 for growth in self.growth[1 - self.kept]]
        above, tables, letters = np.ones(1, dtype), {0: table}, range(len(mine.T))
        for _ in range(self.levels):
            ways: dict[int, list[tuple[Array, list[Array]]]] = defaultdict(list)
            for count, old in tables.items():
                for a, part in enumerate(old.reshape(len(mine), -1, len(above))):
                    rates = [mine[a, b] * above + (other[a, b] << count) for b in letters]
                    ways[count + steps[a]].append((part, rates))
            tables = {count: np.empty((*some[0][0].shape, len(letters)), dtype) for count, some in ways.items()}
            for (count, some), b in product(ways.items(), letters):
                tables[count][..., b] = reduce(np.minimum, (part + rates[b] for part, rates in some))
            above = np.outer(above, self.growth[self.kept]).ravel() if self.grows[self.kept] else above
        return reduce(np.minimum, tables.values())


def _entries(x: int, by: _Boundary | None, costs: Sequence[_Table | _Boundary], sizes: Sequence[int]) -> int:
    """Return the size of the tables that it takes to minimise a variable away, through a boundary or at once."""
    before = {x}.union(*(one.scope for one in costs if x in one.scope and one is not by))
    after = before.union(by.scope) - {x} if by else set()
    tables = by.levels + 1 if by and all(by.grows) else 1
    return tables * max(prod(sizes[y] for y in before), prod(sizes[y] for y in after))


def _minimum(costs: Sequence[_Table | _Boundary], sizes: Sequence[int], dtype: Any, where: str) -> int:
    """Return the least sum of a cluster's costs: minimise one variable after the other away, the cheapest first."""
    while variables := {x: None for one in costs for x in one.scope}:
        edges = [one for one in costs if isinstance(one, _Boundary)]
        alone = (edge for edge in edges if sum(set(edge.scope) <= set(one.scope) for one in costs) == 1)
        ways: list[tuple[int, _Boundary | None]] = [(edge.scope[1 - edge.kept], edge) for edge in alone]
        ways += [(x, None) for x in variables]
        needs = [_entries(x, by, costs, sizes) for x, by in ways]
        entries = min(needs)
        gone, by = ways[needs.index(entries)]
        _expect(entries <= MOST_ENTRIES, f"{where}: expected tables of at most {MOST_ENTRIES} entries, needs {entries}")
        summed = [one for one in costs if gone in one.scope and one is not by]
        scope = tuple(x for x in variables if x != gone and any(x in one.scope for one in summed))
        values = _total(summed, (gone, *scope), sizes, dtype)
        values = by.passed(values, dtype) if by else values.min(axis=0)
        scope = (*scope, by.scope[by.kept]) if by else scope
        left = _Table(scope, np.reshape(values, [sizes[x] for x in scope]))
        costs = [*(one for one in costs if gone not in one.scope), left]
    return sum(int(one.values[()]) * one.factor for one in costs if isinstance(one, _Table))


def _total(costs: Sequence[_Table | _Boundary], scope: Sequence[int], sizes: Sequence[int], dtype: Any) -> Array:
    """Return the sum of costs as an array over the variables in `scope`."""
    found = np.zeros([sizes[x] for x in scope], dtype)
    for one in costs:
        order = [one.scope.index(x) for x in scope if x in one.scope]
        found += one.dense(dtype).transpose(order).reshape([sizes[x] if x in one.scope else 1 for x in scope])
    return found


@lru_cache(maxsize=4)
def _powers(letters: str, levels: int) -> list[Array]:
    """Return for each letter, by word, 2^(how often the word has it)."""
    each = ([2 if one == letter else 1 for one in letters] for letter in letters)
    return [reduce(lambda some, more: np.outer(some, more).ravel(), [one] * levels, np.ones(1, int)) for one in each]


@lru_cache(maxsize=8)
def _lacking(has: str, needs: str, levels: int) -> list[tuple[Array, int]]:
    """Return what a side of so many splits lacks of F[l+1], of E[l+1] and of both, by the layouts of two words.

    Each is an array times a number, in 4^-levels of the tensor: the share needed without the share needed and had.
    """
    had = [[SHARE[x] if x == y else SHARE[x] * SHARE[y] // 4 for y in needs] for x in has]
    each = [[SHARE[y] for y in needs] for _ in has], [[SHARE[x] for _ in needs] for x in has], had
    f, e, both = (reduce(np.kron, [np.array(one)] * levels, np.ones((1, 1), int)) for one in each)
    units = [(one, int(np.gcd.reduce(one, axis=None)) or 1) for one in (f - both, e - both, f + e - 2 * both)]
    return [(one // unit, unit) for one, unit in units]


class _Network:
    """Costs (in units of 1 / `units` of the objective) and strategies of a network: docs/model.md."""

    def __init__(self, problem: dict[str, Any], scale: int) -> None:
        self.problem, self.layers, self.levels = problem, problem["layers"], problem["levels"]
        self.names = {one["name"]: x for x, one in enumerate(self.layers)}
        weight = Fraction(problem["objective"]["communication"])
        self.units = weight.denominator // (weight.denominator & -weight.denominator) << scale
        self.unit: Fraction = weight * self.units * problem["bytes_per_element"]
        self.letters = [problem["choices"].replace("o", "" if one["join"] else "o") for one in self.layers]
        self.sizes = [len(letters) ** self.levels for letters in self.letters]

    def whole(self, elements: int, share: int = 1) -> int:
        """Return what exchanging elements / share costs."""
        amount, rest = divmod(elements * self.unit.numerator, self.unit.denominator * share)
        _expect(not rest, "header.json: scale: too small, a cost is not whole in its units")
        return amount

    def unary(self, x: int) -> list[_Table]:
        """Return the intra-layer costs: a letter's are 1, 2, 4, ... times the two sides' partial sums."""
        one, batch, powers = self.layers[x], self.problem["batch"], _powers(self.letters[x], self.levels)
        sums = {"d": one["weight"], "m": batch * one["feature_out"], "o": batch * one["feature_in"]}
        each = () if one["join"] else zip(self.letters[x], powers, strict=True)
        return [_Table((x,), power - 1, self.whole(2 * sums[letter]), 2**self.levels) for letter, power in each]

    def boundary(self, i: int, j: int, elements: int) -> _Table | _Boundary:
        """Return the inter-layer costs of a tensor of so many elements for one sample."""
        has = "".join((READS if self.layers[i]["join"] else WRITES)[a] for a in self.letters[i])
        needs, elements = "".join(READS[b] for b in self.letters[j]), elements * self.problem["batch"]
        accounting, growth = (
            self.problem["accounting"],
            ([1 + (x == "R") for x in has], [1 + (x == "R") for x in needs]),
        )
        if accounting == "leaf-exact":
            values, unit = _lacking(has, needs, self.levels)[2]
            return _Table((i, j), values, self.whole(unit * elements, 2**self.levels), int(values.max()))
        f, e, both = (one.astype(object) * self.whole(unit * elements, 2) for one, unit in _lacking(has, needs, 1))
        if accounting == "as-evaluated":
            both = both * np.array([[x != "R"] for x in has], int)  # nothing behind a weighted mp layer
        return _Boundary((i, j), self.levels, (e, f) if accounting == "receiver" else (0 * e, both), growth)

    def spells(self, x: int, word: str) -> bool:
        """Return whether a text is a word of a layer, allowed or not."""
        return len(word) == self.levels and set(word) <= set(self.letters[x])

    def place(self, x: int, word: str) -> int:
        """Return the number of a layer's word."""
        return reduce(lambda some, letter: some * len(self.letters[x]) + self.letters[x].index(letter), word, 0)

    def banned(self, x: int) -> Array | None:
        """Return by word whether a layer must not have it; None if it may have all."""
        one, found = self.layers[x], np.zeros(self.sizes[x], bool)
        sizes = {"d": self.problem["batch"], "m": gcd(*one["in_sizes"]), "o": gcd(*one["out_sizes"])}
        if self.problem["splits"] == "divisible":
            for letter, parts in zip(self.letters[x], _powers(self.letters[x], self.levels), strict=True):
                found |= sizes[letter] % parts != 0
        if (fixed := self.problem["fix"].get(one["name"])) is not None:
            found |= np.arange(len(found)) != self.place(x, fixed)
        _expect(not found.all(), f"layer {one['name']} has no allowed strategy: nothing to prove")
        return found if found.any() else None

    def faults(self, plan: dict[str, str]) -> Iterator[str]:
        """Yield what is illegal in a plan."""
        yield from (f"the plan has a layer {name}, the problem has none" for name in plan if name not in self.names)
        for name, x in self.names.items():
            if name not in plan:
                yield f"the plan has no word for {name}"
            elif not self.spells(x, plan[name]):
                wanted = f"{self.levels} letters of '{self.letters[x]}'"
                yield f"the plan gives {name} {short(plan[name])}, expected {wanted}"
            elif (banned := self.banned(x)) is not None and banned[self.place(x, plan[name])]:
                yield f"the plan gives {name} {short(plan[name])}, which 'fix' or 'splits' forbids"

    def cost(self, plan: dict[str, str]) -> int:
        """Return what a legal plan costs."""
        words = [plan[one["name"]] for one in self.layers]
        places = [self.place(x, word) for x, word in enumerate(words)]
        found = sum(int(one.values[places[x]]) * one.factor for x in range(len(words)) for one in self.unary(x))
        for i, j, elements in self.problem["boundaries"]:
            one = self.boundary(i, j, elements)
            pair = [[self.letters[x].index(letter) for letter in words[x]] for x in (i, j)]
            if isinstance(one, _Boundary):
                found += one.value(pair)
            else:
                found += int(one.values[places[i], places[j]]) * one.factor
        return found

    def bound(self, header: dict[str, Any], arrays: Iterator[Array]) -> int:
        """Return the sum of the clusters' minima; a message is kept from its first cluster to its second."""
        found, waiting, coming = 0, defaultdict(list), header["messages"][::-1]
        for c, cluster in enumerate(header["clusters"]):
            while coming and c in (coming[-1]["from"], coming[-1]["to"]):
                one, values = coming.pop(), next(arrays)
                table = values.reshape([self.sizes[x] for x in one["variables"]])
                largest = max(int(values.max()), -int(values.min()))
                for end, sign in (one["from"], -1), (one["to"], 1):
                    waiting[end].append(_Table(tuple(one["variables"]), table, sign, largest))
            costs = [*waiting.pop(c, ()), *(one for x in cluster["unary"] for one in self.unary(x))]
            tensors: Counter[tuple[int, int]] = Counter()
            for i, j, elements in (self.problem["boundaries"][e] for e in cluster["edges"]):
                tensors[i, j] += elements
            costs += [self.boundary(i, j, elements) for (i, j), elements in tensors.items()]
            too_much = 2 * sum(one.upper for one in costs) + 1  # as no two allowed sums differ by
            banned = ((x, self.banned(x)) for x in cluster["variables"])
            costs += [_Table((x,), mask, too_much, 1) for x, mask in banned if mask is not None]
            dtype = np.int64 if sum(one.upper for one in costs) < 2**62 else object
            found += _minimum(costs, self.sizes, dtype, f"header.json: clusters[{c}]")
        return found


def check(source: str | Path | BinaryIO) -> Checked:
    """Check a certificate.

    Raises
    ------
    CertificateError
        If it is none, or damaged.
    """
    with contextlib.ExitStack() as stack:
        with _reading("not a certificate"):
            file = stack.enter_context(Path(source).open("rb")) if isinstance(source, str | Path) else source
            archive = stack.enter_context(zipfile.ZipFile(file))
            length = file.seek(0, 2)
        header = _header(archive, length)
        network = _Network(header["problem"], header["scale"])
        _consistent(header, network)
        sizes = [prod(network.sizes[x] for x in one["variables"]) for one in header["messages"]]
        arrays = _messages(archive, sizes, header["arrays_sha256"])
        try:
            bound = Fraction(network.bound(header, arrays), network.units)
        except MemoryError as error:
            raise CertificateError("the tables of a cluster need more memory than there is") from error
        next(arrays, None)  # what stands behind the last message: the comparison of the digests
    faults, claimed = [*network.faults(header["claim"]["plan"])], Fraction(header["claim"]["bound"])
    cost = None if faults else Fraction(network.cost(header["claim"]["plan"]), network.units)
    if bound != claimed:
        faults.append(f"the potentials prove the bound {bound}, the file claims {claimed}")
    if cost not in (None, bound):
        faults.append(f"the plan in the file costs {cost}, the bound is {bound}")
    return Checked(header, bound, cost, tuple(faults))


def main(argv: Sequence[str]) -> int:
    """Check the file that `argv` names and print the verdict; return the exit code."""
    try:
        _expect(len(argv) == 1, "usage: python check.py FILE")
        found = check(argv[0])
    except CertificateError as error:
        print(str(error).encode("unicode_escape").decode(), file=sys.stderr)
        return 2
    verdict = f"not proven: {'; '.join(found.faults)}; the potentials prove {found.bound}"
    verdict = f"proven: the plan costs {found.cost}, and none costs less" if found.proven else verdict
    print(verdict.encode("unicode_escape").decode())
    return 0 if found.proven else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
