"""What a claim of optimality is judged by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction

    from hypar_opt.verification import Better, Evidence


@dataclass(frozen=True)
class Optimum:
    """What is proven of a problem's optimum.

    Parameters
    ----------
    bound
        No plan's objective is lower; None where nothing is proven.
    strategies
        The best plan that is known, or None.
    text
        What the bound rests on.
    claimed
        Each single bound, where it takes several to prove one.
    """

    bound: Fraction | None
    strategies: Mapping[str, str] | None
    text: str
    claimed: tuple[Fraction, ...] = ()

    @property
    def highest(self) -> Fraction | None:
        """The highest bound; a plan below it contradicts it, whatever else is proven."""
        return max((one for one in (self.bound, *self.claimed) if one is not None), default=None)


def optimum(ask: Callable[[str], Evidence], besides: str = "") -> Optimum:
    """Return what is proven of a problem's optimum: by a certificate, or by two formulations.

    Parameters
    ----------
    ask
        Returns evidence that does not rest on the word of the formulation that it is given.
    besides
        A formulation that has proven the plan in question to be an optimum, so that one other is enough; empty
        where the plan is nobody's, or its maker's that proves nothing of it.
    """
    first = ask(besides)
    if besides or not first.word_of:
        return _of(first)
    if first.best is None:
        return Optimum(None, None, first.text, () if first.bound is None else (first.bound,))
    second = ask(first.word_of)
    bounds = [one.bound for one in (first, second) if one.bound is not None]
    best = min((one.best for one in (first, second) if one.best is not None), key=_cost)
    text = f"{first.text}; beside it, {second.text}"
    return Optimum(min(bounds) if len(bounds) == 2 else None, best.strategies, text, tuple(bounds))


def _of(found: Evidence) -> Optimum:
    return Optimum(found.bound, None if found.best is None else found.best.strategies, found.text)


def _cost(plan: Better) -> Fraction:
    return plan.objective
