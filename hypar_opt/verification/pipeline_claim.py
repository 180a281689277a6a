"""Is a claim about a pipeline true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.verification.another_word import word_of_another
from hypar_opt.verification.stages_claim import StagesClaim

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.evaluation.pipeline import JudgedPipeline
    from hypar_opt.solver.pipeline_problem import PipelineProblem
    from hypar_opt.verification.certificate.check import Checked
    from hypar_opt.verification.verdict import Evidence


@dataclass(frozen=True)
class PipelineClaim(StagesClaim):
    """A claim about the stages of a pipeline."""

    problem: PipelineProblem
    whatever: ClassVar[str] = "a pipeline"
    recounted: ClassVar[str] = "recounted by operators"
    standing: ClassVar[str] = "devices stand nowhere"

    @property
    def complete(self) -> str:
        """What is said of a plan that says where everything is."""
        return f"complete: {len(self.problem.instance.operators):,} operators, each with its devices"

    def allowed(self, found: JudgedPipeline) -> str:
        """Return what is said of stages with which nothing is wrong."""
        contiguous = "contiguous, " if self.problem.instance.contiguous else ""
        return f"{len(found.used):,} stages: {contiguous}allowed, and all fits"

    def evidence(self, checked: Checked | None, limit: Fraction | None) -> Evidence:
        """Return what a formulation of another kind finds."""
        return word_of_another(self.problem, self.claim.formulation, self.search)
