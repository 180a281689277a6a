"""Trees with shares, and how plans write them: by chunk, each share of it with the branches by which it goes.

`1/4: a0>a1 a1>s0>a2 | 3/4: a0>s0>a2 a2>a1` is a chunk of which a quarter goes by one tree and the rest by another. A
branch is a way from one accelerator to another, through whatever lies between; `a1+a0` adds to a sum that another adds
to in turn. Other characters of names are written as in web addresses, as in schedules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote, unquote

from hypar_opt.instance.collective.schedule import MOST_NAMED, SAFE
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.instance.collective.instance import CollectiveInstance

_SHARE: Final = re.compile(r"[0-9]{1,400}(?:/0*[1-9][0-9]{0,399})?")


class Branch(NamedTuple):
    """A way from one accelerator to another.

    Parameters
    ----------
    route
        Positions of nodes, both ends among them.
    adds
        Whether it adds to a sum; else it brings what is whole.
    """

    route: tuple[int, ...]
    adds: bool = False


class TreeShare(NamedTuple):
    """A part of a chunk, and its tree.

    Parameters
    ----------
    chunk
        Its number.
    share
        How much of it, above 0.
    branches
        Of the tree: first those by which a sum comes together, then those by which what is whole gets to all.
    """

    chunk: int
    share: Fraction
    branches: tuple[Branch, ...]


@dataclass(frozen=True)
class TreePacking:
    """Which trees the shares of all chunks go by.

    Parameters
    ----------
    shares
        In any order.
    """

    shares: tuple[TreeShare, ...]

    def texts(self, instance: CollectiveInstance) -> dict[str, str]:
        """Return the shares of every chunk, by its name, as plans write them."""
        names = [quote(name, safe=SAFE) for name in instance.machine.names]
        found: list[list[str]] = [[] for _ in instance.chunks]
        for one in self.shares:
            ways = (("+" if adds else ">").join([names[node] for node in route]) for route, adds in one.branches)
            found[one.chunk].append(f"{one.share}: {' '.join(ways)}")
        return {chunk.name: " | ".join(said) for chunk, said in zip(instance.chunks, found, strict=True)}


def read_packing(instance: CollectiveInstance, texts: Mapping[str, str]) -> TreePacking:
    """Return the trees that a plan's texts are.

    Raises
    ------
    InputError
        If a chunk is none of the collective's, a share or a branch cannot be read or names no node: says which.
    """
    numbers = {chunk.name: number for number, chunk in enumerate(instance.chunks)}
    nodes = {quote(name, safe=SAFE): place for place, name in enumerate(instance.machine.names)}
    for name in texts:
        if name not in numbers:
            hint = did_you_mean(name, numbers) if len(numbers) <= MOST_NAMED else ""
            raise InputError(f"no chunk is called {shown(name)}{hint}", field="plan")
    return TreePacking(tuple(one for name, text in texts.items() for one in _shares(nodes, numbers[name], name, text)))


def _shares(nodes: Mapping[str, int], chunk: int, name: str, text: str) -> Iterator[TreeShare]:
    known: dict[str, Branch] = {}
    for said in text.split("|") if text.strip() else ():
        share, _, words = said.strip().partition(":")
        if not _SHARE.fullmatch(share) or not Fraction(share):
            raise InputError(f"chunk {shown(name)}, {shown(said)}: expected 1/4: a0>a1 a1>a2", field="plan")
        for word in words.split():
            if word not in known:
                try:
                    known[word] = _branch(nodes, word)
                except ValueError as error:
                    raise InputError(f"chunk {shown(name)}, {shown(word)}: {error}", field="plan") from None
        yield TreeShare(chunk, Fraction(share), tuple(known[word] for word in words.split()))


def _branch(nodes: Mapping[str, int], word: str) -> Branch:
    """Return what a word says.

    Raises
    ------
    ValueError
        If it says nothing.
    """
    adds = "+" in word
    names = word.split("+" if adds else ">")
    if len(names) < 2:
        raise ValueError("expected a0>a1, or a0+a1 of a sum")
    for name in names:
        if name not in nodes:
            known = [unquote(one) for one in nodes]
            raise ValueError(f"no node is called {shown(unquote(name))}{did_you_mean(unquote(name), known)}")
    return Branch(tuple([nodes[name] for name in names]), adds)
