"""Conjugate gradients by Gropp: two reductions, one beside the preconditioner and one beside the product."""

from hypar_opt.studies.conjugate_gradient.listing import Variant, axpy, dot, precondition, product, scalar

GROPP_CG = Variant(
    "gropp-cg",
    "two reductions, one beside the preconditioner and one beside the product",
    "Gropp (2010), as in Ghysels and Vanroose, Parallel Computing 40 (2014)",
    (
        dot("delta", "p", "s"),
        precondition("q", "s"),
        scalar("alpha", "delta", "beta"),
        axpy("x", "x", "alpha", "p"),
        axpy("r", "r", "alpha", "s"),
        axpy("u", "u", "alpha", "q"),
        dot("gamma", "r", "u"),
        product("w", "u"),
        scalar("beta", "gamma", "beta"),
        axpy("p", "u", "beta", "p"),
        axpy("s", "w", "beta", "s"),
    ),
    fuses=False,
)
