"""Certificates of optimality: written from a solver's potentials, checked by `check.py` alone."""
