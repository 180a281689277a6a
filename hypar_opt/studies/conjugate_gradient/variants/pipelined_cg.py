"""Pipelined conjugate gradients: one double reduction beside preconditioner and product."""

from hypar_opt.studies.conjugate_gradient.listing import Variant, axpy, dot, precondition, product, scalar

VECTORS = (
    axpy("z", "n", "beta", "z"),
    axpy("q", "m", "beta", "q"),
    axpy("s", "w", "beta", "s"),
    axpy("p", "u", "beta", "p"),
    axpy("x", "x", "alpha", "p"),
    axpy("r", "r", "alpha", "s"),
    axpy("u", "u", "alpha", "q"),
    axpy("w", "w", "alpha", "z"),
)
"""What is done with both coefficients, also where iterations are fused."""
KERNELS = (
    dot("gamma", "r", "u"),
    dot("delta", "w", "u"),
    precondition("m", "w"),
    product("n", "m"),
    scalar("beta", "gamma", "delta", "beta"),
    scalar("alpha", "delta", "beta", "alpha"),
    *VECTORS,
)
"""The reduction is double: neither coefficient is there before both sums are."""
PIPELINED_CG = Variant(
    "pipelined-cg",
    "one double reduction, beside preconditioner and product; eight vector updates instead of three",
    "Ghysels and Vanroose, Parallel Computing 40 (2014)",
    KERNELS,
    fuses=False,
)
