"""What others do on accelerators of several kinds, beside the optimum: searches by level, and rules for shares."""

from hypar_opt.studies.mixed.baselines import BASELINES, PlanRule, WordsAndShares, priced

__all__ = ["BASELINES", "PlanRule", "WordsAndShares", "priced"]
