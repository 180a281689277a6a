"""Drawing a chain: a function of the family, the seed and the index, and of nothing else.

Only `Random.random` is used, whose sequence Python promises to keep for a seed, and exact arithmetic on
its results: the same chain on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance import Instance
    from hypar_opt.studies.random_instances.family import Family, Range

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
    network = _network(family, dice, convs, depth - convs)
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


def _network(family: Family, dice: Dice, convs: int, linears: int) -> Document:
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
