"""From a graph of operators to a CostGraph over their words.

A variable an operator: its words. A tensor that several operators read is converted once for those that need it alike,
so that it has two variables of its own, of where it lies for its readers and of where its gradient is added up; the
writer pays the way to the first, every reader that from it, and likewise back. What one operator reads is converted
directly, on the edge of the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from math import prod
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from hypar_opt.cost.operators.agreeing import DecidedTogether
from hypar_opt.cost.operators.charges import Received
from hypar_opt.cost.operators.conversion_edges import ConversionEdges
from hypar_opt.cost.operators.decided import Decided
from hypar_opt.cost.operators.domains import FORWARD, RECOMPUTE, Domain
from hypar_opt.cost.operators.emitted import ReceivedAsEmitted
from hypar_opt.cost.operators.memory import Occupancy
from hypar_opt.cost.operators.model import SHARDED, OperatorModel
from hypar_opt.cost.operators.placements import (
    needed,
    stored,
    summed_statistic,
    written_gradient,
)
from hypar_opt.cost.operators.recompute import CHOOSE
from hypar_opt.cost.operators.sharing import Sharing, repeats_of
from hypar_opt.cost.operators.tensor_costs import TensorCosts
from hypar_opt.costgraph import (
    Capacity,
    CostGraph,
    Edge,
    Objective,
    Repeats,
    TableUnary,
    Variable,
)
from hypar_opt.instance.operators.repeated import blocks_of
from hypar_opt.util.interrupt import asking, never
from hypar_opt.util.records import renamed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.cost.operators.charges import ConversionCharge
    from hypar_opt.cost.operators.placements import Placements
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.operators import Operand, Operator, OperatorGraph, Tensor

T = TypeVar("T")
COMPILING: Final = "while operators were compiled"
"""What is being done when it has to stop."""


@dataclass(frozen=True, eq=False)
class CompiledOperators:
    """A graph of operators compiled.

    Parameters
    ----------
    graph
        The operators.
    model
        How they may be split.
    objective
        Weighs what is charged.
    given
        What is charged; bytes unless given.
    like
        The same operators compiled by another charge: what is decided is taken from there.
    over
        Asked now and then whether to stop, which raises `Interrupted`.

    Raises
    ------
    InputError
        When it is compiled, if an operator has no word.
    Refusal
        If one has too many.
    """

    graph: OperatorGraph
    model: OperatorModel
    objective: Objective
    given: ConversionCharge | None = None
    like: CompiledOperators | None = None
    over: Callable[[], bool] = never

    @cached_property
    def charge(self) -> ConversionCharge:
        """What is charged."""
        if self.given is not None:
            return self.given
        if self.model.conversions is not None:
            return ReceivedAsEmitted(self.graph, self.model.axes, self.model.conversions)
        inwards = tuple(range(self.model.partition.levels))[::-1]
        return Received(self.graph, self.model.axes, inwards if self.model.padded else None)

    @cached_property
    def domains(self) -> tuple[Domain, ...]:
        """What is decided, in the order of the variables: an operator, then the placements of what it writes."""
        if self.like is not None:
            return self.like.domains
        return Decided(self.graph, self._sharing).domains(self.over, COMPILING)

    @cached_property
    def _sharing(self) -> Sharing:
        """What is the same for operators that are alike."""
        return Sharing(self.graph, self.model)

    @cached_property
    def decisions(self) -> Mapping[str, str]:
        """By name of what is decided and says of a block whether that runs once more, what plans call that."""
        if self.model.recompute != CHOOSE:
            return {}
        again, blocks = self._sharing.again, blocks_of(self.graph)
        whose = {one.name: again.block(one) for one in self.graph.operators}
        whose |= {name + FORWARD: again.interior.get(name) for name in self._shared}
        return {name: blocks[block].name + RECOMPUTE for name, block in whose.items() if block is not None}

    @property
    def _shared(self) -> frozenset[str]:
        """The tensors that have placements of their own."""
        return self._sharing.shared

    @cached_property
    def index(self) -> Mapping[str, int]:
        """By name, the variables' positions."""
        return {domain.name: place for place, domain in enumerate(self.domains)}

    @cached_property
    def costgraph(self) -> CostGraph:
        """The CostGraph; costs are in the units of the charge, bytes in 1 / devices of one."""
        sharing, component = self._sharing, self.charge.component
        own = [self._zeros(len(domain.values)) for domain in self.domains]
        for piece in asking(sharing.equal.pieces, self.over, COMPILING):
            if piece.like is None:
                operator = self.graph.operators[piece.start]
                own[self.index[operator.name]] = sharing.of_alike("own", operator, partial(self._own, operator))
        self._copy(own)
        conversions = TensorCosts(self.graph, self.charge, self.domains, self.index, sharing)
        edges = ConversionEdges(conversions).every(own, self.over, COMPILING)
        self._copy(own)
        costs = {id(one): {component: TableUnary(one)} for one in own}
        unary = tuple(costs[id(one)] for one in own)
        objective = self.objective.divided(self.charge.unit)
        joined = (*edges, *self.agreeing)
        return CostGraph(self.variables, unary, joined, objective, self.capacities, repeats=self.repeats)

    def _copy(self, own: list[Array]) -> None:
        """Give the variables of blocks that are copies what those of their like have."""
        operators, index = self.graph.operators, self.index
        for start, like in self._sharing.equal.copies.items():
            length = self._sharing.equal.lengths[start]
            place, first, last = (index[operators[one].name] for one in (start, like, like + length))
            own[place : place + last - first] = own[first:last]

    @cached_property
    def _blocks(self) -> DecidedTogether:
        return DecidedTogether(self.graph, self.domains, self.index, self._sharing)

    @property
    def agreeing(self) -> tuple[Edge, ...]:
        """Edges that cost nothing: what is said of the same block by several has to agree."""
        return self._blocks.edges

    @cached_property
    def kept_longer(self) -> Mapping[str, tuple[str, ...]]:
        """By name of where a map lies for all, the decisions by which it may be kept longer than in any case."""
        return {name: tuple(map(self.decisions.__getitem__, readers)) for name, readers in self._blocks.longer.items()}

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """One for each that is decided; those of operators say what each value splits."""
        kinds = {operator.name: operator.kind for operator in self.graph.operators}
        made: dict[tuple[int, str | None], Variable] = {}
        found: list[Variable] = []
        for domain in self.domains:
            kind = kinds.get(domain.name)
            known = made.get((id(domain.values), kind))
            if known is None:
                said = ({}, ()) if kind is None else ({"kind": kind}, domain.words)
                known = made[id(domain.values), kind] = Variable(domain.name, len(domain.values), None, *said)
            found.append(renamed(known, name=domain.name))  # equal blocks have equal variables
        return tuple(found)

    @cached_property
    def occupancy(self) -> Occupancy:
        """What is in a device's memory at every moment of a step."""
        return Occupancy(self.graph, self.model, self.domains, self._sharing)

    @cached_property
    def capacities(self) -> tuple[Capacity, ...]:
        """The memory where it matters, at the turn of the step: a relaxation of what it is at all moments."""
        return () if self.model.memory is None else (self.occupancy.relaxed(self.occupancy.moments.turn),)

    @cached_property
    def repeats(self) -> tuple[Repeats, ...]:
        """Blocks of variables that are alike, as far as the operators say."""
        return repeats_of(self.graph, self.index, len(self.domains))

    def _zeros(self, size: int) -> Array:
        return self._sharing.once(("zeros", size), lambda: np.zeros(size, dtype=self.charge.dtype))

    def _own(self, operator: Operator) -> Array:
        """Return what an operator's words cost by themselves: statistics, halos, and gradients of its parameters."""
        words = self.domains[self.index[operator.name]].words
        found = np.zeros(len(words), dtype=self.charge.dtype)
        runs = 1 + self._sharing.runs(operator).astype(self.charge.dtype)
        for one in operator.statistics:
            shape = tuple(operator.sizes[dim] for dim in one.dims)
            for numbers, times in ((one.forward, runs), (one.backward, 1)):
                size = prod(shape) * numbers * one.element_bytes
                found += times * self.charge.all_reduce(size, summed_statistic(one, words), shape)
        for place, operand in enumerate(operator.operands):
            tensor = self.graph.tensors[operand.tensor]
            need = needed(operand, words)
            if operand.windows and tensor.role != "input":  # inputs are loaded with their halos
                phases = 1 + self._sharing.rows_again(operator, place) + self.graph.has_gradient(operand)
                found += phases.astype(found.dtype) * self.charge.halo(operand, tensor, need)
            if tensor.role == "parameter" and tensor.has_gradient and operand.tensor not in self._shared:
                found += self._updates(operator, operand, tensor, need)
        return found

    def _updates(self, operator: Operator, operand: Operand, tensor: Tensor, need: Placements) -> Array:
        """Return what a parameter costs that one operator reads: its gradient's sums, and its own gathers."""
        domain = self.domains[self.index[operator.name]]
        gradient = written_gradient(operator, operand, domain.words)
        update = self.charge.conversion(tensor.bytes, gradient, need, tensor.sizes)
        sharded = np.array([value.storage == SHARDED for value in domain.values])
        if not sharded.any():
            return update
        kept = stored(gradient, need)
        gathered = self.charge.conversion(tensor.bytes, kept, need, tensor.sizes)
        scattered = self.charge.conversion(tensor.bytes, gradient, kept, tensor.sizes)
        again = self._sharing.runs(operator) | operand.saved  # what runs once more is gathered for both
        times = 1 + again.astype(self.charge.dtype)
        return np.where(sharded, times * gathered + scattered, update)
