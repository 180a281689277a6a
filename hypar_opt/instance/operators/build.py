"""From what an instance of operators says to its parts, and what it has to be beyond its fields."""

from __future__ import annotations

from functools import partial, reduce
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.accountings import GSPMD
from hypar_opt.instance.data import sha256
from hypar_opt.instance.faults import Fault, checked
from hypar_opt.instance.fix import OPEN
from hypar_opt.instance.operators.capacity import capacity_fault
from hypar_opt.instance.operators.conversion_tables import COMMAND, every_pair, shipped_sizes, shipped_table, size_text
from hypar_opt.instance.operators.data import operators_sha256
from hypar_opt.instance.operators.given import Givable
from hypar_opt.instance.operators.needs import lacking
from hypar_opt.instance.operators.network import compile_network, path_of_layer
from hypar_opt.instance.operators.overrides import override, replaced
from hypar_opt.instance.operators.recognition import is_of_operators
from hypar_opt.instance.operators.schema import OperatorInstanceSpec
from hypar_opt.instance.operators.standing import standing_fault
from hypar_opt.instance.operators.words import NONE, word_of, word_text
from hypar_opt.instance.overrides import OVERRIDES, Overrides, blamed, check_kind
from hypar_opt.instance.schema import InstanceSpec
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError, NetworkError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hypar_opt.instance.operators.graph import OperatorGraph

_KEPT = ("bytes_per_element", "splits", "optimiser")
"""What the cost of layers that are split in halves says that holds for operators as well."""


def build(
    data: Mapping[str, Any], error: Callable[..., InputError], overrides: Overrides
) -> tuple[OperatorInstanceSpec, OperatorGraph, str]:
    """Return what an instance says with its overrides, its operators, and its hash without overrides.

    Parameters
    ----------
    data
        The fields of an instance file, everything inline.
    error
        From a message, a field's path and whether its key is to blame to the error that says where it is.
    overrides
        Replace what the data say; axes make an instance of operators of any.

    Raises
    ------
    InputError
        If something is wrong: as `error` makes it, or with the name of the override.
    """
    check_kind(overrides, "operators")
    if is_of_operators(data):
        original = checked(OperatorInstanceSpec, data, error)
        spec, digest = override(original, overrides), operators_sha256(original)
    else:
        halved = checked(InstanceSpec, data, error)
        if halved.precision is not None:
            message = "expected layers that are split in halves where bits are chosen, got axes; leave it out"
            raise error(message, ("precision",))
        said = replaced(_of_halves(halved), overrides)
        spec, digest = checked(OperatorInstanceSpec, said, partial(blamed, overrides)), sha256(halved)
    return spec, check(spec, error, overrides), digest


def check(spec: OperatorInstanceSpec, error: Callable[..., InputError], overrides: Overrides) -> OperatorGraph:
    """Return an instance's operators; their shapes, the names of choices and given strategies are checked.

    Raises
    ------
    InputError
        If something is wrong: as `error` makes it, or with the name of the override.
    """
    try:
        graph = compile_network(spec.network, spec.batch, spec.cost.bytes_per_element)
    except NetworkError as problem:
        faults = [Fault((*path_of_layer(spec.network, one.layer), *one.field), one.message) for one in _every(problem)]
    else:
        faults = [*_array_faults(spec), *_table_faults(spec), *_choice_faults(spec, graph), *_fix_faults(spec, graph)]
        short = capacity_fault(spec, graph)
        faults += [] if short is None else [short]
    if not faults:
        return graph
    first, *others = (_located(one, error, overrides) for one in faults)
    raise first.beside(lambda: others, len(others))


def _table_faults(spec: OperatorInstanceSpec) -> Iterator[Fault]:
    """Yield what keeps a partitioner's table from charging an instance: it is of other axes, or there is none."""
    if spec.cost.accounting != GSPMD:
        return
    axes = tuple(axis.size for axis in spec.array.partition.axes)
    given = spec.cost.conversions
    if given is not None and given.axes != axes:
        text = f"is of axes {size_text(given.axes)}, the array has {size_text(axes)}"
        yield Fault(("cost", "conversions", "axes"), text)
    elif given is not None:
        missing = next((pair for pair in every_pair(len(axes)) if pair not in given.pairs), None)
        if missing is not None:
            text = f"lacks {missing}; {COMMAND} {size_text(axes)} -o FILE goes on where it was stopped"
            yield Fault(("cost", "conversions", "pairs"), text)
    elif given is None and shipped_table(axes) is None:
        text = (
            f"{GSPMD} has no table of axes {size_text(axes)}; shipped are {', '.join(shipped_sizes())}; "
            f"{COMMAND} {size_text(axes)} -o FILE makes one, for cost.conversions: {{file: FILE}}"
        )
        yield Fault(("cost", "accounting"), text)


def _every(problem: NetworkError) -> Sequence[NetworkError]:
    return (problem, *problem.others)


def _located(fault: Fault, error: Callable[..., InputError], overrides: Overrides) -> InputError:
    """Return the error of a fault, with the override that is to blame where one replaced its field."""
    given = overrides.given()
    added = given.get("fix")
    if fault.path[0] == "fix" and isinstance(added, dict) and fault.path[1] in added:
        return InputError(fault.message, field=f"{OVERRIDES['fix'].option} {fault.path[1]}")
    if fault.path[:2] == ("cost", "choices") and "choices" in given:
        return InputError(fault.message, field=OVERRIDES["choices"].option)
    if fault.path[:2] == ("cost", "accounting") and "accounting" in given:
        return InputError(fault.message, field=OVERRIDES["accounting"].option)
    cut = next((name for name in ("axes", "levels", "array", "placement") if name in given), None)
    if fault.path[0] == "array" and cut is not None:
        return blamed(overrides, fault.message, fault.path, of_key=fault.of_key)
    return error(fault.message, fault.path, of_key=fault.of_key)


def _of_halves(spec: InstanceSpec) -> dict[str, Any]:
    """Return what an instance of layers that are split in halves says of what operators have as well."""
    cost = spec.cost.model_dump(include=set(_KEPT))
    return {
        "schema": spec.schema_version,
        "name": spec.name,
        "batch": spec.batch,
        "network": spec.network.model_dump(exclude_defaults=True, exclude_none=True),
        "array": spec.array.model_dump(include={"levels", "accelerator"}, exclude_defaults=True),
        "cost": cost,
    }


def _array_faults(spec: OperatorInstanceSpec) -> Iterator[Fault]:
    """Yield why the array cannot be, or what it does not say that components need which are weighed or bounded."""
    fault = standing_fault(spec.array) or lacking(spec.array, spec.components)
    if fault is not None:
        yield Fault(*fault)


def _choice_faults(spec: OperatorInstanceSpec, graph: OperatorGraph) -> Iterator[Fault]:
    """Yield the choices that are no operator's."""
    known = (*dict.fromkeys(name for one in graph.operators for name in one.splits), NONE)
    for place, name in enumerate(spec.cost.choices or ()):
        if name not in known:
            said = f"no operator can be split along {shown(name)}, expected one of {', '.join(known)}"
            yield Fault(("cost", "choices", place), f"{said}{did_you_mean(name, known)}")


def _fix_faults(spec: OperatorInstanceSpec, graph: OperatorGraph) -> Iterator[Fault]:
    """Yield the patterns of nothing that has a word, or whose words no plan could give it, and why."""
    if not spec.fix:
        return  # before all that could be given is gathered
    givable = Givable.of(graph, spec.cost.choices, spec.cost.splits, spec.cost.recompute)
    partition, before = spec.array.partition, dict[str, tuple[str, ...]]()
    for pattern, text in spec.fix.items():
        names = givable.matched(pattern)
        if not names:
            yield Fault(("fix", pattern), givable.unmatched(pattern), of_key=True)
        for name in names:
            one = givable[name]
            fault = one.fault(text, partition)
            if fault is None:
                word = joined(before.get(name, one.open_word(partition)), word_of(text))
                fault = "contradicts what is given above it" if word is None else None
                fault = fault or one.fault(word_text(word or ()), partition)
            if fault is not None:
                where = "" if name == pattern or f"'{name}'" in fault else f"; {shown(pattern)} matches '{name}'"
                yield Fault(("fix", pattern), fault + where)
                break
            before[name] = word or ()


def joined(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...] | None:
    """Return what two words with open entries give together; None where they contradict each other."""
    if any(a != b and OPEN not in (a, b) for a, b in zip(one, other, strict=True)):
        return None
    return tuple(b if a == OPEN else a for a, b in zip(one, other, strict=True))


def given_words(spec: OperatorInstanceSpec, graph: OperatorGraph) -> dict[str, tuple[str | None, ...]]:
    """Return what is given by operator and placement, with None at axes that are left open; nothing where all are."""
    found: dict[str, tuple[str, ...]] = {}
    if not spec.fix:
        return {}
    givable = Givable.of(graph, spec.cost.choices, spec.cost.splits, spec.cost.recompute)
    for pattern, text in spec.fix.items():
        for name in givable.matched(pattern):
            word = word_of(text)
            found[name] = reduce(lambda a, b: joined(a, b) or a, (found.get(name, word), word))
    return {
        name: tuple(None if one == OPEN else one for one in word) for name, word in found.items() if set(word) != {OPEN}
    }
