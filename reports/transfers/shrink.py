"""python -m reports.transfers.shrink: the problem of the study that Prophet loses most on, made small, as a task graph.

Without start-ups, so that the task graph's optimum is that of whole gradients. Layers are left out and times rounded as
long as Prophet's blocks take at least half as long again as whole gradients at best.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from hypar_opt.cli.task_graph_output import task_graph_yaml
from hypar_opt.studies.transfers import Gradient, TransferProblem, best_whole
from hypar_opt.studies.transfers.document import transfer_document
from hypar_opt.studies.transfers.rules import transfer_rules
from hypar_opt.studies.transfers.sending import send_by
from hypar_opt.util.files import write_to_folder
from hypar_opt.util.numbers import decimal

from .study import LOADS, steps_of

FOLDER = Path(__file__).parents[2] / "instances" / "tasks"
NAME = "prophet-waits"
RULE = "prophet"
LEAST = Fraction(3, 2)
"""Times as late as at best."""
SCALES = range(4, 60)
"""Seconds that the unhindered passes of the rounded problem take, the least that will do."""


def loss(problem):
    """Return how many times as late as the best of whole gradients Prophet's blocks end."""
    return send_by(transfer_rules()[RULE], problem, Fraction(1)).end / best_whole(problem, most=200).sent.end


def worst():
    """Return the problem of the study without start-ups that Prophet loses most on."""
    problems = [step.problem(step.sent / (load * step.computing)) for _, step in steps_of(None) for load in LOADS]
    return max(problems, key=loss)


def without(problem, place):
    """Return a problem without a gradient: its layer's forward seconds count to the layer ahead, or to the lead."""
    each = list(problem.gradients)
    left = each.pop(place)
    if place:
        each[place - 1] = replace(each[place - 1], forward=each[place - 1].forward + left.forward)
        return replace(problem, gradients=tuple(each))
    return replace(problem, gradients=tuple(each), lead=problem.lead + left.forward)


def rounded(problem, seconds):
    """Return a problem of whole numbers, so many of which the passes take; every gradient at least one."""
    scale = seconds / problem.unhindered
    each = tuple(
        Gradient(f"layer {place}", Fraction(round(one.ready * scale)), Fraction(max(1, round(one.seconds * scale))),
                 Fraction(round(one.forward * scale)))
        for place, one in enumerate(problem.gradients, start=1)
    )  # fmt: skip
    return TransferProblem(NAME, each, Fraction(round(problem.backward * scale)), Fraction(round(problem.lead * scale)))


def smaller(problem, least):
    """Return a problem of fewer layers, of which none can be left out."""
    for place in range(len(problem.gradients)):
        if len(problem.gradients) > 1 and loss(fewer := without(problem, place)) >= least:
            return smaller(fewer, least)
    return problem


def main():
    """Write the task graph, and say how much is lost at each step."""
    problem = worst()
    print(f"{problem.name}, {len(problem.gradients)} gradients: {decimal(loss(problem), 4)}")
    fewer = smaller(problem, LEAST)
    small = next(one for seconds in SCALES if loss(one := rounded(fewer, seconds)) >= LEAST)
    found = loss(small)
    print(f"{len(small.gradients)} gradients, {small.unhindered} s of computing: {decimal(found, 4)}")
    said = (
        f"Transfers of gradients, shrunk from {problem.name}'s: Prophet's blocks end {decimal(found, 4)} times as late "
        "as whole gradients at best. By reports/transfers/shrink.py."
    )
    write_to_folder(FOLDER, {f"{NAME}.yaml": task_graph_yaml(transfer_document(small), [said])})


if __name__ == "__main__":
    main()
