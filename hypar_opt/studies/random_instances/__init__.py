"""Campaigns: how often, and by how much, the greedy hierarchical search misses the joint optimum."""

from hypar_opt.instance.data import instance_text
from hypar_opt.studies.random_instances.campaign import run
from hypar_opt.studies.random_instances.generator import FAMILIES, Family, draw, family, instance_of
from hypar_opt.studies.random_instances.measurement import measure, measure_document
from hypar_opt.studies.random_instances.recorded import recorded_outcome
from hypar_opt.studies.random_instances.reduction import Shrunk, shrink
from hypar_opt.studies.random_instances.row import CampaignRow
from hypar_opt.studies.random_instances.shrinking import ShrunkWorst, shrink_worst, shrunk_worst
from hypar_opt.studies.random_instances.smallest import least_greedy, smallest, surely_missed
from hypar_opt.studies.random_instances.store import CampaignStore, ParquetStore, open_recorded, open_store
from hypar_opt.studies.random_instances.tally import CampaignOutcome, Tally

__all__ = [
    "FAMILIES",
    "CampaignOutcome",
    "CampaignRow",
    "CampaignStore",
    "Family",
    "ParquetStore",
    "Shrunk",
    "ShrunkWorst",
    "Tally",
    "draw",
    "family",
    "instance_of",
    "instance_text",
    "least_greedy",
    "measure",
    "measure_document",
    "open_recorded",
    "open_store",
    "recorded_outcome",
    "run",
    "shrink",
    "shrink_worst",
    "shrunk_worst",
    "smallest",
    "surely_missed",
]
