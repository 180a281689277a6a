"""A claim about a problem: what is asked about it, and how evidence is looked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn

from hypar_opt.formulation.run import Limits, Listener
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hypar_opt.formulation.solution import Status
    from hypar_opt.solver.problem import Problem
    from hypar_opt.verification.certificate.check import Checked
    from hypar_opt.verification.claim import Claim
    from hypar_opt.verification.verdict import Evidence, Verdict

SEARCH_S: Final = 12.0
"""How long strategy graphs are searched where no deadline is given: they can keep any solver busy for ever."""


@dataclass(frozen=True)
class EvidenceSearch:
    """How evidence is looked for.

    Parameters
    ----------
    limits
        Of the search for a proof or a better plan.
    certificate
        Evidence that came with the plan; some is made anew where there is none.
    listener
        Hears the search's events.
    own
        Whether evidence that stands in the plan's own file counts.
    """

    limits: Limits = field(default_factory=Limits)
    certificate: Path | None = None
    listener: Listener | None = None
    own: bool = True

    @property
    def limited(self) -> EvidenceSearch:
        """The same with a deadline, `SEARCH_S` from now if there is none yet."""
        return self if self.limits.deadline is not None else replace(self, limits=self.limits.within(SEARCH_S))


@dataclass(frozen=True)
class ClaimCase(ABC):
    """A claim about a problem of some kind, and what is asked about it one after the other.

    Parameters
    ----------
    problem, claim, search
        Of what, what is claimed, and how evidence is looked for.
    """

    problem: Any
    claim: Claim
    search: EvidenceSearch
    least: ClassVar[Fraction | None] = None
    """What no plan of such a problem costs less than, whatever it is; None where there is no such thing."""
    certified: ClassVar[tuple[Status, ...]]
    """The statuses of plans that a certificate is written of."""
    write: ClassVar[Callable[..., None]]
    """Writes a certificate: to a binary file, of a problem, what a formulation hands over, and its plan."""

    @property
    def whose(self) -> str:
        """What it is that none is claimed to be better of."""
        return "plan"

    @property
    def unit(self) -> str:
        """What stands behind a value of the objective, or nothing."""
        return ""

    def prepare(self) -> None:  # noqa: B027 - most have nothing to do
        """Do what comes before all checks."""

    @abstractmethod
    def checked(self, path: Path) -> Checked:
        """Check a certificate, and that it is one of the problem."""

    @abstractmethod
    def arithmetic(self, strategies: Mapping[str, str]) -> Verdict:
        """Check whatever needs no search."""

    @abstractmethod
    def evidence(self, checked: Checked | None, limit: Fraction | None) -> Evidence:
        """Return what the certificate proves, or what can be found without one.

        Parameters
        ----------
        checked
            What the certificate says, if there is one.
        limit
            What is to be judged; None where it is whether there is any plan.
        """


class UncertifiedClaim(ClaimCase):
    """A claim about a problem of which there are no certificates."""

    least: ClassVar[Fraction] = Fraction(0)
    certified: ClassVar[tuple[Status, ...]] = ()
    whatever: ClassVar[str]
    """What there are none of."""

    @staticmethod
    def write(_: object, problem: Problem, *__: object) -> NoReturn:
        """Refuse, and say why there are none."""
        raise Refusal(problem.uncertifiable or "there are no certificates of such problems")

    def checked(self, path: Path) -> Checked:
        """Refuse: no certificate is of such a problem.

        Raises
        ------
        InputError
            Always.
        """
        raise InputError(f"is no certificate of {self.whatever}: there are none", file=path)
