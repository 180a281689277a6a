"""Published claims, each recomputed and judged."""

from hypar_opt.audit.auditing import audit
from hypar_opt.audit.claims import Claim, Claims
from hypar_opt.audit.read import read_claims
from hypar_opt.audit.shipped import find_claims, shipped_claims
from hypar_opt.audit.verdict import Judgement, Row, Verdict

__all__ = [
    "Claim",
    "Claims",
    "Judgement",
    "Row",
    "Verdict",
    "audit",
    "find_claims",
    "read_claims",
    "shipped_claims",
]
