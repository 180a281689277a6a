"""What the boxes of shares that came with a claim prove."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.solution import Status
from hypar_opt.verification.checks import check_of
from hypar_opt.verification.mixed_boxes.cover import BoxesAsked, count, cover_fault
from hypar_opt.verification.mixed_boxes.plan_checks import Witness
from hypar_opt.verification.mixed_boxes.showing import BoxShowing, Faulty
from hypar_opt.verification.verdict import Better, BoxCount, Check, CheckOutcome, Evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.mixed.problem import MixedProblem
    from hypar_opt.solver.share_evidence import ShareEvidence
    from hypar_opt.verification.claim import Claim
    from hypar_opt.verification.mixed_boxes.showing import ShownBox

BOXES: Final = "boxes"
"""Name of the check."""


def box_evidence(
    problem: MixedProblem, claim: Claim, boxes: ShareEvidence, limit: Fraction | None, limits: Limits
) -> Evidence | None:
    """Return what boxes prove; without a bound where some of them are not shown to hold no better plan.

    None where shares are not of the kind that boxes are checked for.

    Parameters
    ----------
    boxes
        Those of the claim.
    limit
        What is to be judged; None where it is whether there is any plan.
    limits
        Of the time that it may take.
    """
    setting = problem.judged_by
    shape = setting.barrier.waits(problem.work, setting.levels), len(setting.array.classes)
    asked = BoxesAsked(problem.instance.shares, problem.instance.batch, len(setting.array.splits), *shape)
    if asked.ends is None:
        return None
    fault = cover_fault(boxes, asked)
    if fault is None and claim.status in (Status.OPTIMAL, Status.INFEASIBLE):
        fault = _left_open(boxes)
    if fault is not None:
        return _of_check(check_of(BOXES, fault, ""))
    most = None if limit is None else limit / problem.weight
    try:
        found = BoxShowing(problem.work, setting, problem.rules, boxes, most, lambda: limits.over).shown()
    except Faulty as error:
        return _of_check(check_of(BOXES, str(error), ""))
    except Witness as better:
        return Evidence("a box of shares holds a plan", best=_better(problem, better))
    return _of_boxes(found, boxes, limit)


def _of_check(check: Check) -> Evidence:
    return Evidence(check.text, checks=(check,))


def _left_open(evidence: ShareEvidence) -> str | None:
    """Return which box is neither closed nor cut into others."""
    cut = {one.within for one in evidence.boxes}
    found = next((one for one in evidence.boxes if one.closed is None and one.number not in cut), None)
    return None if found is None else f"box {found.number} is neither closed nor cut into others"


def _of_boxes(found: Sequence[ShownBox], boxes: ShareEvidence, limit: Fraction | None) -> Evidence:
    """Return what is proven where no box is false."""
    counts = Counter((one.box.closed, one.how) for one in found)
    rows = tuple(BoxCount(closed, how, number) for (closed, how), number in counts.items())
    cells, vectors = _number(len(found), "box", "boxes"), _all_of(boxes)
    open_ones = [one for one in found if one.how == "not shown"]
    how = "none holds a better plan by the evaluator's costs"
    if open_ones:
        first = open_ones[0]
        how = f"of {len(open_ones):,} that is not shown apart (box {first.box.number}: {first.why_not})"
    check = Check(BOXES, CheckOutcome.CONFIRMED, f"{cells} with {vectors}, each once; {how}")
    if open_ones:
        return Evidence(check.text, checks=(check,), boxes=rows)
    by = " and ".join(
        f"{number:,} by {what}"
        for way, what in (("weights", "least weighted sums"), ("words", "trying words"))
        if (number := sum(one.how == way for one in found))
    )
    text = f"{cells} of shares, {by}, by code that shares nothing with the search"
    return Evidence(text, limit, infeasible=limit is None, checks=(check,), boxes=rows)


def _all_of(boxes: ShareEvidence) -> str:
    first = boxes.boxes[0]
    if boxes.parts is None and first.low != first.high:
        ends = (f"{low} to {high}" for low, high in zip(first.low, first.high, strict=True))
        return f"all shares from {', '.join(ends)}"
    return f"{_number(count(first, boxes.parts), 'vector', 'vectors')} of shares"


def _number(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"


def _better(problem: MixedProblem, found: Witness) -> Better:
    """Return a plan that was come upon."""
    shares = tuple(found.shares[name] for name in problem.array.splits)
    (asked,) = problem.objective.components
    objective = problem.weight * problem.costs(found.strategies, shares)[asked]
    return Better("a box of the claim itself", found.strategies, None, objective, unit=problem.objective.unit)
