"""The functions of the runtime that a program calls, as text."""

from __future__ import annotations

import ast
import re
from importlib.resources import files
from typing import Final

MODULES: Final = ("conversions", "windows", "operators", "experts")
"""Of the runtime."""
DEALING: Final = "dealing"
"""The module with functions in place of others where dimensions are dealt out."""


def runtime_functions(*, deals: bool = False) -> dict[str, str]:
    """Return the text of each function of the runtime, by name; `deals` is whether dimensions are dealt out."""
    found = {}
    for module in (*MODULES, DEALING) if deals else MODULES:
        text = files("hypar_opt.export.jax.runtime").joinpath(f"{module}.py").read_text(encoding="utf-8")
        lines = text.splitlines()
        for one in ast.parse(text).body:
            if isinstance(one, ast.FunctionDef):
                found[one.name] = "\n".join(lines[one.lineno - 1 : one.end_lineno])
    return found


def needed_functions(program: str, *, deals: bool = False) -> str:
    """Return the text of all functions that a program needs, directly or for one another, in the runtime's order."""
    functions = runtime_functions(deals=deals)
    words = {name: set(re.findall(r"\b\w+\b", text)) - {name} for name, text in functions.items()}
    found: set[str] = set()
    new = set(re.findall(r"\b\w+\b", program)) & functions.keys()
    while new:
        found |= new
        new = {word for name in new for word in words[name] & functions.keys()} - found
    return "\n\n\n".join(text for name, text in functions.items() if name in found)
