"""All rules beside the optima of a problem of transfers, every one recounted by the judge of task graphs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.tasks import JudgedTasks
from hypar_opt.instance.tasks import read_task_graph
from hypar_opt.instance.tasks.schedule import TaskSchedule
from hypar_opt.studies.transfers.document import scheduled_transfers
from hypar_opt.studies.transfers.optimum import best_messages
from hypar_opt.studies.transfers.rules import transfer_rules
from hypar_opt.studies.transfers.sending import send_by
from hypar_opt.studies.transfers.whole import MOST_STATES, best_whole
from hypar_opt.util.errors import RecomputationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.studies.transfers.messages import SentMessages
    from hypar_opt.studies.transfers.problem import TransferProblem
    from hypar_opt.studies.transfers.whole import WholeGradients


@dataclass(frozen=True)
class ComparedTransfers:
    """A problem, what is sent by every rule, and at best.

    Parameters
    ----------
    problem
        What is sent.
    by_rule
        Messages by the name of the rule.
    best
        Those that end first, with gradients cut anywhere.
    whole
        Those of whole gradients that end first, as far as that is known.
    """

    problem: TransferProblem
    by_rule: Mapping[str, SentMessages]
    best: SentMessages
    whole: WholeGradients

    def ratio(self, rule: str) -> Fraction:
        """Return how many times as late as at best the forward pass ends by a rule."""
        return self.by_rule[rule].end / self.best.end


def compare_transfers(problem: TransferProblem, chunk: Fraction, most: int = MOST_STATES) -> ComparedTransfers:
    """Return what is sent by every rule, and at best.

    Parameters
    ----------
    chunk
        Seconds of the largest part of a gradient that rules which cut send at once.
    most
        States that the search for the best of whole gradients keeps at once.

    Raises
    ------
    RecomputationError
        If messages are none, or end at another time than is said.
    """
    rules = transfer_rules()
    by_rule = {name: send_by(rule, problem, chunk) for name, rule in rules.items()}
    best = best_messages(problem)
    whole = best_whole(problem, [sent for name, sent in by_rule.items() if not rules[name].cuts], most)
    for name, sent in {**by_rule, "the optimum": best, "the best of whole gradients": whole.sent}.items():
        check_recounted(name, sent)
    return ComparedTransfers(problem, by_rule, best, whole)


def check_recounted(name: str, sent: SentMessages) -> None:
    """Check messages by the judge of task graphs, which knows begins alone.

    Raises
    ------
    RecomputationError
        If it finds a fault, or another end.
    """
    found = scheduled_transfers(sent)
    judged = JudgedTasks(read_task_graph(found.document), TaskSchedule(found.begins))
    if judged.fault is not None:
        raise RecomputationError(f"{name} of {sent.problem.name}: {judged.fault}")
    if judged.makespan != sent.end:
        raise RecomputationError(f"{name} of {sent.problem.name} ends at {sent.end}, recounted {judged.makespan}")
