"""Plans of pipelines as other programs take them: numbers of operators a stage, layouts, lists of modules."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.text import cut
from hypar_opt.solver.pipeline_problem import PipelineProblem
from hypar_opt.util.errors import Refusal
from hypar_opt.verification.checks import check_binding, judged_plan
from hypar_opt.verification.claim import read_claim
from hypar_opt.verification.verifier import problem_claimed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from hypar_opt.evaluation.pipeline import JudgedPipeline

EMBEDDING, LAYER, PREDICTION, LOSS = "E", "t", "m", "L"
"""What Megatron calls an embedding, a layer, a layer that predicts further tokens, and the loss."""
_STARTS: Final = ("embed", "tok_embed", "wte", "tokens")
_ENDS: Final = ("loss", "output", "lm_head", "head", "classifier")


@dataclass(frozen=True)
class PlannedStages:
    """Stages one after the other, each with its forward operators in the instance's order.

    Parameters
    ----------
    stages
        Names of operators, by stage.
    tensor
        How many devices do each stage together, as one replica.
    anew
        By stage, how many operators compute their activations anew.
    """

    stages: tuple[tuple[str, ...], ...]
    tensor: int = 1
    anew: tuple[int, ...] = ()

    @property
    def numbers_text(self) -> str:
        """How many operators each stage has, with commas between."""
        return ",".join(str(len(own)) for own in self.stages) + "\n"

    @property
    def modules_text(self) -> str:
        """The names of each stage's operators, as JSON: torchtitan's `module_fqns_per_model_part`."""
        return "[\n" + ",\n".join(f"  {json.dumps(list(own))}" for own in self.stages) + "\n]\n"

    @property
    def megatron_text(self) -> str:
        """The layout as `--pipeline-model-parallel-layout` takes it: a letter a layer, stages between bars."""
        letters = ["".join(_letters(own)) for own in self.stages]
        # an embedding and a loss that are no operators of the pipeline are where Megatron has them
        if EMBEDDING not in letters[0]:
            letters[0] = EMBEDDING + letters[0]
        if LOSS not in letters[-1]:
            letters[-1] += LOSS
        return "|".join(map(_folded, letters)) + "\n"

    @property
    def arguments_text(self) -> str:
        """Megatron's arguments for it, on one line.

        Raises
        ------
        Refusal
            If some operators compute their activations anew and others do not, which no arguments say by operator.
        """
        said = [
            f"--pipeline-model-parallel-size {len(self.stages)}",
            f"--pipeline-model-parallel-layout '{self.megatron_text.strip()}'",
            f"--tensor-model-parallel-size {self.tensor}",
        ]
        if any(self.anew):
            if any(_layers(names) > own for names, own in zip(self.stages, self.anew, strict=True)):
                raise Refusal(
                    "Megatron computes activations anew of all layers or of as many in every stage, and this plan has "
                    f"{', '.join(map(str, self.anew))}; expected all, as with `recompute: stages`"
                )
            said.append("--recompute-granularity full --recompute-method uniform --recompute-num-layers 1")
        return " ".join(said) + "\n"


def _layers(names: Sequence[str]) -> int:
    """Return how many operators are layers to Megatron."""
    return sum(_letter(name) not in (EMBEDDING, LOSS) for name in names)


def _letters(names: Sequence[str]) -> Iterator[str]:
    """Yield a letter an operator; neighbours that make up one embedding or loss are one."""
    for letter, own in groupby(names, key=_letter):
        yield letter if letter in (EMBEDDING, LOSS) else letter * len(list(own))


def _letter(name: str) -> str:
    low = name.lower()
    if low.startswith(_STARTS):
        return EMBEDDING
    if low.startswith(_ENDS):
        return LOSS
    return PREDICTION if low.startswith("mtp") else LAYER


def _folded(letters: str) -> str:
    """Return runs of a letter as `t*3`."""
    runs = ((letter, len(list(own))) for letter, own in groupby(letters))
    return "".join(letter if count == 1 else f"{letter}*{count}" for letter, count in runs)


def read_stages(instance: str, path: Path) -> PlannedStages:
    """Return the stages of a plan's file.

    Parameters
    ----------
    instance
        A path or the name of a shipped pipeline.
    path
        Of the plan.

    Raises
    ------
    InputError
        If the plan is of another instance, there is none, or it is not allowed.
    Refusal
        If it is no plan of a pipeline, or such that no layout can say.
    """
    claim = read_claim(path)
    problem = problem_claimed(instance, claim)
    if not isinstance(problem, PipelineProblem):
        raise Refusal("layouts are of plans of pipelines; a plan of operators is exported to jax, placements or torch")
    check_binding(problem, claim)
    return planned_stages(judged_plan(problem.judged, claim, "a plan to export"))


def planned_stages(judged: JudgedPipeline) -> PlannedStages:
    """Return the stages of a plan.

    Raises
    ------
    Refusal
        If stages have different numbers of replicas, or their operators do not follow each other.
    """
    if any(judged.within(stage) for stage in judged.stages):
        raise Refusal("a layout has stages alone, and stages of machines are pipelines inside")
    counts = {(stage.devices.replicas, stage.devices.tensor) for stage in judged.stages}
    if len(counts) > 1:
        listed = ", ".join(str(stage.devices) for stage in judged.stages)
        what = "replicas" if len({tensor for _, tensor in counts}) == 1 else "replicas, split over as many devices,"
        raise Refusal(f"a layout has as many {what} of every stage, and these have different numbers: {listed}")
    places = {one.name: place for place, one in enumerate(judged.instance.operators) if one.phase == "forward"}
    stages = [tuple(name for name in stage.operators if name in places) for stage in judged.stages]
    stages = [own for own in stages if own]
    for (number, one), (_, other) in pairwise(enumerate(stages, start=1)):
        if places[one[-1]] > places[other[0]]:
            raise Refusal(
                f"a layout has operators in the order of the instance, and '{cut(one[-1])}' of stage {number} is "
                f"behind '{cut(other[0])}' of the next"
            )
    anew = [sum(name in judged.anew for name in own) for own in stages]
    return PlannedStages(tuple(stages), judged.stages[0].devices.tensor, tuple(anew))
