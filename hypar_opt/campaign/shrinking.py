"""Shrinking a chain that shows a gap, until no smaller one beside it does."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.campaign.document import instance_of
from hypar_opt.campaign.gap import missed
from hypar_opt.campaign.row import relative
from hypar_opt.campaign.size import size
from hypar_opt.campaign.steps import smaller
from hypar_opt.errors import InputError

if TYPE_CHECKING:
    from hypar_opt.campaign.drawing import Document
    from hypar_opt.campaign.gap import Costs, Keeps
    from hypar_opt.run import Limits


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
        return str(instance_of(self.document).accounting)

    @property
    def gap(self) -> Fraction:
        """Relative to the optimum."""
        return relative(self.greedy, self.optimum)

    @property
    def size(self) -> str:
        """Its size in words."""
        layers, levels, _, total = size(self.document)
        return f"{layers} layers, {levels} levels, sizes that sum to {total}"


def shrink(document: Document, *, keeps: Keeps = missed, limits: Limits | None = None) -> Shrunk:
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
        If the document is no instance, or shows no gap to begin with.
    """
    instance_of(document)
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
            found = _kept(keeps, candidate)
            if found is not None:
                document, both = candidate, found
                break
    return Shrunk(_named_anew(document), *both, tries, finished=True)


def _kept(keeps: Keeps, candidate: Document) -> Costs | None:
    """Return what a step's costs are; not each step leads to something that fits together."""
    try:
        return keeps(candidate)
    except InputError:
        return None


def _named_anew(document: Document) -> Document:
    """Return a document whose layers are named by their kind and counted anew."""
    layers: list[Document] = []
    for layer in document["network"]["layers"]:
        kind = next(key for key in layer if key != "name")
        number = sum(kind in other for other in layers) + 1
        layers.append({"name": f"{'fc' if kind == 'linear' else kind}{number}", kind: layer[kind]})
    return {**document, "network": {**document["network"], "layers": layers}}
