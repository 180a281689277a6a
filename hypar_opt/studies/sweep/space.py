"""The combinations that are explored: letters of chosen layers at chosen levels, the rest as in a base plan."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.objective.components import COMMUNICATION, TIME, check_known, unknown_needs
from hypar_opt.util.errors import InputError, Refusal, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Variable
    from hypar_opt.solver.network_problem import NetworkProblem


MOST_COMBINATIONS: Final = 1_000_000
"""What is weighed one by one."""


@dataclass(frozen=True)
class Space:
    """The combinations, in the order of the layers: a layer's words in the order of the letters, the last fastest.

    Parameters
    ----------
    problem
        The network on its array.
    base
        The choice of every layer in the plan that the rest is as in.
    layers
        The free ones.
    levels
        The free ones, numbered from 1 at the root.
    candidates
        Of every layer: the choices that it has here, those of its mask only.
    """

    problem: NetworkProblem
    base: tuple[int, ...]
    layers: tuple[str, ...]
    levels: tuple[int, ...]
    candidates: tuple[tuple[int, ...], ...]

    @cached_property
    def free(self) -> tuple[int, ...]:
        """Positions of the layers that have more than one choice here."""
        return tuple(i for i, found in enumerate(self.candidates) if len(found) > 1)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """How many choices each of them has."""
        return tuple(len(self.candidates[i]) for i in self.free)

    @property
    def count(self) -> int:
        """How many combinations there are."""
        return prod(self.shape)

    def choices(self, index: int) -> tuple[int, ...]:
        """Return every layer's choice in a combination."""
        found = [own[0] for own in self.candidates]
        for i in reversed(self.free):
            index, position = divmod(index, len(self.candidates[i]))
            found[i] = self.candidates[i][position]
        return tuple(found)

    def strategies(self, index: int) -> dict[str, str]:
        """Return every layer's word in a combination."""
        return self.problem.strategies(self.choices(index))

    @cached_property
    def base_index(self) -> int:
        """The base plan's place among the combinations."""
        index = 0
        for i in self.free:
            index = index * len(self.candidates[i]) + self.candidates[i].index(self.base[i])
        return index


def space_of(
    problem: NetworkProblem,
    base: Sequence[int],
    layers: Sequence[str] | None = None,
    levels: Sequence[int] | None = None,
) -> Space:
    """Return the combinations around a base plan.

    Parameters
    ----------
    problem
        The network on its array.
    base
        The choice of every layer.
    layers, levels
        Those that are free, levels from 1; None for all.

    Raises
    ------
    InputError
        If there is no such layer or level, one comes twice, or the base plan has a word that is not allowed.
    Refusal
        If there are too many combinations.
    """
    variables = problem.base.variables
    names = _checked_layers([variable.name for variable in variables], layers)
    free = _checked_levels(problem.instance.levels, levels)
    _check_count([variable for variable in variables if variable.name in names], free)
    found = [
        _candidates(variable, choice, free if variable.name in names else ())
        for variable, choice in zip(variables, base, strict=True)
    ]
    return Space(problem, tuple(base), names, free, tuple(found))


def _checked_layers(known: Sequence[str], wanted: Sequence[str] | None) -> tuple[str, ...]:
    if wanted is None:
        return tuple(known)
    for name in wanted:
        if name not in known:
            hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
            raise InputError(f"the network decides no layer '{name}'{hint}", field="--layers")
    _check_once([f"'{name}'" for name in wanted], "--layers")
    return tuple(name for name in known if name in wanted)


def _checked_levels(most: int, wanted: Sequence[int] | None) -> tuple[int, ...]:
    if wanted is None:
        return tuple(range(1, most + 1))
    for level in wanted:
        if not 1 <= level <= most:
            known = f"expected levels from 1 to {most}" if most else "one accelerator has no levels"
            raise InputError(f"{known}, got {level}", field="--levels-free")
    _check_once([str(level) for level in wanted], "--levels-free")
    return tuple(sorted(wanted))


def _check_once(names: Sequence[str], field: str, usual: str = "all") -> None:
    if not names:
        raise InputError(f"names none; leave it out for {usual}", field=field)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{twice} comes twice", field=field)


def _check_count(free: Sequence[Variable], levels: Sequence[int]) -> None:
    """Count before anything is laid out; masks, which only take words away, are not looked at."""
    count = prod(len(_letters(variable)) ** len(levels) for variable in free)
    if count > MOST_COMBINATIONS:
        what = f"{len(free)} layers at {len(levels)} level{'' if len(levels) == 1 else 's'}"
        short = f"{count:,}" if count < 10**15 else f"about 10^{len(str(count)) - 1}"
        raise Refusal(
            f"{what} are {short} combinations, and at most {MOST_COMBINATIONS:,} are explored; "
            "name fewer: --layers, --levels-free; the best of all is what solve finds"
        )


def _letters(variable: Variable) -> str:
    assert variable.words is not None  # problems of strategies are of words
    return variable.words.alphabet


def _candidates(variable: Variable, base: int, levels: Sequence[int]) -> tuple[int, ...]:
    """Return the allowed words that differ from the base's at these levels only."""
    words = variable.words
    assert words is not None  # problems of strategies are of words
    if not words.allows(words.word(base)):
        raise InputError(f"the base plan's '{words.word(base)}' is not allowed here", field=f"plan.{variable.name}")
    found = []
    for letters in product(words.alphabet, repeat=len(levels)):
        word = list(words.word(base))
        for level, letter in zip(levels, letters, strict=True):
            word[level - 1] = letter
        if words.allows("".join(word)):
            found.append(words.index("".join(word)))
    return tuple(found)


def counted(count: int, what: str) -> str:
    """Return how many there are, in words."""
    more = "es" if what.endswith("ch") else "s"
    return f"{count:,} {what}{'' if count == 1 else more}"


def usual_component(problem: NetworkProblem) -> str:
    """Return time where the array says enough for it, else communication."""
    known = problem.instance.placement is not None and unknown_needs(problem.instance.spec.array, (TIME,)) is None
    return TIME if known else COMMUNICATION


def checked_components(names: Sequence[str]) -> tuple[str, ...]:
    """Return components as given, each once.

    Raises
    ------
    InputError
        If one is unknown, comes twice, or there is none.
    """
    check_known(names, "--components")
    _check_once([f"'{name}'" for name in names], "--components", "time")
    return tuple(names)
