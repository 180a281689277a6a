"""What others do on accelerators of several kinds, beside the optimum: searches by level, and rules for shares."""

from hypar_opt.studies.mixed.baselines import BASELINES, Baseline, WordsAndShares, priced

__all__ = ["BASELINES", "Baseline", "WordsAndShares", "priced"]
