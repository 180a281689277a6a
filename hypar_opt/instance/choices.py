"""The choices: how a layer can be split in two, and how each is called, written and shown.

Whatever offers, checks, compiles or draws a choice reads it here; who judges plans is told apart from this.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.network import WorkLayer


class LayerTensor(Enum):
    """The tensors of a layer l; errors are laid out as features."""

    F_IN = "F[l]"
    WEIGHT = "W[l]"
    F_OUT = "F[l+1]"


class Dimension(Enum):
    """What a choice splits, with the tensors that have it: a dimension, or none, so that one half or both have all."""

    BATCH = "batch", frozenset({LayerTensor.F_IN, LayerTensor.F_OUT})
    INPUT = "input", frozenset({LayerTensor.F_IN, LayerTensor.WEIGHT})
    OUTPUT = "output", frozenset({LayerTensor.WEIGHT, LayerTensor.F_OUT})
    GROUPS = "groups", frozenset(LayerTensor)
    NOTHING = "none, one half has all", frozenset[LayerTensor]()
    COPIES = "none, both halves have all", frozenset[LayerTensor]()

    def halves(self, tensor: LayerTensor) -> bool:
        """Return whether a tensor of the layer is halved where this is split."""
        return tensor in self.value[1]

    @property
    def is_split(self) -> bool:
        """Whether there is a dimension that is split, so that each half does a part."""
        return bool(self.value[1])

    @property
    def partial_sums(self) -> LayerTensor | None:
        """The tensor whose halves have to be added up: the only one that lacks the dimension, if one does."""
        lacking = [tensor for tensor in LayerTensor if not self.halves(tensor)]
        return lacking[0] if len(lacking) == 1 else None


@dataclass(frozen=True)
class Choice:
    """A way of splitting a layer at one level: each of two halves computes and keeps a half of it, or all.

    Parameters
    ----------
    name, letter
        As in instance files and in strategies.
    label
        What charts call it, and what it splits.
    whose
        What of a layer it splits, in the description of instance files.
    colour, is_dark, style
        Of its letter: what it stands on in charts, whether it is then written in white, and the terminal's style.
    weighted, grouped, join
        What it splits of a layer with weights, of a grouped convolution, and of a join; None where they have no such
        choice.
    idles
        Whether one of two halves does all and the other nothing, for which their accelerators have to be unlike.
    """

    name: str
    letter: str
    label: str
    whose: str
    colour: str
    style: str
    is_dark: bool = False
    weighted: Dimension | None = None
    grouped: Dimension | None = None
    join: Dimension | None = None
    idles: bool = False


_BATCH, _GROUPS = Dimension.BATCH, Dimension.GROUPS
_ALL: Final = (
    Choice(
        "dp", "d", "data parallelism, splits the batch", "its batch", "#0072B2", "cyan", is_dark=True,
        weighted=_BATCH, grouped=_BATCH, join=_BATCH,
    ),
    Choice(
        "mp", "m", "model parallelism, splits the input dimension", "its input", "#E69F00", "bold yellow",
        weighted=Dimension.INPUT, grouped=_GROUPS, join=_GROUPS,
    ),
    Choice(
        "op", "o", "output parallelism, splits the output dimension", "its output dimension", "#009E73", "bold magenta",
        weighted=Dimension.OUTPUT,  # to split the filters of groups is to split the groups
    ),
    Choice(
        "none", "n", "not split, the faster half does it all", "nothing where halves are unlike", "#999999", "blue",
        weighted=Dimension.NOTHING, grouped=Dimension.NOTHING, join=Dimension.NOTHING, idles=True,
    ),
    Choice(
        "replicate", "r", "replication, whole on both halves", "nothing of an add or concat, whole on both halves",
        "#CC79A7", "bold green", join=Dimension.COPIES,  # to do twice what has no weights costs no sums, and no time
    ),
)  # fmt: skip
CHOICES: Final[Mapping[str, Choice]] = MappingProxyType({one.name: one for one in _ALL})
"""By name, in the order in which alphabets list them and ties are broken."""
LETTERS: Final[Mapping[str, str]] = MappingProxyType({one.name: one.letter for one in _ALL})
"""The letter of each choice in a strategy."""
ANYWHERE: Final = tuple(one.name for one in _ALL if not one.idles)
"""Those of any array; the others only arrays of several kinds of accelerators have."""
IDLING: Final = "".join(one.letter for one in _ALL if one.idles)
"""The letters of the others."""
WEIGHTED: Final = tuple(one.name for one in _ALL if one.weighted is not None and not one.idles)
"""Those of layers with weights on any array: all that chains have."""
HYPAR: Final = ("dp", "mp")
"""Those of the paper, which instances have unless told."""
_SPLITS: Final[Mapping[str, Mapping[str, Dimension]]] = MappingProxyType(
    {
        role: {one.letter: getattr(one, role) for one in _ALL if getattr(one, role) is not None}
        for role in ("weighted", "grouped", "join")
    }
)
"""By role of a layer and letter."""


def choices_of(layer: WorkLayer) -> Mapping[str, Dimension]:
    """Return what each letter splits of a layer, by the letters that it may have."""
    return _SPLITS[layer.role]


def letters_of(layer: WorkLayer, letters: str) -> str:
    """Return those of an instance's letters that a layer may have."""
    known = choices_of(layer)
    return "".join(letter for letter in letters if letter in known)


def uncut(groups: int, letter: str, times: int) -> str | None:
    """Return how often a letter that halves so many groups may be in a word that has it more often, or None."""
    if groups % 2**times == 0:
        return None
    most = next(less for less in range(times) if groups // 2**less % 2)
    often = (f"no {letter}", f"{letter} at most once")[most] if most < 2 else f"{letter} at most {most} times"
    return f"{often}, as it halves the {groups:,} groups"
