"""What an instance whose layers are put into stages cannot ask for as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.instance.faults import Fault
from hypar_opt.instance.network import workload
from hypar_opt.instance.objective.components import TIME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.instance.network import Network
    from hypar_opt.instance.schema import InstanceSpec

MOST_LEVELS: Final = 8
"""Of an array that is cut into the parts of stages: every part is looked at, and what lies between any two."""


def stages_fault(spec: InstanceSpec, network: Network) -> Fault | None:
    """Return the first field that does not go with stages, and why; or None."""
    return None if spec.microbatches is None else next(_faults(spec, network), None)


def _faults(spec: InstanceSpec, network: Network) -> Iterator[Fault]:
    if spec.array.mixed is not None:
        message = "expected accelerators of one kind, got several: any stage may be on any part of the array"
        yield Fault(("array", "accelerators"), message)
    function = spec.objective_function
    if function.kind != "sum" or function.components != (TIME,) or function.weights[TIME] != 1:
        yield Fault(("objective",), "expected time alone, which is what stages are cut for; try --objective time")
    if spec.array.placement == "free":
        message = "expected a placement that is given: stages stand on leaves one after the other; try identity"
        yield Fault(("array", "placement"), message)
    if spec.array.levels > MOST_LEVELS:
        message = f"expected at most {MOST_LEVELS} levels where layers are put into stages, got {spec.array.levels}"
        yield Fault(("array", "levels"), message)
    if spec.microbatches is not None and spec.batch % spec.microbatches:
        message = f"expected a number that divides the batch of {spec.batch:,}, got {spec.microbatches:,}"
        yield Fault(("microbatches",), message)
    if spec.fix:
        message = "expected none where layers are put into stages: a word has as many letters as its stage has levels"
        yield Fault(("fix", next(iter(spec.fix))), message)
    if spec.subject_to:
        yield Fault(("subject_to",), "expected none where layers are put into stages, whose time alone is counted")
    if spec.cost.as_released:
        message = "expected adds that are decided where layers are put into stages: each is in one of them"
        yield Fault(("cost", "as_released"), message)
    if not spec.cost.input_error and sum(layer.reads_input for layer in workload(network).layers) > 1:
        message = "expected it to be charged where several layers read the network's input and are put into stages"
        yield Fault(("cost", "input_error"), message)
