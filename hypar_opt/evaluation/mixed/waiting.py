"""How long the leaves of every class do what lies between two barriers, and how long a step takes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Literal, TypeAlias

from hypar_opt.evaluation.mixed.boxes import Number
from hypar_opt.evaluation.mixed.division import Division
from hypar_opt.evaluation.mixed.exchanges import by_class, exchanges
from hypar_opt.evaluation.step import StepSetting, phase_seconds
from hypar_opt.instance.barriers import Part
from hypar_opt.instance.network import WorkLayer, Workload
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.evaluation.mixed.exchanges import HalfExchange, Moved
    from hypar_opt.evaluation.mixed.setting import MixedSetting
    from hypar_opt.instance.hardware.mixed import AcceleratorKind

Waits: TypeAlias = tuple[tuple[Number, ...], ...]
"""By wait, seconds by class of leaves."""


@dataclass(frozen=True)
class Stint:
    """How long every class is at one part.

    Parameters
    ----------
    part
        The layer or boundary, and the level.
    doing
        Computing, or what is read.
    seconds
        By class of leaves.
    """

    part: Part
    doing: Literal["computing"] | Moved
    seconds: tuple[Number, ...]


def stints(
    work: Workload, strategies: Mapping[str, str], shares: Mapping[str, Number], setting: MixedSetting
) -> Iterator[Stint]:
    """Yield what every class does, part by part.

    Parameters
    ----------
    strategies
        By layer, a word with a letter for every level.
    shares
        By split, what its first half gets.
    """
    division = Division(setting, shares)
    for at, layer in enumerate(work.layers):
        yield computing(at, layer, strategies[layer.name], division)
    for one in exchanges(work, strategies, shares, setting):
        yield reading(one, setting)


def computing(at: int, layer: WorkLayer, word: str, division: Division) -> Stint:
    """Return how long every class computes a layer.

    Parameters
    ----------
    at
        Position of the layer.
    """
    setting = division.setting
    alone = [alone_seconds(layer, kind, setting) for kind in setting.array.kinds]
    done = division.worked(layer, word)
    seconds = (done[one.path] * alone[one.kind] for one in setting.array.classes)
    return Stint(Part(at), "computing", tuple(seconds))


def alone_seconds(layer: WorkLayer, kind: AcceleratorKind, setting: MixedSetting) -> Fraction:
    """Return how long one accelerator of a kind would compute all of a layer, all phases together."""
    one = StepSetting(
        kind.accelerator, setting.optimiser, setting.batch, halves(0), setting.bytes_per_element, setting.input_error
    )
    phases = phase_seconds(Workload((layer,), ()), {layer.name: ""}, one)
    return sum(phases.values(), start=Fraction(0))


def reading(exchange: HalfExchange, setting: MixedSetting) -> Stint:
    """Return how long every class reads: as long as the half that it is in does."""
    one = by_class(exchange, setting)
    level = one.part.level
    assert level is not None  # only what is computed is of no level
    seconds = (read * pace[level] for read, pace in zip(one.read, setting.seconds_a_byte, strict=True))
    return Stint(one.part, one.moved, tuple(seconds))


def waits(work: Workload, strategies: Mapping[str, str], shares: Mapping[str, Number], setting: MixedSetting) -> Waits:
    """Return how long every class works before each wait, in seconds.

    Parameters
    ----------
    strategies
        By layer, a word with a letter for every level.
    shares
        By split, what its first half gets.
    """
    found: list[tuple[Number, ...]] = [(Fraction(0),) * len(setting.array.classes)] * setting.barrier.waits(
        work, setting.levels
    )
    for one in stints(work, strategies, shares, setting):
        wait = setting.barrier.wait(work, one.part)
        found[wait] = tuple(map(add, found[wait], one.seconds))
    return tuple(found)


def step_time(
    work: Workload, strategies: Mapping[str, str], shares: Mapping[str, Number], setting: MixedSetting
) -> Number:
    """Return the seconds of a step: at every wait the last class is waited for."""
    return time_of(waits(work, strategies, shares, setting))


def time_of(found: Sequence[Sequence[Number]]) -> Number:
    """Return the sum over waits of the maximum over classes."""
    return reduce(add, map(max, found), Fraction(0))
