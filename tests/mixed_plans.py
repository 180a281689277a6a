"""A small network on two accelerators beside two slower ones, as a file, and plans of it."""

from __future__ import annotations

import json

from helpers import document, instance_of

from hypar_opt.formulation.solution import Status
from hypar_opt.report.content.mixed_plan import NamedMixedPlan
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.plan import Plan


def kind(name, count, rate, bandwidth, **memory):
    """Return accelerators as an array's file has them."""
    accelerator = {"model": "as-evaluated", "rate": rate, **({"memory": memory} if memory else {})}
    return {"kind": name, "count": count, "bandwidth": bandwidth, "accelerator": accelerator}


KINDS = [kind("fast", 2, 3e12, 2e9, capacity=1e9), kind("slow", 2, 1e12, 1e9)]
LAYERS = [{"name": name, "linear": {"features": size}} for name, size in (("fc1", 32), ("fc2", 8))]


def tiny(*, kinds=KINDS, levels=2, batch=8, objective=None, **cost):
    """Return the instance as its file would have it."""
    asked = {"accounting": "published", "choices": ["dp", "mp", "op", "none"], "splits": "any"} | cost
    found = document(LAYERS, (16,), batch=batch, levels=levels, objective=objective or {"time": 1}, **asked)
    return found | {"name": "tiny", "array": found["array"] | {"accelerators": kinds}}


def written(folder, **options):
    """Write the instance to a file; return its path."""
    path = folder / "tiny.yaml"
    path.write_text(json.dumps(tiny(**options)))  # which is YAML, too
    return path


def named(words, at, own=(), **options):
    """Return a plan of it at some shares, or at the layers' own of the first split, recounted."""
    problem = problem_of(instance_of(tiny(**options)))
    if own:
        words = {name: f"{word}@0:{share}" for (name, word), share in zip(words.items(), own, strict=True)}
    plan = Plan("tiny", "", "by-hand", Status.FEASIBLE, "", words, None, None, None, 0.0, 0)
    return NamedMixedPlan("by hand", problem, problem.complete(plan, words, at))
