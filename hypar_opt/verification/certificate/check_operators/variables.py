"""The variables of a network of operators, and how tensors lie by their values."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

from .archive import expect
from .domains import FORWARD, GRADIENT, STORAGE, Domain, Rules
from .placements import PARTIAL, WHOLE, Lies

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .exact import Room


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

    def __init__(self, problem: Mapping[str, Any], room: Room) -> None:
        self.rules = Rules(problem, room)
        self.tensors, self.operators = problem["tensors"], problem["operators"]
        self.writers = {one["output"]["tensor"]: number for number, one in enumerate(self.operators)}
        self.names: list[str] = []
        self.domains: list[Domain] = []
        for number in range(len(self.tensors)):
            if number not in self.writers:
                self._add_placements(number)
        for number, one in enumerate(self.operators):
            self._add(one["name"], self.rules.of_operator(one, trained=self._has_parameters(number)))
            self._add_placements(one["output"]["tensor"])
        self.places = {name: place for place, name in enumerate(self.names)}
        every = {*self.names, *(one["name"] + STORAGE for one in self.operators)}
        expect(len(every) == len(self.names) + len(self.operators), "header.json: problem: names: two mean the same")

    def _add(self, name: str, domain: Domain) -> None:
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

    def bytes(self, number: int) -> int:
        """Return what all of a tensor takes."""
        tensor = self.tensors[number]
        return prod([int(size) for size in (tensor["element_bytes"], *tensor["sizes"])])

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
