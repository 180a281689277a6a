"""All plans of a corner of the search space, and one network on arrays of all sizes."""

from hypar_opt.studies.sweep.enumeration import explore
from hypar_opt.studies.sweep.exploration import Exploration
from hypar_opt.studies.sweep.scaling import scale
from hypar_opt.studies.sweep.sizes import Point
from hypar_opt.studies.sweep.space import (
    Space,
    checked_components,
    counted,
    space_of,
    usual_component,
)

__all__ = [
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
