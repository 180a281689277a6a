"""Two schedules of a collective compared: on the terminal and for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.instance.objective.components import TIME
from hypar_opt.report.amounts import relative
from hypar_opt.report.collective.bounds import in_goal
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import in_bytes, in_component
from hypar_opt.report.two_plans import MOST_ROWS, ROLES, first_rows, plan_lines, show_in_all
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from rich.console import Console

    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.studies.compare_sends import SendComparison


def show_send_comparison(console: Console, found: SendComparison) -> None:
    """Print what two schedules come to, and the chunks that they do not send alike."""
    console.print(send_comparison_headline(found))
    if not found.changed:
        return
    show_in_all(console, [_values(one) for one in found.judged])
    show_folded(console, changed_rows(found))


def changed_rows(found: SendComparison) -> list[dict[str, str]]:
    """Return a row a chunk that is not sent alike, as many as a terminal shows."""
    instance = found.problem.instance
    rows = [
        {
            "chunk": instance.chunks[one.chunk].name,
            "goes": "other ways" if one.rerouted else "the same ways at other times",
            "sends": f"{one.sends[0]:,}" if one.sends[0] == one.sends[1] else f"{one.sends[0]:,}, {one.sends[1]:,}",
            **{f"{role} is over": _moment(instance, over) for role, over in zip(ROLES, one.over, strict=True)},
        }
        for one in found.changed[:MOST_ROWS]
    ]
    return first_rows(rows, len(found.changed))


def _moment(instance: CollectiveInstance, value: Fraction) -> str:
    return in_component(TIME, value) if instance.goal == "time" else f"after step {value}"


def _values(judged: JudgedCollective) -> Iterator[tuple[str, str]]:
    """Yield what is counted of a schedule."""
    if judged.steps is not None:
        yield "steps", f"{judged.steps:,}"
        yield "rounds", f"{judged.rounds:,}"
    if judged.seconds is not None:
        yield "time" if judged.steps is None else "time in lockstep", in_component(TIME, judged.seconds)
    yield "sends", f"{len(judged.schedule.sends):,}"
    yield "bytes sent", in_bytes(judged.bytes_sent)
    yield "bytes on the busiest link", in_bytes(max(judged.bytes_by_link.values(), default=0))
    yield "directions of links in use", f"{len(judged.bytes_by_link):,}"


def send_comparison_headline(found: SendComparison) -> str:
    """Return which schedules are compared, what each takes, and how many chunks they do not send alike."""
    instance = found.problem.instance
    lines = plan_lines(found.claims, [in_goal(instance, judged.objective) for judged in found.judged])
    if not found.changed:
        return "\n".join([*lines, f"{instance.name}: the schedules are the same"])
    rerouted = sum(one.rerouted for one in found.changed)
    later = len(found.changed) - rerouted
    differ = f"{rerouted:,} of {len(instance.chunks):,} chunks go other ways"
    differ += f", {later:,} the same ways at other times" if later else ""
    share = relative(found.judged[0].objective, found.more)
    sign = "" if not found.more else "+" if found.more > 0 else "-"
    more = f"{sign}{in_goal(instance, abs(found.more))}{share}"
    return "\n".join([*lines, f"{instance.name}: {differ}; the second less the first: {more}"])


def send_comparison_document(found: SendComparison) -> dict[str, Any]:
    """Return a comparison for machines, in exact numbers."""
    instance = found.problem.instance
    return {
        "instance": instance.name,
        "instance_sha256": instance.sha256,
        "objective": instance.goal,
        "plans": [
            {
                "plan": str(claim.source),
                "formulation": claim.formulation,
                "status": claim.status.value,
                "objective": exact(judged.objective),
                "steps": judged.steps,
                "rounds": judged.rounds,
                "seconds": exact(judged.seconds),
                "sends": len(judged.schedule.sends),
            }
            for claim, judged in zip(found.claims, found.judged, strict=True)
        ],
        "chunks": [
            {
                "chunk": instance.chunks[one.chunk].name,
                "rerouted": one.rerouted,
                "sends": list(one.sends),
                "over": [exact(value) for value in one.over],
            }
            for one in found.changed
        ],
        "more": exact(found.more),
    }
