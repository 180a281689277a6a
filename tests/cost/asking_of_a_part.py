"""A script: what becomes of an energy one part of which is `switch-energy`, as JSON."""

from __future__ import annotations

import json

from hypar_opt.instance import load
from hypar_opt.instance.objective.components import COMPONENTS, TOTALS
from hypar_opt.report.charts.costs import costs_figure
from hypar_opt.report.content import gather
from hypar_opt.solver.solve import solve
from hypar_opt.verification import verify

instance = load("lenet-c", array="hypar-16", objective="energy")
plan = solve(instance, "joint-dp")
(subject,), _ = gather([instance], ["joint-dp"], sections=())
drawn = json.dumps(costs_figure(subject.plans).spec)
print(
    json.dumps(
        {
            "parts": TOTALS["energy"],
            "placed": instance.is_placed,
            "status": plan.status.value,
            "outcome": verify(instance, plan).outcome,
            "energy": str(plan.objective),
            "summed": str(sum(plan.costs[part] for part in TOTALS["energy"])),
            "share": float(plan.costs["switch-energy"]),
            "colour": COMPONENTS["switch-energy"].colour if '"switch-energy"' in drawn else None,
        }
    )
)
