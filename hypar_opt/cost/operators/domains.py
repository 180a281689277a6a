"""What is decided: a word for every operator, and the placements of tensors that several read."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.cost.operators.placements import NONE, PARTIAL, WHOLE
from hypar_opt.cost.operators.recompute import Recomputed
from hypar_opt.instance.operators.given import FORWARD as FORWARD
from hypar_opt.instance.operators.given import GRADIENT as GRADIENT
from hypar_opt.instance.operators.given import is_shared as is_shared
from hypar_opt.instance.operators.given import names_of as names_of
from hypar_opt.instance.operators.words import divisors_text, offered
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.cost.operators.placements import Placements, Word
    from hypar_opt.instance.operators import Operator, OperatorGraph, Tensor
    from hypar_opt.util.partition import Partition

MOST_WORDS: Final = 4096
"""Of one operator, or placements of one tensor."""
MOST_VALUES: Final = 8 * MOST_WORDS
"""Of one operator: words, each with every way of keeping its parameters and what it reads."""
REPLICATED: Final = "replicated"
SHARDED: Final = "zero-3"
STORAGES: Final = (REPLICATED, "zero-1", "zero-2", SHARDED)
"""How an operator's parameters and what belongs to them are kept where their gradients are partial sums."""
STORAGE, KEPT = ":storage", ":kept"
"""Behind an operator's name, how its parameters are stored, and in which form it keeps what others read, too."""
NOTHING: Final = Recomputed()
"""Nothing is computed once more."""
COPY, SHARED = "copy", "shared"
"""What an operator keeps for its backward phase of a tensor that others read, too: what it was converted to, or nothing
but what lies there for all readers, from which it is converted once more."""


@dataclass(frozen=True)
class OperatorModel:
    """How operators may be split, and what is charged.

    Parameters
    ----------
    partition
        How the array is cut.
    choices
        Names of dimensions that may be split, and `none` where every operator may be left whole; None for all of an
        operator's own, cheap ones left whole, too.
    divisible
        Whether only dimensions may be split that divide.
    storages
        Of `STORAGES`, those that an operator may choose from.
    memory
        Bytes of every device that a plan may take; None where that does not matter.
    states
        Numbers that the optimiser keeps for every parameter.
    fix
        Words that are given, by operator or `TENSOR:forward` and so on; None at axes that are left open.
    padded
        Whether what parts do not divide is padded; else parts are fractions.
    recompute
        Whether repeated `blocks` are run once more backward, and keep no maps inside; else `none`.
    """

    partition: Partition
    choices: tuple[str, ...] | None = None
    divisible: bool = False
    storages: tuple[str, ...] = (REPLICATED,)
    memory: Fraction | None = None
    states: int = 0
    fix: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict, hash=False)
    padded: bool = False
    recompute: str = "none"

    @property
    def axes(self) -> tuple[int, ...]:
        """The axes' sizes."""
        return tuple(axis.size for axis in self.partition.axes)


@dataclass(frozen=True)
class DomainValue:
    """One of the things that can be chosen.

    Parameters
    ----------
    word
        By axis: a dimension, `none`, `whole` or `partial`.
    storage
        Of an operator with parameters.
    kept
        Of each operand of `copied`: `COPY` or `SHARED`.
    """

    word: Word
    storage: str = REPLICATED
    kept: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The word as plans have it."""
        return " ".join(self.word)

    @property
    def kept_text(self) -> str:
        """What is kept of operands as plans have it; empty where that is a copy of each."""
        return " ".join(self.kept) if SHARED in self.kept else ""

    def is_kept(self, text: str) -> bool:
        """Return whether a plan that says so of what is kept means this."""
        return tuple(text.split()) == self.kept or (not text and SHARED not in self.kept)


@dataclass(frozen=True)
class Domain:
    """What can be chosen for an operator, or for a placement of a tensor.

    Parameters
    ----------
    name
        The operator's, or the tensor's with what it is the placement of.
    values
        All that are allowed.
    """

    name: str
    values: tuple[DomainValue, ...]

    @property
    def words(self) -> tuple[Word, ...]:
        """Of every value."""
        return tuple(value.word for value in self.values)


def copied(operator: Operator, graph: OperatorGraph, again: Recomputed = NOTHING) -> tuple[int, ...]:
    """Return which operands are maps that others read, too, and that are kept for the operator: by their places."""
    return tuple(
        place
        for place, one in enumerate(operator.operands)
        if graph.tensors[one.tensor].role == "activation"
        and is_shared(one.tensor, graph)
        and again.keeps(operator, one)
    )


def operator_domain(
    operator: Operator, graph: OperatorGraph, model: OperatorModel, again: Recomputed = NOTHING
) -> Domain:
    """Return the words that an operator can have, each with every way of keeping its parameters and what it reads.

    Raises
    ------
    InputError
        If there are none.
    Refusal
        If there are too many.
    """
    letters = letters_of(operator, model)
    divided = operator.sizes if model.divisible else graph.factors(operator) if model.padded else ()
    words = tuple(_words(letters, operator.sizes, divided, model, operator.name))
    if not words:
        raise InputError(none_left(operator, letters, graph, model), field="cost.choices")
    trained = any(graph.tensors[one.tensor].role == "parameter" for one in operator.operands)
    storages = _given(operator.name + STORAGE, model.storages if trained else (REPLICATED,), model)
    count = len(copied(operator, graph, again))
    forms = (COPY, SHARED) if model.memory is not None else (COPY,)
    if len(words) * len(storages) * len(forms) ** count > MOST_VALUES:
        raise Refusal(
            f"'{operator.name}' has {len(words):,} words, {len(storages)} ways of keeping its parameters and "
            f"{len(forms) ** count:,} of keeping what it reads, {MOST_VALUES:,} in all are the most that are compiled; "
            "try fewer axes, or fewer --choices"
        )
    kept = tuple(product(forms, repeat=count))
    return Domain(operator.name, tuple(DomainValue(*one) for one in product(words, storages, kept)))


def _given(name: str, offered: tuple[str, ...], model: OperatorModel) -> tuple[str, ...]:
    """Return what is offered, or that of it which is given."""
    given = model.fix.get(name)
    return offered if given is None else tuple(one for one in offered if given[0] in (one, None))


def letters_of(operator: Operator, model: OperatorModel) -> tuple[str, ...]:
    """Return the dimensions that an operator may be split along, and `none` where it may be left whole."""
    return offered(operator, model.choices)


def none_left(operator: Operator, letters: Sequence[str], graph: OperatorGraph, model: OperatorModel) -> str:
    """Return why an operator has no word, in words."""
    sizes = ", ".join(f"{name} {operator.sizes[name]:,}" for name in letters if name != NONE)
    axes = " x ".join(map(str, model.axes))
    rule = "divide into" if model.divisible else "have as many elements as"
    given = model.fix.get(operator.name)
    if given is not None:
        return f"'{operator.name}' is given {' '.join(one or '.' for one in given)}, and no such word is allowed"
    said = f"'{operator.name}' ({sizes}) has no word on axes {axes}: what is split has to {rule} its parts"
    return f"{said}; {_ways_out(operator, letters, graph, model)}"


def _ways_out(operator: Operator, letters: Sequence[str], graph: OperatorGraph, model: OperatorModel) -> str:
    """Return into which parts each dimension divides, and what to change."""
    devices = prod(model.axes)
    parts = [f"{name} into {divisors_text(operator.sizes[name], devices)}" for name in letters if name != NONE]
    divides = f"it divides {', '.join(parts)}; " if model.divisible and parts else ""
    others = [name for name in operator.splits if name not in letters]
    splits = {"padded": graph.factors(operator), "any": ()} if model.divisible else {}
    less = [name for name, asked in splits.items() if any(_words(letters, operator.sizes, asked, model, operator.name))]
    ways = ["axes of such sizes", *([f"--splits {' or '.join(less)}, which asks less"] if less else [])]
    ways += [f"--choices with {' or '.join(others)}"] if others else []
    ways += [f"--choices with {NONE}, which leaves it whole"] if NONE not in letters else []
    return f"{divides}try {', or '.join(ways)}"


def placement_domain(
    tensor: Tensor, names: Sequence[str | None], model: OperatorModel, name: str, *, partial: bool = False
) -> Domain:
    """Return the placements that a tensor can have for those who read it, or its gradient.

    Parameters
    ----------
    tensor
        Which.
    names
        What its dimensions are called; None for those that nobody splits.
    name
        Of what is decided.
    partial
        Whether it may stay in partial sums, too.
    """
    sizes = {one: size for one, size in zip(names, tensor.sizes, strict=True) if one is not None}
    letters = (*sizes, "whole", *(("partial",) if partial else ()))
    words = tuple(_words(letters, sizes, sizes if model.divisible else (), model, name))
    if not words:
        raise InputError(f"'{name}' is given a placement that is not allowed", field="fix")
    return Domain(name, tuple(map(DomainValue, words)))


def codes(domain: Domain, names: Sequence[str | None]) -> Placements:
    """Return a tensor's placements as numbers of its dimensions, `WHOLE` and `PARTIAL`."""
    known = {one: place for place, one in enumerate(names) if one is not None}
    known |= {"whole": WHOLE, "partial": PARTIAL}
    rows = [[known[letter] for letter in word] for word in domain.words]
    return np.array(rows, dtype=np.int8).reshape(len(rows), -1)


def _words(
    letters: Sequence[str],
    sizes: Mapping[str, int],
    divided: Collection[str],
    model: OperatorModel,
    name: str,
) -> Iterator[Word]:
    """Yield the words over letters that sizes allow, in the letters' order.

    Raises
    ------
    Refusal
        If there are more than are compiled; those that sizes rule out are never made.
    """
    open_ = model.fix.get(name) or (None,) * len(model.axes)
    alphabets = [letters if one is None else tuple(x for x in letters if x == one) for one in open_]
    for count, word in enumerate(_begun(alphabets, sizes, divided, model.axes, ()), start=1):
        if count > MOST_WORDS:
            raise Refusal(
                f"'{name}' has more than {MOST_WORDS:,} words over {', '.join(letters)} on {len(model.axes)} axes, "
                "the most that are compiled; try fewer axes, or fewer --choices"
            )
        yield word


def _begun(
    alphabets: Sequence[Sequence[str]],
    sizes: Mapping[str, int],
    divided: Collection[str],
    axes: Sequence[int],
    word: Word,
) -> Iterator[Word]:
    """Yield the words that begin so: where a beginning splits into too many parts, so does every word of it."""
    if len(word) == len(alphabets):
        yield word
        return
    for letter in alphabets[len(word)]:
        longer = (*word, letter)
        if letter not in sizes or _fits(sizes[letter], _parts(longer, letter, axes), letter in divided):
            yield from _begun(alphabets, sizes, divided, axes, longer)


def _parts(word: Word, letter: str, axes: Sequence[int]) -> int:
    """Return into how many parts a word, or the beginning of one, splits along a letter."""
    return prod(size for one, size in zip(word, axes, strict=False) if one == letter)


def _fits(size: int, parts: int, divisible: bool) -> bool:
    return size % parts == 0 if divisible else parts <= size
