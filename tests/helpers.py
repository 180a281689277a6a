"""What many tests need: instances from documents, and small networks."""

from __future__ import annotations

import json
import tempfile
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path

import pytest

from hypar_opt.formulation.registry import found, load_formulation
from hypar_opt.instance import read_instance
from hypar_opt.solver.network_problem import NetworkProblem


def each(name, values, quick=None):
    """Return a decorator that runs a test with each of many values in turn, as one test: which one fails is noted.

    Parameters
    ----------
    name
        Of the test's argument.
    quick
        How many of the values are in the quick tests, those that follow being a slow test; by default all.
    """
    values = list(values)
    parts = [pytest.param(values[:quick], id=f"{name}s")]
    if values[len(parts[0].values[0]) :]:
        parts.append(pytest.param(values[quick:], id=f"more-{name}s", marks=pytest.mark.slow))

    def decorate(test):
        @wraps(test)
        def looped(*own, _values, **others):
            for value in _values:
                try:
                    test(*own, **{name: value}, **others)
                except Exception as fault:
                    fault.add_note(f"{name}: {value}")
                    raise

        others = [one for one in signature(test).parameters.values() if one.name != name]
        looped.__signature__ = Signature([*others, Parameter("_values", Parameter.KEYWORD_ONLY)])
        return pytest.mark.parametrize("_values", parts)(looped)

    return decorate


def document(layers, shape, *, batch=8, levels=1, fix=None, objective=None, **cost):
    """Return an instance as its file would have it; `cost` holds accounting, choices, splits, ..."""
    whole = {
        "schema": "hypar-opt/instance/1",
        "name": "of-a-test",
        "batch": batch,
        "network": {"input": list(shape), "layers": list(layers)},
        "array": {"topology": "h-tree", "levels": levels},
        "cost": cost,
    }
    return whole | ({"fix": fix} if fix else {}) | ({"objective": objective} if objective else {})


def instance_of(whole, **overrides):
    """Read a document the way a file is read."""
    from hypar_opt.instance import Overrides

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "instance.json"
        path.write_text(json.dumps(whole), encoding="utf-8")
        return read_instance(path, Overrides(**overrides))


def problem_of(whole, **overrides):
    """Compile a document."""
    return NetworkProblem(instance_of(whole, **overrides))


def linear_chain(*features):
    """Return linear layers fc1, fc2, ... of so many features."""
    return [{"name": f"fc{i}", "linear": {"features": n}} for i, n in enumerate(features, start=1)]


def _is_exact(name):
    able = load_formulation(name).capabilities
    return able.exact and able.decides == "strategies" and not able.needs_tables


def exact_names():
    """Return the installed formulations that claim to find the best strategies."""
    return [name for name in found() if _is_exact(name)]
