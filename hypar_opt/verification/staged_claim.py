"""Is a claim about a network whose layers are put into stages true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.verification.another_word import word_of_another
from hypar_opt.verification.stages_claim import StagesClaim

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.evaluation.stages import JudgedStages
    from hypar_opt.solver.staged.problem import StagedProblem
    from hypar_opt.verification.certificate.check import Checked
    from hypar_opt.verification.verdict import Evidence

SHARED = "; both leave stages out by bounds that are stages' own optima added up"
"""What formulations of stages have in common."""


@dataclass(frozen=True)
class StagedClaim(StagesClaim):
    """A claim about stages with strategies inside."""

    problem: StagedProblem
    whatever: ClassVar[str] = "a network with stages"
    recounted: ClassVar[str] = "recounted stage by stage"
    standing: ClassVar[str] = "stages stand where their leaves do"

    @property
    def complete(self) -> str:
        """What is said of a plan that says where everything is."""
        return f"complete: {len(self.problem.layers):,} layers, each with its accelerators"

    def allowed(self, found: JudgedStages) -> str:
        """Return what is said of stages with which nothing is wrong."""
        return f"{len(found.places):,} stages one after the other: allowed, and all fits"

    def evidence(self, checked: Checked | None, limit: Fraction | None) -> Evidence:
        """Return what a formulation of another kind finds, with another one inside of stages."""
        return word_of_another(self.problem, self.claim.formulation, self.search, SHARED)
