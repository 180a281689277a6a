"""Iteration-fusing conjugate gradients, first version: pipelined, without a barrier after each iteration."""

from hypar_opt.studies.conjugate_gradient.listing import Variant
from hypar_opt.studies.conjugate_gradient.variants.pipelined_cg import KERNELS

IFCG1 = Variant(
    "ifcg1",
    "pipelined, with a barrier every so many iterations only",
    "Zhuang and Casas, ICS 2017",
    KERNELS,
    fuses=True,
)
