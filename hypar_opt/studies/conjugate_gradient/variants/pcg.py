"""Preconditioned conjugate gradients, with two scalar products one after the other."""

from hypar_opt.studies.conjugate_gradient.listing import Variant, axpy, dot, precondition, product, scalar

PCG = Variant(
    "pcg",
    "preconditioned: two scalar products an iteration, one after the other",
    "Hestenes and Stiefel (1952), as in Saad, Iterative Methods for Sparse Linear Systems, algorithm 9.1",
    (
        product("s", "p"),
        dot("sp", "s", "p"),
        scalar("alpha", "sp", "beta"),
        axpy("x", "x", "alpha", "p"),
        axpy("r", "r", "alpha", "s"),
        precondition("u", "r"),
        dot("ru", "r", "u"),
        scalar("beta", "ru", "beta"),
        axpy("p", "u", "beta", "p"),
    ),
    fuses=False,
)
"""The task `beta` has the sum (r, u) as well, which `alpha` of the next iteration divides."""
