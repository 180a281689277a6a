"""Shrinking a chain that shows a gap, until no smaller one beside it does."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.campaign.drawing import draw
from hypar_opt.campaign.measuring import cost, measure_document
from hypar_opt.campaign.size import Size, size
from hypar_opt.campaign.steps import smaller
from hypar_opt.errors import InputError
from hypar_opt.run import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.campaign.drawing import Document
    from hypar_opt.campaign.family import Family
    from hypar_opt.campaign.running import Outcome
    from hypar_opt.run import Limits, Listener


@dataclass(frozen=True)
class Shrunk:
    """A chain on which the greedy plan misses the optimum, and no single step makes it smaller.

    Parameters
    ----------
    document
        The instance.
    greedy, optimum
        What hypar-dp's plan costs, and what joint-dp proved to be least.
    tries
        How many smaller ones were looked at.
    finished
        Whether all that are one step smaller were looked at; not where a limit came first.
    origin
        The drawn chain that it was shrunk from, where it was one.
    """

    document: Document
    greedy: Fraction
    optimum: Fraction
    tries: int
    finished: bool
    origin: int | None = None

    @property
    def accounting(self) -> str:
        """Under which the gap is."""
        return str(self.document["cost"]["accounting"])

    @property
    def gap(self) -> Fraction:
        """Relative to the optimum."""
        return (self.greedy - self.optimum) / self.optimum

    @property
    def size(self) -> str:
        """Its size in words."""
        layers, levels, _, total = size(self.document)
        return f"{layers} layers, {levels} levels, sizes that sum to {total}"


def costs(document: Document) -> tuple[Fraction, Fraction] | None:
    """Return the greedy cost and the proven optimum of an instance, or None where there is none or no such thing."""
    try:
        pair = measure_document(document)
    except InputError:
        return None
    greedy, optimum = cost(pair.greedy), pair.optimum
    return None if greedy is None or optimum is None else (greedy, optimum)


def missed(document: Document) -> tuple[Fraction, Fraction] | None:
    """Return both costs where the greedy plan misses the optimum, else None."""
    both = costs(document)
    return both if both is not None and both[0] > both[1] else None


def shrink(
    document: Document,
    *,
    keeps: Callable[[Document], tuple[Fraction, Fraction] | None] = missed,
    limits: Limits | None = None,
) -> Shrunk:
    """Make a chain smaller for as long as it keeps a gap; the same result for the same document.

    Parameters
    ----------
    document
        An instance with everything inline.
    keeps
        Says of a document what the greedy plan and the optimum cost where it shows what is looked for, else None.
    limits
        Where they are over, the smallest so far is returned.

    Raises
    ------
    InputError
        If the document shows no gap to begin with.
    """
    both = keeps(document)
    if both is None:
        raise InputError("the greedy plan of this instance is optimal, or its optimum is not known")
    tries, before = 0, None
    while document is not before:
        before = document
        for candidate in smaller(document):
            if limits is not None and limits.over:
                return Shrunk(document, *both, tries, finished=False)
            tries += 1
            found = keeps(candidate)
            if found is not None:
                document, both = candidate, found
                break
    return Shrunk(_named_anew(document), *both, tries, finished=True)


def _named_anew(document: Document) -> Document:
    """Return a document whose layers are named by their kind and counted anew."""
    layers: list[Document] = []
    for layer in document["network"]["layers"]:
        kind = next(key for key in layer if key != "name")
        number = sum(kind in other for other in layers) + 1
        layers.append({"name": f"{'fc' if kind == 'linear' else kind}{number}", kind: layer[kind]})
    return {**document, "network": {**document["network"], "layers": layers}}


def shrink_worst(
    outcome: Outcome, *, starts: int = 1, limits: Limits | None = None, listener: Listener | None = None
) -> list[Shrunk]:
    """Shrink the worst chains of every accounting, and return the smallest that one of them leads to.

    Parameters
    ----------
    starts
        How many chains to begin from, the worst first.
    limits
        Where they are over, what was found by then is returned.
    listener
        Called at every start.
    """
    began, found = time.monotonic(), []

    def tell(accounting: str, chain: int) -> None:
        if listener is not None:
            text = f"shrinking chain {chain} under {accounting}"
            listener(Event("phase", time.monotonic() - began, "campaign", text=text))

    for tally in outcome.tallies:
        if tally.accounting not in outcome.accountings or tally.plan != "hypar-dp":
            continue
        shrunk = _from(outcome.family, outcome.seed, tally.worst[:starts], tally.accounting, limits, tell)
        found += [min(shrunk, key=_order)] if shrunk else []
    return found


def _from(
    family: Family,
    seed: int,
    chains: Sequence[int],
    accounting: str,
    limits: Limits | None,
    tell: Callable[[str, int], None],
) -> list[Shrunk]:
    found = []
    for chain in chains:
        if limits is not None and limits.over:
            break
        tell(accounting, chain)
        shrunk = shrink(draw(family, seed, chain).document(accounting), limits=limits)
        named = {**shrunk.document, "name": f"{family.name}-{seed}-{chain}-{accounting}"}
        found.append(replace(shrunk, document=named, origin=chain))
    return found


def _order(one: Shrunk) -> tuple[Size, Fraction, str]:
    """Order by size; of equal sizes the larger gap first."""
    return size(one.document), -one.gap, repr(_sorted(one.document))


def _sorted(document: Document) -> list[tuple[str, Any]]:
    return sorted((key, value) for key, value in document.items() if key != "name")
