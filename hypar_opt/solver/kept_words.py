"""What plans of operators say nothing of, said: an operator of which a plan has no `NAME:kept` keeps copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.cost.operators.domains import COPY, KEPT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def all_said(plans: Sequence[Mapping[str, str]]) -> tuple[Mapping[str, str], ...]:
    """Return the words of plans of one problem, with the same names in each, to be shown side by side."""
    said = {name: word for words in plans for name, word in words.items() if name.endswith(KEPT)}
    if all(said.keys() <= words.keys() for words in plans):
        return tuple(plans)
    names = dict.fromkeys(
        name
        for own in dict.fromkeys(name for words in plans for name in words if not name.endswith(KEPT))
        for name in (own, own + KEPT)
    )
    return tuple(
        {
            name: words[name] if name in words else copies_of(said[name])
            for name in names
            if name in words or name in said
        }
        for words in plans
    )


def copies_of(kept: str) -> str:
    """Return what says that an operator keeps copies, of as many maps as another plan's word is of."""
    return " ".join(COPY for _ in kept.split())
