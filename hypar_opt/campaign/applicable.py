"""Which accountings a family can be measured under: tried on a smallest chain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.errors import InputError, Refusal, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.campaign.family import Family


def applicable(family: Family, wanted: Sequence[str] | None = None) -> tuple[str, ...]:
    """Return the wanted accountings in the order of `ACCOUNTINGS`; by default all that fit.

    Raises
    ------
    InputError
        If a wanted one is unknown, or does not fit the family's choices or levels.
    """
    from hypar_opt.cost import ACCOUNTINGS

    if wanted is None:
        found = tuple(name for name in ACCOUNTINGS if obstacle(family, name) is None)
        if not found:
            raise InputError(f"no accounting fits: {obstacle(family, next(iter(ACCOUNTINGS)))}")
        return found
    if isinstance(wanted, str):
        raise InputError(f"expected a list of names, such as ['{wanted}'], got the text '{wanted}'", field="accounting")
    for name in wanted:
        if name not in ACCOUNTINGS:
            known = f"there are {', '.join(ACCOUNTINGS)}{did_you_mean(name, ACCOUNTINGS)}"
            raise InputError(f"no accounting is called '{name}'; {known}", field="accounting")
        reason = obstacle(family, name)
        if reason is not None:
            raise InputError(f"'{name}' does not fit: {reason}", field="accounting")
    if not wanted:
        raise InputError("expected at least one", field="accounting")
    return tuple(name for name in ACCOUNTINGS if name in wanted)


def obstacle(family: Family, accounting: str) -> str | None:
    """Return why an accounting cannot be used with a family's choices and its most levels, or None."""
    from hypar_opt.campaign.document import instance_of
    from hypar_opt.campaign.drawing import Chain
    from hypar_opt.campaign.measuring import GREEDY, JOINT
    from hypar_opt.formulation import load_formulation, require
    from hypar_opt.problem import Problem
    from hypar_opt.run import Run

    layers = [{"name": f"fc{number}", "linear": {"features": 1}} for number in (1, 2)]
    chain = Chain("smallest", 1, family.levels[1], family.choices, {"input": [1], "layers": layers})
    try:
        graph = Problem(instance_of(chain.document(accounting))).graph
        for name in (GREEDY, JOINT):
            require(load_formulation(name), graph, Run(name))
    except (InputError, Refusal) as error:
        return str(error)
    return None
