"""Algorithms of collectives side by side."""

from hypar_opt.studies.collectives.message_sizes import (
    AlgorithmTimes,
    MessageSizes,
    times_of_plans,
    times_over_sizes,
)

__all__ = ["AlgorithmTimes", "MessageSizes", "times_of_plans", "times_over_sizes"]
