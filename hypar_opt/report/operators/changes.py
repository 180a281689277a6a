"""The changes between two plans of operators: what is the same in neighbouring blocks in one row."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, cast

from hypar_opt.report.operators.blocks import RepeatedBlocks
from hypar_opt.studies.amounts import PlanAmount

if TYPE_CHECKING:
    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.studies.plan_comparison import PlanChange, PlanComparison


def folded(found: PlanComparison) -> tuple[PlanChange, ...]:
    """Return the changes, of those that are the same and cost the same in neighbouring blocks one with their sum."""
    blocks = RepeatedBlocks(cast("OperatorInstance", found.problem.instance).graph)
    by_name = {one.name: one for one in found.changes}
    every = dict.fromkeys(name for claim in found.claims for name in claim.strategies or ())
    order = {name: place for place, name in enumerate(every)}
    items = [
        (one.name, (one.first, one.second, one.more.levels, one.more.objective, one.fault))
        for one in sorted(found.changes, key=lambda one: order[one.name])
    ]
    rows = [
        replace(
            by_name[run.names[0]],
            name=run.label,
            more=reduce(PlanAmount.plus, (by_name[name].more for name in run.names)),
        )
        for run in blocks.folded(items)
    ]
    return tuple(sorted(rows, key=lambda one: -abs(one.more.objective)))
