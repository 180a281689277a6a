"""Schedules of collectives, and how plans write them: by chunk, every send with its route and when.

A send is `a0>a1@3` in synchronous step 3, or `a0>a1@1/2..3/4` from one second to another; through switches
`a0>s0>a1@3`; and with `+` for `>` where what arrives is added to what is there. Other characters of names are written
as in web addresses, %20 for a space.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias
from urllib.parse import quote, unquote

from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.collective.instance import CollectiveInstance

SAFE: Final = "/:,()[]~_-."
"""What names are written with as it is."""
_NUMBER: Final = r"[0-9]{1,40}(?:/0*[1-9][0-9]{0,39})?"
_SEND: Final = re.compile(rf"(?P<route>[^\s@]+)@(?P<begin>{_NUMBER})(?:\.\.(?P<end>{_NUMBER}))?")
MOST_NAMED: Final = 4096
"""Chunks among which the nearest one to a wrong name is looked for."""


Moment: TypeAlias = int | Fraction
"""Exact; whole numbers are integers, of which a schedule may have millions, and fractions are slow."""


class Send(NamedTuple):
    """A chunk on its way.

    Parameters
    ----------
    chunk
        Its number.
    route
        Positions of nodes: an accelerator, the switches on the way, another accelerator.
    begin, end
        Seconds; in synchronous steps the number of the step before, and of its own.
    adds
        Whether what arrives is added to what is there; else it takes its place.
    """

    chunk: int
    route: tuple[int, ...]
    begin: Moment
    end: Moment
    adds: bool = False


@dataclass(frozen=True)
class SendSchedule:
    """What is sent when.

    Parameters
    ----------
    sends
        In any order.
    """

    sends: tuple[Send, ...]

    def texts(self, instance: CollectiveInstance) -> dict[str, str]:
        """Return the sends of every chunk, by its name, as plans write them."""
        names = [quote(name, safe=SAFE) for name in instance.machine.names]
        found: list[list[str]] = [[] for _ in instance.chunks]
        for one in sorted(self.sends, key=lambda one: (one.begin, one.end, one.route)):
            route = ("+" if one.adds else ">").join(names[node] for node in one.route)
            when = f"{one.begin}..{one.end}" if instance.goal == "time" else f"{one.end}"
            found[one.chunk].append(f"{route}@{when}")
        return {chunk.name: " ".join(sends) for chunk, sends in zip(instance.chunks, found, strict=True)}


def joined_messages(sends: Sequence[Send]) -> list[list[int]]:
    """Return the numbers of the sends of every message where those with one route, begin and end are one."""
    found: dict[tuple[tuple[int, ...], Moment, Moment], list[int]] = {}
    for number, one in enumerate(sends):
        found.setdefault((one.route, one.begin, one.end), []).append(number)
    return list(found.values())


def read_schedule(instance: CollectiveInstance, texts: Mapping[str, str]) -> SendSchedule:
    """Return the schedule that a plan's texts are.

    Raises
    ------
    InputError
        If a chunk is none of the collective's, a send cannot be read or names no node: says which.
    """
    numbers = {chunk.name: number for number, chunk in enumerate(instance.chunks)}
    nodes = {name: place for place, name in enumerate(instance.machine.names)}
    routes: dict[str, tuple[int, ...]] = {}
    sends = []
    for name, text in texts.items():
        if name not in numbers:
            hint = did_you_mean(name, numbers) if len(numbers) <= MOST_NAMED else ""
            raise InputError(f"no chunk is called {shown(name)}{hint}", field="plan")
        for word in text.split():
            try:
                sends.append(_send(instance, numbers[name], word, nodes, routes))
            except ValueError as error:
                raise InputError(f"chunk {shown(name)}, {shown(word)}: {error}", field="plan") from None
    return SendSchedule(tuple(sends))


def _moment(text: str) -> Moment:
    return int(text) if text.isdecimal() else exact_moment(Fraction(text))


def exact_moment(value: Fraction) -> Moment:
    """Return a number as an integer, where it is one."""
    return value.numerator if value.denominator == 1 else value


def _send(
    instance: CollectiveInstance, chunk: int, word: str, nodes: Mapping[str, int], routes: dict[str, tuple[int, ...]]
) -> Send:
    """Return what a word says.

    Parameters
    ----------
    routes
        Those that were read before: a million sends go along few.

    Raises
    ------
    ValueError
        If it says nothing.
    """
    found = _SEND.fullmatch(word)
    timed = instance.goal == "time"
    if found is None or (found["end"] is not None) != timed:
        raise ValueError(f"expected {'a0>a1@1/2..3/4, in seconds' if timed else 'a0>a1@3, in step 3'}")
    text = found["route"]
    adds = "+" in text
    if text not in routes:
        names = [unquote(name) for name in text.split("+" if adds else ">")]
        for name in names:
            if name not in nodes:
                raise ValueError(f"no node is called {shown(name)}{did_you_mean(name, nodes)}")
        routes[text] = tuple(nodes[name] for name in names)
    first = _moment(found["begin"])
    begin, end = (first, _moment(found["end"])) if timed else (first - 1, first)
    return Send(chunk, routes[text], begin, end, adds)
