"""What replaces fields of an instance: described once, for the command line, the live page, Python and messages."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar, cast

from hypar_opt.instance.accountings import ACCOUNTINGS, GSPMD
from hypar_opt.instance.barriers import BARRIERS
from hypar_opt.instance.fix import added, fix_text
from hypar_opt.instance.limits import LARGEST_SIZE
from hypar_opt.instance.text import FieldPath, cut, dotted, shown
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from hypar_opt.instance.array_schema import ArraySpec
    from hypar_opt.instance.schema import InstanceSpec
    from hypar_opt.instance.sources import Sources

T = TypeVar("T")
Kind: TypeAlias = Literal[
    "array", "axes", "bounds", "choice", "exchange", "fix", "integer", "names", "objective", "shares", "truth"
]
"""How a replacement is given: an array by its name or file, one of several names, and so on."""
InstanceKind: TypeAlias = Literal["network", "operators"]
"""Of layers that are split in halves; or of operators, on arrays of axes."""


@dataclass(frozen=True)
class Override:
    """A field that can be replaced.

    Parameters
    ----------
    name
        As Python and plan files have it.
    path
        Of the field, from the top of the instance.
    kind
        How it is given.
    help
        A sentence.
    rank
        Its place in the help of commands.
    metavar
        What stands for a value there.
    choices
        That there are, if it is one of several names.
    least, most
        Of an integer.
    label
        On the live page, if not the name.
    about
        There, a sentence in place of `help`, where the page takes something else than the command line.
    words
        On the live page: for true and false.
    example
        There, of what is entered as text.
    adds
        Whether it adds to what the field says, and replaces nothing.
    of
        The kinds of instances that have the field.
    """

    name: str
    path: tuple[str, ...]
    kind: Kind
    help: str
    rank: int
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    label: str = ""
    about: str = ""
    words: tuple[str, str] = ("true", "false")
    example: str = ""
    adds: bool = False
    of: tuple[InstanceKind, ...] = ("network", "operators")

    @property
    def option(self) -> str:
        """As the command line has it."""
        return f"--{self.name.replace('_', '-')}"


def _replaces(path: str, kind: Kind, rank: int, help: str, **more: Any) -> Any:
    return field(
        default=None, metadata={"path": tuple(path.split(".")), "kind": kind, "rank": rank, "help": help, **more}
    )


class ArrayText(str):
    """An array as JSON, with the files that say it."""

    sources: Sources

    @classmethod
    def of(cls, data: Mapping[str, object], sources: Sources | None) -> str:
        """Return the text of an array; `sources` is None where it comes from none.

        Raises
        ------
        InputError
            If it is no plain data.
        """
        from hypar_opt.instance.exact import plain

        try:
            text = json.dumps(plain(data), sort_keys=True, separators=(",", ":"))
        except (TypeError, ValueError) as error:
            raise InputError(str(error), field="--array") from None
        if sources is None:
            return text
        made = cls(text)
        made.sources = sources
        return made


@dataclass(frozen=True)
class Overrides:
    """What replaces fields of an instance; None leaves a field as it is. Mappings are JSON here: see `overrides_of`."""

    accounting: str | None = _replaces(
        "cost.accounting", "choice", 1, "What boundaries are charged.", choices=(*ACCOUNTINGS, GSPMD)
    )
    batch: int | None = _replaces(
        "batch", "integer", 2, "Samples of one training step.", metavar="N", least=1, most=LARGEST_SIZE
    )
    levels: int | None = _replaces(
        "array.levels", "integer", 3, "Levels of the array: 2^H accelerators.", metavar="H", least=0
    )
    array: str | None = _replaces(
        "array",
        "array",
        5,
        "Another array: a file, a shipped one (hypar-opt list arrays), or YAML in braces.",
        metavar="ARRAY",
        about="Another array of those that come with hypar-opt; one of your own is written in the text, under array.",
    )  # fmt: skip
    placement: str | None = _replaces(
        "array.placement", "choice", 6, "Is it to be decided, or in order?", choices=("free", "identity")
    )
    objective: str | None = _replaces(
        "objective", "objective", 9, "For example time, hop-bytes=1,time=0.5, product:time,energy.", metavar="WEIGHTS",
        example="product:time,energy",
    )  # fmt: skip
    at_most: str | None = _replaces(
        "subject_to", "bounds", 10, "The most that a plan may cost, in bytes, seconds, joules; may be repeated.",
        metavar="COMPONENT=N", example="time=20,communication=3e9",
        about="The most that a plan may cost, in bytes, seconds, joules; several with commas between them.",
    )  # fmt: skip
    splits: str | None = _replaces(
        "cost.splits", "choice", 11, "Of any size, of what divides, or padded?", choices=("any", "divisible", "padded")
    )
    input_error: bool | None = _replaces(
        "cost.input_error", "truth", 7, "Is the error of the network's input charged?",
        label="error of the network's input", words=("charged", "left out"), of=("network",),
    )  # fmt: skip
    fix: str | None = _replaces(
        "fix", "fix", 12, "Strategies to keep, once or more: conv*=d... (a . is open); as in a plan: PLAN.json:conv*.",
        metavar="PATTERN=WORD", label="strategies to keep", adds=True, example="conv*=d..., fc1=.m..",
        about="A letter a level by layer or pattern of names; a . is open; several with commas between them.",
    )  # fmt: skip
    choices: str | None = _replaces(
        "cost.choices", "names", 8, "How layers may be split: dp,mp,op; of operators batch,heads,none.",
        metavar="NAME,...", label="choices", example="dp,mp,op",
    )  # fmt: skip
    axes: str | None = _replaces(
        "array.axes", "axes", 4, "Axes of any size, outermost first: node=4,gpu=8.", metavar="NAME=SIZE,...",
        of=("operators",),
    )  # fmt: skip
    as_released: bool | None = _replaces(
        "cost.as_released", "truth", 14, "Are adds charged as AccPar's released code does, and not decided?",
        label="adds as AccPar's code has them", words=("as released", "decided"), of=("network",),
    )  # fmt: skip
    recompute: str | None = _replaces(
        "cost.recompute", "choice", 13, "Of operators: are repeated blocks run once more backward, to keep less?",
        choices=("none", "blocks", "choose"), of=("operators",),
    )  # fmt: skip
    shares: str | None = _replaces(
        "cost.shares", "shares", 15, "Of unlike halves: equal, 7/10,3/10, root=7/10,3/10;1=..., parts=9, grid=9, exact",
        metavar="SHARES", example="parts=512", of=("network",),
    )  # fmt: skip
    barrier: str | None = _replaces(
        "cost.barrier", "choice", 16, "Where groups of unlike accelerators wait for each other.",
        choices=tuple(BARRIERS), of=("network",),
    )  # fmt: skip
    microbatches: int | None = _replaces(
        "microbatches", "integer", 17, "Cut the layers into pipeline stages, and the batch into so many microbatches.",
        metavar="N", least=1, most=LARGEST_SIZE, label="stages, with microbatches", of=("network",),
    )  # fmt: skip
    collectives: str | None = _replaces(
        "array.collectives", "exchange", 18, "By which schedules partial sums are exchanged: best, or ring,chunks=2.",
        metavar="ALGORITHM", label="exchange of partial sums", example="best", of=("network",),
    )  # fmt: skip

    def array_error(self, message: str, path: FieldPath, field: str, *, of_key: bool = False) -> InputError:
        """Return the error of the array that was given: of a line where it came from a file, else of the option.

        Parameters
        ----------
        path
            In the instance.
        field
            The option, and the field in what was given.
        """
        sources: Sources | None = getattr(self.array, "sources", None)
        if sources is None:
            return InputError(message, field=field)
        return sources.array_error(message, path, of_key=of_key)

    def given(self) -> dict[str, object]:
        """Return those that were given, as plan files have them."""
        values = {name: getattr(self, name) for name in OVERRIDES}
        given = {name: value for name, value in values.items() if value is not None}
        return {name: json.loads(one) if OVERRIDES[name].kind in TEXTS else one for name, one in given.items()}


OVERRIDES: Final[Mapping[str, Override]] = MappingProxyType(
    {one.name: Override(one.name, **one.metadata) for one in fields(Overrides)}
)
"""By name, in the order of plan files."""
NETWORK_OVERRIDES: Final[Mapping[str, Override]] = MappingProxyType(
    {name: one for name, one in OVERRIDES.items() if "network" in one.of}
)
"""Those of instances whose layers are split in halves."""
BLAMED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "array": ("levels", "axes", "array", "placement", "objective", "at_most"),
        "cost": ("accounting",),
        "objective": ("objective", "accounting"),
        "subject_to": ("at_most", "accounting"),
    }
)
"""By the part that is at fault: what may be to blame if it is not the field's own replacement, the likeliest first."""


def overridden(before: Mapping[str, object], given: Overrides) -> dict[str, object]:
    """Return what all replacements of an instance come to: a whole array replaces what was replaced inside the last."""
    inside = {name for name, one in OVERRIDES.items() if one.path[0] == "array" and len(one.path) > 1}
    gone = inside if given.array is not None else set()
    now = {name: after(OVERRIDES[name], before.get(name), value) for name, value in given.given().items()}
    return {name: value for name, value in before.items() if name not in gone} | now


def after(one: Override, before: Any, value: Any) -> object:
    """Return what a field, or what replaced it, and its replacement come to."""
    try:
        return added(before, value) if one.adds and before else value
    except InputError as error:
        raise InputError(error.message, field=one.option) from None


def check_names(given: Mapping[str, Any]) -> None:
    """Raise `TypeError` at the first name that replaces nothing; the nearest one is in the message."""
    for name in given:
        if name not in OVERRIDES:
            same = [one.name for one in OVERRIDES.values() if name in (one.path[-1], ".".join(one.path))]
            hint = f"; {name} is replaced by {same[0]}=..." if same else did_you_mean(name, OVERRIDES)
            raise TypeError(f"got an unexpected keyword argument '{cut(name)}'; there are {', '.join(OVERRIDES)}{hint}")


def overrides_of(given: Mapping[str, Any]) -> Overrides:
    """Return replacements as Python takes them: as the command line does, or as a file has what would stand there.

    Raises
    ------
    InputError
        If there is no such array, its file cannot be read, or what is fixed is no mapping to words.
    """
    check_names(given)
    from hypar_opt.instance.collectives_spec import spelt_exchange
    from hypar_opt.instance.mixed_shares import shares_text
    from hypar_opt.instance.objective.bounds import bounds_text
    from hypar_opt.instance.objective.function import objective_text

    texts = {name: TEXTS[one.kind](given.get(name)) for name, one in OVERRIDES.items() if one.kind in TEXTS}
    objective = cast("str | None", objective_text(given.get("objective")))  # of another kind it is refused later
    others = {
        "at_most": bounds_text(given.get("at_most")),
        "shares": shares_text(given.get("shares")),
        "collectives": spelt_exchange(given.get("collectives")),
    }
    return Overrides(**{**given, **texts, "objective": objective, **others})


def array_data(array: ArraySpec | Mapping[str, object] | str | Path) -> Mapping[str, object]:
    """Return what stands under `array`: the mapping itself, or what a file or a shipped array says.

    Raises
    ------
    InputError
        If it is none, there is no such array, or its file cannot be read.
    """
    from hypar_opt.instance.array_schema import ArraySpec

    said = _typed(array)
    if isinstance(said, Mapping):
        return said
    if isinstance(said, ArraySpec):
        return said.model_dump(exclude_defaults=True)
    if not isinstance(said, str | PurePath):
        raise InputError(f"expected an array, or the name or the file of one, got {shown(said)}", field="--array")
    return _files_of(said).array


def _files_of(array: str | PurePath) -> Sources:
    from hypar_opt.instance.shipped import find_array
    from hypar_opt.instance.sources import array_sources

    return array_sources(find_array(str(array)))


def _typed(array: T) -> T | Mapping[str, object]:
    """Return the mapping of an array that is written out, as YAML or JSON in braces; all else as it is.

    Raises
    ------
    InputError
        If it is neither.
    """
    from hypar_opt.instance.formats.lines import TextError
    from hypar_opt.instance.formats.yaml import parse_yaml
    from hypar_opt.instance.shipped import is_there

    if not isinstance(array, str) or not array.lstrip().startswith("{") or is_there(Path(array)):
        return array
    try:
        return cast("Mapping[str, object]", parse_yaml(array))  # braces hold a mapping
    except TextError as error:
        raise InputError(error.message, field="--array") from None


def array_text(array: ArraySpec | Mapping[str, object] | str | Path | None) -> str | None:
    """Return an array as JSON; one that comes from a file remembers that.

    Raises
    ------
    InputError
        If there is no such array, or its file cannot be read.
    """
    said = _typed(array)
    if said is None:
        return None
    sources = _files_of(said) if isinstance(said, str | PurePath) else None
    return ArrayText.of(array_data(said) if sources is None else sources.array, sources)


TEXTS: Final[Mapping[str, Callable[[Any], str | None]]] = MappingProxyType({"array": array_text, "fix": fix_text})
"""By kind, from a mapping, or what stands for one, to JSON."""


def check_kind(overrides: Overrides, kind: InstanceKind) -> None:
    """Raise `InputError` at the first replacement that instances of a kind have no field for."""
    for one in OVERRIDES.values():
        if kind not in one.of and getattr(overrides, one.name) is not None:
            raise InputError(f"replaces {NO_FIELD[kind]}", field=one.option)


NO_FIELD: Final[Mapping[InstanceKind, str]] = MappingProxyType(
    {
        "network": "a field of an instance of operators; layers that are split in halves have --levels and --array",
        "operators": "a field of an instance of layers that are split in halves; an instance of operators has none",
    }
)
"""By the kind of an instance, what is replaced that it has no field for."""


def override(spec: InstanceSpec, overrides: Overrides) -> InstanceSpec:
    """Return the instance with fields replaced, checked again.

    Raises
    ------
    InputError
        If the result is not valid; names the override as the command line spells it.
    """
    from hypar_opt.instance.array import array_fault
    from hypar_opt.instance.faults import checked
    from hypar_opt.instance.schema import InstanceSpec

    if not overrides.given():
        return spec
    check_kind(overrides, "network")
    error = partial(blamed, overrides)
    replaced = checked(InstanceSpec, _replaced(spec, overrides), error)
    wrong = array_fault(replaced)
    if wrong is not None:
        raise error(wrong[1], wrong[0])
    return replaced


def _replaced(spec: InstanceSpec, overrides: Overrides) -> dict[str, object]:
    # network and bits are passed as they are: they were checked, and they may be large
    whole = {"network": spec.network, "precision": spec.precision}
    said = spec.model_dump(by_alias=True, exclude=set(whole)) | whole
    data: dict[str, Any] = {name: one for name, one in said.items() if one is not None}
    data["array"] = spec.array.model_dump(exclude_defaults=True)
    for one in sorted(OVERRIDES.values(), key=lambda one: len(one.path)):  # the whole array before its fields
        value = getattr(overrides, one.name)
        if value is not None:
            *parents, last = one.path
            into = data
            for key in parents:
                into = into[key]
            into[last] = after(one, into.get(last), value_of(one, value))
    return data


def value_of(one: Override, value: Any) -> object:
    """Return what stands in the field."""
    if one.kind == "array":
        from decimal import Decimal

        return json.loads(value, parse_float=Decimal)
    if one.kind == "fix":
        return json.loads(value)
    if one.kind == "names":
        return tuple(name.strip() for name in value.split(",")) if isinstance(value, str) else value
    if one.kind == "objective":
        from hypar_opt.instance.objective.function import weights_of

        if not isinstance(value, str):
            raise InputError(f"expected text, for example product:time,energy, got {shown(value)}", field="--objective")
        return weights_of(value)
    if one.kind == "shares":
        from hypar_opt.instance.mixed_shares import read_shares

        return read_shares(value)
    if one.kind == "exchange":
        from hypar_opt.instance.collectives_spec import read_exchange

        return read_exchange(value)
    if one.kind == "bounds":
        from hypar_opt.instance.objective.bounds import bounds_of

        return bounds_of(value)
    return value


def blamed(overrides: Overrides, message: str, path: FieldPath, *, of_key: bool = False) -> InputError:
    """Return the error of the override that is to blame: the instance was valid before."""
    given = overrides.given()
    part, rest = str(path[0]), path[1:]
    array = given.get("array") if "axes" in given else None
    # what stands in the array that was given is no matter of its axes
    stands = ("array",) if part == "array" and rest and isinstance(array, dict) and rest[0] in array else ()
    owners = (*(one.name for one in OVERRIDES.values() if one.path == path[:2]), *stands, *BLAMED.get(part, ()))
    option = next((name for name in owners if name in given), next(iter(given)))
    # the array's own fields are named where it came in as a whole
    inside = option != str(rest[0]) if part == "array" and rest else False
    field = OVERRIDES[option].option + (f" {dotted(path[1:])}" if inside else "")
    if option == "array" and part == "array":
        return overrides.array_error(message, path, field, of_key=of_key)
    return InputError(message, field=field)
