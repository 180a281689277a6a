"""What is asked about a claim of stages, whatever they are parts of."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from hypar_opt.instance.objective.components import COMMUNICATION, TIME
from hypar_opt.util.errors import InputError
from hypar_opt.verification.checks import bound_check, check_of, equal_check
from hypar_opt.verification.claim_case import UncertifiedClaim
from hypar_opt.verification.verdict import Check, Verdict, until_one_fails

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True)
class StagesClaim(UncertifiedClaim):
    """A claim about stages, which have bytes and a time."""

    recounted: ClassVar[str]
    """How bytes and seconds are recounted."""
    standing: ClassVar[str]
    """Why such a plan has no placement."""

    @property
    def unit(self) -> str:
        """What stands behind a value of the objective."""
        return "s"

    @property
    @abstractmethod
    def complete(self) -> str:
        """What is said of a plan that says where everything is."""

    @abstractmethod
    def allowed(self, found: Any) -> str:
        """Return what is said of stages, as they are recounted, with which nothing is wrong."""

    def arithmetic(self, strategies: Mapping[str, str]) -> Verdict:
        """Check whatever needs no search."""
        return Verdict(until_one_fails(self._checks(strategies)))

    def _checks(self, strategies: Mapping[str, str]) -> Iterator[Check]:
        """Yield what can be said of stages by themselves."""
        claim = self.claim
        try:
            found, fault = self.problem.judged(strategies), None
        except InputError as error:
            found, fault = None, error.message
        yield check_of("plan", fault, self.complete)
        if found is None:
            return
        yield check_of("stages", found.fault, self.allowed(found))
        if claim.placement is not None:
            yield check_of("placement", f"{self.standing}, expected none", "")
        yield equal_check(COMMUNICATION, claim.communication_bytes, found.bytes_moved, "bytes", self.recounted)
        yield equal_check(TIME, claim.costs.get(TIME), found.objective, "s", self.recounted)
        yield equal_check("objective", claim.objective, found.objective, "s", "the time")
        yield bound_check(claim, found.objective, "s")
