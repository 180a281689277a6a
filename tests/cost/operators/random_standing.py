"""Random graphs of links, and devices at random on their accelerators."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from hypar_opt.instance.hardware import Shape, custom, machine_of
from hypar_opt.instance.operators.standing import Standing


def random_standing(seed, devices):
    """Return devices at random on a torus of one line, a star, or a random graph, some of it with divided routes."""
    random = Random(f"standing {seed}")
    kind = random.choice(["grid", "star", "random", "random"])
    if kind == "grid":
        factor = next(size for size in range(int(devices**0.5), 0, -1) if devices % size == 0)
        machine = machine_of(random.choice(["torus", "mesh"]), Shape(0, dims=(devices // factor, factor)))
    elif kind == "star":
        machine = machine_of("star", Shape(0, accelerators=devices))
    else:
        machine = _random_graph(random, devices)
    links = tuple(replace(link, bandwidth=_number(random), energy=_number(random)) for link in machine.links)
    rule = random.choice([machine.rule, "split"])
    sites = random.sample(range(devices), devices)
    return Standing(replace(machine, links=links, rule=rule), tuple(sites))


def _number(random):
    return Fraction(random.choice([1, 2, 3, 10]), random.choice([1, 2, 5]))


def _random_graph(random, devices):
    nodes = [{"name": f"a{i}"} for i in range(devices)]
    nodes += [{"name": f"s{i}", "kind": "switch"} for i in range(random.randrange(3))]
    names = [node["name"] for node in nodes]
    ends = {(random.choice(names[:i]), names[i]) for i in range(1, len(names))}
    for _ in range(random.randrange(devices)):
        one, other = sorted(random.sample(range(len(names)), 2))
        ends.add((names[one], names[other]))
    return custom(nodes, [{"ends": pair} for pair in sorted(ends)])
