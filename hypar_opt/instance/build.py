"""From what an instance says to what it is made of, wherever it is said, and what it has to be beyond its fields."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import partial, reduce
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.accelerator_schema import accelerator_of
from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.instance.array import array_fault, own_fault
from hypar_opt.instance.choices import IDLING, Dimension, LayerTensor, choices_of, letters_of, uncut
from hypar_opt.instance.collectives_faults import collectives_fault
from hypar_opt.instance.data import sha256
from hypar_opt.instance.faults import Fault, checked, errors_of
from hypar_opt.instance.fix import OPEN, contradiction, is_pattern, joined, matched, nearest
from hypar_opt.instance.mixed_grid import grid_fault
from hypar_opt.instance.mixed_memory import mixed_capacity_fault
from hypar_opt.instance.network import Network, WorkLayer, workload
from hypar_opt.instance.overrides import Overrides, override
from hypar_opt.instance.precision_faults import precision_fault
from hypar_opt.instance.schema import InstanceSpec
from hypar_opt.instance.stage_faults import stages_fault
from hypar_opt.instance.text import FieldPath, dotted, shown
from hypar_opt.util.errors import InputError, NetworkError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence

    from hypar_opt.instance.network_schema import NetworkSpec

AFTER_FIELDS: Final = "names and shapes of layers, links of the array, strategies that are given, and memory"
"""What is looked at only when every field is right by itself."""
AFTER_PARTS: Final = "shapes that depend on these (all, where a name is wrong), strategies that are given, and memory"
"""What is looked at only when network and array are right."""


def build(
    data: dict[str, object], error: Callable[..., InputError], overrides: Overrides
) -> tuple[InstanceSpec, Network, str]:
    """Return what an instance says with its overrides, its network, and its hash without them.

    Parameters
    ----------
    data
        The fields of an instance file, everything inline.
    error
        As `checked` takes it.
    overrides
        Replace what the data say.

    Raises
    ------
    InputError
        If something is wrong: as `error` makes it, or with the name of the override.
    """
    original = checked(InstanceSpec, data, error, AFTER_FIELDS)
    wrong = array_fault(original)
    if wrong is not None and not _mended(original, overrides):
        raise _first([Fault(*wrong), *_network_faults(original.network)], error, AFTER_PARTS)
    spec = override(original, overrides)
    try:
        return spec, Network.from_spec(spec.network), sha256(original)
    except NetworkError as problem:
        faults = _faults_of(problem, spec.network)
    raise _first(faults, error, AFTER_PARTS)


def _mended(spec: InstanceSpec, overrides: Overrides) -> bool:
    """Return whether what an array lacks for what is asked of it comes with the overrides."""
    if own_fault(spec.array) is not None or not overrides.given():
        return False
    try:
        override(spec, overrides)
    except InputError:
        return False
    return True


def _first(faults: Sequence[Fault], error: Callable[..., InputError], later: str) -> InputError:
    """Return the error of the first, which knows the others."""
    first, *others = faults
    raised = error(first.message, first.path, of_key=first.of_key)
    return raised.beside(partial(errors_of, others, error), len(others), later=later)


def _network_faults(spec: NetworkSpec) -> list[Fault]:
    try:
        Network.from_spec(spec)
    except NetworkError as problem:
        return _faults_of(problem, spec)
    return []


def _faults_of(problem: NetworkError, spec: NetworkSpec) -> list[Fault]:
    """Return what is wrong with a network, and where in the instance."""
    every = (problem, *problem.others)
    return [Fault((*_path_of_layer(spec, one.layer), *one.field), one.message) for one in every]


def _path_of_layer(spec: NetworkSpec, name: str | None) -> FieldPath:
    """Return where a layer stands; of two with one name, the second, which is the one too many."""
    places = [i for i, layer in enumerate(spec.layers) if layer.name == name][:2]
    return ("network", "layers", places[-1]) if places else ("network",)


def fix_faults(spec: InstanceSpec, network: Network, overrides: Container[str]) -> Iterator[Fault]:
    """Yield the patterns of no layer that a plan decides, or whose words no plan could give it, and why."""
    if not spec.fix:
        return
    decided = {layer.name: layer for layer in workload(network).layers}
    given = f" (--levels {spec.array.levels})" if "levels" in overrides else ""
    before: dict[str, dict[str, str]] = {}  # by layer, the words that it has been given
    for pattern, word in spec.fix.items():
        names = matched(pattern, decided)
        if not names:
            yield _unknown(pattern, network)
        for name in names:
            others = before.setdefault(name, {})
            problem = word_fault(word, spec, decided[name], given, OPEN)
            problem = problem or contradiction(pattern, word, others, name)
            problem = problem or word_fault(reduce(joined, others.values(), word), spec, decided[name], given, OPEN)
            if problem:
                where = "" if name == pattern or f"'{name}'" in problem else f"; {shown(pattern)} matches '{name}'"
                yield Fault(("fix", pattern), problem + where)
                break
            others[pattern] = word


def _unknown(name: str, network: Network) -> Fault:
    there = dict.fromkeys(layer.name for layer in network.layers)
    what = "has no weights and joins nothing, so there is nothing to fix" if name in there else "is no layer"
    hint = did_you_mean(name, network.decision_names)
    if name not in there and is_pattern(name):
        what = "matches no layer that has weights or joins anything" if matched(name, there) else "matches no layer"
        hint = f"; the nearest is '{nearest(name, network.decision_names)}'"
    return Fault(("fix", name), f"{shown(name)} {what}{hint}", of_key=True)


def word_fault(word: str, spec: InstanceSpec, layer: WorkLayer, given: str = "", beside: str = "") -> str | None:
    """Return why a layer cannot have a word, or None.

    Parameters
    ----------
    word
        One letter a level.
    given
        Says where the number of levels comes from.
    beside
        What may stand in the place of a letter, for a level that is left open.
    """
    or_open = f", or {beside} where it is open" if beside else ""
    if len(word) != spec.array.levels:
        return f"expected {spec.array.levels} letters, one a level{given}{or_open}, got {shown(word)}"
    allowed = letters_of(layer, spec.cost.letters)
    if any(letter not in allowed + beside for letter in word):
        kind = " in a join" if layer.is_join else f" in a convolution with {layer.groups:,} groups"
        where = kind if layer.keeps_layout else ""
        return f"expected letters from {', '.join(allowed) or 'no letter'}{where}{or_open}, got {shown(word)}"
    idle = _idle_fault(word, spec)
    if idle is not None:
        return idle
    for letter, split in choices_of(layer).items():
        whole = uncut(layer.groups, letter, word.count(letter)) if split is Dimension.GROUPS else None
        if whole is not None and not layer.is_join:
            return f"expected {whole}, got {shown(word)}"
    return None


def _idle_fault(word: str, spec: InstanceSpec) -> str | None:
    """Return why no half can be left without work where a word leaves one, or None."""
    may = () if spec.array.mixed is None else spec.array.mixed.may_idle
    at = next((h for h, letter in enumerate(word) if letter in IDLING and not (h < len(may) and may[h])), None)
    if at is None:
        return None
    return f"expected no {word[at]} at level {at + 1}, where the halves of a group are alike, got {shown(word)}"


def chain_fault(spec: InstanceSpec, network: Network) -> Fault | None:
    """Return which tensor several layers read, where the accounting takes chains; or None."""
    readers = Counter(name for layer in network.layers for name in layer.inputs)
    name = next((name for name, count in readers.items() if count > 1), None)
    if name is None or not ACCOUNTINGS[spec.cost.accounting].collectives:
        return None
    message = (
        f"'{spec.cost.accounting}' charges a tensor that several layers read once, which costs of single boundaries "
        f"cannot say: expected a chain, got {readers[name]} readers of '{name}'; leaf-exact takes any network, and so "
        "does an array of axes"
    )
    return Fault(("cost", "accounting"), message)


def capacity_fault(spec: InstanceSpec, network: Network) -> Fault | None:
    """Return which layer's weights alone are more than an accelerator holds, split as far as they can be; or None."""
    if spec.array.mixed is not None:
        layers = workload(network).layers
        wrong = grid_fault(spec, spec.array.mixed, layers) or mixed_capacity_fault(spec, spec.array.mixed, layers)
        return None if wrong is None else Fault(*wrong)
    accelerator = accelerator_of(spec.array.accelerator)
    if accelerator is None or accelerator.capacity is None:
        return None
    kept = {layer.name: _least_weights(layer, spec) for layer in workload(network).layers}
    worst = max(kept, key=lambda name: kept[name])
    least = kept[worst]
    if least <= accelerator.capacity:
        return None
    message = (
        f"expected at least {float(least):,.0f} bytes, which the weights of '{worst}' alone take on each of "
        f"{spec.array.partition.leaves:,} accelerators however they are split, got {float(accelerator.capacity):,.0f}"
    )
    return Fault(("array", "accelerator", "memory", "capacity"), message)


def _least_weights(layer: WorkLayer, spec: InstanceSpec) -> Fraction:
    """Return the bytes of a layer's weights on an accelerator at the least: some choices halve them, others do not.

    Of a grouped convolution they are halved as often as the groups can be.
    """
    letters = letters_of(layer, spec.cost.letters)
    halved = any(choices_of(layer)[letter].halves(LayerTensor.WEIGHT) for letter in letters)
    parts = spec.array.partition.leaves if halved else 1
    if layer.groups > 1:
        parts = min(parts, layer.groups & -layer.groups)
    return Fraction(layer.weight * spec.cost.bytes_per_element, parts)


class InvalidInstance(InputError):
    """An instance that cannot be.

    Parameters
    ----------
    message
        What is wrong.
    path
        Where in the instance.
    of_key
        Whether the key there is to blame.
    """

    def __init__(self, message: str, path: FieldPath, *, of_key: bool = False) -> None:
        super().__init__(message, field=dotted(path) or None)
        self.path = path
        self.of_key = of_key


def with_adds(spec: InstanceSpec, network: Network) -> Network:
    """Return the network with its adds as the instance has them: decided, or as AccPar's released code has them.

    Raises
    ------
    InvalidInstance
        If that code knows no such adds; names the layer.
    """
    try:
        made = network.with_adds(decided=not spec.cost.as_released)
        if made is not network:
            workload(made)
    except NetworkError as problem:
        faults = _faults_of(problem, spec.network)
    else:
        return made
    raise _first(faults, InvalidInstance, "")


def check_instance(spec: InstanceSpec, network: Network, overrides: Container[str]) -> None:
    """Check an instance's array, given strategies, accounting and memory.

    Parameters
    ----------
    spec, network, overrides
        As an `Instance` has them.

    Raises
    ------
    InvalidInstance
        At the first thing that is wrong; it knows the others.
    """
    wrong = array_fault(spec)
    capacity = capacity_fault(spec, network) if wrong is None else None
    faults = [*([] if wrong is None else [Fault(*wrong)]), *fix_faults(spec, network, overrides)]
    beside = (
        chain_fault(spec, network),
        capacity,
        stages_fault(spec, network),
        collectives_fault(spec),
        precision_fault(spec, network),
    )
    faults += [one for one in beside if one is not None]
    if faults:
        raise _first(faults, InvalidInstance, "")
