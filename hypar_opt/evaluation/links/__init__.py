"""What a plan sends over each link of an array, by walking every route.

Written from the definition: it shares no code with the level weights that placements are optimised by.
"""

from hypar_opt.evaluation.links.loads import Busiest, Measured, ScheduledSums, Traffic, traffic_of, weigh
from hypar_opt.evaluation.links.routes import Walked, misplaced, walk
from hypar_opt.evaluation.links.sums import SumTimer, TimedSum

__all__ = [
    "Busiest",
    "Measured",
    "ScheduledSums",
    "SumTimer",
    "TimedSum",
    "Traffic",
    "Walked",
    "misplaced",
    "traffic_of",
    "walk",
    "weigh",
]
