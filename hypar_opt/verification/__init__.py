"""Verdicts on what a plan claims, each with the evidence it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.util.lazy import lazy_names

if TYPE_CHECKING:
    from hypar_opt.verification.claim import Claim, read_claim
    from hypar_opt.verification.evidence import lower_bound
    from hypar_opt.verification.verdict import Better, Check, CheckOutcome, Evidence, Verdict
    from hypar_opt.verification.verifier import verify

__all__ = [
    "Better",
    "Check",
    "CheckOutcome",
    "Claim",
    "Evidence",
    "Verdict",
    "lower_bound",
    "read_claim",
    "verify",
]

__getattr__ = lazy_names(
    __name__,
    {
        "claim": ("Claim", "read_claim"),
        "evidence": ("lower_bound",),
        "verdict": ("Better", "Check", "CheckOutcome", "Evidence", "Verdict"),
        "verifier": ("verify",),
    },
    renamed={"Outcome": "CheckOutcome"},
)
