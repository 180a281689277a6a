"""What a result depends on: the versions of Python, of the machine's system, and of the packages."""

from __future__ import annotations

import platform
import re
import sys
from importlib.metadata import PackageNotFoundError, requires, version

from hypar_opt.util.extras import EXTRAS


def versions() -> dict[str, str]:
    """Return the versions of hypar-opt, of Python and the system, and of all that it and its extras require."""
    extra = re.compile(f"extra == ['\"]({'|'.join(EXTRAS)})['\"]")
    wanted = [one for one in requires("hypar-opt") or () if "extra ==" not in one or extra.search(one)]
    names = sorted({_name(one) for one in wanted} - {"hypar-opt"}, key=str.lower)
    found = {"hypar-opt": version("hypar-opt"), "python": sys.version.split()[0], "system": platform.platform()}
    return found | {name: _version(name) for name in names}


def show_versions() -> None:
    """Print the versions that a report of a fault should name."""
    found = versions()
    width = max(map(len, found))
    print("\n".join(f"{name:{width}}  {one}" for name, one in found.items()))


def _name(requirement: str) -> str:
    """Return a requirement's package."""
    return re.split(r"[\s\[<>=!~;]", requirement, maxsplit=1)[0]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
