"""What a report holds, gathered: plans of instances by formulations, fronts, explorations, scaling, verdicts."""

from hypar_opt.report.content.claims_process import judged_beside
from hypar_opt.report.content.collection import Given, gather, given_plans, slug_of, slugs
from hypar_opt.report.content.content import Report, Subject
from hypar_opt.report.content.named_plan import FoundPlan, NamedPlan
from hypar_opt.report.content.provenance import Provenance, provenance

__all__ = [
    "FoundPlan",
    "Given",
    "NamedPlan",
    "Provenance",
    "Report",
    "Subject",
    "gather",
    "given_plans",
    "judged_beside",
    "provenance",
    "slug_of",
    "slugs",
]
