"""What is decided: a word for every operator, and the placements of tensors that several read."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.cost.operators.allowed import MOST_WORDS, none_left, words_over
from hypar_opt.cost.operators.model import REPLICATED, OperatorModel
from hypar_opt.cost.operators.placements import PARTIAL, WHOLE
from hypar_opt.cost.operators.recompute import KEEPS, Recomputed, is_read_backward
from hypar_opt.instance.operators.given import FORWARD as FORWARD
from hypar_opt.instance.operators.given import GRADIENT as GRADIENT
from hypar_opt.instance.operators.given import is_shared as is_shared
from hypar_opt.instance.operators.given import names_of as names_of
from hypar_opt.instance.operators.repeated import NO as NO
from hypar_opt.instance.operators.repeated import RECOMPUTE as RECOMPUTE
from hypar_opt.instance.operators.repeated import YES as YES
from hypar_opt.instance.operators.words import offered
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.cost.operators.placements import Placements, Word
    from hypar_opt.instance.operators import Operator, OperatorGraph, Tensor

MOST_VALUES: Final = 8 * MOST_WORDS
"""Of one operator: words, each with every way of keeping its parameters and what it reads."""
STORAGE, KEPT = ":storage", ":kept"
"""Behind an operator's name, how its parameters are stored, and in which form it keeps what others read, too."""
BESIDE: Final = (STORAGE, KEPT, RECOMPUTE)
"""Behind names in plans, what is no word: these, and whether a block runs once more."""
NOTHING: Final = Recomputed()
"""Nothing is computed once more."""
COPY, SHARED = "copy", "shared"
"""What an operator keeps for its backward phase of a tensor that others read, too: what it was converted to, or nothing
but what lies there for all readers, from which it is converted once more."""


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
    again
        Whether the block runs once more, of what touches the maps inside of one.
    until
        Of where a map from outside of blocks lies: which of those blocks that may keep it longer than anyone does in
        any case is the first that runs once more, counted from 1; 0 where none does.
    """

    word: Word
    storage: str = REPLICATED
    kept: tuple[str, ...] = ()
    again: bool = False
    until: int = 0

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


def copied(
    operator: Operator, graph: OperatorGraph, recomputed: Recomputed = NOTHING, *, again: bool = False
) -> tuple[int, ...]:
    """Return which operands are maps that others read, too, and that are kept for the operator: by their places.

    A map that no backward phase reads does not lie there for all; who runs once more has it kept as it needs it.
    """
    return tuple(
        place
        for place, one in enumerate(operator.operands)
        if graph.tensors[one.tensor].role == "activation"
        and is_shared(one.tensor, graph)
        and recomputed.keeps(operator, one, again=again)
        and is_read_backward(one.tensor, graph)
    )


def operator_domain(
    operator: Operator, graph: OperatorGraph, model: OperatorModel, recomputed: Recomputed = NOTHING
) -> Domain:
    """Return the words that an operator can have, each with every way of keeping its parameters and what it reads.

    Those come first of which the block is not run once more.

    Raises
    ------
    InputError
        If there are none.
    Refusal
        If there are too many.
    """
    letters = letters_of(operator, model)
    divided = operator.sizes if model.divisible else graph.factors(operator) if model.padded else ()
    words = tuple(words_over(letters, operator.sizes, divided, model, operator.name))
    if not words:
        raise InputError(none_left(operator, letters, graph, model), field="cost.choices")
    trained = any(graph.tensors[one.tensor].role == "parameter" for one in operator.operands)
    storages = _given(operator.name + STORAGE, model.storages if trained else (REPLICATED,), model)
    ways = recomputed.ways(operator)
    counts = {again: len(copied(operator, graph, recomputed, again=again)) for again in ways}
    forms = (COPY, SHARED) if model.memory is not None else (COPY,)
    kept = sum(len(forms) ** count for count in counts.values())
    if len(words) * len(storages) * kept > MOST_VALUES:
        raise Refusal(
            f"'{operator.name}' has {len(words):,} words, {len(storages)} ways of keeping its parameters and "
            f"{kept:,} of keeping what it reads, {MOST_VALUES:,} in all are the most that are compiled; "
            "try fewer axes, or fewer --choices"
        )
    values = (
        DomainValue(*one, again)
        for again, count in counts.items()
        for one in product(words, storages, product(forms, repeat=count))
    )
    return Domain(operator.name, tuple(values))


def _given(name: str, offered: tuple[str, ...], model: OperatorModel) -> tuple[str, ...]:
    """Return what is offered, or that of it which is given."""
    given = model.fix.get(name)
    return offered if given is None else tuple(one for one in offered if given[0] in (one, None))


def letters_of(operator: Operator, model: OperatorModel) -> tuple[str, ...]:
    """Return the dimensions that an operator may be split along, and `none` where it may be left whole."""
    return offered(operator, model.choices)


def placement_domain(
    tensor: Tensor,
    names: Sequence[str | None],
    model: OperatorModel,
    name: str,
    *,
    partial: bool = False,
    ways: tuple[bool, ...] = KEEPS,
    longer: int = 0,
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
    ways
        Whether the block that it is in may run once more.
    longer
        How many blocks may keep it longer than anyone does in any case.

    Raises
    ------
    InputError
        If there are none.
    Refusal
        If there are too many, with those blocks.
    """
    sizes = {one: size for one, size in zip(names, tensor.sizes, strict=True) if one is not None}
    letters = (*sizes, "whole", *(("partial",) if partial else ()))
    words = tuple(words_over(letters, sizes, sizes if model.divisible else (), model, name))
    if not words:
        raise InputError(f"'{name}' is given a placement that is not allowed", field="fix")
    if longer and len(words) * (longer + 1) > MOST_VALUES:
        raise Refusal(
            f"'{name}' has {len(words):,} words, each with how long it stays for {longer:,} blocks that may run once "
            f"more, {MOST_VALUES:,} in all are the most that are compiled; try fewer axes, blocks of which that is "
            "given, or --recompute blocks"
        )
    values = (DomainValue(word, again=again, until=until)
              for until in range(longer + 1) for again in ways for word in words)  # fmt: skip
    return Domain(name, tuple(values))


def codes(domain: Domain, names: Sequence[str | None]) -> Placements:
    """Return a tensor's placements as numbers of its dimensions, `WHOLE` and `PARTIAL`."""
    known = {one: place for place, one in enumerate(names) if one is not None}
    known |= {"whole": WHOLE, "partial": PARTIAL}
    rows = [[known[letter] for letter in word] for word in domain.words]
    return np.array(rows, dtype=np.int8).reshape(len(rows), -1)
