"""Solving: a problem and the name of a formulation in, a checked plan out."""
