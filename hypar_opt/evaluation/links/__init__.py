"""What a plan sends over each link of an array, by walking every route.

Written from the definition: it shares no code with the level weights that placements are optimised by.
"""

from hypar_opt.evaluation.links.loads import Busiest, Measured, measure, weigh
from hypar_opt.evaluation.links.routes import Walked, misplaced, walk
from hypar_opt.evaluation.links.transfers import Sent, Traffic, traffic_of

__all__ = [
    "Busiest",
    "Measured",
    "Sent",
    "Traffic",
    "Walked",
    "measure",
    "misplaced",
    "traffic_of",
    "walk",
    "weigh",
]
