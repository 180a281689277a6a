"""Networks of the project as pipelines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.importers.pipelines import PipelineWishes
from hypar_opt.solver.kinds import problem_of
from hypar_opt.studies.pipelines.networks import pipeline_of_network
from hypar_opt.studies.pipelines.operators import pipeline_of_operators

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.importers.pipelines import MadePipeline
    from hypar_opt.instance import Instance
    from hypar_opt.instance.operators.instance import OperatorInstance

_BY_KIND: Final[Mapping[str, Callable[[Any, PipelineWishes], MadePipeline]]] = {
    "network": pipeline_of_network,
    "mixed": pipeline_of_network,
    "operators": pipeline_of_operators,
}


def pipeline_of(instance: Instance | OperatorInstance, wishes: PipelineWishes | None = None) -> MadePipeline:
    """Return the pipeline of a network, with what every layer or operator takes and keeps on one device of its array.

    Parameters
    ----------
    wishes
        Other devices than the array has.

    Raises
    ------
    InputError
        If the array does not say enough of its devices or links.
    """
    asked = wishes or PipelineWishes()
    return asked.met_by(_BY_KIND[problem_of(instance).kind](instance, asked))
