"""From a plan to the tasks of one training step, with the dependencies that its data have.

Forward, layer by layer: F is fetched over every boundary into the layer, the layer computes, and what its mp levels
leave as partial sums is added up. Backward, from the last layer: E is fetched over every boundary out of it, the layer
computes the E before it and its op levels are added up, then its gradient, whose dp levels are added up, then its
update. The first layer computes an E too, as the communication of its op levels is charged; with `cost.input_error:
false` that takes no time, and there is nothing of it to add up.

Inside an exchange the levels follow one another. What is fetched goes root first, a group before its halves. Partial
sums are added leaves first: what the halves of a group exchange are the sums of the levels below.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from hypar_opt.evaluation.choices import halving_of
from hypar_opt.evaluation.step import PHASES, StepPhase
from hypar_opt.studies.simulation.tasks import Compute, Task, TaskGraph, Transfer, watched
from hypar_opt.util.errors import Refusal
from hypar_opt.util.partition import Partition, halved_to

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hypar_opt.evaluation.communication import Breakdown, Bytes, Phase
    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.network import Workload

T = TypeVar("T")
Seconds: TypeAlias = "Mapping[tuple[int, StepPhase], Fraction]"
"""By a layer's position and phase: how long one accelerator computes it (`hypar_opt.evaluation.step.phase_seconds`)."""
Ready: TypeAlias = list[tuple[int, ...]]
"""For every leaf the tasks after which it has what it needs of a tensor."""
MOST_TASKS = 1_000_000
"""Of a step that is simulated: about 1.5 GB."""


def build_step(
    work: Workload,
    strategies: Mapping[str, str],
    breakdown: Breakdown,
    placed: Sequence[int],
    seconds: Seconds,
    limits: Limits | None = None,
    partition: Partition | None = None,
) -> TaskGraph:
    """Return the tasks of one training step.

    Parameters
    ----------
    strategies
        By layer.
    breakdown
        What the plan exchanges: `problem.bytes_of(strategies)`.
    placed
        An accelerator's position for every leaf.
    seconds
        Of every weighted layer and phase; joins compute nothing.
    limits
        Its deadline and its flag end the work.
    partition
        How the array is cut; into halves if None.

    Raises
    ------
    ValueError
        If the seconds of a layer are missing, or a strategy has another length than the placement's levels.
    Refusal
        If there are too many tasks.
    SimulationStopped
        If the limits are over before the end.
    """
    cut = halved_to(len(placed)) if partition is None else partition
    _check(work, strategies, cut, seconds)
    step = _Step(work, strategies, breakdown, tuple(placed), cut, seconds, limits)
    step.check_size()
    step.forward()
    step.backward()
    return TaskGraph(tuple(step.tasks))


def _check(work: Workload, strategies: Mapping[str, str], partition: Partition, seconds: Seconds) -> None:
    levels = partition.levels
    for number, layer in enumerate(work.layers):
        if len(strategies[layer.name]) != levels:
            word = strategies[layer.name]
            raise ValueError(f"'{layer.name}' has the strategy '{word}', the placement has {levels} levels")
        missing = [phase for phase in PHASES if (number, phase) not in seconds]
        if missing and not layer.is_join:
            raise ValueError(f"the seconds of '{layer.name}' are missing: {', '.join(missing)}")


@dataclass
class _Step:
    """A step as it is built."""

    work: Workload
    strategies: Mapping[str, str]
    breakdown: Breakdown
    placed: tuple[int, ...]
    partition: Partition
    seconds: Seconds
    limits: Limits | None = None
    tasks: list[Task] = field(default_factory=list)
    features: dict[int, Ready] = field(default_factory=dict)
    errors: dict[int, Ready] = field(default_factory=dict)
    stage: int = 0

    def check_size(self) -> None:
        rows = (*self.breakdown.intra, *self.breakdown.forward, *self.breakdown.backward)
        transfers = sum(self.partition.routes(h) for row in rows for h, volume in enumerate(row) if volume)
        count = 4 * len(self.work.layers) * len(self.placed) + transfers
        if count > MOST_TASKS:
            raise Refusal(
                f"one step of this plan has {count:,} tasks, and at most {MOST_TASKS:,} are simulated; "
                "take fewer levels"
            )

    def forward(self) -> None:
        """Every layer in topological order."""
        for number in range(len(self.work.layers)):
            ready = self._nothing()
            for i, edge in enumerate(self.work.boundaries):
                if edge.reader == number:
                    volumes, made = enumerate(self.breakdown.forward[i]), self.features[edge.producer]
                    ready = _both(ready, self._exchange(self._between(i), "forward", volumes, made))
            self.features[number] = self._compute_and_sum(number, "forward", ready)

    def backward(self) -> None:
        """Every layer in reverse order: its E, its gradient, its update."""
        for number in reversed(range(len(self.work.layers))):
            ready = self._nothing()
            readers = [(i, edge) for i, edge in enumerate(self.work.boundaries) if edge.producer == number]
            for i, edge in readers:
                volumes, made = enumerate(self.breakdown.backward[i]), self.errors[edge.reader]
                ready = _both(ready, self._exchange(self._between(i), "backward", volumes, made))
            if not readers:  # the loss, which costs nothing, turns what leaves the network into its error
                ready = self.features[number]
            own = len(self.tasks)
            self.errors[number] = self._compute_and_sum(number, "backward", ready)
            if not self.work.layers[number].is_join:
                gradient = self._compute_and_sum(number, "gradient", ready)
                # the weights may be replaced only after the backward phase has read them
                self._compute(number, "update", [(*waits, own + leaf) for leaf, waits in enumerate(gradient)])

    def _watched(self, leaves: Iterable[T]) -> Iterator[T]:
        return watched(leaves, self.limits, "while the tasks of the step were made")

    def _nothing(self) -> Ready:
        return [()] * len(self.placed)

    def _between(self, i: int) -> str:
        edge = self.work.boundaries[i]
        return f"{self.work.layers[edge.producer].name} -> {self.work.layers[edge.reader].name}"

    def _compute_and_sum(self, number: int, phase: Phase, ready: Ready) -> Ready:
        """Compute a phase of a layer and add up its partial sums, leaves first."""
        layer = self.work.layers[number]
        after = self._compute(number, phase, ready)
        word, row = self.strategies[layer.name], self.breakdown.intra[number]
        summed = [h for h in reversed(range(self.partition.levels)) if halving_of(layer, word[h]).phase == phase]
        return self._exchange(layer.name, phase, ((h, row[h]) for h in summed), after)

    def _compute(self, number: int, phase: StepPhase, ready: Ready) -> Ready:
        layer, first = self.work.layers[number], len(self.tasks)
        seconds = Fraction(0) if layer.is_join else self.seconds[number, phase]
        for site, waits in self._watched(zip(self.placed, ready, strict=True)):
            self.tasks.append(Compute(layer.name, phase, site, seconds, self.stage, waits))
        self.stage += 1
        return [(first + leaf,) for leaf in range(len(self.placed))]

    def _exchange(self, name: str, phase: Phase, volumes: Iterable[tuple[int, Bytes]], ready: Ready) -> Ready:
        """At every level each leaf sends to its peers what it has; it then has what came as well."""
        for h, volume in volumes:
            if not volume:
                continue
            amount, coming = Fraction(volume) / self.partition.routes(h), [list(waits) for waits in ready]
            for leaf, source in self._watched(enumerate(self.placed)):
                for peer in self.partition.peers(leaf, h):
                    coming[peer].append(len(self.tasks))
                    target = self.placed[peer]
                    self.tasks.append(Transfer(name, phase, h, source, target, amount, self.stage, ready[leaf]))
            ready = list(map(tuple, coming))
            self.stage += 1
        return ready


def _both(one: Ready, other: Ready) -> Ready:
    """Return when a leaf has both of two tensors."""
    return [tuple(dict.fromkeys((*a, *b))) for a, b in zip(one, other, strict=True)]
