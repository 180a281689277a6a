"""What pages say of jobs by the kind of their problem: networks on equal accelerators or several kinds, operators."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.collective.homes import home_of
from hypar_opt.report.collective.packing import busy_rows, chunk_rows, packing_headline, shortened
from hypar_opt.report.collective.plan import headline as collective_headline
from hypar_opt.report.collective.plan import link_rows, step_rows, when_over
from hypar_opt.report.content.collective_plan import NamedCollectivePlan
from hypar_opt.report.content.kinds import KINDS
from hypar_opt.report.content.operator_plan import NamedOperatorPlan
from hypar_opt.report.content.packing_plan import NamedPackingPlan
from hypar_opt.report.content.pipeline_plan import NamedPipelinePlan
from hypar_opt.report.mixed.classes import class_rows, wait_rows
from hypar_opt.report.mixed.plan import bytes_of, own_shares
from hypar_opt.report.mixed.plan import headline as mixed_headline
from hypar_opt.report.mixed.step import MixedStep
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.operators.collectives import collective_rows, total_rows
from hypar_opt.report.operators.links import group_rows, kind_rows
from hypar_opt.report.operators.memory import AT_THE_TURN, RECOMPUTED
from hypar_opt.report.operators.plan import NO_REGRETS, shared_rows, strategy_rows
from hypar_opt.report.operators.plan import headline as operator_headline
from hypar_opt.report.operators.reasons import operator_why_lines
from hypar_opt.report.operators.regrets import uniqueness as operator_uniqueness
from hypar_opt.report.operators.times import time_rows
from hypar_opt.report.pipeline import headline as pipeline_plan_headline
from hypar_opt.report.pipeline import stage_rows as pipeline_stage_rows
from hypar_opt.report.plan import headline, uniqueness
from hypar_opt.report.plan_rows import NONE as NO_OTHER
from hypar_opt.report.precision.plan import bits_text, tensor_rows
from hypar_opt.report.precision.plan import headline as precision_headline
from hypar_opt.report.schedules import schedule_rows
from hypar_opt.report.stage_regrets import regret_text as stage_regret_text
from hypar_opt.report.stage_regrets import uniqueness as stage_uniqueness
from hypar_opt.report.staged.plan import headline as staged_headline
from hypar_opt.report.staged.plan import stage_rows
from hypar_opt.report.tasks.plan import headline as task_headline
from hypar_opt.util.errors import Refusal
from hypar_opt.web.network_rows import MOST_ROWS, network_rows, network_rows_explained, network_why, rows_of_bytes
from hypar_opt.web.task_rows import task_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.instance.collective import Send
    from hypar_opt.report.content.named_plan import FoundPlan
    from hypar_opt.solver.collective_problem import CollectiveProblem
    from hypar_opt.solver.mixed.problem import MixedProblem
    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.solver.packing_problem import PackingProblem
    from hypar_opt.solver.pipeline_problem import PipelineProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.precision_problem import PrecisionProblem
    from hypar_opt.solver.staged.problem import StagedProblem
    from hypar_opt.studies.regrets import Explanation, Regret


CHUNK_COLUMNS: Final = ("belongs to", "sends", "is everywhere")
"""What is said of every chunk of a collective."""
TREE_COLUMNS: Final = ("belongs to", "trees", "shares")
"""What is said of one that goes by several trees."""


@dataclass(frozen=True)
class JobKind:
    """How jobs of a kind are shown.

    Parameters
    ----------
    headline
        Returns a plan in lines.
    rows
        Returns the plan row by row, as `JobOutcome` has it.
    explained
        Returns the same with regrets, from what was found.
    uniqueness
        Returns what the regrets say of the plan as a whole.
    why
        Returns reasons in sentences.
    reports_regrets
        Whether the report of a job has what the job says of regrets and reasons.
    """

    headline: Callable[[Any, Plan], str]
    rows: Callable[[Any, Plan], dict[str, Any]]
    explained: Callable[[dict[str, Any], Any, Plan, Explanation], dict[str, Any]]
    uniqueness: Callable[[Any, Explanation], str]
    why: Callable[[Any, Sequence[Any]], list[str]]
    reports_regrets: bool


def found_plan(problem: Any, plan: Plan, name: str = "") -> FoundPlan:
    """Return a plan with what is recounted of it, by its problem's kind."""
    return KINDS[problem.kind].named(name or plan.formulation, problem, plan, "")


def _staged_rows(problem: StagedProblem, plan: Plan) -> dict[str, Any]:
    """Return a row a layer, and what every stage does below."""
    assert plan.strategies is not None
    judged = problem.judged(plan.strategies)
    rows = [
        {"layer": layer.name, "kind": layer.kind, "word": str(judged.words[layer.name])}
        for layer in problem.work.layers[:MOST_ROWS]
    ]
    tables = [_table("Stages, seconds of a microbatch", stage_rows(judged))]
    return {"rows": rows, "more": len(problem.work.layers) - len(rows), "tables": tables}


def _precision_rows(problem: PrecisionProblem, plan: Plan) -> dict[str, Any]:
    """Return a row a layer, and what every tensor is sent in below."""
    assert plan.strategies is not None
    judged = problem.judged(plan.strategies)
    rows = [
        {
            "layer": layer.name,
            "kind": layer.kind,
            "word": judged.words[layer.name],
            "entries": [" ".join(judged.words[layer.name]), bits_text(judged, layer.name)],
        }
        for layer in problem.work.layers[:MOST_ROWS]
    ]
    tables = [_table(title, own) for title, own in (("What is sent", tensor_rows(judged)),) if own]
    return {"rows": rows, "more": len(problem.work.layers) - len(rows), "axes": ["levels", "bits"], "tables": tables}


def _pipeline_rows(
    problem: PipelineProblem, plan: Plan, regrets: Mapping[str, Regret | None] = NO_REGRETS
) -> dict[str, Any]:
    """Return a row an operator, and what the stages and schedules of a batch take below."""
    named = NamedPipelinePlan(plan.formulation, problem, plan)
    judged = named.judged
    numbers = {stage.devices: str(number) for number, stage in enumerate(judged.stages, start=1)}
    operators = problem.instance.operators
    rows = []
    for one in operators[:MOST_ROWS]:
        entries = [numbers[judged.devices_of[one.name]], named.strategies[one.name]]
        best = regrets.get(one.name)
        text = stage_regret_text(best) if best is not None else ""
        second = {"second": NO_OTHER if best is None else best.second_best, "regret": text} if regrets else {}
        rows.append({"layer": one.name, "kind": one.phase, "word": entries[1], "entries": entries, **second})
    try:
        schedules = schedule_rows(named.schedules)
    except Refusal:
        schedules = []
    tables = [("Stages, seconds of a sample", pipeline_stage_rows(judged))]
    tables.append((f"Schedules of a batch of {named.microbatches:,} microbatches", schedules))
    found = [_table(title, own) for title, own in tables if own]
    return {"rows": rows, "more": len(operators) - len(rows), "axes": ["stage", "devices"], "tables": found}


def _pipeline_explained(
    found: dict[str, Any], problem: PipelineProblem, plan: Plan, explanation: Explanation
) -> dict[str, Any]:
    return found if explanation.missing else found | _pipeline_rows(problem, plan, explanation.regrets)


def _collective_rows(problem: CollectiveProblem, plan: Plan) -> dict[str, Any]:
    """Return a row a chunk, and what every step sends and links carry below."""
    instance = problem.instance
    judged = NamedCollectivePlan(plan.formulation, problem, plan).judged
    sends: list[list[Send]] = [[] for _ in instance.chunks]
    for one in judged.schedule.sends:
        sends[one.chunk].append(one)
    rows = [
        {
            "layer": chunk.name,
            "kind": instance.collective,
            "word": "",
            "entries": [
                instance.machine.names[home_of(instance, number)],
                f"{len(sends[number]):,}",
                when_over(judged, sends[number]),
            ],
        }
        for number, chunk in enumerate(instance.chunks[:MOST_ROWS])
    ]
    tables = (("Steps", step_rows(judged)), ("Links, each direction by itself", link_rows(judged)))
    found = [_table(title, own) for title, own in tables if own]
    return {"rows": rows, "more": len(instance.chunks) - len(rows), "axes": list(CHUNK_COLUMNS), "tables": found}


def _packing_rows(problem: PackingProblem, plan: Plan) -> dict[str, Any]:
    """Return a row a chunk, how it is cut, and what links carry below."""
    instance = problem.instance
    judged = NamedPackingPlan(plan.formulation, problem, plan).judged
    rows = [
        {
            "layer": row["chunk"],
            "kind": instance.collective,
            "word": "",
            "entries": [instance.machine.names[home_of(instance, number)], row["trees"], row["shares"]],
        }
        for number, row in enumerate(chunk_rows(judged)[:MOST_ROWS])
    ]
    tables = [_table("Links, each direction by itself", shortened(busy_rows(judged), "link", every_row=False))]
    return {"rows": rows, "more": len(instance.chunks) - len(rows), "axes": list(TREE_COLUMNS), "tables": tables}


def _mixed_rows(problem: MixedProblem, plan: Plan) -> dict[str, Any]:
    """Return a row a layer, and the tables below: what every class does, and its waits."""
    step = MixedStep.of(problem, plan)
    tables = (
        ("Seconds of a step and memory, of one accelerator of each class", class_rows(step)),
        ("Seconds of work before every wait", wait_rows(step)),
        ("Shares of layers", [{"layer": name, "share": text} for name, text in own_shares(problem, plan).items()]),
    )
    found = rows_of_bytes(problem, step.strategies, bytes_of(problem, plan))
    return found | {"tables": [_table(title, rows) for title, rows in tables if rows]}


def _operator_rows(
    problem: OperatorProblem, plan: Plan, regrets: Mapping[str, Regret | None] = NO_REGRETS
) -> dict[str, Any]:
    """Return a row an operator, of equal ones in neighbouring blocks one together, and the tables below."""
    assert plan.strategies is not None
    problem = problem.standing_as(plan)
    named = NamedOperatorPlan(plan.formulation, problem, plan)
    axes = [f"{axis.name} ({axis.size})" for axis in problem.instance.partition.axes]
    every = strategy_rows(problem, named.strategies, named.blocks, regrets)
    rows = [
        {
            "layer": row["operator"],
            "kind": row["kind"],
            "word": " ".join(row[axis] for axis in axes),
            "entries": [row[axis] for axis in axes],
            "second": row.get("second best", ""),
            "regret": row.get("its regret", ""),
        }
        for row in every[:MOST_ROWS]
    ]
    kept = {str(kind): in_bytes(named.kept[kind]) for kind in (*AT_THE_TURN, RECOMPUTED) if kind in named.kept}
    tables: tuple[tuple[str, list[dict[str, Any]]], ...] = (
        ("Tensors that several operators read", shared_rows(problem, named.strategies, named.blocks, regrets)),
        ("Collectives", collective_rows(named.moved, problem.instance.graph, named.blocks)),
        ("In a training step", total_rows(named.moved)),
        ("Memory of each device", [kept]),
        ("Time of a training step", time_rows(named.step)),
        ("Exchanges within groups, and the links they cross", group_rows(named.step)),
        ("Links, both directions", kind_rows(named.step.crossed)),
    )
    found = [_table(title, rows) for title, rows in tables if rows and rows[0]]
    return {"rows": rows, "more": len(every) - len(rows), "axes": axes, "tables": found}


def _table(title: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    shown = [[str(cell) for cell in row.values()] for row in islice(rows, MOST_ROWS)]
    return {"title": title, "headings": list(rows[0]), "rows": shown, "more": len(rows) - len(shown)}


def _operators_explained(
    found: dict[str, Any], problem: OperatorProblem, plan: Plan, explanation: Explanation
) -> dict[str, Any]:
    return found | _operator_rows(problem, plan, explanation.regrets)


def decided(problem: Any) -> int:
    """Return how many layers or operators a plan decides."""
    return KINDS[problem.kind].decided(problem)


JOB_KINDS: Final[Mapping[str, JobKind]] = MappingProxyType(
    {
        "network": JobKind(headline, network_rows, network_rows_explained, uniqueness, network_why, True),
        "operators": JobKind(
            operator_headline,
            _operator_rows,
            _operators_explained,
            operator_uniqueness,
            operator_why_lines,
            False,
        ),
        "mixed": JobKind(
            mixed_headline,
            _mixed_rows,
            lambda found, *_: found,
            lambda *_: "",
            lambda *_: [],
            False,
        ),
        "pipeline": JobKind(
            pipeline_plan_headline,
            _pipeline_rows,
            _pipeline_explained,
            lambda _, explanation: stage_uniqueness(explanation),
            lambda *_: [],
            True,
        ),
        "collective": JobKind(
            collective_headline,
            _collective_rows,
            lambda found, *_: found,
            lambda *_: "",
            lambda *_: [],
            False,
        ),
        "packing": JobKind(
            packing_headline,
            _packing_rows,
            lambda found, *_: found,
            lambda *_: "",
            lambda *_: [],
            False,
        ),
        "task-graph": JobKind(
            task_headline,
            task_rows,
            lambda found, *_: found,
            lambda *_: "",
            lambda *_: [],
            False,
        ),
        "precision": JobKind(
            precision_headline,
            _precision_rows,
            lambda found, *_: found,
            lambda *_: "",
            lambda *_: [],
            False,
        ),
        "staged": JobKind(
            staged_headline,
            _staged_rows,
            lambda found, *_: found,
            lambda *_: "",
            lambda *_: [],
            False,
        ),
    }
)
"""By kind of problem."""
