"""All plans of a corner of the search space, and one network on arrays of all sizes."""

from hypar_opt.studies.sweep.enumeration import explore
from hypar_opt.studies.sweep.exploration import Exploration
from hypar_opt.studies.sweep.scaling import SizedInstances, read_sizes, scale, scale_sizes
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
    "SizedInstances",
    "Space",
    "checked_components",
    "counted",
    "explore",
    "read_sizes",
    "scale",
    "scale_sizes",
    "space_of",
    "usual_component",
]
