"""Published claims, each recomputed and judged."""

from hypar_opt.studies.claims.auditor import audit
from hypar_opt.studies.claims.claims import ClaimRow, Claims, ClaimVerdict, Judgement, PublishedClaim
from hypar_opt.studies.claims.read import find_claims, read_claims, shipped_claims

__all__ = [
    "ClaimRow",
    "ClaimVerdict",
    "Claims",
    "Judgement",
    "PublishedClaim",
    "audit",
    "find_claims",
    "read_claims",
    "shipped_claims",
]
