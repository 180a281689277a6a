"""Operations, accesses and seconds of every layer in every phase."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from hypar_opt.evaluation.step.slices import Slice, StepSetting

if TYPE_CHECKING:
    from hypar_opt.instance.network import WorkLayer, Workload


@dataclass(frozen=True)
class OnGrid:
    """A two-dimensional convolution laid out on rows and columns of processing elements.

    Parameters
    ----------
    kernel_height, kernel_width
        Of what slides; a row of elements holds a row of it.
    out_height, out_width
        Of what is made; a column of elements makes a row of it.
    rows, columns
        Of the grid.
    """

    kernel_height: int
    kernel_width: int
    out_height: int
    out_width: int
    rows: int
    columns: int

    @property
    def filled(self) -> Fraction:
        """Share of the elements that work."""
        down = self.kernel_height * self.sets_down / Fraction(ceil(Fraction(self.kernel_height, self.rows)))
        across = self.out_height * self.sets_across / Fraction(ceil(Fraction(self.out_height, self.columns)))
        return down * across / (self.rows * self.columns)

    @property
    def sets_down(self) -> int:
        """Copies above each other; they work on different channels and add up."""
        return max(1, self.rows // self.kernel_height)

    @property
    def sets_across(self) -> int:
        """Copies beside each other; they work for different filters on the same input."""
        return max(1, self.columns // self.out_height)

    @property
    def accesses(self) -> Fraction:
        """Accesses to the buffer for a multiply-accumulate."""
        # multiply-accumulates that an input word serves once it is read from the buffer, and a word of the kernel
        input_uses = self.kernel_height * self.kernel_width * self.sets_across
        kernel_uses = min(self.out_height, self.columns) * self.out_width
        # multiply-accumulates that are added up before a partial sum goes to the buffer and back
        sum_uses = min(self.kernel_height, self.rows) * self.kernel_width * self.sets_down
        return Fraction(1, input_uses) + Fraction(1, kernel_uses) + Fraction(2, sum_uses)


StepPhase: TypeAlias = Literal["forward", "backward", "gradient", "update"]
"""A part of a training step."""
PHASES: Final[tuple[StepPhase, ...]] = ("forward", "backward", "gradient", "update")
"""In the order of a training step."""
NOTHING: Final = Fraction(0)


@dataclass(frozen=True)
class Stage:
    """What one accelerator computes of one layer in one phase.

    Parameters
    ----------
    layer, phase
        Which.
    seconds
        How long that takes.
    multiplies, adds
        Operations.
    sram, dram
        Accesses to the buffer and to the memory, in elements.
    """

    layer: str
    phase: StepPhase
    seconds: Fraction = NOTHING
    multiplies: Fraction = NOTHING
    adds: Fraction = NOTHING
    sram: Fraction = NOTHING
    dram: Fraction = NOTHING


def phase_seconds(
    work: Workload, strategies: Mapping[str, str], setting: StepSetting
) -> Mapping[tuple[int, StepPhase], Fraction]:
    """Return how long every accelerator computes, by position of the layer and phase; joins compute nothing."""
    position = {layer.name: i for i, layer in enumerate(work.layers)}
    return {(position[one.layer], one.phase): one.seconds for one in stages_of(work, strategies, setting)}


def stages_of(work: Workload, strategies: Mapping[str, str], setting: StepSetting) -> tuple[Stage, ...]:
    """Return every weighted layer's phases."""
    count = COUNTS[setting.accelerator.model]
    found: list[Stage] = []
    for layer in work.layers:
        if not layer.is_join:
            part = Slice.of(layer, strategies[layer.name], setting.batch, setting.partition)
            found += _needed(layer, count(layer, part, setting), setting)
    return tuple(found)


def _needed(layer: WorkLayer, stages: Iterator[Stage], setting: StepSetting) -> Iterator[Stage]:
    """Yield a layer's phases; where nobody asks for the error of the network's input, backward has nothing to do."""
    skipped = layer.reads_input and not setting.input_error
    for one in stages:
        yield Stage(layer.name, "backward") if skipped and one.phase == "backward" else one


def _as_evaluated(layer: WorkLayer, part: Slice, setting: StepSetting) -> Iterator[Stage]:
    """Every phase multiplies and adds on the input positions and takes each word that is held from memory once."""
    held = part.weight(layer) + part.feature_in(layer) + part.feature_out(layer)
    macs = part.macs_on_input(layer)
    for phase in PHASES[:3]:
        yield Stage(layer.name, phase, _busy(layer, phase, macs, setting), macs, macs, NOTHING, held)
    yield Stage(layer.name, "update")


def _at_peak(layer: WorkLayer, part: Slice, setting: StepSetting) -> Iterator[Stage]:
    """Every phase multiplies and adds on the output positions; nothing is said of accesses."""
    macs = part.macs(layer)
    for phase in PHASES[:3]:
        yield Stage(layer.name, phase, _busy(layer, phase, macs, setting), macs, macs)
    yield Stage(layer.name, "update")


def _row_stationary(layer: WorkLayer, part: Slice, setting: StepSetting) -> Iterator[Stage]:
    """Every phase reads two tensors and makes the third."""
    tensors = {"F": part.feature_in(layer), "W": part.weight(layer), "E": part.written(layer)}
    macs = part.macs(layer)
    makes: dict[StepPhase, str] = {"forward": "E", "backward": "F", "gradient": "W"}
    for phase, made in makes.items():
        first, second = (size for name, size in tensors.items() if name != made)
        dram = tensors[made] + _read(first, second, tensors[made], setting)
        seconds = max(_busy(layer, phase, macs, setting), _moving(dram, setting))
        yield Stage(layer.name, phase, seconds, macs, macs, macs * _on_grid(layer, phase, setting).accesses, dram)
    rule, weight = setting.optimiser, part.weight(layer)
    dram = (2 + rule.states) * weight + (1 + rule.states) * weight  # read, then written; the gradient is only read
    seconds = max((rule.multiplies + rule.adds) * weight / setting.accelerator.rate, _moving(dram, setting))
    yield Stage(layer.name, "update", seconds, rule.multiplies * weight, rule.adds * weight, NOTHING, dram)


def _read(first: Fraction, second: Fraction, made: Fraction, setting: StepSetting) -> Fraction:
    """Return the reads of two tensors while one of them, or what they make, stays in the buffer a chunk at a time."""
    assert setting.accelerator.buffer is not None  # the schema asks for it
    chunk = setting.accelerator.buffer / setting.bytes_per_element
    one_stays = (stays + passes * ceil(stays / chunk) for stays, passes in ((first, second), (second, first)))
    return min(*one_stays, (first + second) * ceil(made / chunk))


def _moving(elements: Fraction, setting: StepSetting) -> Fraction:
    pace = setting.accelerator.bandwidth
    return NOTHING if pace is None else elements * setting.bytes_per_element / pace


def _busy(layer: WorkLayer, phase: StepPhase, macs: Fraction, setting: StepSetting) -> Fraction:
    """Return the seconds of so many multiply-accumulates, two operations each."""
    reached = setting.accelerator.utilisation
    if reached is None:
        reached = _on_grid(layer, phase, setting).filled
    return 2 * macs / (setting.accelerator.rate * reached)


def _on_grid(layer: WorkLayer, phase: StepPhase, setting: StepSetting) -> OnGrid:
    """Forward slides the kernel and makes the output map, backward makes the input map, gradient slides E, makes W."""
    assert setting.accelerator.grid is not None  # the schema asks for it
    slides, makes = layer.kernel, layer.map_out
    if phase == "backward":
        makes = layer.map_in
    elif phase == "gradient":
        slides, makes = layer.map_out, layer.kernel
    return OnGrid(*slides, *makes, *setting.accelerator.grid)


COUNTS: Final[Mapping[str, Callable[[WorkLayer, Slice, StepSetting], Iterator[Stage]]]] = MappingProxyType(
    {"as-evaluated": _as_evaluated, "row-stationary": _row_stationary, "peak": _at_peak}
)
"""By model, what counts a layer's phases."""
