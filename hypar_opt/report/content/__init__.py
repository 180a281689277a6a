"""What a report holds, gathered: plans of instances by formulations, fronts, explorations, scaling, verdicts."""

from hypar_opt.reporting.content import Named, Report, Subject
from hypar_opt.reporting.gathering import gather
from hypar_opt.reporting.given import Given, given_plans
from hypar_opt.reporting.judging_beside import judged_beside
from hypar_opt.reporting.names import slug_of
from hypar_opt.reporting.provenance import Provenance, provenance

__all__ = [
    "Given",
    "Named",
    "Provenance",
    "Report",
    "Subject",
    "gather",
    "given_plans",
    "judged_beside",
    "provenance",
    "slug_of",
]
