"""The joules of a plan on accelerators of several kinds: of every leaf what it computes, holds and reads."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.mixed.division import Division
from hypar_opt.evaluation.step.computing import Stage, stages_of
from hypar_opt.evaluation.step.slices import StepSetting
from hypar_opt.evaluation.step.step import ACCESSES, WORD
from hypar_opt.instance.network import WorkLayer, Workload
from hypar_opt.instance.objective.components import ADD_ENERGY, DRAM_ENERGY, MULTIPLY_ENERGY, SRAM_ENERGY
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.mixed.boxes import Number
    from hypar_opt.evaluation.mixed.setting import MixedSetting
    from hypar_opt.instance.hardware.mixed import AcceleratorKind, LeafClass


def energies(
    work: Workload,
    strategies: Mapping[str, str],
    shares: Mapping[str, Number],
    setting: MixedSetting,
    read: tuple[tuple[Number, ...], ...],
) -> dict[str, Number]:
    """Return the joules of a step, by component; nothing where a kind does not say what it spends.

    Parameters
    ----------
    strategies
        By layer, a word with a letter for every level.
    shares
        By split, what its first half gets.
    read
        Bytes by level and leaf.
    """
    array = setting.array
    if any(kind.accelerator.energies is None for kind in array.kinds):
        return {}
    division = Division(setting, shares)
    found: dict[str, Number] = dict.fromkeys((MULTIPLY_ENERGY, ADD_ENERGY, SRAM_ENERGY, DRAM_ENERGY), Fraction(0))
    for one in array.classes:
        joules = array.kinds[one.kind].accelerator.energies
        assert joules is not None  # all of them say it
        for layer in work.layers:
            if layer.is_join:
                continue
            macs, elements = _done(layer, strategies[layer.name], one, division)
            found[MULTIPLY_ENERGY] += one.count * macs * joules.multiply
            found[ADD_ENERGY] += one.count * macs * joules.add
            found[DRAM_ENERGY] += one.count * elements * setting.bytes_per_element / WORD * joules.dram
    for sizes in read:
        for leaf, size in enumerate(sizes):
            kind = array.kinds[array.partition.accelerator(leaf)].accelerator
            assert kind.energies is not None  # all of them say it
            found[DRAM_ENERGY] += size * ACCESSES[kind.model] / WORD * kind.energies.dram
    return found


def _done(layer: WorkLayer, word: str, one: LeafClass, division: Division) -> tuple[Number, Number]:
    """Return the multiply-accumulates of one leaf, and the elements that pass between it and its memory."""
    setting = division.setting
    stages = [stage for stage in _alone(layer, setting.array.kinds[one.kind], setting) if stage.multiplies]
    macs = sum((stage.multiplies for stage in stages), start=Fraction(0))
    held = (
        division.left(layer, word, "weight")[one.path] * layer.weight
        + division.left(layer, word, "read")[one.path] * layer.feature_in * setting.batch
        + division.left(layer, word, "written")[one.path] * layer.feature_out * setting.batch
    )
    return division.worked(layer, word)[one.path] * macs, len(stages) * held


def _alone(layer: WorkLayer, kind: AcceleratorKind, setting: MixedSetting) -> tuple[Stage, ...]:
    """Return the phases of a layer that one accelerator of a kind has all of."""
    one = StepSetting(
        kind.accelerator, setting.optimiser, setting.batch, halves(0), setting.bytes_per_element, setting.input_error
    )
    return stages_of(Workload((layer,), ()), {layer.name: ""}, one)
