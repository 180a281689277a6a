"""The plans that are compared: outputs everywhere, outputs and inputs in turn, the best grid, the optimum."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.communication import LEAF_EXACT
from hypar_opt.evaluation.communication.counts import collectives_of
from hypar_opt.evaluation.evaluator import Evaluator
from hypar_opt.instance import Instance
from hypar_opt.studies.altsplit.least import ChainSetting, divides, least_of_chain
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

INPUTS, CLASSES = 3072, 10
"""CIFAR-10's."""


@dataclass(frozen=True)
class PricedPlan:
    """A plan, and what it takes.

    Parameters
    ----------
    name
        Which plan it is.
    strategies
        By layer.
    bytes_
        Of a step, all processes together, recounted leaf by leaf.
    collectives
        How many in a step.
    is_even
        Whether every part is as large as the next.
    """

    name: str
    strategies: Mapping[str, str]
    bytes_: Fraction
    collectives: int
    is_even: bool


def perceptron(hidden: int, width: int, batch: int, levels: int, *, input_error: bool = True) -> Evaluator:
    """Return what judges plans of a perceptron of equal hidden layers.

    The instance asks for an accounting that takes any number of levels; `priced` recounts leaf by leaf.
    """
    layers = [{"name": f"fc{i}", "linear": {"features": width}} for i in range(1, hidden + 1)]
    instance = Instance(
        {"input": [INPUTS], "layers": [*layers, {"name": "out", "linear": {"features": CLASSES}}]},
        {"topology": "h-tree", "levels": levels},
        batch,
        name=f"altsplit-{hidden}",
        cost={"choices": ["dp", "mp", "op"], "input_error": input_error},
    )
    return Evaluator(instance)


def priced(name: str, evaluator: Evaluator, strategies: Mapping[str, str]) -> PricedPlan:
    """Return a plan with its bytes, recounted."""
    count = evaluator.bytes_of(strategies, LEAF_EXACT).total
    joined = collectives_of(evaluator.work, strategies, input_error=evaluator.instance.input_error)
    return PricedPlan(name, strategies, Fraction(count), len(joined), not evaluator.uneven_splits(strategies))


def turns(evaluator: Evaluator, letters: str) -> dict[str, str]:
    """Return the plan in which layers have these letters in turn, each at every level."""
    names = [layer.name for layer in evaluator.work.layers]
    return {name: letters[i % len(letters)] * evaluator.instance.levels for i, name in enumerate(names)}


def best_grid(evaluator: Evaluator) -> PricedPlan:
    """Return the best of all words d^c o^r that all layers have together, of which the formula `integrated` is."""
    names, levels = [layer.name for layer in evaluator.work.layers], evaluator.instance.levels
    grids = (dict.fromkeys(names, "d" * columns + "o" * (levels - columns)) for columns in range(levels + 1))
    return min((priced("grid", evaluator, one) for one in grids), key=lambda one: one.bytes_)


def optimum(evaluator: Evaluator, *, even: bool = False) -> PricedPlan:
    """Return the optimum over all words, by counts, and recounted.

    Parameters
    ----------
    even
        Of those alone that split into equal parts.

    Raises
    ------
    InputError
        If there is no such plan.
    ArithmeticError
        If the evaluator counts other bytes than the programme.
    """
    one = evaluator.instance
    setting = ChainSetting(one.batch, one.levels, one.bytes_per_element, one.input_error)
    found = (
        least_of_chain(evaluator.work, setting, divides(setting)) if even else least_of_chain(evaluator.work, setting)
    )
    plan = priced("even optimum" if even else "optimum", evaluator, found.strategies)
    if plan.bytes_ != found.bytes_:
        raise ArithmeticError(f"{one.name}: {found.bytes_} bytes by counts, {plan.bytes_} recounted")
    return plan


def compared(evaluator: Evaluator) -> tuple[PricedPlan, ...]:
    """Return the baseline, Altsplit, the best grid, the optimum and, if there is one, the best even plan."""
    found = [
        priced("baseline", evaluator, turns(evaluator, "o")),
        priced("altsplit", evaluator, turns(evaluator, "om")),
        best_grid(evaluator),
        optimum(evaluator),
    ]
    try:
        return (*found, optimum(evaluator, even=True))
    except InputError:
        return tuple(found)
