"""Evaluator of printed formulae: all processes' seconds, alpha 0, beside the bytes of a plan, leaf by leaf."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.studies.claims.claims import Judgement, PublishedClaim
from hypar_opt.studies.claims.formula_statements import OfFormula
from hypar_opt.studies.formulae import FORMULAE, project_bytes
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from hypar_opt.studies.claims.plans import PlanCache


def judge_formula(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge a formula on every grid: it holds where it is the plan's bytes on each of them, exactly."""
    statement = claim.statement
    assert isinstance(statement, OfFormula)
    formula = FORMULAE[statement.formula]
    assert formula.counterpart is not None
    printed = statement.reading == "printed"
    rows = [(one, formula.total(one, printed=printed), project_bytes(formula, one)) for one in statement.settings]
    unlike = [row for row in rows if row[1] != row[2]]
    details = {
        "grids": [
            {"rows": one.rows, "columns": one.columns, "formula": exact(said), "plan": exact(moved)}
            for one, said, moved in rows
        ]
    }
    evidence = f"all processes together, alpha 0, beside the bytes of {formula.counterpart.text}"
    shown = f"equal on {len(rows) - len(unlike)} of {len(rows)}"
    if not unlike:
        return Judgement.confirmed_unless("", shown, evidence, details)
    one, said, moved = unlike[0]
    amounts = f"{one.rows} x {one.columns}: {in_full(said)} bytes, the plan moves {in_full(moved)}"
    known = f"; {formula.why}" if formula.why and printed else ""
    return Judgement.confirmed_unless(f"{amounts}{known}", shown, evidence, details)
