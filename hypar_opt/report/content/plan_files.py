"""Plans that are given as files: read strictly, bound to their instance, recomputed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypar_opt.errors import InputError
from hypar_opt.instance.document import read_document
from hypar_opt.plan import Plan
from hypar_opt.verification import Claim, Outcome, read_claim
from hypar_opt.verification.checks import check_binding, cost_checks, placement_checks, strategy_checks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.problem import Problem


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

    def check(self, problem: Problem) -> None:
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

    def _hold(self, name: str, text: str, outcome: Outcome) -> None:
        if outcome is Outcome.REFUTED:
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
    claim = read_claim(path)
    return Given(path, claim, _plan(claim, read_document(path).data))


def _plan(claim: Claim, data: Mapping[str, Any]) -> Plan:
    """Return the claim as a plan, with what its file says beside it."""
    return Plan(
        claim.instance, claim.instance_sha256, claim.formulation, claim.status, str(data.get("native_status", "")),
        claim.strategies, _whole(claim), claim.objective, claim.bound, _seconds(data.get("runtime_s")),
        int(data.get("seed", 0)), str(data.get("note", "")), data.get("versions", {}), claim.overrides,
        {name: _plain(value) for name, value in data.get("statistics", {}).items()}, claim.placement, claim.decided,
        claim.costs,
    )  # fmt: skip


def _whole(claim: Claim) -> Any:
    """Return the bytes as a plan has them: an integer where they are one."""
    total = claim.communication_bytes
    return total if total is None or total.denominator != 1 else total.numerator


def _seconds(value: object) -> float:
    """Return a time that is there for information only; what is none counts as none."""
    return float(value) if isinstance(value, int | float) or hasattr(value, "as_tuple") else 0.0  # type: ignore[arg-type]


def _plain(value: Any) -> int | float | str:
    return value if isinstance(value, int | str) else float(value)
