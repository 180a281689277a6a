"""What a report holds, gathered: plans of instances by formulations, fronts, explorations, scaling, verdicts."""

from hypar_opt.reporting.content import Named, Report, Subject
from hypar_opt.reporting.gathering import gather
from hypar_opt.reporting.provenance import Provenance, provenance

__all__ = ["Named", "Provenance", "Report", "Subject", "gather", "provenance"]
