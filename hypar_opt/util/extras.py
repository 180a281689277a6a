"""Packages that `pip install hypar-opt` leaves out, what is said where they are missing, and the versions of all."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import cache
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
    is_in_all
        Whether the extra `all` brings it.
    is_counted
        Whether what workers compute depends on its packages, so that theirs have to be the client's.
    """

    purpose: str
    modules: tuple[str, ...]
    is_in_all: bool = True
    is_counted: bool = False


FORMULATIONS: Final = "hypar_opt.formulations"
"""The group of entry points; a third party's formulation is found in the same way as ours."""
EXTRAS: Final[Mapping[str, Extra]] = MappingProxyType(
    {
        "cluster": Extra("Dask's workers need", ("distributed", "dask_jobqueue"), is_in_all=False, is_counted=True),
        "graphs": Extra("strategy graphs need", ("numba",), is_counted=True),
        "jax": Extra("importing JAX's functions and counting what programs move needs", ("jax",), is_in_all=False),
        "onnx": Extra("importing ONNX files needs", ("onnx",)),
        "parquet": Extra("stores of Parquet files need", ("pyarrow",), is_in_all=False),
        "report": Extra("reports and figures need", ("altair", "fontTools", "jinja2", "vl_convert")),
        "simulate": Extra("simulations need", ("simpy",), is_counted=True),
        "torch": Extra(
            "importing PyTorch's modules and counting what DTensor moves needs", ("torch",), is_in_all=False
        ),  # gigabytes
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


def missing(modules: Iterable[str], wanted: str | None = None) -> str | None:
    """Return which of some packages is not installed, and the command that installs it; None where no extra lacks.

    Parameters
    ----------
    wanted
        The extra that should bring them, where several may.
    """
    for module in modules:
        extra = wanted or next((name for name, one in EXTRAS.items() if module in one.modules), None)
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
        lacking = missing(EXTRAS[extra].modules, extra)
        if lacking is not None:
            raise MissingPackage(f"{EXTRAS[extra].purpose} {lacking}")


@cache
def version_of(package: str, unknown: str = "not installed") -> str:
    """Return the version of a package, or what is said where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return unknown


def versions() -> dict[str, str]:
    """Return the versions of hypar-opt, of Python and the system, and of all that it and its extras require."""
    import platform

    return _versions({"system": platform.platform()}, EXTRAS)


def counted_versions() -> dict[str, str]:
    """Return the versions on which results depend: of hypar-opt, Python, what solving needs, others' formulations."""
    from importlib.metadata import entry_points

    plugged_in = {one.dist.name: one.dist.version for one in entry_points(group=FORMULATIONS) if one.dist is not None}
    return plugged_in | _versions({}, [name for name, one in EXTRAS.items() if one.is_counted])


def _versions(others: Mapping[str, str], extras: Iterable[str]) -> dict[str, str]:
    from importlib.metadata import requires

    extra = re.compile(f"extra == ['\"]({'|'.join(extras)})['\"]")
    wanted = [one for one in requires("hypar-opt") or () if "extra ==" not in one or extra.search(one)]
    names = sorted({_name(one) for one in wanted} - {"hypar-opt"}, key=str.lower)
    found = {"hypar-opt": version_of("hypar-opt"), "python": sys.version.split()[0]} | dict(others)
    return found | {name: version_of(name) for name in names}


def show_versions() -> None:
    """Print the versions that a report of a fault should name."""
    found = versions()
    width = max(map(len, found))
    print("\n".join(f"{name:{width}}  {one}" for name, one in found.items()))


def _name(requirement: str) -> str:
    """Return a requirement's package."""
    return re.split(r"[\s\[<>=!~;]", requirement, maxsplit=1)[0]
