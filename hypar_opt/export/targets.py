"""What plans are exported to, a record each."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.evaluation.tasks import JudgedTasks
    from hypar_opt.export.pipeline_layouts import PlannedStages
    from hypar_opt.export.planned import PlannedStep
    from hypar_opt.export.send_schedules import TracedCollective

P = TypeVar("P")


@dataclass(frozen=True)
class Target(Generic[P]):
    """What a plan is exported to.

    Parameters
    ----------
    name
        As `--to` has it.
    about
        What it is.
    ending
        Of the file's name.
    text
        From what is planned and the file's name to its text.
    """

    name: str
    about: str
    ending: str
    text: Callable[[P, str], str]


@dataclass(frozen=True)
class FolderTarget(Generic[P]):
    """What a plan is exported to where that is a folder of files.

    Parameters
    ----------
    name, about
        As of a `Target`.
    files
        From what is planned to the files, by name.
    """

    name: str
    about: str
    files: Callable[[P], Mapping[str, bytes]]


def _jax(step: PlannedStep, file: str) -> str:
    from hypar_opt.export.jax.program import jax_program

    return jax_program(step, file).text


def _gspmd(step: PlannedStep, file: str) -> str:
    from hypar_opt.export.jax.gspmd import gspmd_program

    return gspmd_program(step, file)


def _placements(step: PlannedStep, file: str) -> str:
    from hypar_opt.export.placements import placements_text

    return placements_text(step, file)


def _torch(step: PlannedStep, file: str) -> str:
    from hypar_opt.export.torch import torch_plan

    return torch_plan(step, file)


def _megatron(stages: PlannedStages, _: str) -> str:
    return stages.megatron_text


def _arguments(stages: PlannedStages, _: str) -> str:
    return stages.arguments_text


def _torchtitan(stages: PlannedStages, _: str) -> str:
    return stages.modules_text


def _numbers(stages: PlannedStages, _: str) -> str:
    return stages.numbers_text


def _schedule(judged: JudgedCollective, file: str) -> str:
    from hypar_opt.export.send_schedules import schedule_text

    return schedule_text(judged, file)


def _trace(judged: JudgedTasks, file: str) -> str:
    from hypar_opt.export.task_trace import task_trace

    return task_trace(judged, file)


def _chakra(traced: TracedCollective) -> Mapping[str, bytes]:
    return traced.chakra


def _astra_sim(traced: TracedCollective) -> Mapping[str, bytes]:
    return traced.astra_sim


_EVERY: Final[tuple[Target[PlannedStep], ...]] = (
    Target("jax", "a training step in which every conversion is a collective", ".py", _jax),
    Target("jax-gspmd", "the same with constraints alone, the collectives being the compiler's", ".py", _gspmd),
    Target("placements", "where tensors lie, by layer and axis", ".json", _placements),
    Target("torch", "placements of modules, with what applies it", ".py", _torch),
)
TARGETS: Final[Mapping[str, Target[PlannedStep]]] = MappingProxyType({one.name: one for one in _EVERY})
"""By name, of plans of operators."""
_LAYOUTS: Final[tuple[Target[PlannedStages], ...]] = (
    Target("megatron-layout", "stages as Megatron's --pipeline-model-parallel-layout", ".txt", _megatron),
    Target(
        "megatron-arguments", "the same with the sizes that go with it, as arguments of Megatron", ".txt", _arguments
    ),
    Target("torchtitan", "names of modules by stage, its module_fqns_per_model_part", ".json", _torchtitan),
    Target("list", "numbers of operators by stage", ".txt", _numbers),
)
LAYOUTS: Final[Mapping[str, Target[PlannedStages]]] = MappingProxyType({one.name: one for one in _LAYOUTS})
"""By name, of plans of pipelines."""
SCHEDULES: Final[Mapping[str, Target[JudgedCollective]]] = MappingProxyType(
    {"schedule": Target("schedule", "sends with the array's links, as JSON", ".json", _schedule)}
)
"""By name, of plans of collectives."""
BEGINS: Final[Mapping[str, Target[JudgedTasks]]] = MappingProxyType(
    {"trace": Target("trace", "tasks on units, for chrome://tracing and ui.perfetto.dev", ".json", _trace)}
)
"""By name, of plans of task graphs."""
_SCHEDULE_FOLDERS: Final[tuple[FolderTarget[TracedCollective], ...]] = (
    FolderTarget("chakra", "execution traces, one a rank", _chakra),
    FolderTarget("astra-sim", "the same with all that ASTRA-sim runs them with", _astra_sim),
)
SCHEDULE_FOLDERS: Final[Mapping[str, FolderTarget[TracedCollective]]] = MappingProxyType(
    {one.name: one for one in _SCHEDULE_FOLDERS}
)
"""By name, of plans of collectives, as folders."""
