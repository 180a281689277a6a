"""What an instance whose layers send in chosen bits cannot ask for as well, and errors that no choice keeps."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.instance.choices import letters_of
from hypar_opt.instance.faults import Fault
from hypar_opt.instance.network import workload
from hypar_opt.instance.objective.components import EXCHANGES, ROUNDING
from hypar_opt.instance.objective.function import PRODUCT
from hypar_opt.instance.precision_schema import PrecisionSpec
from hypar_opt.util.errors import did_you_mean
from hypar_opt.util.numbers import amount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.instance.network import Network
    from hypar_opt.instance.schema import InstanceSpec

MOST_VALUES: Final = 2048
"""Words of a layer times the bits of what it sends: tables have a number for every two of them."""
_FIELD: Final = "precision"


def precision_fault(spec: InstanceSpec, network: Network) -> Fault | None:
    """Return the first field that does not go with bits that are chosen, and why; or None."""
    if spec.precision is None:
        return None
    return next((fault for faults in _EVERY for fault in faults(spec, spec.precision, network)), None)


def _beside(spec: InstanceSpec, precision: PrecisionSpec, network: Network) -> Iterator[Fault]:
    """Yield what bits are not chosen with."""
    own = (_FIELD,)
    if spec.array.mixed is not None:
        yield Fault(own, "expected accelerators of one kind where bits are chosen, got several")
    if spec.microbatches is not None:
        yield Fault(own, "expected layers on the whole array where bits are chosen, got stages; leave microbatches out")
    if spec.array.collectives is not None and spec.array.collectives.scheduled:
        yield Fault(own, "expected the algorithm pairwise where bits are chosen, got schedules of partial sums")
    if ACCOUNTINGS[spec.cost.accounting].collectives:
        known = ", ".join(name for name, one in ACCOUNTINGS.items() if not one.collectives)
        message = f"expected one of {known} where bits are chosen, got {spec.cost.accounting}"
        yield Fault(("cost", "accounting"), message)
    if spec.cost.as_released:
        yield Fault(("cost", "as_released"), "expected adds that are decided where bits are chosen")
    if spec.objective_function.kind == PRODUCT:
        yield Fault(("objective",), "expected a sum, or one component before another, where bits are chosen")
    part = next((name for name in spec.components if name in EXCHANGES), None)
    if part is not None:
        message = f"expected communication where bits are chosen, got {part}, which says not whose tensor it is of"
        yield Fault(("subject_to" if part in spec.subject_to else "objective",), message)
    if spec.array.placement == "free" and any(name in spec.components for name in _placed()):
        message = "expected a placement that is given where bits are chosen: try identity, --placement identity"
        yield Fault(("array", "placement"), message)
    if precision.packing is not None and spec.array.accelerator is None:
        yield Fault(("array", "accelerator"), "missing, and packing needs it: it is a part of compute-time")


def _placed() -> tuple[str, ...]:
    from hypar_opt.instance.objective.components import COMPONENTS, PLACED, depends_on

    return tuple(name for name in COMPONENTS if depends_on(name, PLACED))


def _names(_: InstanceSpec, precision: PrecisionSpec, network: Network) -> Iterator[Fault]:
    """Yield layers that send nothing, and limits of layers that choose nothing."""
    decided = network.decision_names
    for field, known in (("sensitivities", decided), ("limits", tuple(precision.sensitivities))):
        for name in getattr(precision, field):
            if name not in known:
                what = "no layer with weights or of several inputs" if field == "sensitivities" else "no sensitivities"
                is_ = "is" if field == "sensitivities" else "has"
                yield Fault((_FIELD, field, name), f"'{name}' {is_} {what}{did_you_mean(name, known)}", of_key=True)


def _bits(spec: InstanceSpec, precision: PrecisionSpec, network: Network) -> Iterator[Fault]:
    """Yield more bits than an element has, and more choices than tables take."""
    full, widest = 8 * spec.cost.bytes_per_element, precision.bits[-1]
    if widest > full:
        message = f"expected at most {full} bits, as many as {spec.cost.bytes_per_element} bytes have, got {widest}"
        yield Fault((_FIELD, "bits", len(precision.bits) - 1), f"{message}; or more cost.bytes_per_element")
    for layer in workload(network).layers:
        words = len(letters_of(layer, spec.cost.letters)) ** spec.array.levels
        values = words * prod(len(precision.bits) for _ in precision.sensitivities.get(layer.name, {}))
        if values > MOST_VALUES:
            message = (
                f"expected at most {MOST_VALUES:,} choices of a layer, got {words:,} words x {values // words:,} ways "
                "to send; try all instead of every tensor, fewer bits, or fewer levels"
            )
            yield Fault((_FIELD, "sensitivities", layer.name), message, of_key=True)


def _errors(spec: InstanceSpec, precision: PrecisionSpec, network: Network) -> Iterator[Fault]:
    """Yield limits and a budget below the least error that there is."""
    full = 8 * spec.cost.bytes_per_element
    wider = "" if full in precision.bits else f", or {full} among precision.bits"
    for name, limit in precision.limits.items():
        least = precision.least_error(name)
        if Fraction(limit) < least:
            message = f"needs at least {amount(least)}, the least errors of '{name}', and has {amount(Fraction(limit))}"
            yield Fault((_FIELD, "limits", name), f"{message}; give it more{wider}")
    budget = spec.subject_to.get(ROUNDING)
    total = sum(map(precision.least_error, precision.sensitivities), start=Fraction(0))
    if budget is not None and Fraction(budget) < total:
        worst = max(precision.sensitivities, key=precision.least_error)
        message = (
            f"needs at least {amount(total)}, the least errors of all layers ('{worst}' "
            f"{amount(precision.least_error(worst))}), and has {amount(Fraction(budget))}; give it more{wider}"
        )
        yield Fault(("subject_to", ROUNDING), message)


_EVERY: Final = (_beside, _names, _bits, _errors)
