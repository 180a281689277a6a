"""Variants of conjugate gradients, a record each."""

from types import MappingProxyType
from typing import Final

from hypar_opt.studies.conjugate_gradient.variants.chronopoulos_cg import CHRONOPOULOS_CG
from hypar_opt.studies.conjugate_gradient.variants.gropp_cg import GROPP_CG
from hypar_opt.studies.conjugate_gradient.variants.ifcg1 import IFCG1
from hypar_opt.studies.conjugate_gradient.variants.ifcg2 import IFCG2
from hypar_opt.studies.conjugate_gradient.variants.pcg import PCG
from hypar_opt.studies.conjugate_gradient.variants.pipelined_cg import PIPELINED_CG

VARIANTS: Final = MappingProxyType(
    {one.name: one for one in (PCG, CHRONOPOULOS_CG, GROPP_CG, PIPELINED_CG, IFCG1, IFCG2)}
)
"""By name."""
