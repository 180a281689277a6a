"""What a plan sends over each link of an array, by walking every route.

Written from the definition: it shares no code with the level weights that placements are optimised by.
"""

from hypar_opt.traffic.measured import Busiest, Measured, measure, weigh
from hypar_opt.traffic.sent import Sent, Traffic, traffic_of
from hypar_opt.traffic.walking import MOST_ACCELERATORS, MOST_HOPS, Walked, misplaced, walk

__all__ = [
    "MOST_ACCELERATORS",
    "MOST_HOPS",
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
