"""Iteration-fusing conjugate gradients, second version: its two sums are apart."""

from hypar_opt.studies.conjugate_gradient.listing import Variant, dot, precondition, product, scalar
from hypar_opt.studies.conjugate_gradient.variants.pipelined_cg import VECTORS

IFCG2 = Variant(
    "ifcg2",
    "as ifcg1, and what needs the first coefficient alone does not wait for the second sum",
    "Zhuang and Casas, ICS 2017",
    (
        dot("gamma", "r", "u"),
        dot("delta", "w", "u"),
        precondition("m", "w"),
        product("n", "m"),
        scalar("beta", "gamma", "beta"),
        scalar("alpha", "delta", "beta", "alpha"),
        *VECTORS,
    ),
    fuses=True,
)
