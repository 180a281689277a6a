"""What is peculiar to kinds of problems where their claims are judged: how they are checked, and their certificates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol

from hypar_opt.formulation.solution import Status
from hypar_opt.verification.certificate.of_graph import write_graph_certificate
from hypar_opt.verification.certificate.write import write_certificate
from hypar_opt.verification.graph_claim import GraphClaim
from hypar_opt.verification.network_claim import NetworkClaim

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction
    from pathlib import Path

    from hypar_opt.verification.budget import Search
    from hypar_opt.verification.certificate.check import Checked
    from hypar_opt.verification.claim import Claim
    from hypar_opt.verification.evidence import Evidence
    from hypar_opt.verification.verdict import Verdict


class ClaimCase(Protocol):
    """A claim about a problem, and what is asked about it one after the other."""

    @property
    def least(self) -> Fraction | None:
        """What no plan of such a problem costs less than, whatever it is; None where there is no such thing."""

    @property
    def whose(self) -> str:
        """What it is that none is claimed to be better of."""

    def prepare(self) -> None:
        """Do what comes before all checks."""

    def checked(self, path: Path) -> Checked:
        """Check a certificate, and that it is one of the problem."""

    def arithmetic(self, strategies: Mapping[str, str]) -> Verdict:
        """Check whatever needs no search."""

    def evidence(self, checked: Checked | None, limit: Fraction | None) -> Evidence:
        """Return what the certificate proves, or what can be found without one.

        Parameters
        ----------
        checked
            What the certificate says, if there is one.
        limit
            What is to be judged; None where it is whether there is any plan.
        """


@dataclass(frozen=True)
class Kind:
    """A kind of problem.

    Parameters
    ----------
    case
        Makes a case of a problem, a claim and how evidence is looked for.
    write
        Writes a certificate: to a binary file, of a problem, what a formulation hands over, and its plan.
    certified
        The statuses of plans that a certificate is written of.
    """

    case: Callable[[Any, Claim, Search], ClaimCase]
    write: Callable[..., None]
    certified: tuple[Status, ...]


KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "network": Kind(NetworkClaim, write_certificate, (Status.OPTIMAL,)),
        "strategy-graph": Kind(GraphClaim, write_graph_certificate, (Status.OPTIMAL, Status.FEASIBLE)),
    }
)
"""By the name that problems of the kind say."""
