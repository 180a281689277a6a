"""The variables of a network of operators, and how tensors lie by their values."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cached_property
from reprlib import repr as short
from typing import TYPE_CHECKING, Any

from .archive import expect
from .domains import FORWARD, GRADIENT, STORAGE, SplitRules, WordDomain
from .placements import PARTIAL, WHOLE, Lies

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .exact import WorkRoom


class Variables:
    """What is decided, in this order, and how tensors lie by it.

    First come tensors that no operator writes and several operands read, then each operator in turn and what it writes
    if several operands read that; of tensors the placement, then that of the gradient where there is one.

    Parameters
    ----------
    problem
        Of the header.
    room
        What may be computed.
    """

    def __init__(self, problem: Mapping[str, Any], room: WorkRoom) -> None:
        self.rules = SplitRules(problem, room)
        self.tensors, self.operators = problem["tensors"], problem["operators"]
        self.writers = {one["output"]["tensor"]: number for number, one in enumerate(self.operators)}
        self.names: list[str] = []
        self.domains: list[WordDomain] = []
        for number in range(len(self.tensors)):
            if number not in self.writers:
                self._add_placements(number)
        for number, one in enumerate(self.operators):
            trained, factors = self._has_parameters(number), self._factors(number)
            self._add(one["name"], self.rules.of_operator(one, factors, trained=trained))
            self._add_placements(one["output"]["tensor"])
        self.places = {name: place for place, name in enumerate(self.names)}
        every = {*self.names, *(one["name"] + STORAGE for one in self.operators)}
        expect(len(every) == len(self.names) + len(self.operators), "header.json: problem: names: two mean the same")
        unknown = short(sorted(problem["fix"].keys() - self.places.keys()))
        expect(unknown == "[]", f"header.json: problem: fix: there is nothing that is called {unknown}")

    def _add(self, name: str, domain: WordDomain) -> None:
        self.names.append(name)
        self.domains.append(domain)

    def _add_placements(self, number: int) -> None:
        tensor = self.tensors[number]
        for ending in (FORWARD, GRADIENT)[: 1 + tensor["has_gradient"]] if number in self.shared else ():
            name, partial = tensor["name"] + ending, ending == GRADIENT
            self._add(name, self.rules.of_placement(self.dims(number), tensor["sizes"], name, partial=partial))

    def _has_parameters(self, number: int) -> bool:
        read = (self.tensors[operand["tensor"]]["role"] for operand in self.operators[number]["operands"])
        return "parameter" in read

    def _factors(self, number: int) -> frozenset[str]:
        """Return the dimensions of an operator of which some tensor has more places or fewer than the operator."""
        one = self.operators[number]
        known = (
            (operand["dims"], self.tensors[operand["tensor"]]["sizes"]) for operand in (*one["operands"], one["output"])
        )
        pairs = (pair for dims, sizes in known for pair in zip(dims, sizes, strict=True))
        return frozenset(dim for dim, size in pairs if dim is not None and one["sizes"][dim] != size)

    @cached_property
    def readers(self) -> Mapping[int, Sequence[tuple[int, int]]]:
        """By tensor, which operators read it, and as which operand."""
        found = defaultdict[int, list[tuple[int, int]]](list)
        for number, one in enumerate(self.operators):
            for place, operand in enumerate(one["operands"]):
                found[operand["tensor"]].append((number, place))
        return found

    @cached_property
    def shared(self) -> frozenset[int]:
        """The tensors whose placements are decided: that several operands read, and that are no inputs."""
        counts = Counter(operand["tensor"] for one in self.operators for operand in one["operands"])
        return frozenset(n for n, count in counts.items() if count > 1 and self.tensors[n]["role"] != "input")

    def dims(self, number: int) -> Sequence[str | None]:
        """Return what a tensor's dimensions are called: as by who writes it, or who reads it first."""
        if number in self.writers:
            found: Sequence[str | None] = self.operators[self.writers[number]]["output"]["dims"]
        else:
            reader, place = self.readers[number][0]
            found = self.operators[reader]["operands"][place]["dims"]
        return found

    def shape(self, number: int) -> tuple[tuple[int, ...], int]:
        """Return the sizes of a tensor's dimensions, and the bytes of an element."""
        tensor = self.tensors[number]
        return tuple(tensor["sizes"]), int(tensor["element_bytes"])

    def place(self, number: int) -> int:
        """Return which variable an operator is."""
        name: str = self.operators[number]["name"]
        return self.places[name]

    def needed(self, number: int, dims: Sequence[str | None]) -> Lies:
        """Return how an operator needs an operand, or the gradient of its output: in shards, or whole."""
        return self._along(number, dims, [*self.operators[number]["splits"], "none"])

    def written(self, number: int) -> Lies:
        """Return how an operator's output lies: in shards, or in partial sums where it lacks what is split."""
        return self._along(number, self.operators[number]["output"]["dims"], ["none"])

    def gradient(self, number: int, place: int) -> Lies:
        """Return how an operand's gradient lies: likewise; of what is added to the output it sums over that alone."""
        one, operand = self.operators[number], self.operators[number]["operands"][place]
        apart = {*one["splits"]} - {*one["output"]["dims"]} if operand["is_added"] else set()
        return self._along(number, operand["dims"], [*apart, "none"])

    def summed(self, number: int, dims: Sequence[str]) -> Lies:
        """Return how a statistic of an operator lies before it is summed up."""
        return self._along(number, dims, ["none"])

    def _along(self, number: int, dims: Sequence[str | None], whole: Sequence[str]) -> Lies:
        """Return how a tensor lies by an operator's words.

        Parameters
        ----------
        number
            The operator.
        dims
            What runs along the tensor's dimensions: it lies in shards where that is split.
        whole
            Where what is split leaves it whole; else it is in partial sums.
        """
        domain, codes = self.domains[self.place(number)], dict.fromkeys(whole, WHOLE)
        codes |= {one: place for place, one in enumerate(dims) if one is not None}
        return Lies(domain, tuple(codes.get(one, PARTIAL) for one in domain.letters))

    def placed(self, number: int, ending: str) -> Lies:
        """Return how a tensor lies for its readers, or its gradient, by its placements."""
        domain = self.domains[self.places[self.tensors[number]["name"] + ending]]
        codes = {one: place for place, one in enumerate(self.dims(number))} | {"whole": WHOLE, "partial": PARTIAL}
        return Lies(domain, tuple(codes[one] for one in domain.letters))
