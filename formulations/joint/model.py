"""Both sets of variables in one CP-SAT model, and their product as its objective.

    min  sum over h of C_h w_h,   C_h a linear expression over the polytope, w_h = base + step W_h

(product) Few values are possible for a weight. With b[h, k] = [W_h >= k] for every value k above the least,

    C_h w_h = C_h (base + step least_h) + step sum over k of C_h b[h, k],

and p[h, k] stands for C_h b[h, k]: p[h, k] >= C_h if b[h, k], p[h, k] >= 0 otherwise. As the objective presses p
down, that is exact. Where a weight has more than `UNARY` values, the product is left to CP-SAT.

(cut) V . w >= b, in every order of V's entries, for volumes V and lower bounds b of a placement for them.

Seconds to a proof, 8 accelerators, the level sums of lenet-c and vgg-a on ring, mesh, binary tree and chain,
2 workers: with unary values 0.05-0.15, with CP-SAT's product 0.04-6.0; with a Boolean for every pair of leaves and
pair of sites besides, 0.08-0.16. At 16 the same order. So this file has unary values, and pairs of sites only.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from math import gcd
from typing import TYPE_CHECKING

from formulations.cp_sat.model import CpSatFlow, build, linear
from formulations.cp_sat.search import CpSatModel
from formulations.flow_model.polytope import Coefficients, Polytope
from formulations.joint.oracles import primitive
from formulations.joint.sites import Box, Sites, placed_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ortools.sat.python.cp_model import IntVar, LinearExpr

    from hypar_opt.costgraph.placement import JointGraph


def level_polytopes(graph: JointGraph) -> tuple[Polytope, ...]:
    """Return the programme of every level alone.

    A network's nodes and arcs follow from which letters a cost looks at, not from the levels' weights: the
    programmes differ in costs only, so that one set of variables serves all.

    Raises
    ------
    RuntimeError
        If they differ in more.
    """
    levels = range(graph.levels)
    found = tuple(Polytope.of(graph.weighed([int(h == one) for h in levels])) for one in levels)
    if len({_shape(one) for one in found}) > 1:
        raise RuntimeError("the levels' networks have different arcs")
    return found


def _shape(polytope: Polytope) -> tuple[object, ...]:
    arcs = ((pair, tuple(arc[:2] for arc in one.arcs)) for pair, one in sorted(polytope.networks.items()))
    return polytope.values, tuple(arcs)


UNARY = 200
"""Values of a weight beyond which its product is left to CP-SAT."""


@dataclass(frozen=True, eq=False)
class JointModel(CpSatModel):
    """The model, which is its own programme: pairs cost unit x the objective.

    Parameters
    ----------
    model
        CP-SAT's.
    x
        Of the strategies, then of the sites.
    polytope, plan
        Of the strategies.
    sites
        Of the placement.
    volumes
        By level: C_h / unit.
    unit
        Of the objective.
    """

    polytope: Polytope
    plan: CpSatFlow
    sites: Sites
    volumes: Sequence[IntVar]
    unit: int
    constant: int = 0

    @property
    def values(self) -> tuple[tuple[int, ...], ...]:
        """By layer the allowed strategies, then by leaf the sites."""
        placement = self.sites.graph
        return self.polytope.values + (tuple(range(placement.sites)),) * placement.leaves

    def choices(self, positions: Iterable[int]) -> tuple[int, ...]:
        """Return the strategies, then the sites, at one position of each."""
        return tuple(values[i] for values, i in zip(self.values, positions, strict=True))


def joint_model(graph: JointGraph, box: Box, cuts: Mapping[tuple[int, ...], int]) -> JointModel:
    """Create both sets of variables, their bounds and cuts, and the objective."""
    polytopes = level_polytopes(graph)
    costs = [one.costs for one in polytopes]
    unit = gcd(*(part for one in costs for part in (one.constant, *(one.unit * cost for cost in one.numbers)))) or 1
    plan = build(polytopes[0])
    plan.model.clear_objective()  # type: ignore[no-untyped-call]
    sites = placed_in(plan.model, graph.placement, box)
    volumes = [_volume(plan, cost, box, h, unit) for h, cost in enumerate(costs)]
    built = JointModel(plan.model, (*plan.x, *sites.at), polytopes[0], plan, sites, volumes, unit)
    for volume, least in cuts.items():
        _cut(built, volume, least)
    built.model.minimize(sum(_product(built, box, h) for h in range(graph.levels)))
    return built


def _volume(plan: CpSatFlow, cost: Coefficients, box: Box, h: int, unit: int) -> IntVar:
    """Return C_h / unit as a variable: the sum of the costs of what is chosen."""
    total = linear((literal, cost.unit * share // unit) for literal, share in cost.terms(plan.x, plan.flows))
    volume = plan.model.new_int_var(box.fewest[h] // unit, box.largest[h] // unit, f"C_{h}")
    plan.model.add(volume == total + cost.constant // unit)
    return volume


def _cut(built: JointModel, volumes: tuple[int, ...], least: int) -> None:
    """V . (base + step W) >= least, for V in every order, without V's common divisor."""
    normal, divisor = primitive(volumes)
    base, step = built.sites.graph.base, built.sites.step
    rest = -(-least // divisor) - base * sum(normal)
    for order in sorted(set(permutations(normal))):
        terms = [share * weight for share, weight in zip(order, built.sites.weights, strict=True) if share]
        built.model.add(sum(terms) >= -(-rest // step))


def _product(built: JointModel, box: Box, h: int) -> LinearExpr:
    """Return C_h w_h / unit, as far as the objective presses down what exceeds it."""
    model, volume, weight = built.model, built.volumes[h], built.sites.weights[h]
    step, most = box.step, box.largest[h] // built.unit
    low, high = ((bound - built.sites.graph.base) // step for bound in (box.least[h], box.most[h]))
    if high - low > UNARY:
        product = model.new_int_var(0, (high - low) * most, f"product_{h}")
        model.add_multiplication_equality(product, [volume, weight - low])
        return box.least[h] * volume + step * product
    above = [model.new_bool_var(f"b_{h}_{k}") for k in range(low + 1, high + 1)]
    for larger, smaller in zip(above[1:], above, strict=False):
        model.add_implication(larger, smaller)
    model.add(weight == low + sum(above))
    parts = [model.new_int_var(0, most, f"p_{h}_{k}") for k in range(low + 1, high + 1)]
    for part, literal in zip(parts, above, strict=True):
        model.add(part >= volume).only_enforce_if(literal)
        model.add(part >= box.fewest[h] // built.unit * literal)  # implied; it tightens the relaxation
    return box.least[h] * volume + step * sum(parts)
