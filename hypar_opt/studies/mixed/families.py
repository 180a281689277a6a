"""Families of random instances whose accelerators are of several kinds, and drawing one of its index.

Chains are drawn as those of other campaigns are; then the kinds: how fast each computes and reads.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.choices import CHOICES, HYPAR, WEIGHTED
from hypar_opt.studies.random_instances.generator import Dice, Family, Range, network_of
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

_CHAIN: Final = Family(
    "mixed-chain", "", layers=(2, 5), batch=(16, 1024), channels=(1, 64), filters=(4, 256), features=(4, 2048)
)


@dataclass(frozen=True)
class MixedFamily:
    """What random instances are drawn from.

    Parameters
    ----------
    name, summary
        For tables and files; the name is a part of every draw's seed.
    leaves
        The kinds of the leaves, by position: one of these, each as likely.
    choices, barrier
        As in instance files.
    parts
        Of a share.
    chain
        Ranges of layers and sizes.
    rate, bandwidth
        Operations and bytes a second of a kind, drawn as sizes are.
    """

    name: str
    summary: str
    leaves: tuple[tuple[int, ...], ...] = ((0, 1), (0, 0, 1, 1))
    choices: tuple[str, ...] = WEIGHTED
    barrier: str = "step"
    parts: int = 16
    chain: Family = field(default=_CHAIN)
    rate: Range = (64, 16384)
    bandwidth: Range = (1, 16)


_OF_CHAINS: Final = tuple(name for name, one in CHOICES.items() if one.weighted is not None)
_MIXED: Final = MixedFamily("mixed", "two kinds, apart at the root, on one level or two; AccPar's three types")
_ALL: Final = (
    _MIXED,
    replace(_MIXED, name="mixed-two-types", summary="the same with HyPar's two types", choices=HYPAR),
    replace(_MIXED, name="mixed-none", summary="as mixed, and a half may do nothing", choices=_OF_CHAINS),
    replace(_MIXED, name="mixed-layer", summary="as mixed, groups wait at every layer", barrier="layer"),
    replace(
        _MIXED,
        name="mixed-below",
        summary="two or three kinds, on two levels that both have splits",
        leaves=((0, 0, 0, 1), (0, 1, 1, 1), (0, 1, 0, 2)),
        parts=8,
    ),
)
MIXED_FAMILIES: Final[Mapping[str, MixedFamily]] = MappingProxyType({one.name: one for one in _ALL})
"""By name."""


def mixed_family(name: str) -> MixedFamily:
    """Return a family.

    Raises
    ------
    InputError
        If there is none of that name.
    """
    if name not in MIXED_FAMILIES:
        known = f"there are {', '.join(MIXED_FAMILIES)}{did_you_mean(name, MIXED_FAMILIES)}"
        raise InputError(f"no family is called '{name}'; {known}")
    return MIXED_FAMILIES[name]


def draw_mixed(family: MixedFamily, seed: int, index: int) -> dict[str, Any]:
    """Return the document of the instance of an index: a function of the family, the seed and the index alone."""
    dice = Dice(Random(f"hypar-opt/mixed-campaign/1 {family.name} {seed} {index}"))
    depth = dice.between(family.chain.layers)
    convs = sum(dice.chance(family.chain.conv_share) for _ in range(depth))
    batch = max(family.parts, dice.size(family.chain.batch))
    network = network_of(family.chain, dice, convs, depth - convs)
    leaves = family.leaves[dice.between((0, len(family.leaves) - 1))]
    levels = len(leaves).bit_length() - 1
    kinds = []
    for kind in range(max(leaves) + 1):
        rate, bandwidth = dice.size(family.rate), dice.size(family.bandwidth)
        groups = [f"{leaf:0{levels}b}" for leaf, one in enumerate(leaves) if one == kind]
        chip = {"model": "as-evaluated", "rate": rate}
        kinds.append({"kind": "abcd"[kind], "groups": groups, "bandwidth": bandwidth, "accelerator": chip})
    cost = {
        "accounting": "published",
        "choices": list(family.choices),
        "bytes_per_element": 2,
        "splits": "any",
        "shares": {"parts": family.parts},
    }
    return {
        "schema": "hypar-opt/instance/1",
        "name": f"{family.name}-{seed}-{index}",
        "batch": batch,
        "network": network,
        "array": {"topology": "h-tree", "levels": levels, "accelerators": kinds},
        "cost": cost | ({} if family.barrier == "step" else {"barrier": family.barrier}),
        "objective": {"time": 1},
    }
