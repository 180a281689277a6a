"""What a rule sends over a trace, and by how much: beside the best bits that never change, at no more error."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import floor, lcm
from typing import TYPE_CHECKING

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMMUNICATION, ROUNDING
from hypar_opt.instance.sent_words import SentWord
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.precision_problem import PrecisionProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.precision.rule import NormRule, Period, replayed
from hypar_opt.util.errors import InputError, Refusal, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.front import ParetoFront
    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.precision.norms import NormTrace

COMPONENTS = (COMMUNICATION, ROUNDING)
"""What is compared: bytes, and the error that they are sent with."""


@dataclass(frozen=True)
class BesideStatic:
    """A rule replayed, and what it is compared with.

    Parameters
    ----------
    words
        By layer, the best strategies where all is sent in full: those that the rule sends by.
    periods
        Of equal bits.
    sent, errors
        By period: bytes of a batch, and the error.
    in_full
        Bytes of a batch in full.
    same_words, any_words
        The best static bits at no more than the rule's mean error: of the same strategies, and of any.
    mixed
        The least mean bytes of a batch over all ways to take turns among plans, at the rule's mean error; None where
        that is not proven, or no plan errs so little.
    """

    words: Mapping[str, str]
    periods: tuple[Period, ...]
    sent: tuple[Fraction, ...]
    errors: tuple[Fraction, ...]
    in_full: Fraction
    same_words: Plan
    any_words: Plan
    mixed: Fraction | None

    @property
    def batches(self) -> int:
        """Of the trace."""
        return sum(one.batches for one in self.periods)

    @property
    def mean_sent(self) -> Fraction:
        """Bytes of a batch by the rule, on average."""
        return _mean(self.sent, self.periods)

    @property
    def mean_error(self) -> Fraction:
        """The rule's error, on average."""
        return _mean(self.errors, self.periods)


def beside_static(problem: PrecisionProblem, trace: NormTrace, rule: NormRule, limits: Limits) -> BesideStatic:
    """Replay a rule, and find the best static bits at no more than its mean error.

    Parameters
    ----------
    problem
        Says what bits cost and err by; its budget, limits and objective are not asked for.
    trace, rule
        What is replayed.
    limits
        Of each search.

    Raises
    ------
    InputError
        If the trace has another layer than the instance's sensitivities, or the rule goes through bits that may not be
        chosen.
    Refusal
        If the limits are over before the best strategies are known.
    """
    instance, precision = problem.instance, problem.costs.precision
    _check_layers(trace, precision.sensitivities)
    periods = replayed(trace, rule, instance.full_bits)
    for period in periods:
        for layer, count in period.bits.items():
            if count not in precision.bits:
                known = ", ".join(map(str, precision.bits))
                message = (
                    f"the rule sends '{layer}' in {count} bits, expected {known}; another --start or --step may do"
                )
                raise InputError(message, field="--step")
    without = precision.model_copy(update={"limits": {}})  # which a rule knows nothing of
    free = PrecisionProblem(instance.changed(objective={COMMUNICATION: Decimal(1)}, subject_to={}, precision=without))
    whole = solve(free.network, limits=limits)
    if whole.strategies is None or whole.status is not Status.OPTIMAL:
        what = "the best strategies where all is sent in full are not found"
        raise Refusal(f"{what}: {whole.status}, {whole.native_status}; give it more time")
    words = dict(whole.strategies)
    judged = [free.judged(_entries(words, precision.sensitivities, period.bits)) for period in periods]
    sent = tuple(Fraction(one.breakdown.total) for one in judged)
    errors = tuple(one.error for one in judged)
    mean = _mean(errors, periods)
    best = [solve(_within(free, mean, given), limits=limits) for given in (words, instance.spec.fix)]
    front = pareto_front(free, COMPONENTS, limits=limits)
    return BesideStatic(
        words, periods, sent, errors, Fraction(judged[0].in_full.total), best[0], best[1], taking_turns(front, mean)
    )


def taking_turns(front: ParetoFront, error: Fraction) -> Fraction | None:
    """Return the least mean bytes of plans that take turns, at a mean error: the convex hull of the front there."""
    if not front.complete:
        return None
    hull = [front.points[place].values for place in sorted(front.supported())]
    if not hull or error < hull[-1][1]:
        return None
    if error >= hull[0][1]:
        return hull[0][0]
    (few, much), (more, less) = next((a, b) for a, b in pairwise(hull) if b[1] <= error)
    return few + (more - few) * (much - error) / (much - less)


def _within(free: PrecisionProblem, error: Fraction, fix: Mapping[str, str]) -> PrecisionProblem:
    """Return the least bytes within an error, of words that are given or of any: the error of a plan is a decimal."""
    precision = free.costs.precision
    every = (one for own in precision.sensitivities.values() for row in own.values() for one in row)
    unit = lcm(*(Fraction(one).denominator for one in every))
    most = Fraction(floor(error * unit), unit)
    budget = Decimal(most.numerator) / Decimal(most.denominator)
    return PrecisionProblem(free.instance.changed(subject_to={ROUNDING: budget}, fix=dict(fix)))


def _entries(
    words: Mapping[str, str], sensitivities: Mapping[str, Mapping[str, object]], bits: Mapping[str, int]
) -> dict[str, str]:
    """Return the plan that sends by words, and all that is sensitive of a layer in its bits."""
    chosen = {name: dict.fromkeys(own, bits[name]) for name, own in sensitivities.items()}
    return {name: str(SentWord(word, chosen.get(name, {}))) for name, word in words.items()}


def _check_layers(trace: NormTrace, known: Mapping[str, object]) -> None:
    for name in trace.norms:
        if name not in known:
            message = f"the trace has a layer '{name}', the instance has no sensitivities of it"
            raise InputError(f"{message}{did_you_mean(name, known)}", field="layer")
    missing = next((name for name in known if name not in trace.norms), None)
    if missing is not None:
        raise InputError(f"the trace has no norms of layer '{missing}', whose bits may be chosen", field="layer")


def _mean(numbers: Sequence[Fraction], periods: Sequence[Period]) -> Fraction:
    """Return the mean over batches of what holds by periods."""
    total = sum((one * period.batches for one, period in zip(numbers, periods, strict=True)), start=Fraction(0))
    return total / sum(one.batches for one in periods)
