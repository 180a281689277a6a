"""All plans of a corner of the search space, and one network on arrays of all sizes."""

from hypar_opt.exploring.exploration import Exploration
from hypar_opt.exploring.exploring import explore
from hypar_opt.exploring.scaling import Point, scale
from hypar_opt.exploring.space import MOST_COMBINATIONS, Space, space_of
from hypar_opt.exploring.wanted import checked_components, counted, usual_component

__all__ = [
    "MOST_COMBINATIONS",
    "Exploration",
    "Point",
    "Space",
    "checked_components",
    "counted",
    "explore",
    "scale",
    "space_of",
    "usual_component",
]
