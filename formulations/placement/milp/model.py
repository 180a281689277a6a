"""The programme of formulations.placement.assignment in PuLP's terms: x and y binary, ticks whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from formulations.flow_model.refinement import refined
from formulations.milp import highs
from formulations.milp.model import HALF, PulpModel, Variable, at_most, equal
from formulations.placement.assignment.programme import Pair, Programme, followers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from formulations.flow_model.finish import SolverAnswer
    from hypar_opt.formulation.incumbent import Incumbent
    from hypar_opt.formulation.run import Run


Family: TypeAlias = "Callable[[PulpMatching, Programme], None]"


@dataclass(frozen=True)
class PulpMatching(PulpModel):
    """A PuLP problem and its variables.

    Parameters
    ----------
    problem
        Filled by the families below.
    x
        By leaf and position among its allowed sites: 1 if it stands there.
    y
        By level and pair of sites: 1 if they exchange. At every level y is a matching, which x determines.
    ticks
        By level, where time counts: at least how long the busiest link is busy.
    """

    y: Sequence[Mapping[Pair, Variable]]
    ticks: Mapping[int, Variable]


def build(programme: Programme, families: Sequence[Family] | None = None) -> PulpMatching:
    """Create the variables, the families of constraints (all, unless told), what was seen, and the objective."""
    import pulp

    problem = pulp.LpProblem("hypar_opt")
    x = [
        [problem.add_variable(f"x_{p}_{u}", cat=pulp.LpBinary) for u in sites]
        for p, sites in enumerate(programme.values)
    ]
    y = [
        {(u, v): problem.add_variable(f"y_{h}_{u}_{v}", cat=pulp.LpBinary) for u, v in programme.pairs}
        for h in range(len(programme.prices))
    ]
    ticks = {
        h: problem.add_variable(
            f"ticks_{h}",
            lowBound=programme.busy(h, programme.least_ticks),
            upBound=None if programme.grain else programme.most_ticks,
            cat=pulp.LpInteger,
        )
        for h in programme.timed
    }
    built = PulpMatching(problem, x, y, ticks)
    for family in FAMILIES if families is None else families:
        family(built, programme)
    for row in programme.rows:
        at_most(built, ((built.x[leaf][i], 1) for leaf, i in row.usages), row.limit)
    problem.setObjective(pulp.LpAffineExpression(programme.terms(y, ticks)))
    return built


def one_site(built: PulpMatching, programme: Programme) -> None:
    """Sum over u of x[p, u] = 1, for every leaf p."""
    for own in built.x:
        equal(built, ((x, 1) for x in own), 1)


def one_leaf(built: PulpMatching, programme: Programme) -> None:
    """Sum over p of x[p, u] <= 1, for every site u; = 1 if every site has a leaf."""
    for places in programme.places:
        terms = [(built.x[leaf][i], 1) for leaf, i in places]
        if programme.whole:
            equal(built, terms, 1)
        else:
            at_most(built, terms, 1)


def partner(built: PulpMatching, programme: Programme) -> None:
    """Sum over v of y[h, u, v] = sum over p of x[p, u], for every level h and site u."""
    for own in built.y:
        for site, places in enumerate(programme.places):
            exchanges = [(y, 1) for pair, y in own.items() if site in pair]
            if programme.whole:
                equal(built, exchanges, 1)
            else:
                equal(built, [*exchanges, *((built.x[leaf][i], -1) for leaf, i in places)], 0)


def one_level(built: PulpMatching, programme: Programme) -> None:
    """Sum over h of y[h, u, v] <= 1, for every two sites u, v."""
    for pair in programme.pairs:
        at_most(built, ((own[pair], 1) for own in built.y), 1)


def follows(built: PulpMatching, programme: Programme) -> None:
    """x[p, u] + y[h, u, v] <= 1 + x[q, v], for every exchange (p, q) of level h, either way, and ordered pair u, v."""
    for level, pair, (leaf, i), other in followers(programme):
        terms = [(built.x[leaf][i], 1), (built.y[level][pair], 1)]
        at_most(built, terms if other is None else [*terms, (built.x[other[0]][other[1]], -1)], 1)


def busiest(built: PulpMatching, programme: Programme) -> None:
    """Sum over pairs {u, v} of load[l, u, v] y[h, u, v] <= ticks[h], for every link l and level h."""
    for load in programme.loads:
        for h, ticks in built.ticks.items():
            taken = ((built.y[h][pair], programme.busy(h, busy)) for pair, busy in load.items())
            # where y is 1 but for the tolerance, so many times that must not ask for one tick more
            at_most(built, [*taken, (ticks, -1)], HALF)


def crossing(built: PulpMatching, programme: Programme) -> None:
    """Sum over h of w[h] x (sum over u in S, v not in S of y[h, u, v]) >= least, for every cut (S, w, least)."""
    for cut in programme.cuts:
        crossed = cut.separated(programme.pairs)
        terms = ((built.y[h][pair], -weight) for h, weight in enumerate(cut.weights) if weight for pair in crossed)
        at_most(built, terms, HALF - cut.least)


def proven(built: PulpMatching, programme: Programme) -> None:
    """Scaled cost >= least, if something is proven beforehand."""
    if programme.least > 0:
        # what costs as much as the least alone need not say more
        costs = programme.terms(built.y, built.ticks)
        terms = ((variable, -min(price, programme.least)) for variable, price in costs)
        at_most(built, terms, HALF - programme.least)


def first_key(built: PulpMatching, programme: Programme) -> None:
    """Sum over u of u x[p, u] < sum over u of u x[q, u], for the leaves p, q that symmetry orders."""
    for p, q in programme.symmetry.orders:
        first = list(zip(built.x[p], programme.values[p], strict=True))
        second = [(x, -site) for x, site in zip(built.x[q], programme.values[q], strict=True)]
        at_most(built, [*first, *second], HALF - 1)


FAMILIES: tuple[Family, ...] = (
    one_site,
    one_leaf,
    partner,
    one_level,
    follows,
    busiest,
    crossing,
    proven,
    first_key,
)
"""In the order of the programme's docstring."""


def search(programme: Programme, best: Incumbent, run: Run) -> SolverAnswer:
    """Build and solve relaxations in small numbers; placements go to `best` as they come."""
    run.phase("searching")
    return refined(programme, best, run, lambda part, best, run: highs.search(build(part), part, best, run))
