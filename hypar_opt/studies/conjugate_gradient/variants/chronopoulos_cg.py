"""Conjugate gradients by Chronopoulos and Gear: one reduction, which nothing overlaps."""

from hypar_opt.studies.conjugate_gradient.listing import Variant, axpy, dot, precondition, product, scalar

CHRONOPOULOS_CG = Variant(
    "chronopoulos-cg",
    "both scalar products in one reduction, which waits for preconditioner and product",
    "Chronopoulos and Gear, J. Comput. Appl. Math. 25 (1989)",
    (
        dot("gamma", "r", "u"),
        dot("delta", "w", "u"),
        scalar("beta", "gamma", "delta", "beta"),
        scalar("alpha", "delta", "beta", "alpha"),
        axpy("p", "u", "beta", "p"),
        axpy("s", "w", "beta", "s"),
        axpy("x", "x", "alpha", "p"),
        axpy("r", "r", "alpha", "s"),
        precondition("u", "r"),
        product("w", "u"),
    ),
    fuses=False,
)
