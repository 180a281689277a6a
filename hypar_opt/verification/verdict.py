"""What verification answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.evaluation.legality import Split
    from hypar_opt.evaluation.strategy_graph import Judged


class Outcome(StrEnum):
    """Whether a claim is true."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Check:
    """One thing that was checked.

    Parameters
    ----------
    name
        What: `plan`, `strategies`, `memory`, `placement`, `communication`, `total`, `objective`, `bound`,
        `certificate` or `optimality`.
    outcome
        Whether it holds.
    text
        What was expected and what was found.
    """

    name: str
    outcome: Outcome
    text: str


@dataclass(frozen=True)
class Better:
    """A plan that costs less than another is claimed to.

    Parameters
    ----------
    source
        Who found it.
    strategies
        By layer, or of a strategy graph by node.
    communication_bytes, objective
        Recomputed by boxes, and by routes where a placement counts; from the strategy graph, which exchanges no bytes.
    placement
        The accelerator of every leaf, where the objective depends on it.
    """

    source: str
    strategies: Mapping[str, str]
    communication_bytes: int | Fraction | None
    objective: Fraction
    placement: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Verdict:
    """What is true of a claim.

    Parameters
    ----------
    checks
        In order; the first that fails ends it.
    breakdown, leaf_exact
        Where the plan's bytes go, by the instance's accounting and by the leaves' own boxes; None without a
        legal plan, and of strategy graphs.
    bound
        The best proven lower bound on the objective, or None.
    better
        A plan that refutes the claim.
    judged
        What a strategy graph's plan costs and uses.
    splits
        What a plan splits unevenly, which makes no claim false.
    """

    checks: tuple[Check, ...]
    breakdown: Breakdown | None = None
    leaf_exact: Breakdown | None = None
    bound: Fraction | None = None
    better: Better | None = None
    judged: Judged | None = None
    splits: tuple[Split, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """Refuted if any check is, undecided if any is, else confirmed."""
        found = {check.outcome for check in self.checks}
        return next((one for one in (Outcome.REFUTED, Outcome.UNDECIDED) if one in found), Outcome.CONFIRMED)

    @property
    def reason(self) -> str:
        """The name of the check that decides, or nothing where all hold."""
        return next((check.name for check in self.checks if check.outcome is not Outcome.CONFIRMED), "")
