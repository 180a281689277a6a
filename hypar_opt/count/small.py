"""The same plan on sizes that a host can compute in a moment."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.evaluation.operators import faults
from hypar_opt.export.jax.program import jax_program
from hypar_opt.export.planned import every_choice
from hypar_opt.instance.operators.network import compile_network, made_layers
from hypar_opt.instance.operators.network_schema import OperatorNetworkSpec
from hypar_opt.util.errors import InputError, NetworkError, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.export.planned import PlannedStep

MOST: Final = 2**21
"""Numbers in all tensors, each of them once, that are computed without making sizes smaller."""
WIDTHS: Final = ("features", "filters", "hidden", "vocabulary")
"""Fields that are divided together."""
FACTORS: Final = (2, 4, 8, 16, 32, 64, 128, 256)


def smaller(step: PlannedStep) -> PlannedStep | None:
    """Return the step with so few features and samples that it can be run; None where there is none.

    Batch and features are divided by powers of two, as long as all parts stay of one size.
    """
    if _numbers(step) <= MOST:
        return step
    if step.network is None:
        return None
    found = None
    for one in _variants(step):
        if one is not None:
            found = one
            if _numbers(one) <= MOST:
                return one
    return found if found is not None and _numbers(found) <= 8 * MOST else None


def _numbers(step: PlannedStep) -> int:
    return sum(tensor.elements for tensor in step.graph.tensors.values())


def _variants(step: PlannedStep) -> Iterator[PlannedStep | None]:
    """Yield steps, from larger to smaller."""
    batch = step.batch
    for factor in FACTORS:
        for of_batch in (batch // factor, batch):
            if of_batch and batch % of_batch == 0:
                for width in (factor, 1):
                    yield _made(step, of_batch, width)


def _made(step: PlannedStep, batch: int, width: int) -> PlannedStep | None:
    assert step.network is not None
    try:
        document = step.network.model_dump(exclude_defaults=True, exclude_none=True)
        spec = OperatorNetworkSpec.model_validate(_divided(document, width))
        graph = compile_network(spec, batch, step.element_bytes)
        one = replace(step, graph=graph, batch=batch, layers=made_layers(spec, batch, step.element_bytes), network=spec)
        divisible = not step.plan.is_padded
        if any(True for _ in faults(graph, step.partition, step.plan, divisible, every_choice(graph))):
            return None
        jax_program(one)
    except (InputError, NetworkError, Refusal, ValueError):
        return None
    return one


def _divided(value: Any, width: int) -> Any:
    """Return a document whose widths are divided, of lists and mappings all the way down."""
    if isinstance(value, dict):
        return {
            key: _share(one, width) if key in WIDTHS and isinstance(one, int) else _divided(one, width)
            for key, one in value.items()
        }
    return [_divided(one, width) for one in value] if isinstance(value, list | tuple) else value


def _share(size: int, width: int) -> int:
    return size // width if size % width == 0 else size
