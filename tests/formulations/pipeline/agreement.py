"""Formulations of pipelines against all plans there are: `python -m tests.formulations.pipeline.agreement 1000`."""

from __future__ import annotations

import sys
from collections import Counter

from hypar_opt import Limits, solve
from hypar_opt.formulation.registry import formulations
from hypar_opt.util.errors import Refusal
from tests.formulations.pipeline.small_ways import best_of_all_ways, random_ways

LIMITS = Limits(workers=1)
LARGE = "groups times places"
"""In what pipeline-milp says of too many."""
TOGETHER = "are not tried"
"""In what any says of too many operators that stand together and may each compute activations anew."""


def check_agreement(seed, declines=(LARGE,)):
    """Check that no formulation says of a pipeline what is not so; return what each says.

    Parameters
    ----------
    declines
        What may be said by one that declines.
    """
    instance = random_ways(seed, most=4)
    least = best_of_all_ways(instance)
    said = {"a plan": "none" if least is None else "some", "recompute": instance.recompute}
    for name, able in formulations().items():
        if able.decides != "stages" or (name == "pipeline-dp" and not instance.contiguous):
            continue
        if able.exact and able.reads_batch:
            continue  # of another objective
        try:
            plan = solve(instance, name, limits=LIMITS)
        except Refusal as refused:
            assert any(text in str(refused) for text in declines)
            said[name] = "declines"
            continue
        said[name] = str(plan.status)
        if able.exact:
            assert (name, plan.status, plan.objective) == (name, "INFEASIBLE" if least is None else "OPTIMAL", least)
        else:
            assert plan.status in ("NO_SOLUTION", "FEASIBLE", "OPTIMAL")
            assert plan.objective is None or plan.bound <= least <= plan.objective
    return said


if __name__ == "__main__":
    counts = Counter()
    for number in range(int(sys.argv[1])):
        counts.update(check_agreement(number, (LARGE, TOGETHER)).items())
    for (who, what), count in sorted(counts.items()):
        print(f"{who} {what} {count}")
