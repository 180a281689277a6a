"""What an array of several kinds of accelerators does not go with, and what only such an array has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.instance.accountings import LEVELLED
from hypar_opt.instance.choices import ANYWHERE
from hypar_opt.instance.limits import MOST_MIXED_LEVELS
from hypar_opt.instance.mixed_kinds import NOT_OF_KINDS
from hypar_opt.instance.mixed_leaves import KindsMisfit, node_misfit, types_of
from hypar_opt.instance.mixed_shares import COUNTED, EQUALLY, EXACTLY, PARTS
from hypar_opt.instance.objective.components import COMPONENTS, SUMMED, TIME, UNIT_WORDS, links_lack, needs_of
from hypar_opt.instance.text import FieldPath, shown
from hypar_opt.util.errors import did_you_mean

if TYPE_CHECKING:
    from hypar_opt.instance.array_schema import ArraySpec
    from hypar_opt.instance.hardware.mixed import MixedArray
    from hypar_opt.instance.schema import InstanceSpec

Wrong: TypeAlias = tuple[FieldPath, str]
"""The field that is to blame, and why."""
MODELS: Final = ("as-evaluated", "peak")
"""The models of accelerators whose work is known of unequal shares."""


def kinds_fault(array: ArraySpec) -> Wrong | None:
    """Return the field of an array that does not go with its kinds, or with there being none, and why; or None."""
    if not array.kinds:
        if array.reads == "accelerator":
            return None
        return ("array", "reads"), f"expected accelerators to be a list of kinds, which read; got {_count(array)}"
    given = next((name for name in NOT_OF_KINDS if getattr(array, name) not in (None, "free")), None)
    if given is not None:
        return ("array", given), f"expected none beside kinds of accelerators: {NOT_OF_KINDS[given]}"
    names = [kind.kind for kind in array.kinds]
    twice = next((place for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        return ("array", "accelerators", twice, "kind"), f"two kinds are called {shown(names[twice])}"
    if array.levels > MOST_MIXED_LEVELS:
        most = f"expected at most {MOST_MIXED_LEVELS} levels where accelerators are of several kinds"
        return ("array", "levels"), f"{most}, got {array.levels}"
    other = next((place for place, kind in enumerate(array.kinds) if kind.accelerator.model not in MODELS), None)
    if other is None:
        return None
    model = array.kinds[other].accelerator.model
    message = f"expected {' or '.join(MODELS)}, as {model} does not say what unequal shares of a layer cost"
    return ("array", "accelerators", other, "accelerator", "model"), message


def filling_fault(array: ArraySpec, names: tuple[str, ...] | int) -> Wrong | None:
    """Return the field of an array whose kinds do not fill the leaves, once each, and why; or None.

    Parameters
    ----------
    names
        Of the accelerators; how many there are where they are called a0, a1, ...
    """
    if not array.kinds:
        return None
    misfit = node_misfit(array.kinds, names)
    found = types_of(array.kinds, array.levels, array.standing) if misfit is None else misfit
    return (("array", *found.path), found.message) if isinstance(found, KindsMisfit) else None


def mixed_fault(spec: InstanceSpec) -> Wrong | None:
    """Return the field of an instance that does not go with the array's kinds, or without any, and why; or None."""
    mixed = spec.array.mixed
    if mixed is None:
        return next(_only_of_kinds(spec), None)
    return next(chain(_model(spec), _objective(spec), _shares(spec, mixed), _idle(spec, mixed)), None)


def _count(array: ArraySpec) -> str:
    return "nothing" if array.count is None else f"{array.count:,}"


def _only_of_kinds(spec: InstanceSpec) -> Iterator[Wrong]:
    """Yield what is asked of equal accelerators that only unequal ones have."""
    why = "the array's accelerators are all alike: array.accelerators lists no kinds"
    if spec.cost.shares != EQUALLY:
        yield ("cost", "shares"), f"expected {EQUALLY} shares, for {why}"
    if spec.cost.barrier != "step":
        yield ("cost", "barrier"), f"expected the barrier step, for {why}; got {spec.cost.barrier}"
    idle = next((name for name in spec.cost.choices if name not in ANYWHERE), None)
    if idle is not None:
        yield ("cost", "choices"), f"expected the choices {_WITHOUT}, got {idle}, and {why}"


def _model(spec: InstanceSpec) -> Iterator[Wrong]:
    """Yield what is not known of unequal shares."""
    cost = spec.cost
    if cost.accounting not in LEVELLED:
        expected = (
            f"expected the accounting {', '.join(LEVELLED[:-1])} or {LEVELLED[-1]}, which say what a level exchanges"
        )
        yield ("cost", "accounting"), f"{expected}: {_KINDS}; got {cost.accounting}"
    if cost.as_released:
        yield ("cost", "as_released"), f"expected false, as the code whose adds these are halves, and {_KINDS}"
    if cost.splits == "divisible" and _are_free(cost.shares):
        why = f"{_KINDS}, whose shares say what divides"
        yield ("cost", "splits"), f"expected splits of any size, or shares that are given: {why}; got divisible"


def _objective(spec: InstanceSpec) -> Iterator[Wrong]:
    function = spec.objective_function
    names = function.components
    if function.kind != "sum" or (names != (TIME,) and not set(names) <= set(SUMMED)):
        alone = f"expected {TIME} alone, or a weighted sum of {', '.join(SUMMED[:-1])} and {SUMMED[-1]}, as {_KINDS}"
        yield ("objective",), f"{alone}; got {function.spelt}"
    yield from kinds_lack(spec.array, [name for name in (*names, *spec.subject_to) if name in SUMMED])
    for bounded in spec.subject_to:
        yield from _bound(spec, bounded)


def _bound(spec: InstanceSpec, name: str) -> Iterator[Wrong]:
    """Yield why a component cannot be bounded: times are maxima, and what groups share out is to be given."""
    at = ("subject_to", name)
    if name != TIME and name not in SUMMED:
        known = f"{TIME}, {', '.join(SUMMED[:-1])} or {SUMMED[-1]}"
        yield at, f"expected bounds on {known}, as {_KINDS}; got one on {name}"
    if name == TIME and spec.cost.barrier != "step":
        why = "before which no group may take longer than the bound"
        yield at, f"expected the barrier step, {why}; got {spec.cost.barrier}"
    if _are_free(spec.cost.shares):
        yield at, f"expected shares that are given beside bounds, as {_KINDS}; got a bound on {name}"


def kinds_lack(array: ArraySpec, names: Sequence[str]) -> Iterator[Wrong]:
    """Yield what kinds or links do not say that components need."""
    for name in names:
        for field in sorted(needs_of(name)):
            part, _, inside = field.partition(".")
            if part == "link":
                wrong = links_lack(array, part, inside, name)
                if wrong is not None:
                    yield wrong
            elif inside:
                lacking = (i for i, kind in enumerate(array.kinds) if getattr(kind.accelerator, inside) is None)
                at = (("array", "accelerators", place, part, inside) for place in lacking)
                yield from ((path, f"missing, and {name} needs it") for path in at)


def _shares(spec: InstanceSpec, mixed: MixedArray) -> Iterator[Wrong]:
    said = spec.cost.shares
    if said != EQUALLY and not mixed.splits:
        yield (
            ("cost", "shares"),
            f"expected {EQUALLY} shares: no group of the array has unlike halves, whose shares differ",
        )
    if _are_free(said):
        yield from _free(spec, said, mixed)
    elif isinstance(said, Mapping):
        yield from _by_split(said, mixed.splits)


def _are_free(said: object) -> bool:
    return said == EXACTLY or (isinstance(said, Mapping) and any(name in said for name in COUNTED))


def _free(spec: InstanceSpec, said: object, mixed: MixedArray) -> Iterator[Wrong]:
    """Yield why shares cannot be decided."""
    if TIME not in spec.objective_function.components:
        needs = f"expected shares that are given, or the objective {TIME}"
        least = " and ".join(
            dict.fromkeys(UNIT_WORDS[COMPONENTS[name].unit] for name in spec.objective_function.components)
        )
        yield ("cost", "shares"), f"{needs}: of the fewest {least} a share would run to an end, and a half get nothing"
    if said == EXACTLY and len(mixed.splits) > 1:
        several = f"the array has {len(mixed.splits):,}, {_listed(mixed.splits)}, each with a share of its own"
        yield (
            ("cost", "shares"),
            f"expected {PARTS} or shares that are given, as {EXACTLY} goes with one split, and {several}",
        )
    if said == EXACTLY and spec.batch < 2:
        yield ("cost", "shares"), f"expected {EXACTLY} with a batch of at least 2, of which either half gets one"
    for name, parts in said.items() if isinstance(said, Mapping) else ():
        if parts > spec.batch:
            batch = f"expected at most {spec.batch:,} parts, the batch"
            most = f"{batch}: a grid finer than the dimension gives parts of a sample"
            yield ("cost", "shares", name), f"{most}; got {parts:,}"


def _listed(splits: tuple[str, ...]) -> str:
    return ", ".join(splits[:_NAMED]) + (" and more" if len(splits) > _NAMED else "")


def _by_split(said: Mapping[str, object], splits: tuple[str, ...]) -> Iterator[Wrong]:
    """Yield names of no split, and splits without shares."""
    unknown = next((name for name in said if name not in splits), None)
    if unknown is not None:
        there = f"; there {'is' if len(splits) == 1 else 'are'} {', '.join(splits[:_NAMED])}"
        split = f"expected a split, a group whose halves are unlike, got {shown(unknown)}"
        yield ("cost", "shares", unknown), split + (did_you_mean(unknown, splits) or there)
    lacking = next((name for name in splits if name not in said), None)
    if lacking is not None:
        yield ("cost", "shares"), f"missing {shown(lacking)}; expected shares of every split"


def _idle(spec: InstanceSpec, mixed: MixedArray) -> Iterator[Wrong]:
    idle = next((name for name in spec.cost.choices if name not in ANYWHERE), None)
    if idle is not None and not any(mixed.may_idle):
        why = "at no level are the halves of every group unlike, so that one could do all and the other nothing"
        yield ("cost", "choices"), f"expected the choices {_WITHOUT}, got {idle}, and {why}"


_WITHOUT: Final = f"{', '.join(ANYWHERE[:-1])} or {ANYWHERE[-1]}"
_KINDS: Final = "the array has several kinds of accelerators"
_NAMED: Final = 8
"""Splits that a message names."""
