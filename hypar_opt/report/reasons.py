"""Why every layer of a plan is as it is: a sentence a layer, with the numbers that the evaluator gives."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.instance.objective.function import LEXICOGRAPHIC, PRODUCT
from hypar_opt.report.amounts import amount_document, signed, weighed
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.operators.reasons import operator_reasons_document, operator_why_lines
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hypar_opt.evaluation.choices import Operand
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.reasons import LayerExchange, LayerReason, OtherLetter

SUMMED: Final[Mapping[Operand, str]] = {"weight": "its gradient", "written": "its output", "read": "its input's error"}
"""What is added up of a layer, by the tensor that is left in partial sums."""
FIELDS: Final[Mapping[Operand, str]] = {"weight": "gradient", "written": "output", "read": "input_error"}
OTHERS: Final[Mapping[str, str]] = {
    PRODUCT: "a product, which no layer has a share of: what each change makes of it",
    LEXICOGRAPHIC: "decided by the first that differs: what each change makes of them",
}
"""By kind, what is said of an objective that is no sum."""
NO_SUM = "of which bytes are a part only: what each change makes of it"


def why_lines(problem: NetworkProblem, reasons: Sequence[LayerReason]) -> list[str]:
    """Return what the numbers are, a sentence a layer, and what follows of those that cost less."""
    about, *more = numbers_lines(problem)
    return [f"why: {about}", *more, *(sentence(problem, one) for one in reasons), *remarks(problem, reasons)]


def numbers_lines(problem: NetworkProblem) -> list[str]:
    """Return what the numbers are."""
    instance = problem.instance
    accounting = f"accounting {instance.accounting}: {ACCOUNTINGS[instance.accounting].summary}"
    lines = [f"bytes of a layer at all levels; one thing changed, the other layers as they are ({accounting})"]
    if problem.objective.spelt != COMMUNICATION:
        rest = OTHERS.get(problem.objective.kind, NO_SUM)
        lines.append(f"the objective is {problem.objective.spelt}, {rest} stands behind the bytes")
    if problem.is_free:
        lines.append("the placement stays as it is, too")
    return lines


def remarks(problem: NetworkProblem, reasons: Sequence[LayerReason]) -> list[str]:
    """Return what follows of all reasons together: that some are missing, that one would do better."""
    lines = []
    left = len(problem.work.layers) - len(reasons)
    if left:
        lines.append(f"stopped by the limit, {left:,} layers before the end")
    if any(other.more.objective < 0 and not other.fault for one in reasons for other in one.others):
        lines.append("a change that is allowed and costs less: the plan is not optimal")
    return lines


def sentence(problem: NetworkProblem, reason: LayerReason) -> str:
    """Return why a layer is as it is."""
    word = reason.exchange.word
    if not word:
        return f"{reason.layer} has nothing to choose: the array is one accelerator"
    is_now = f"{word[0]} at {_levels(1, len(word), len(word))}" if len(set(word)) == 1 else word
    said = f"{reason.layer} is {is_now}{', as the instance gives it' if reason.given else ''}"
    parts = [f"{said}: {_exchanged(reason.exchange, _IS)}", *_alternatives(problem, reason)]
    if not reason.others and not reason.given:
        parts.append("it has no other choice")
    return "; ".join(parts)


def _alternatives(problem: NetworkProblem, reason: LayerReason) -> Iterator[str]:
    levels = len(reason.exchange.word)
    for other in reason.others:
        where = "" if other.last - other.first + 1 == levels else f" at {_levels(other.first, other.last, levels)}"
        fault = f" (not allowed: {other.fault})" if other.fault else ""
        yield f"under {other.letter}{where} {_exchanged(other.exchange, _WOULD)}: {_in_all(problem, other)}{fault}"


_IS: Final = ("is", "are", "carry")
_WOULD: Final = ("would be", "would be", "would carry")
"""What is said of one tensor, of several, and of boundaries."""


def _exchanged(exchange: LayerExchange, verbs: tuple[str, str, str]) -> str:
    """Return what is added up, and what boundaries carry, with the bytes."""
    one, several, carry = verbs
    parts = [f"{SUMMED[operand]}, {in_bytes(count)}," for operand, count in exchange.sums.items()] or [
        "nothing of its own"
    ]
    added = f"{' and '.join(parts)} {several if len(parts) > 1 else one} added up"
    return f"{added}, and its boundaries {carry} {in_bytes(exchange.boundaries)}"


def _in_all(problem: NetworkProblem, other: OtherLetter) -> str:
    more = f"{signed(in_bytes, other.more.bytes)} in all" if other.more.bytes else "as many bytes in all"
    return ", ".join([more, *(f"{name} {text}" for name, text in weighed(problem, other.more, signed).items())])


def _levels(first: int, last: int, levels: int) -> str:
    if last == first + 1 and levels > 2:
        return f"levels {first} and {last}"
    if last > first:
        return "every level" if last - first + 1 == levels else f"levels {first} to {last}"
    return f"level {first}"


def reasons_document(problem: NetworkProblem, reasons: Sequence[LayerReason]) -> list[dict[str, Any]]:
    """Return the same for machines: a record a layer, with its sentence."""
    return [
        {
            "layer": one.layer,
            **_exchange_document(one.exchange),
            "given": one.given,
            "others": [
                {
                    "letter": other.letter,
                    "levels": [other.first, other.last],
                    **_exchange_document(other.exchange),
                    "more": amount_document(other.more),
                    "fault": other.fault,
                }
                for other in one.others
            ],
            "text": sentence(problem, one),
        }
        for one in reasons
    ]


def _exchange_document(exchange: LayerExchange) -> dict[str, Any]:
    sums = {FIELDS[operand]: count for operand, count in exchange.sums.items()}
    return {"word": exchange.word, "added_up_bytes": sums, "boundary_bytes": exact(exchange.boundaries)}


WHY: Final[Mapping[str, Callable[[Any, Sequence[Any], bool], list[str]]]] = MappingProxyType({
    "network": lambda problem, reasons, _: why_lines(problem, reasons),  # each layer has a sentence anyway
    "operators": operator_why_lines,
})  # fmt: skip
WHY_DOCUMENTS: Final[Mapping[str, Callable[[Any, Sequence[Any]], list[dict[str, Any]]]]] = MappingProxyType(
    {"network": reasons_document, "operators": operator_reasons_document}
)
"""By kind of problem, what is said of reasons, blocks that are repeated one by one or not, and for machines."""
