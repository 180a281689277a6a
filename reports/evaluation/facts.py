"""The printed numbers, and what a plan costs on the machine of the evaluation."""

from __future__ import annotations

import json
import tempfile
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import prod
from pathlib import Path

import yaml

from hypar_opt.instance import Overrides, load, read_instance
from hypar_opt.instance.overrides import array_text
from hypar_opt.instance.shipped import find_array
from hypar_opt.instance.sources import array_sources
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve

PRINTED = yaml.safe_load(Path(__file__).with_name("printed.yaml").read_text(encoding="utf-8"))
CLAIMS = Path(__file__).parents[2] / "instances" / "claims" / "hypar-hpca19.yaml"
NETWORKS = ("sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e")
ACCOUNTING = "as-evaluated"
MACHINE, DATAFLOW = "hypar-16", "hypar-row-stationary-16"
READING = Fraction(3, 100)
"""What a number that was read off an axis may be off; the claims of instances/claims say the same."""
HYPAR, DATA_PARALLEL, MODEL_PARALLEL = "hypar-dp", "data-parallel", "model-parallel"


def number(text):
    """Return a printed number, exactly as printed; ~ is left out."""
    return Fraction(Decimal(text.removeprefix("~")))


def deviation(value, printed):
    """Return by which share of the printed number a value is off."""
    return Fraction(value) / number(printed) - 1 if number(printed) else Fraction(0)


def geometric_mean(values):
    """Return the geometric mean, to 28 digits."""
    found = [Decimal(value.numerator) / Decimal(value.denominator) for value in values]
    return Fraction(prod(found, start=Decimal(1)) ** (Decimal(1) / len(found)))


@cache
def claim(name):
    """Return a claim that `hypar-opt audit hypar-hpca19` judges."""
    whole = yaml.safe_load(CLAIMS.read_text(encoding="utf-8"))
    return next(one for one in whole["claims"] if one["id"] == name)


@cache
def array_of(name):
    """Return what the file of a shipped array says, numbers in its own digits."""
    return array_sources(find_array(name)).array


@cache
def on_machine(network, array=MACHINE, accounting=ACCOUNTING):
    """Return a network on a shipped array, or on one as JSON."""
    given = json.loads(array, parse_float=Decimal) if array.startswith("{") else array
    return NetworkProblem(load(network, array=given, accounting=accounting))


@cache
def plan_of(network, formulation):
    """Return a plan for the least communication on sixteen accelerators, as HyPar finds it."""
    plan = solve(on_machine(network).by_communication, formulation)
    return tuple(plan.strategies.items())


def costs(problem, strategies):
    """Return what a plan costs by component, by boxes and routes."""
    return problem.costs(problem.bytes_of(dict(strategies)), problem.instance.placement)


@cache
def costs_of(network, formulation, array=MACHINE):
    """Return what the plan of a formulation costs on a machine."""
    return costs(on_machine(network, array), plan_of(network, formulation))


def gain(network, component, formulation=HYPAR, array=MACHINE, baseline=MACHINE):
    """Return how many times as much data parallelism costs."""
    return costs_of(network, DATA_PARALLEL, baseline)[component] / costs_of(network, formulation, array)[component]


def changed(name, **link):
    """Return a shipped array with fields of its links changed, as JSON."""
    array = array_of(name)
    return array_text({**array, "link": {**array["link"], **link}})


def one_layer(layer, shape, batch, levels):
    """Return a network of one layer, and what may follow it without weights, on the machine of the evaluation."""
    layers = layer if isinstance(layer, list) else [layer]
    whole = {
        "schema": "hypar-opt/instance/1",
        "name": "one-layer",
        "batch": batch,
        "network": {"input": list(shape), "layers": layers},
        "array": {**json.loads(array_text(array_of(MACHINE))), "levels": levels},
        "cost": {"accounting": ACCOUNTING},
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one-layer.json"
        path.write_text(json.dumps(whole), encoding="utf-8")
        return NetworkProblem(read_instance(path, Overrides()))
