"""Rows that could be a campaign's, drawn with a seed; nothing is solved for them."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypar_opt.studies.random_instances import CampaignRow, family
from hypar_opt.studies.random_instances.row import gap_of

CHAINS = family("chains")


def synthetic(chain, accounting="receiver", **instead):
    """Return the row of a chain: decided or not, missed or not, in whole numbers or in fractions."""
    dice = Random(f"{chain} {accounting}")
    optimum = Fraction(dice.randint(1, 50), dice.choice((1, 1, 3)))
    greedy = optimum + dice.choice((0, 0, 1, Fraction(1, 7)))
    status = "FEASIBLE" if dice.random() < 0.1 else "OPTIMAL"
    fields = {
        "family": "chains", "seed": 0, "chain": chain, "accounting": accounting, "layers": 3, "levels": 2, "batch": 7,
        "choices": "dm", "sha256": f"{dice.getrandbits(256):064x}", "greedy_status": "FEASIBLE",
        "optimum_status": status, "greedy": str(greedy), "optimum": str(optimum),
        "published_plan": str(optimum + dice.choice((0, 2))) if accounting == "leaf-exact" else None,
    }  # fmt: skip
    fields |= instead
    gap = gap_of("FEASIBLE", fields["optimum_status"], fields["greedy"], fields["optimum"])
    return CampaignRow(**{"gap": None if gap is None else str(gap),
                          "gap_float": None if gap is None else float(gap)} | fields)  # fmt: skip
