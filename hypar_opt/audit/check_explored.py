"""Checks of the layers and levels that a claim explores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.audit.judge_peaks import space_of
from hypar_opt.errors import did_you_mean
from hypar_opt.instance.wording import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.audit.claims import Claim
    from hypar_opt.audit.located import Located
    from hypar_opt.audit.model_statements import Peak

MOST_EXPLORED = 1 << 16
"""Plans of one claim."""


def check_explored(claim: Claim, statement: Peak, place: Located) -> None:
    """Check the layers and levels that are explored, and how many plans that makes.

    Raises
    ------
    InputError
        If one is not there or comes twice, or there are too many plans.
    """
    instance = claim.cases[0].instance
    known = instance.network.decision_names
    _check_once("layers", statement.layers or (), place)
    _check_once("levels", statement.levels or (), place)
    for i, layer in enumerate(statement.layers or ()):
        if layer not in known:
            hint = did_you_mean(layer, known)
            raise place.error(f"{shown(layer)} is no layer of {instance.name} that has a strategy{hint}", ("layers", i))
    for i, level in enumerate(statement.levels or ()):
        if not 1 <= level <= instance.levels:
            raise place.error(f"expected a level from 1, the root, to {instance.levels}, got {level}", ("levels", i))
    size = space_of(instance, statement, {}).size
    if size > MOST_EXPLORED:
        count = f"2^{size.bit_length() - 1} plans or more" if size >= 1 << 30 else f"{size:,} plans"
        raise place.error(f"explores {count}, at most {MOST_EXPLORED:,} are; name fewer layers or levels")


def _check_once(field: str, names: Sequence[object], place: Located) -> None:
    for i, name in enumerate(names):
        if name in names[:i]:
            raise place.error(f"{shown(name)} comes twice", (field, i))
