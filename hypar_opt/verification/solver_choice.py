"""Whom verification asks about a strategy graph, in which order, and when what was told is enough."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.formulation.registry import abilities, vouchers
from hypar_opt.formulation.run import EitherFlag
from hypar_opt.verification.evidence import able, apart

if TYPE_CHECKING:
    from collections.abc import Sized
    from fractions import Fraction

    from hypar_opt.formulation.run import Event, Limits
    from hypar_opt.verification.claim_case import EvidenceSearch


def in_order(besides: str, *, bounding: bool) -> list[str]:
    """Return who is asked, until one has an answer; each is given half of what is left of the time.

    The exact ones come first, of these those whose word counts, then those of another encoding than the claim's.

    Parameters
    ----------
    besides
        The formulation whose claim is in question.
    bounding
        Whether a bound is asked for, and so prices help.
    """
    asked = [name for name in vouchers("strategy-graph") if able(name).prices or apart(name, besides)]
    known = {name: found for name in asked if (found := abilities(name)) is not None}
    # whose prices the others search by where the first of them has none; its word need not count
    pricer = next((name for name, one in known.items() if one.exact and one.prices and not one.runs), None)

    def order(name: str) -> tuple[bool, bool, bool, bool]:
        one, counts = known[name], apart(name, besides)
        first = bounding and name == pricer and not counts
        return not first, not one.exact, not counts, one.encoding == able(besides).encoding

    return sorted(known, key=order)


def half(limits: Limits) -> Limits:
    """Return limits that leave half of the time to others."""
    left = limits.remaining_s()
    return limits if left is None else limits.within(left / 2)


class Enough:
    """Stops a search when what it told is enough, and passes on what it tells.

    Parameters
    ----------
    search
        Its limits, and who else hears of it.
    limit
        A bound of as much is enough, and so is a plan that costs less; or without one any plan.
    prices
        Prices that it told so far, where these are all that is wanted: enough when it turns to something else.
    """

    def __init__(self, search: EvidenceSearch, limit: Fraction | None, prices: Sized = ()) -> None:
        self._limit, self._listener, self._prices = limit, search.listener, prices
        self.limits = replace(search.limits, stop=EitherFlag(search.limits.stop))

    def hear(self, event: Event) -> None:
        """Take what the search tells."""
        if self._suffices(event):
            self.limits.stop.set()
        if self._listener is not None:
            self._listener(event)

    def _suffices(self, event: Event) -> bool:
        if event.kind == "phase":
            return len(self._prices) > 0
        if event.value is None:
            return False
        if event.kind == "incumbent":
            return self._limit is None or event.value < self._limit
        return event.kind == "bound" and self._limit is not None and event.value >= self._limit
