"""Plans that are given as files: read strictly, bound to their instance, recomputed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from hypar_opt.solver.plan import Plan
from hypar_opt.util.errors import InputError
from hypar_opt.verification import CheckOutcome, Claim, read_claim
from hypar_opt.verification.checks import check_binding, cost_checks, placement_checks, strategy_checks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from hypar_opt.solver.network_problem import NetworkProblem


@dataclass(frozen=True)
class Given:
    """A plan file.

    Parameters
    ----------
    path
        The file.
    claim
        What it says.
    plan
        The same with who found it and how, as a formulation would have returned it.
    """

    path: Path
    claim: Claim
    plan: Plan

    def check(self, problem: NetworkProblem) -> None:
        """Recompute what can be without a search: whose plan it is, whether it is one, what it costs.

        Raises
        ------
        InputError
            If it is not what it claims; names the file. Whether it is optimal is not decided here.
        """
        check_binding(problem, self.claim)
        strategies = self.claim.strategies
        if strategies is None:
            return
        before = chain(strategy_checks(problem, strategies), placement_checks(problem, self.claim))
        for check in before:
            self._hold(check.name, check.text, check.outcome)
        for check in cost_checks(problem, self.claim, problem.bytes_of(strategies)):
            self._hold(check.name, check.text, check.outcome)

    def _hold(self, name: str, text: str, outcome: CheckOutcome) -> None:
        if outcome is CheckOutcome.REFUTED:
            raise InputError(f"is not what it claims: {name}: {text}", file=self.path)


def given_plans(places: Iterable[Path]) -> tuple[Given, ...]:
    """Read plan files, and all those in folders and the folders in them.

    Raises
    ------
    InputError
        If a file is no plan file or claims nothing, or a folder has none.
    """
    return tuple(_given(path) for place in places for path in _files(place))


def _files(place: Path) -> Sequence[Path]:
    if not place.is_dir():
        return [place]
    found = sorted(path for path in place.rglob("*.json") if not path.name.startswith("."))
    if not found:
        raise InputError("has no plan files (*.json)", file=place)
    return found


def _given(path: Path) -> Given:
    return Given(path, read_claim(path), Plan.load(path))
