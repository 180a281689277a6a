"""Verdicts on what a plan claims, each with the evidence it rests on."""

from hypar_opt.verification.claim import Claim
from hypar_opt.verification.claim_file import read_claim
from hypar_opt.verification.evidence import Evidence, lower_bound
from hypar_opt.verification.verdict import Better, Check, Outcome, Verdict
from hypar_opt.verification.verifying import verify

__all__ = ["Better", "Check", "Claim", "Evidence", "Outcome", "Verdict", "lower_bound", "read_claim", "verify"]
