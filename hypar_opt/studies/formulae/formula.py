"""What a printed formula is: a record, and the setting that it is of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from hypar_opt.evaluation.communication import Breakdown

SLIDES = "Slides"
"""D. Tao: Introduction to ML Systems. OxML summer school, ML fundamentals, 2022."""


@dataclass(frozen=True)
class Convolved:
    """A convolution whose map is divided along height.

    Parameters
    ----------
    width, channels
        Of the map that is read.
    written_width, filters
        Of the map that is written.
    kernel
        Height and width of the window.
    """

    width: int
    channels: int
    written_width: int
    filters: int
    kernel: int

    @property
    def weight(self) -> int:
        """Elements of the kernel."""
        return self.channels * self.filters * self.kernel**2


@dataclass(frozen=True)
class FormulaSetting:
    """What formulae are of.

    Parameters
    ----------
    batch
        B, samples of a step.
    widths
        d_0, the features of the input, then those of each layer: d_1 to d_L. All layers are linear.
    rows, columns
        P_r, processes that divide a layer's outputs, and P_c, those that divide the batch: P of them together.
    alpha, beta
        Seconds a message and seconds an element; with alpha 0 and beta the bytes of an element, seconds are bytes.
    convolutions
        Convolutions, in place of linear layers, for what is divided along height.
    """

    batch: int
    widths: tuple[int, ...]
    rows: int = 1
    columns: int = 1
    alpha: Fraction = Fraction(0)
    beta: Fraction = Fraction(4)
    convolutions: tuple[Convolved, ...] = ()

    @property
    def processes(self) -> int:
        """P."""
        return self.rows * self.columns

    @property
    def read(self) -> tuple[int, ...]:
        """d_(i-1), of each layer i."""
        return self.widths[:-1]

    @property
    def written(self) -> tuple[int, ...]:
        """d_i, of each layer i."""
        return self.widths[1:]

    @property
    def weights(self) -> tuple[int, ...]:
        """|W_i|, elements of each layer's kernel."""
        return tuple(wide * high for wide, high in pairwise(self.widths)) + tuple(
            one.weight for one in self.convolutions
        )

    @property
    def parameters(self) -> int:
        """N, elements of all kernels."""
        return sum(self.weights)

    def part(self, elements: Fraction | int) -> Fraction:
        """Return beta (P - 1) / P of some elements: what a process gets of a ring's all-gather of them."""
        return self.beta * Fraction(self.processes - 1, self.processes) * elements


Value: TypeAlias = Callable[[FormulaSetting], Fraction]
"""Of a formula."""


def all_bytes(breakdown: Breakdown) -> Fraction:
    """Return all bytes of a plan."""
    return Fraction(breakdown.total)


def forward_bytes(breakdown: Breakdown) -> Fraction:
    """Return what is passed from layer to layer, forward."""
    return Fraction(sum(map(sum, breakdown.forward)))


def summed_bytes(breakdown: Breakdown) -> Fraction:
    """Return what partial sums of layers take."""
    return Fraction(sum(map(sum, breakdown.intra)))


def word_of(letter: str) -> Callable[[FormulaSetting], str]:
    """Return a word of one letter, for as many levels as there are halvings to the processes."""
    return lambda setting: letter * _lg(setting.processes)


@dataclass(frozen=True)
class Counterpart:
    """The plan whose bytes a formula is to be.

    Parameters
    ----------
    text
        In words.
    word
        The strategy of every layer; unless told d for the columns and o for the rows.
    part
        Which of its bytes.
    """

    text: str
    word: Callable[[FormulaSetting], str] = lambda setting: "d" * _lg(setting.columns) + "o" * _lg(setting.rows)
    part: Callable[[Breakdown], Fraction] = all_bytes


def _lg(number: int) -> int:
    return number.bit_length() - 1


@dataclass(frozen=True)
class Formula:
    """A formula of a source, as it is printed, and as it has to be read.

    Parameters
    ----------
    name, title, source
        For commands, for people, and where it stands.
    as_printed, printed
        Its text and its value.
    equals
        What it is here, in words.
    as_corrected, corrected_value
        The same with what is wrong or left open put right; None where nothing is.
    why
        What is wrong with the print; empty where nothing is.
    counterpart
        The plan whose bytes the corrected one is, exactly; None where no plan of layers has them.
    of_all
        Whether it is of all processes together; else of each.
    unit
        Of its value: seconds, which are bytes where alpha is 0 and beta the bytes of an element; or rounds.
    """

    name: str
    title: str
    source: str
    as_printed: str
    printed: Value
    equals: str
    as_corrected: str = ""
    corrected_value: Value | None = None
    why: str = ""
    counterpart: Counterpart | None = None
    of_all: bool = False
    unit: str = "s"

    @property
    def corrected(self) -> Value:
        """What agrees."""
        return self.corrected_value or self.printed

    @property
    def is_right(self) -> bool:
        """Whether it is right as it is printed."""
        return self.corrected_value is None

    def total(self, setting: FormulaSetting, *, printed: bool = False) -> Fraction:
        """Return the value for all processes together.

        Parameters
        ----------
        printed
            Whether as it is printed.
        """
        value = (self.printed if printed else self.corrected)(setting)
        return value if self.of_all else setting.processes * value
