"""Feasible assignments of large tables made better in small parts: windows, while everything else stays."""

from formulations.windows.rounds import improve

__all__ = ["improve"]
