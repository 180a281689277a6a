"""Certificates of random operators, all of whose plans are known; and what a header's problem is to the project."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from random import Random
from types import SimpleNamespace

import numpy as np
from make import archive, entries

from formulations.joint_dp.buckets import Buckets, potentials, upward
from hypar_opt.cost.operators import CompiledOperators, OperatorModel
from hypar_opt.costgraph import Objective
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.instance.operators import Operand, Operator, OperatorGraph, Statistic, Tensor, Window
from hypar_opt.util.partition import Axis, Partition
from hypar_opt.verification.certificate.of_operators import operators_document, write_operator_certificate
from tests.cost.operators.random_problems import BYTES, enumerated, problem
from tests.evaluation.operators.random_operators import random_graph


@dataclass(frozen=True)
class Certified:
    """A certificate of a problem.

    Parameters
    ----------
    header, tables
        What it says, and the entries of its messages.
    least
        What the best plan costs.
    """

    header: dict
    tables: list
    least: Fraction

    def file(self, header=None, tables=None):
        """Return the certificate, or another, as a file."""
        return packed(header or self.header, self.tables if tables is None else tables)


def packed(header, tables, width=None):
    """Return a header and tables as a file; the digest is renewed."""
    content, digest = entries(tables, width)
    return archive([("header.json", json.dumps(header | {"arrays_sha256": digest})), ("messages.npy", content)])


def opened(file):
    """Return a certificate's header, and its tables by the shapes that the messages say."""
    with zipfile.ZipFile(file) as found:
        header = json.loads(found.read("header.json"))
        numbers = np.load(io.BytesIO(found.read("messages.npy")))
    return header, numbers


def problem_for(compiled, weight=1):
    """Return what the writer needs of a problem."""
    model, graph = compiled.model, compiled.graph
    splits = "padded" if model.padded else "divisible" if model.divisible else "any"
    instance = SimpleNamespace(
        name="drawn", sha256="0" * 64, overrides={}, batch=4, accounting="collective", graph=graph, fix=model.fix,
        partition=model.partition, splits=splits, choices=model.choices, storages=model.storages,
    )  # fmt: skip
    objective = SimpleNamespace(weights={"communication": Fraction(weight)})
    return SimpleNamespace(instance=instance, objective=objective, compiled=compiled)


def drawn(seed, most=20_000):
    """Return a random problem without a memory and all of its plans, of which there are few, or None."""
    steps = Random(f"steps {seed}").randrange(4)
    found = problem(random_graph(seed, steps=steps, pool=(2, 3, 4, 6, 8, 12)), seed, most)
    if found is None:
        return None
    padded = seed % 3 == 2 and not found.compiled.model.divisible
    return enumerated(found.compiled.graph, replace(found.compiled.model, memory=None, padded=padded))


def strategies(compiled, choices):
    """Return the words that choices are, and how parameters are stored."""
    values = {one.name: one.values[choice] for one, choice in zip(compiled.domains, choices, strict=True)}
    stored = {f"{name}:storage": value.storage for name, value in values.items() if value.storage != "replicated"}
    return {name: value.text for name, value in values.items()} | stored


def certified(seed, weight=1, most=20_000):
    """Return the certificate of a random problem's best plan, or None where there is no problem."""
    found = drawn(seed, most)
    if found is None:
        return None
    compiled = CompiledOperators(
        found.compiled.graph, found.compiled.model, Objective({"communication": Fraction(weight)})
    )
    buckets = Buckets.of(compiled.costgraph)
    proof = potentials(buckets, upward(buckets, Run("joint-dp", Limits()))[0])
    best = np.unravel_index(int(np.argmin(found.costs)), found.costs.shape)
    least = weight * Fraction(found.least, found.compiled.costgraph.objective.denominator)
    file = io.BytesIO()
    plan = SimpleNamespace(bound=least, strategies=strategies(compiled, best))
    write_operator_certificate(file, problem_for(compiled, weight), proof, plan)
    header, numbers = opened(file)
    return Certified(header, parted(numbers, header, compiled), least)


def parted(numbers, header, compiled):
    """Return numbers as tables of the shapes that messages say."""
    tables, begin = [], 0
    for one in header["messages"]:
        if one["table"] == len(tables):
            shape = [len(compiled.domains[x].values) for x in one["variables"]]
            size = int(np.prod(shape))
            tables.append(numbers[begin : begin + size].reshape(shape))
            begin += size
    return tables


def document_of(compiled):
    """Return a header's problem."""
    return json.loads(json.dumps(operators_document(problem_for(compiled))))


def least_of(given):
    """Return what the best plan of a header's problem costs, by trying all plans; None if they are too many."""
    tensors = given["tensors"]

    def operand(one):
        windows = {dim: Window(**window) for dim, window in one.get("windows", {}).items()}
        return Operand(
            tensors[one["tensor"]]["name"],
            tuple(one["dims"]),
            windows,
            one.get("saved", True),
            one.get("is_added", False),
            one.get("has_gradient", True),
        )

    def operator(one):
        statistics = tuple(Statistic(**some | {"dims": tuple(some["dims"])}) for some in one["statistics"])
        operands, splits = tuple(map(operand, one["operands"])), tuple(one["splits"])
        return Operator(
            one["name"], "any", one["name"], one["sizes"], splits, operands, operand(one["output"]), statistics,
            is_cheap=one["is_cheap"],
        )  # fmt: skip

    every = {one["name"]: Tensor(**one | {"sizes": tuple(one["sizes"])}) for one in tensors}
    graph = OperatorGraph(every, tuple(map(operator, given["operators"])))
    axes = Partition(tuple(Axis(one["name"], one["size"]) for one in given["axes"]))
    fix = {name: tuple(None if one == "." else one for one in word.split()) for name, word in given["fix"].items()}
    choices = None if given["choices"] is None else tuple(given["choices"])
    divisible, padded = (given["splits"] == splits for splits in ("divisible", "padded"))
    model = OperatorModel(axes, choices, divisible, tuple(given["storages"]), fix=fix, padded=padded)
    if prod(len(one.values) for one in CompiledOperators(graph, model, BYTES).domains) > 20_000:
        return None
    found = enumerated(graph, model)
    return Fraction(found.least, axes.leaves) * Fraction(given["objective"]["communication"])
