"""What a client can pick by its name: shipped instances as text, arrays, formulations."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.formulation.registry import found, load_formulation
from hypar_opt.instance.shipped import shipped_folder, shipped_instances
from hypar_opt.util.errors import InputError, Refusal, did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

_REFERENCE = re.compile(r"^(network|array): \{file: ([\w./-]+)\}$")


@dataclass(frozen=True)
class Offer:
    """A formulation as it is offered.

    Parameters
    ----------
    name, summary
        Its own.
    decides
        `strategies`, `placement` or `both`.
    proves
        In words.
    certifies
        Whether it leaves evidence that can be checked without it.
    """

    name: str
    summary: str
    decides: str
    proves: str
    certifies: bool


def formulations() -> tuple[Offer, ...]:
    """Return the installed formulations; those that cannot be loaded are left out."""
    offers = []
    for name in found():
        try:
            one = load_formulation(name)
        except Refusal:
            continue
        able = one.capabilities
        proves = "optimality" if able.exact else "nothing"
        offers.append(Offer(name, one.summary, able.decides, proves, able.certifies))
    return tuple(sorted(offers, key=lambda one: (one.decides != "strategies", one.decides != "both")))


def instances() -> dict[str, list[str]]:
    """Return the names of the shipped instances by the folder that they are in."""
    by_folder: dict[str, list[str]] = {}
    for name, path in shipped_instances().items():
        by_folder.setdefault(path.parent.name, []).append(name)
    return by_folder


def instance_text(name: str) -> str:
    """Return a shipped instance as one text, what it takes from other shipped files put in their places.

    Raises
    ------
    InputError
        If there is none of that name; with the nearest one.
    """
    known = shipped_instances()
    if name not in known:
        raise InputError(f"no shipped instance is called '{name}'{did_you_mean(name, known)}")
    return "".join(f"{_inlined(line, known[name])}\n" for line in known[name].read_text().splitlines())


def _inlined(line: str, path: Path) -> str:
    matched = _REFERENCE.match(line)
    if matched is None:
        return line
    part, name = matched.groups()
    other = (path.parent / name).resolve()
    assert other.is_relative_to(shipped_folder().resolve())
    return "\n".join([f"{part}:", *(f"  {one}".rstrip() for one in other.read_text().splitlines())])
