"""What is charged to which variable, or pair of variables: conversions of tensors, and rows at borders."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .domains import FORWARD, GRADIENT
from .windows import WindowRows, window_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .archive import Array
    from .placements import Lies
    from .variables import Variables


@dataclass(frozen=True)
class TensorConversion:
    """A tensor that lies somehow and is needed otherwise.

    Parameters
    ----------
    shape
        Sizes of its dimensions.
    each
        Bytes of an element.
    have, need
        By words of one variable, or of two.
    times
        How often it is made.
    shared_out
        Under which storages of the variable: where parameters are shared out, where not, or under all (None).
    known
        It is not made where `have`, or `need`, lies as another operand of the same operator does that is the same
        tensor: pairs of the two.
    """

    shape: tuple[int, ...]
    each: int
    have: Lies
    need: Lies
    times: int = 1
    shared_out: bool | None = None
    known: tuple[tuple[Lies, Lies], ...] = ()

    @property
    def is_made(self) -> tuple[Array | None, Array | None]:
        """By values of the first and of the second variable, whether it is made; None where it always is."""
        return self._apart(self.have), self._apart(self.need)

    def _apart(self, own: Lies) -> Array | None:
        pairs = [(one, other) for one, other in self.known if one is own]
        if not pairs:
            return None
        found: Array = np.all([(one.rows != other.rows).any(axis=1) for one, other in pairs], axis=0)
        return found


Charge: TypeAlias = "TensorConversion | tuple[WindowRows, int]"
"""Of one variable; rows as often as is said."""


class OperatorCharges:
    """All that is charged.

    Parameters
    ----------
    variables
        What is decided.
    """

    def __init__(self, variables: Variables) -> None:
        self.variables = variables
        self.own: dict[int, list[Charge]] = defaultdict(list)
        self.pairs: dict[tuple[int, int], list[tuple[TensorConversion, bool]]] = defaultdict(list)
        """By variables, the lower one first; with whether a tensor lies by the values of the second."""
        for number in range(len(variables.operators)):
            self.own[variables.place(number)] += self._of_operator(number)
        for number, tensor in enumerate(variables.tensors):
            if number in variables.shared:
                self._charge_shared(number, tensor)
            elif tensor["role"] == "activation":
                self._charge_direct(number, tensor)

    def _of_operator(self, number: int) -> Iterator[Charge]:
        """Yield statistics, rows at borders, and the updates of parameters that only this operator reads."""
        given, operator = self.variables, self.variables.operators[number]
        for some in operator["statistics"]:
            lies = given.summed(number, some["dims"])
            shape = tuple(operator["sizes"][dim] for dim in some["dims"])
            each = (some["forward"] + some["backward"]) * some["element_bytes"]
            yield TensorConversion(shape, each, lies, lies.summed_up)
        for place, operand in enumerate(operator["operands"]):
            tensor = given.tensors[operand["tensor"]]
            need = given.needed(number, operand["dims"])
            rows = _rows(operand, tensor, need)
            if rows.windows and tensor["role"] != "input":  # inputs are loaded with their rows
                yield rows, 1 + (tensor["has_gradient"] and operand["has_gradient"])
            if tensor["role"] == "parameter" and tensor["has_gradient"] and operand["tensor"] not in given.shared:
                shape, gathers = given.shape(operand["tensor"]), 1 + operand["saved"]
                yield from _updates(shape, given.gradient(number, place), need, gathers)

    def _charge_direct(self, number: int, tensor: Mapping[str, Any]) -> None:
        """Charge what one operand reads, and its gradient back; or what none reads, which is added up."""
        given, shape = self.variables, self.variables.shape(number)
        writer, readers = given.writers[number], given.readers.get(number, ())
        have = given.written(writer)
        if not readers:
            self.own[given.place(writer)].append(TensorConversion(*shape, have, have.summed_up))
        for reader, place in readers:
            operand = given.operators[reader]["operands"][place]
            need = given.needed(reader, operand["dims"])
            self._join(given.place(writer), given.place(reader), TensorConversion(*shape, have, need))
            if tensor["has_gradient"] and operand["has_gradient"]:
                back = given.needed(writer, given.dims(number))
                self._join(
                    given.place(reader),
                    given.place(writer),
                    TensorConversion(*shape, given.gradient(reader, place), back),
                )

    def _charge_shared(self, number: int, tensor: Mapping[str, Any]) -> None:
        """Charge the way to where a tensor lies for all, from there to each reader, and its gradient's way back."""
        given, shape = self.variables, self.variables.shape(number)
        lies, forward = given.placed(number, FORWARD), given.places[tensor["name"] + FORWARD]
        writer = given.writers.get(number)
        if writer is not None:
            self._join(given.place(writer), forward, TensorConversion(*shape, given.written(writer), lies))
        for reader, place in given.readers[number]:
            need = given.needed(reader, given.operators[reader]["operands"][place]["dims"])
            operands = given.operators[reader]["operands"]
            before = [given.needed(reader, operands[one]["dims"]) for one in _before(given, number, reader, place)]
            known = tuple((need, one) for one in before)
            self._join(forward, given.place(reader), TensorConversion(*shape, lies, need, known=known))
        if tensor["has_gradient"]:
            added, backward = given.placed(number, GRADIENT), given.places[tensor["name"] + GRADIENT]
            for reader, place in given.readers[number]:
                if not given.operators[reader]["operands"][place]["has_gradient"]:
                    continue
                gradient = given.gradient(reader, place)
                before = [given.gradient(reader, one) for one in _before(given, number, reader, place)
                          if given.operators[reader]["operands"][one]["has_gradient"]]  # fmt: skip
                known = tuple((gradient, one) for one in before)
                self._join(given.place(reader), backward, TensorConversion(*shape, gradient, added, known=known))
            back = lies if writer is None else given.needed(writer, given.dims(number))
            self._join(
                backward, forward if writer is None else given.place(writer), TensorConversion(*shape, added, back)
            )

    def _join(self, first: int, second: int, conversion: TensorConversion) -> None:
        self.pairs[min(first, second), max(first, second)].append((conversion, first > second))


def _before(given: Variables, tensor: int, reader: int, place: int) -> Sequence[int]:
    """Return the operands of an operator before one that are the same tensor."""
    return [other for number, other in given.readers[tensor] if number == reader and other < place]


def _rows(operand: Mapping[str, Any], tensor: Mapping[str, Any], need: Lies) -> WindowRows:
    """Return what is read through windows that need rows of their neighbours."""
    places = {dim: place for place, dim in enumerate(operand["dims"])}
    read = ((places[dim], window_of(one)) for dim, one in operand["windows"].items() if dim in places)
    return WindowRows(need, tuple(read), tuple(tensor["sizes"]), tensor["element_bytes"])


def _updates(
    shape: tuple[tuple[int, ...], int], gradient: Lies, need: Lies, gathers: int
) -> Iterator[TensorConversion]:
    """Yield how a gradient is added up; of a parameter that is shared out also how it is gathered, so many times."""
    kept = gradient.stored(need)
    yield TensorConversion(*shape, gradient, need, shared_out=False)
    yield TensorConversion(*shape, kept, need, times=gathers, shared_out=True)
    yield TensorConversion(*shape, gradient, kept, shared_out=True)
