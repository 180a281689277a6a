"""Evaluators of speed-ups and gains in energy, until there are models that they can be recomputed with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.audit.verdict import Judgement, Verdict

if TYPE_CHECKING:
    from hypar_opt.audit.claims import Claim
    from hypar_opt.audit.plans import Plans


def judge_performance(claim: Claim, plans: Plans) -> Judgement:
    """Say what is missing."""
    return Judgement(Verdict.NOT_REPRODUCIBLE, why="needs the time model, which does not exist yet")


def judge_energy(claim: Claim, plans: Plans) -> Judgement:
    """Say what is missing."""
    return Judgement(Verdict.NOT_REPRODUCIBLE, why="needs the energy model, which does not exist yet")
