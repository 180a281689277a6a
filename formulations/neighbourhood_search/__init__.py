"""Feasible assignments of large tables made better in small parts: windows, while everything else stays."""

from formulations.neighbourhood_search.rounds import fused, improve

__all__ = ["fused", "improve"]
