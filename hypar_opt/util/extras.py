"""Packages that `pip install hypar-opt` leaves out, and what is said where they are missing."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.util.errors import MissingPackage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True)
class Extra:
    """What can be installed besides.

    Parameters
    ----------
    purpose
        Who needs it, with the verb.
    modules
        The packages that it brings, by the names that they are imported by.
    """

    purpose: str
    modules: tuple[str, ...]


EXTRAS: Final[Mapping[str, Extra]] = MappingProxyType(
    {
        "graphs": Extra("strategy graphs need", ("numba",)),
        "report": Extra("reports and figures need", ("altair", "fontTools", "jinja2", "vl_convert")),
        "simulate": Extra("simulations need", ("simpy",)),
        "web": Extra("the live page needs", ("python_multipart", "starlette", "uvicorn")),
    }
)
"""By name; `pyproject.toml` has their versions."""


def installed(module: str) -> bool:
    """Return whether a package is there, without importing it."""
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def missing(modules: Iterable[str]) -> str | None:
    """Return which of some packages is not installed, and the command that installs it; None where no extra lacks."""
    for module in modules:
        extra = next((name for name, one in EXTRAS.items() if module in one.modules), None)
        if extra is not None and not installed(module):
            return f"{module}, which is not installed: pip install 'hypar-opt[{extra}]'"
    return None


def require(*extras: str) -> None:
    """Find out before the work whether all is there that some extras bring.

    Raises
    ------
    MissingPackage
        If not; says what to install.
    """
    for extra in extras:
        lacking = missing(EXTRAS[extra].modules)
        if lacking is not None:
            raise MissingPackage(f"{EXTRAS[extra].purpose} {lacking}")
