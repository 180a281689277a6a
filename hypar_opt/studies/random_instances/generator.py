"""Families of random chains, and drawing one: a function of the family, the seed and the index, and of nothing else.

Only `Random.random` is used, whose sequence Python promises to keep for a seed, and exact arithmetic on
its results: the same chain on every machine.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hypar_opt.instance.choices import HYPAR, LETTERS, WEIGHTED
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance import Instance


Range: TypeAlias = tuple[int, int]
"""The least and the largest of a number."""
MOST: Final[Mapping[str, int]] = MappingProxyType({"layers": 1000, "levels": 12})
"""What a campaign's instances are kept below; other sizes are below `LARGEST`."""
LARGEST: Final = 2**20
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_SUBSETS: Final = tuple(chosen for size in range(1, len(WEIGHTED) + 1) for chosen in combinations(WEIGHTED, size))


@dataclass(frozen=True)
class Family:
    """Ranges that random chains are drawn from; docs/campaigns.md says how.

    Parameters
    ----------
    name, summary
        For tables and files; the name is a part of every draw's seed.
    layers
        Weighted layers: a number of convolutions, then linear layers.
    levels
        H.
    batch, channels, size, filters, features
        Samples of a step; the input's channels, and its height and width where the chain begins with a
        convolution; outputs of convolutions and of linear layers (and inputs of the first).
    kernels
        Sizes to choose from, padded so that the map keeps its size.
    conv_share, pool_share
        The chance of each layer to be a convolution, and of each convolution to be pooled 2x2.
    powers_of_two
        Whether all drawn sizes are powers of two.
    choices
        As in instance files.
    """

    name: str
    summary: str
    layers: Range = (2, 8)
    levels: Range = (2, 4)
    batch: Range = (1, 1024)
    channels: Range = (1, 64)
    size: Range = (4, 32)
    filters: Range = (4, 512)
    features: Range = (4, 4096)
    kernels: tuple[int, ...] = (1, 3, 5)
    conv_share: float = 0.5
    pool_share: float = 0.3
    powers_of_two: bool = False
    choices: tuple[str, ...] = HYPAR

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or _NAME.fullmatch(self.name) is None:
            raise InputError(f"expected letters, digits, '.', '_' and '-', got {self.name!r}", field="name")
        for name in ("layers", "levels", "batch", "channels", "size", "filters", "features"):
            _check_range(name, getattr(self, name))
        if not _whole(self.kernels) or not self.kernels or any(size < 1 or size % 2 == 0 for size in self.kernels):
            raise InputError(f"expected a tuple of odd numbers, got {self.kernels!r}", field="kernels")
        for name in ("conv_share", "pool_share"):
            share = getattr(self, name)
            if not isinstance(share, int | float) or not 0 <= share <= 1:
                raise InputError(f"expected a chance between 0 and 1, got {share!r}", field=name)
        if self.choices not in _SUBSETS:
            expected = f"expected a tuple of some of {', '.join(WEIGHTED)}, in this order"
            raise InputError(f"{expected}, got {self.choices!r}", field="choices")

    @property
    def letters(self) -> str:
        """The letters of the choices, for example `dm`."""
        return "".join(LETTERS[choice] for choice in self.choices)

    def document(self) -> dict[str, Any]:
        """Return what decides the draws, as plain data."""
        fields = asdict(self)
        del fields["summary"]
        return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}


def _whole(given: object) -> bool:
    return isinstance(given, tuple) and all(type(number) is int for number in given)


def _check_range(name: str, given: Range) -> None:
    if not _whole(given) or len(given) != 2:
        raise InputError(f"expected a tuple of two whole numbers, got {given!r}", field=name)
    least, largest = given
    most = MOST.get(name, LARGEST)
    if not 1 <= least <= largest <= most:
        raise InputError(f"expected a range within 1 to {most:,}, got {least} to {largest}", field=name)


_CHAINS: Final = Family("chains", "convolutions, then linear layers, each layer as likely one as the other")
_ALL: Final = (
    _CHAINS,
    replace(_CHAINS, name="linear", summary="linear layers only", conv_share=0.0),
    replace(_CHAINS, name="conv", summary="convolutions only", conv_share=1.0),
    replace(_CHAINS, name="powers", summary="as chains, all sizes powers of two", powers_of_two=True),
    replace(_CHAINS, name="deep", summary="as chains, with 16 to 32 layers", layers=(16, 32)),
    replace(_CHAINS, name="one-level", summary="as chains, one level", levels=(1, 1), layers=(1, 8)),
)
FAMILIES: Final[Mapping[str, Family]] = MappingProxyType({one.name: one for one in _ALL})
"""By name."""


def family(name: str) -> Family:
    """Return a preset.

    Raises
    ------
    InputError
        If there is none of that name; the nearest name is in the message.
    """
    if name not in FAMILIES:
        raise InputError(f"no family is called '{name}'; there are {', '.join(FAMILIES)}{did_you_mean(name, FAMILIES)}")
    return FAMILIES[name]


Document = dict[str, Any]
"""An instance as its file has it."""


@dataclass(frozen=True)
class RandomChain:
    """A drawn instance without its accounting.

    Parameters
    ----------
    name
        Says how to draw it again.
    batch, levels, choices
        As in instance files.
    network
        What stands under `network:`.
    """

    name: str
    batch: int
    levels: int
    choices: tuple[str, ...]
    network: Mapping[str, Any]

    def document(self, accounting: str) -> Document:
        """Return the instance under an accounting."""
        return {
            "schema": "hypar-opt/instance/1",
            "name": self.name,
            "batch": self.batch,
            "network": dict(self.network),
            "array": {"topology": "h-tree", "levels": self.levels},
            "cost": {
                "accounting": accounting,
                "choices": list(self.choices),
                "bytes_per_element": 4,
                "splits": "any",
            },
        }


def draw(family: Family, seed: int, index: int) -> RandomChain:
    """Return the chain of an index.

    H is drawn last and the choices are not drawn: families that differ in these alone have the same networks.
    """
    dice = Dice(Random(f"hypar-opt/campaign/1 {family.name} {seed} {index}"), family.powers_of_two)
    depth = dice.between(family.layers)
    convs = sum(dice.chance(family.conv_share) for _ in range(depth))
    batch = dice.size(family.batch)
    network = network_of(family, dice, convs, depth - convs)
    levels = dice.between(family.levels)
    return RandomChain(f"{family.name}-{seed}-{index}", batch, levels, family.choices, network)


@dataclass(frozen=True)
class Dice:
    """Draws from a stream of random numbers.

    Parameters
    ----------
    random
        The stream.
    powers_of_two
        Whether sizes are powers of two.
    """

    random: Random
    powers_of_two: bool = False

    def chance(self, share: float) -> bool:
        """Return true with a probability."""
        return self.random.random() < share

    def between(self, bounds: Range) -> int:
        """Return a number of a range, each as likely."""
        least, largest = bounds
        return least + int(self.random.random() * (largest - least + 1))

    def one_of(self, values: Sequence[int]) -> int:
        """Return one of some values, each as likely."""
        return values[self.between((0, len(values) - 1))]

    def size(self, bounds: Range) -> int:
        """Return a number of a range: first its power of two, each as likely, then the number below the next.

        A power of two that ends the range is drawn with the numbers below it, else it alone would be as likely as they.
        """
        least, largest = bounds
        if self.powers_of_two:
            powers = [2**k for k in range(largest.bit_length()) if least <= 2**k <= largest]
            return self.one_of(powers or [least])
        top = max(least.bit_length(), (largest - 1).bit_length())
        length = self.between((least.bit_length(), top))
        low = 2 ** (length - 1)
        return self.between((max(least, low), largest if length == top else 2 * low - 1))


def network_of(family: Family, dice: Dice, convs: int, linears: int) -> Document:
    """Return a chain of so many convolutions, and linear layers behind them."""
    layers: list[Document] = []
    if convs:
        side = dice.size(family.size)
        shape = [dice.size(family.channels), side, side]
    else:
        shape, side = [dice.size(family.features)], 1
    for number in range(1, convs + 1):
        kernel = dice.one_of(family.kernels)
        conv = {"filters": dice.size(family.filters), "kernel": kernel, "pad": kernel // 2}
        layers.append({"name": f"conv{number}", "conv": conv})
        if dice.chance(family.pool_share) and side > 1:
            layers.append({"name": f"pool{number}", "pool": {"kernel": 2}})
            side //= 2
    for number in range(1, linears + 1):
        layers.append({"name": f"fc{number}", "linear": {"features": dice.size(family.features)}})
    return {"input": shape, "layers": layers}


def instance_of(document: Mapping[str, Any]) -> Instance:
    """Return a chain's instance, checked as a file is.

    Raises
    ------
    InputError
        If something is wrong, or strategies are given; names the field.
    """
    from hypar_opt.instance import Instance

    instance = Instance.from_dict(document)
    if instance.fix:
        raise InputError("a campaign's instances fix no strategies", field="fix")
    return instance
