"""From a pipeline to a StageGraph: operators that have to stand on one device are one group."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np

from hypar_opt.cost.pipeline_batch import BatchParts, has_batch
from hypar_opt.cost.pipeline_crossings import crossings_of
from hypar_opt.cost.pipeline_given import flattened, with_machines
from hypar_opt.cost.pipeline_memory import KeptBytes
from hypar_opt.cost.pipeline_options import OptionKey, OptionMaker
from hypar_opt.costgraph.pipeline import StageGraph

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.cost.pipeline_given import MachineTimes
    from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator


@dataclass(frozen=True, eq=False)
class CompiledPipeline:
    """A pipeline as formulations read it.

    Parameters
    ----------
    graph
        Of groups.
    group_of
        By operator, its group.
    options
        How options are made, and which each is.
    anew
        By option, group and number of its way, operators that compute their activations anew; of other ways none does.
    moved
        Operators that stand in their group only because that makes nothing slower; elsewhere they may, too.
    machines
        What stages take on machines, and what is inside of them; None where devices are in none.
    """

    graph: StageGraph
    group_of: Mapping[str, int]
    options: tuple[OptionMaker, ...]
    anew: Mapping[tuple[int, int, int], frozenset[str]]
    moved: frozenset[str] = frozenset()
    machines: MachineTimes | None = None


def compile_pipeline(instance: PipelineInstance, *, idle_apart: bool = False) -> CompiledPipeline:
    """Return a pipeline's groups and what they cost on each kind of device.

    Operators that are to stand together are a group, and so are those between which paths lead both ways where stages
    are contiguous. A group that takes no time anywhere and exchanges outputs with one other group alone is put to that
    where all operators fit on one device of any kind, none a machine: this makes no device slower. Not so where a
    batch's time by a schedule counts: there a further stage can have those before it do more microbatches forward
    first.

    Parameters
    ----------
    instance
        The pipeline.
    idle_apart
        Whether groups that take no time stand alone all the same, as where each is asked after.
    """
    groups = _Groups(flattened(instance) if instance.has_machines else instance)
    if instance.contiguous:
        groups.join_circles()
    if instance.has_machines:
        compiled = groups.compiled()
        sizes = [one.read(1) for one in crossings_of(groups.reads(), compiled.group_of).values()]
        graph, machines = with_machines(instance, compiled.graph, compiled.group_of, sizes)
        return replace(compiled, graph=graph, machines=machines)
    if not idle_apart and groups.everything_fits and not has_batch(instance):
        groups.join_idle()
    return groups.compiled()


class _Groups:
    """Groups while they are put together."""

    def __init__(self, instance: PipelineInstance) -> None:
        self.instance = instance
        self.operators = {one.name: one for one in instance.operators}
        self.joined = nx.utils.UnionFind(self.operators)
        self.moved: set[str] = set()
        together: dict[str, str] = {}
        for one in instance.operators:
            if one.together is not None:
                self.joined.union(together.setdefault(one.together, one.name), one.name)

    @property
    def everything_fits(self) -> bool:
        """Whether all operators together fit on one device of every kind, in whichever way."""
        kept = KeptBytes(self.instance)
        whole = []
        for tensor in self.instance.degrees:
            every = ((one.way(tensor), one.way(tensor, anew=True)) for one in self.instance.operators)
            most = (max((kept.of(way, kept.most) for way in ways if way is not None), default=0) for ways in every)
            whole.append(sum(most, start=Fraction(0)))
        return all(kind.memory is None or max(whole) <= kind.memory for kind in self.instance.kinds)

    def reads(self) -> Iterator[tuple[PipelineOperator, PipelineOperator]]:
        """Yield who makes what another needs, and who needs it."""
        for reader in self.instance.operators:
            for name in reader.reads:
                yield self.operators[name], reader

    def order(self) -> nx.DiGraph[str]:
        """Return which groups come no later than which.

        Forward operators come before those that read them. A backward operator is where its group is; where that has
        no forward operators it comes in the opposite order, as its forward one would.
        """
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(dict.fromkeys(self.joined[name] for name in self.operators))
        forward = {self.joined[one.name] for one in self.instance.operators if one.phase == "forward"}
        for maker, reader in self.reads():
            first, second = self.joined[maker.name], self.joined[reader.name]
            if first == second:
                continue
            if maker.phase == reader.phase == "forward":
                graph.add_edge(first, second)
            elif maker.phase == reader.phase == "backward" and not {first, second} <= forward:
                graph.add_edge(second, first)
        return graph

    def join_circles(self) -> None:
        """Put groups together between which paths lead both ways."""
        for circle in list(nx.strongly_connected_components(self.order())):
            self.joined.union(*circle)

    def join_idle(self) -> None:
        """Put groups that take no time, and have one neighbour, to that."""
        waiting = True
        while waiting:
            waiting = False
            near: dict[str, set[str]] = {}
            for maker, reader in self.reads():
                first, second = self.joined[maker.name], self.joined[reader.name]
                if first != second:
                    near.setdefault(first, set()).add(second)
                    near.setdefault(second, set()).add(first)
            members = self._members()
            for group, others in near.items():
                (other,) = others if len(others) == 1 else (None,)
                if other is not None and self._is_idle(members[group], members[other]):
                    self.joined.union(other, group)
                    self.moved.update(one.name for one in members[group])
                    waiting = True
                    break

    def _is_idle(self, group: Sequence[PipelineOperator], other: Sequence[PipelineOperator]) -> bool:
        """Return whether a group takes no time on any devices that another may stand on, and may stand there.

        Replicas take time for parameters, too.
        """
        return all(
            (way := one.way(tensor)) is not None
            and kind.name in way.seconds
            and way.computing(kind.name) == kind.addition(way.parameters, kind.replicas) == 0
            for tensor in self.instance.degrees
            for kind in self.instance.kinds
            if all((own := each.way(tensor)) is not None and kind.name in own.seconds for each in other)
            for one in group
        )

    def _members(self) -> dict[str, list[PipelineOperator]]:
        found: dict[str, list[PipelineOperator]] = {}
        for one in self.instance.operators:
            found.setdefault(self.joined[one.name], []).append(one)
        return found

    def compiled(self) -> CompiledPipeline:
        """Return the graph, its groups in an order that keeps theirs."""
        instance, members = self.instance, self._members()
        order = self.order()
        first = {name: place for place, name in enumerate(self.operators)}
        places = {group: min(first[one.name] for one in own) for group, own in members.items()}
        roots = (
            list(nx.lexicographical_topological_sort(order, key=places.__getitem__))
            if instance.contiguous
            else sorted(members, key=places.__getitem__)
        )
        number = {root: place for place, root in enumerate(roots)}
        group_of = {name: number[self.joined[name]] for name in self.operators}
        outputs = crossings_of(self.reads(), group_of)
        kept = KeptBytes(instance)
        groups = [members[root] for root in roots]
        made = [
            OptionMaker(instance, place, kind, key, groups, list(outputs.values()), kept)
            for place, kind in enumerate(instance.kinds)
            for key in _keys(instance, kind)
        ]
        parts = BatchParts(instance, groups, group_of, [(one.kind, one.replicas) for one in made])
        batch = parts if has_batch(instance) else None
        unit = lcm(*(found.denominator for one in made for found in one.times))
        unit = unit if batch is None else lcm(unit, *batch.unit)
        memory_unit = lcm(*(found.denominator for one in made for own in one.ways for way in own for found in way[1:3]))
        microbatches = instance.microbatches or 1
        sum_weight, max_weight = {
            "slowest-stage": (0, 1),
            "latency": (1, 0),
            "batch-time": (1, microbatches - 1) if instance.schedule is None else (0, microbatches),
        }[instance.goal]
        graph = StageGraph(
            tuple(members[root][0].name for root in roots),
            tuple((number[a], number[b]) for a, b in order.edges),
            np.array([owner for owner, _ in outputs], dtype=np.int64),
            tuple(readers for _, readers in outputs),
            tuple(kind.count for kind in instance.kinds),
            tuple(one.option(unit, memory_unit) for one in made),
            instance.contiguous,
            instance.overlapped,
            sum_weight,
            max_weight,
            unit,
            1 + kept.most - kept.least,
            most_stages=instance.stages,
            places=tuple(places[root] for root in roots),
            batch=None if batch is None else batch.times(unit),
        )
        anew = {
            (option, group, place): way.anew
            for option, one in enumerate(made)
            for group, own in enumerate(one.ways)
            for place, way in enumerate(own)
            if way.anew
        }
        return CompiledPipeline(graph, group_of, tuple(made), anew, frozenset(self.moved))


def _keys(instance: PipelineInstance, kind: DeviceKind) -> Iterator[OptionKey]:
    """Yield the ways to do a stage on devices of a kind."""
    for tensor in instance.degrees:
        pays = kind.memory is not None or any(one.is_quicker_anew(kind.name, tensor) for one in instance.operators)
        whole = [False, True] if instance.recompute == "stages" and pays else [False]
        for replicas in range(1, kind.count // tensor + 1):
            if instance.may_be_replicas(kind, replicas):
                for anew in whole:
                    yield OptionKey(kind.name, replicas * tensor, tensor, anew)
