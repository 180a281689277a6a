"""Campaigns: how often, and by how much, the greedy hierarchical search misses the joint optimum."""

from hypar_opt.campaign.document import instance_of, instance_text
from hypar_opt.campaign.drawing import draw
from hypar_opt.campaign.family import FAMILIES, Family, family
from hypar_opt.campaign.measuring import measure, measure_document
from hypar_opt.campaign.outcome import Outcome
from hypar_opt.campaign.row import Row
from hypar_opt.campaign.running import run
from hypar_opt.campaign.shrinking import Shrunk, shrink
from hypar_opt.campaign.smallest import smallest
from hypar_opt.campaign.store import Store
from hypar_opt.campaign.tally import Tally
from hypar_opt.campaign.ties import least_greedy, surely_missed
from hypar_opt.campaign.worst import shrink_worst

__all__ = [
    "FAMILIES",
    "Family",
    "Outcome",
    "Row",
    "Shrunk",
    "Store",
    "Tally",
    "draw",
    "family",
    "instance_of",
    "instance_text",
    "least_greedy",
    "measure",
    "measure_document",
    "run",
    "shrink",
    "shrink_worst",
    "smallest",
    "surely_missed",
]
