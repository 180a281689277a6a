"""Two plans of one pipeline: which operators stand elsewhere, and what every stage then takes and keeps."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from hypar_opt.verification.checks import judged_plan

if TYPE_CHECKING:
    from fractions import Fraction

    import pandas as pd

    from hypar_opt.evaluation.pipeline import JudgedPipeline, PipelineStage
    from hypar_opt.instance.pipeline import StageDevices
    from hypar_opt.solver.pipeline_problem import PipelineProblem
    from hypar_opt.studies.compared_problems import FieldDifference
    from hypar_opt.verification.claim import Claim


@dataclass(frozen=True)
class MovedOperators:
    """Operators that one stage has in the first plan, and one in the second.

    Parameters
    ----------
    operators
        In the instance's order.
    first, second
        The devices of their stages.
    """

    operators: tuple[str, ...]
    first: StageDevices
    second: StageDevices


@dataclass(frozen=True)
class StagePair:
    """What the same devices do in two plans; None where they do nothing, or are no stage of their own."""

    devices: StageDevices
    first: PipelineStage | None
    second: PipelineStage | None


@dataclass(frozen=True)
class StageComparison:
    """Two plans of one pipeline.

    Parameters
    ----------
    problem
        Whose.
    claims, judged
        The plans, and what is true of each.
    """

    problem: PipelineProblem
    claims: tuple[Claim, Claim]
    judged: tuple[JudgedPipeline, JudgedPipeline]

    @property
    def moved(self) -> tuple[MovedOperators, ...]:
        """Operators whose devices differ, those of the same two stages together, in the first plan's order."""
        first, second = (one.devices_of for one in self.judged)
        order = {devices: place for place, devices in enumerate(self.judged[0].order or self.judged[0].used)}
        differ = [one.name for one in self.problem.instance.operators if first[one.name] != second[one.name]]

        def ends(name: str) -> tuple[int, StageDevices]:
            return order[first[name]], second[name]

        return tuple(
            MovedOperators(tuple(names), first[names[0]], second[names[0]])
            for names in (list(own) for _, own in groupby(sorted(differ, key=ends), key=ends))
        )

    @property
    def anew(self) -> tuple[str, ...]:
        """Operators that compute their activations anew in one of the plans only."""
        either = self.judged[0].anew ^ self.judged[1].anew
        return tuple(one.name for one in self.problem.instance.operators if one.name in either)

    @property
    def stages(self) -> tuple[StagePair, ...]:
        """All devices that are a stage of either plan: in the first plan's order, then those of the second alone."""
        first, second = ({stage.devices: stage for stage in one.stages} for one in self.judged)
        return tuple(StagePair(one, first.get(one), second.get(one)) for one in dict.fromkeys((*first, *second)))

    @property
    def more(self) -> Fraction:
        """What the second plan takes more than the first."""
        return self.judged[1].objective - self.judged[0].objective

    def to_frame(self) -> pd.DataFrame:
        """Return a row an operator that stands elsewhere: its devices in either plan."""
        import pandas as pd

        rows = [(name, str(one.first), str(one.second)) for one in self.moved for name in one.operators]
        return pd.DataFrame(rows, columns=["operator", "first", "second"])


def compare_stages(
    problems: tuple[PipelineProblem, PipelineProblem],
    differing: tuple[FieldDifference, ...],
    claims: tuple[Claim, Claim],
) -> StageComparison:
    """Say where the operators of two plans stand.

    Parameters
    ----------
    problems
        One, twice.
    differing
        In what they differ: nothing, as a pipeline has no overrides.
    claims
        Of the plans.

    Raises
    ------
    InputError
        If one is no allowed plan.
    """
    problem = problems[0]
    first, second = (judged_plan(problem.judged, claim, "a plan to compare") for claim in claims)
    return StageComparison(problem, claims, (first, second))
