"""What a report holds, gathered: plans of instances by formulations, fronts, explorations, scaling, verdicts."""

from hypar_opt.report.content.claims_process import judged_beside
from hypar_opt.report.content.collection import gather, slug_of
from hypar_opt.report.content.content import NamedPlan, Report, Subject
from hypar_opt.report.content.plan_files import Given, given_plans
from hypar_opt.report.content.provenance import Provenance, provenance

__all__ = [
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
]
