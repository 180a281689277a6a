"""Why a layer has no strategy at all: how often each of its dimensions can be halved, and what would help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.choices import halvings_of
from hypar_opt.evaluation.legality import forbidden, impossible_layers, sizes_of
from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.instance.choices import WEIGHTED, letters_of
from hypar_opt.instance.fix import OPEN
from hypar_opt.solver.infeasibility.levers import feasible_with, sized_by_levels
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.evaluation.evaluator import Evaluator
    from hypar_opt.instance.network import WorkLayer

ELEMENTS: Final[Mapping[tuple[str, str], str]] = {
    ("linear", "input"): "input feature",
    ("linear", "output"): "output feature",
    ("conv", "input"): "input channel",
    ("conv", "output"): "filter",
}
"""By kind of layer and dimension, what one of its elements is called."""


def without_strategy(problem: Evaluator) -> str | None:
    """Return which layer may have no strategy, why, and what would help; None where all have one."""
    found = list(impossible_layers(problem.work, problem.rules))
    if not found:
        return None
    layer, *others = found
    letters = letters_of(layer, problem.instance.choices)
    kind = f"which has {layer.groups:,} groups" if layer.groups > 1 else f"a layer of kind {layer.kind}"
    besides = f" (nor for {len(others):,} other layer{'s' if len(others) > 1 else ''})" if others else ""
    letters_said = f"{problem.instance.levels} letters of '{letters}'"
    no = f"no strategy of {letters_said} is allowed for '{layer.name}', {kind}{besides}"
    helps = list(_levers(problem))
    enough = f"; enough would be: {'; or '.join(helps)}" if helps else ""
    return f"{no}: {_why(problem, layer, letters)}{enough}"


def _why(problem: Evaluator, layer: WorkLayer, letters: str) -> str:
    """Return what its dimensions let be split, in all less often than there are levels."""
    given = problem.rules.fix.get(layer.name)
    if given is not None and OPEN not in given:
        return f"the instance gives it one, so that it {forbidden(layer, given, problem.rules)}"
    most = {letter: _most(problem, layer, letter) for letter in letters}
    said = [_said(problem, layer, letter, most[letter]) for letter in letters]
    rule = "every part as large as the next (splits: divisible)" if problem.rules.divisible else "groups kept whole"
    if given is not None:
        return f"the instance gives it '{given}'; {rule}, {', '.join(said)}"
    return f"{rule}, {', '.join(said)}, and that is {sum(most.values())} of {problem.instance.levels} levels"


def _most(problem: Evaluator, layer: WorkLayer, letter: str) -> int:
    """Return how often a letter can stand in a word that leaves nothing over."""
    levels = problem.instance.levels
    uniform = (letter * times for times in range(levels, 0, -1))
    return next((len(word) for word in uniform if _divides(problem, layer, word)), 0)


def _divides(problem: Evaluator, layer: WorkLayer, word: str) -> bool:
    """Return whether so many halvings leave nothing over."""
    return all(size % 2 ** len(word) == 0 for size in _sizes(problem, layer, word[0]))


def _sizes(problem: Evaluator, layer: WorkLayer, letter: str) -> tuple[int, ...]:
    dimension = halvings_of(layer)[letter].splits
    assert dimension is not None  # a letter that splits nothing is always allowed
    return sizes_of(layer, problem.instance.batch)[dimension]


def _said(problem: Evaluator, layer: WorkLayer, letter: str, most: int) -> str:
    """Return what a letter splits of a layer, with its size, and how often it can."""
    dimension = halvings_of(layer)[letter].splits or ""
    known = tuple(dict.fromkeys(_sizes(problem, layer, letter)))
    sizes = " and ".join(f"{size:,}" for size in known)
    name = ELEMENTS.get((layer.kind, dimension), "group" if dimension == "groups" else "channel")
    its = f"batch of {sizes}" if dimension == "batch" else f"{sizes} {name}{'' if known == (1,) else 's'}"
    if not most:
        return f"{letter} cannot split its {its}"
    return f"{letter} splits its {its} at most {'once' if most == 1 else f'{most} times'}"


def _levers(problem: Evaluator) -> Iterator[str]:
    """Yield what would give every layer a strategy, one change at a time."""
    spec, now = problem.instance.spec, problem.instance.levels
    if sized_by_levels(spec):
        for levels in range(now - 1, -1, -1):
            if feasible_with(problem, array=spec.array.model_copy(update={"levels": levels})):
                yield f"{levels} level{'' if levels == 1 else 's'}, {halves(levels).leaves} accelerators"
                break
    batch = next((one for one in _larger_batches(problem) if feasible_with(problem, batch=one)), None)
    if batch is not None:
        yield f"a batch of {batch:,}"
    if spec.cost.splits == "divisible" and feasible_with(problem, cost=spec.cost.model_copy(update={"splits": "any"})):
        yield "--splits any, with parts of unequal size"
    every = ACCOUNTINGS[spec.cost.accounting].choices
    most = [name for name in every if name in WEIGHTED], every  # those of joins alone where nothing less helps
    for choices in dict.fromkeys(map(tuple, most)):
        if spec.cost.choices != choices and feasible_with(
            problem, cost=spec.cost.model_copy(update={"choices": choices})
        ):
            yield f"the choices {', '.join(choices)}"
            break
    if spec.fix and feasible_with(problem, fix={}):
        yield "no given strategies"


def _larger_batches(problem: Evaluator) -> list[int]:
    """Return the next larger batches that halve more and more often."""
    now = problem.instance.batch
    steps = (2**times for times in range(1, problem.instance.levels + 1))
    return sorted({-(-(now + 1) // step) * step for step in steps})
