"""Regrets of a pipeline's operators: by stage and by operator, for people and machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.objective.components import TIME
from hypar_opt.report.numbers import in_component
from hypar_opt.report.plan_rows import NONE
from hypar_opt.report.tables import Column, Entry, Table, entry_rows
from hypar_opt.studies.stage_regrets import BEFORE, BEHIND
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.pipeline import JudgedPipeline
    from hypar_opt.solver.pipeline_problem import PipelineProblem
    from hypar_opt.studies.regrets import Explanation, Regret

SIDES: Final = {"before": BEFORE, "behind": BEHIND}
"""By side, how the keys of regrets end."""


def stage_cells(explanation: Explanation | None, operators: Sequence[str]) -> dict[str, str]:
    """Return which operator of a stage would lose least in another one, and how much; nothing without regrets."""
    if explanation is None or explanation.missing:
        return {}
    known = [(one, name) for name in operators if (one := explanation.regrets[name]) is not None]
    if not known:
        return {"least regret": NONE, "its operator": ""}
    regret, name = min(known, key=lambda one: one[0].cost)
    return {"least regret": regret_text(regret), "its operator": f"{name} on {regret.second_best}"}


def regret_text(regret: Regret | None) -> str:
    """Return what a plan costs more, with its sign."""
    if regret is None:
        return NONE
    return f"{'+' if regret.cost > 0 else ''}{in_component(TIME, regret.cost)}"


def operator_rows(judged: JudgedPipeline, explanation: Explanation) -> list[dict[str, str]]:
    """Return a row an operator: its stage, and what the one before, the one behind and the best other one cost."""
    regrets = explanation.regrets
    return [
        {
            "operator": name,
            "stage": str(number),
            **{f"in the one {side}": regret_text(regrets[name + key]) for side, key in SIDES.items()},
            "second best": NONE if (best := regrets[name]) is None else best.second_best,
            "its regret": regret_text(best),
        }
        for number, stage in enumerate(judged.stages, start=1)
        for name in stage.operators
    ]


def uniqueness(explanation: Explanation) -> str:
    """Return what the regrets say of the plan as a whole, and which formulation they come from."""
    if explanation.missing:
        return f"no regrets: {explanation.missing}"
    costs = [one.cost for one in explanation.distinct]
    if costs and min(costs) < 0:
        saved = in_component(TIME, -min(costs))
        return f"not optimal: {explanation.source} knows stages on the same devices that save {saved}"
    by = f"by {explanation.source}'s regrets, for stages on these devices in this order,"
    if explanation.unique:
        return f"{by} the plan is the unique optimum: any operator in another stage costs more, or is not allowed"
    return f"{by} the optimum is not unique: where one is 0, the operator can be in another stage"


def stage_regrets_document(_: PipelineProblem, explanation: Explanation) -> dict[str, Any]:
    """Return the regrets by operator: of the best other stage, of the one before, and of the one behind."""
    names = [name for name in explanation.regrets if not name.endswith((BEFORE, BEHIND))]
    return {
        "regrets": {name: _document(explanation.regrets, name) for name in names},
        "unique": explanation.unique,
        "missing": explanation.missing,
    }


def _document(regrets: Mapping[str, Regret | None], name: str) -> dict[str, Any] | None:
    best = regrets[name]
    if best is None:
        return None
    sides = {side: regrets[name + key] for side, key in SIDES.items()}
    return {
        "second_best": best.second_best,
        "cost": exact(best.cost),
        **{side: None if one is None else exact(one.cost) for side, one in sides.items()},
    }


def stage_regrets_table(judged: JudgedPipeline, explanation: Explanation) -> Table:
    """Return a row an operator, in exact seconds."""
    columns = (
        Column("operator", "operator"),
        Column("stage", "stage"),
        Column("second_best", "second best"),
        Column("regret_s", "regret"),
        Column("before_s", "in the stage before"),
        Column("behind_s", "in the stage behind"),
    )
    regrets = explanation.regrets
    rows = [
        (
            *(name, number, None if (best := regrets[name]) is None else best.second_best),
            *(_entry(regrets[name + key]) for key in ("", BEFORE, BEHIND)),
        )
        for number, stage in enumerate(judged.stages, start=1)
        for name in stage.operators
    ]
    return Table("regrets", "Regrets of the operators", columns, entry_rows(columns, rows), (uniqueness(explanation),))


def _entry(regret: Regret | None) -> Entry:
    return Entry(None, text=NONE) if regret is None else Entry(regret.cost, regret_text(regret))
