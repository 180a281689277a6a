"""Counts of a checkout's structure: `python -m tests.structure [CHECKOUT ...]` prints a column for each.

Everything is read from the source; nothing of the checkouts is imported, so that any revision can be counted.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import networkx as nx

PACKAGES = ("hypar_opt", "formulations")
KINDS = {"Problem", "GraphProblem", "StrategyGraph", "Instance"}
"""Kinds of problems that `isinstance` should not have to tell apart."""
RUN = 6
"""Lines that make a copy where they stand again."""


@dataclass(frozen=True)
class Module:
    """A file of a checkout.

    Parameters
    ----------
    name
        Dotted.
    text, tree
        What it says.
    """

    name: str
    text: str
    tree: ast.Module

    @property
    def room(self) -> str:
        """The package or module right below the top that it belongs to."""
        return ".".join(self.name.split(".")[:2])

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the tree; walking it is most of the work."""
        return list(ast.walk(self.tree))

    @cached_property
    def code(self) -> list[str]:
        """Lines that are neither empty nor comments nor docstrings, without their indentation."""
        strings = [
            node
            for node in self.nodes
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        ]
        said = {line for node in strings for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
        lines = enumerate(map(str.strip, self.text.splitlines()), start=1)
        return [line for at, line in lines if line and not line.startswith("#") and at not in said]

    @property
    def runs(self) -> list[tuple[str, ...]]:
        """Every few of its lines that follow each other, but for imports and lone punctuation."""
        lines = [line for line in self.code if re.search(r"\w", line) and not line.startswith(("import ", "from "))]
        return [tuple(lines[at : at + RUN]) for at in range(len(lines) - RUN + 1)]


def modules_of(checkout: Path) -> dict[str, Module]:
    """Return the modules of a checkout's packages by name."""
    found = {}
    for path in sorted(one for package in PACKAGES for one in (checkout / package).rglob("*.py")):
        parts = path.relative_to(checkout).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text(encoding="utf-8")
        found[name] = Module(name, text, ast.parse(text))
    return found


def imports_of(module: Module, known: dict[str, Module]) -> set[str]:
    """Return the modules that one imports, wherever in it."""
    found = set()
    for node in module.nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {one if one in known else node.module for one in inside}
    return (found & known.keys()) - {module.name}


def isinstance_on_kinds(module: Module) -> int:
    """Return how often a module asks of what kind a problem is."""
    calls = (
        node
        for node in module.nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"
    )
    named = ({one.id for one in ast.walk(call.args[1]) if isinstance(one, ast.Name)} for call in calls)
    return sum(not names.isdisjoint(KINDS) for names in named)


def counts_of(checkout: Path) -> dict[str, int]:
    """Return what there is to count in a checkout, by what it is."""
    known = modules_of(checkout)
    arrows = nx.DiGraph((one.name, other) for one in known.values() for other in imports_of(one, known))
    rooms = nx.DiGraph(
        (known[one].room, known[other].room) for one, other in arrows.edges if known[one].room != known[other].room
    )
    top = {one.room for one in known.values() if one.name.startswith("hypar_opt.")}
    classes = Counter(node.name for one in known.values() for node in one.nodes if isinstance(node, ast.ClassDef))
    runs = Counter(run for one in known.values() for run in one.runs)
    functions = sum(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for one in known.values() for node in one.nodes
    )
    return {
        "rooms at the top of hypar_opt": len(top),
        "files": len(known),
        "lines of code": sum(len(one.code) for one in known.values()),
        "functions and methods": functions,
        "arrows between rooms": sum(
            one.startswith("hypar_opt.") and other.startswith("hypar_opt.") for one, other in rooms.edges
        ),
        "circles of modules": sum(len(one) > 1 for one in nx.strongly_connected_components(arrows)),
        "class names used twice": sum(count > 1 for count in classes.values()),
        "copies of six lines": sum(count > 1 for count in runs.values()),
        "isinstance on kinds": sum(isinstance_on_kinds(one) for one in known.values()),
        "caches in another's __dict__": sum(
            len(re.findall(r"(?<!self)\.__dict__(?:\[|\.update)", one.text)) for one in known.values()
        ),
        "1 << levels": sum(len(re.findall(r"1 << (?:[a-z_.]*levels|h\b)", one.text)) for one in known.values()),
    }


def main(checkouts: list[Path]) -> None:
    """Print a row for each count, and a column for each checkout."""
    columns = [counts_of(one) for one in checkouts]
    width = max(map(len, columns[0]))
    for name in columns[0]:
        print(f"{name:{width}}", *(f"{column[name]:>8,}" for column in columns))


if __name__ == "__main__":
    main([Path(one) for one in sys.argv[1:]] or [Path()])
