"""The programme of formulations.placement.assignment in CP-SAT's terms: everything whole, clauses where they do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from formulations.cp_sat.model import linear
from formulations.cp_sat.search import CpSatModel
from formulations.cp_sat.search import search as solve
from formulations.placement.assignment.programme import Pair, Programme, followers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ortools.sat.python.cp_model import IntVar, LinearExpr

    from formulations.flow_model.finish import SolverAnswer
    from hypar_opt.formulation.incumbent import Incumbent
    from hypar_opt.formulation.run import Run


Family: TypeAlias = "Callable[[CpSatMatching, Programme], None]"


@dataclass(frozen=True)
class CpSatMatching(CpSatModel):
    """A CP-SAT model and its variables.

    Parameters
    ----------
    model
        Filled by the families below.
    x
        By leaf and position among its allowed sites: whether it stands there.
    y
        By level and pair of sites: whether they exchange. At every level y is a matching, which x determines.
    ticks
        By level, where time counts: at least how long the busiest link is busy.
    """

    y: Sequence[Mapping[Pair, IntVar]]
    ticks: Mapping[int, IntVar]


def build(programme: Programme, families: Sequence[Family] | None = None) -> CpSatMatching:
    """Create the variables, then the families of constraints (all of them, unless told), then the objective."""
    from ortools.sat.python.cp_model import CpModel

    model = CpModel()
    x = [[model.new_bool_var(f"x_{p}_{u}") for u in sites] for p, sites in enumerate(programme.values)]
    y = [
        {(u, v): model.new_bool_var(f"y_{h}_{u}_{v}") for u, v in programme.pairs} for h in range(len(programme.prices))
    ]
    ticks = {h: model.new_int_var(programme.least_ticks, programme.most_ticks, f"ticks_{h}") for h in programme.timed}
    built = CpSatMatching(model, x, y, ticks)
    for family in FAMILIES if families is None else families:
        family(built, programme)
    model.minimize(linear(programme.terms(y, ticks)))
    return built


def one_site(built: CpSatMatching, programme: Programme) -> None:
    """Sum over u of x[p, u] = 1, for every leaf p."""
    for literals in built.x:
        built.model.add_exactly_one(literals)


def one_leaf(built: CpSatMatching, programme: Programme) -> None:
    """Sum over p of x[p, u] <= 1, for every site u; = 1 if every site has a leaf."""
    for places in programme.places:
        literals = [built.x[leaf][i] for leaf, i in places]
        if programme.whole:
            built.model.add_exactly_one(literals)
        else:
            built.model.add_at_most_one(literals)


def partner(built: CpSatMatching, programme: Programme) -> None:
    """Sum over v of y[h, u, v] = sum over p of x[p, u], for every level h and site u."""
    for own in built.y:
        for site, places in enumerate(programme.places):
            exchanges = [literal for pair, literal in own.items() if site in pair]
            if programme.whole:
                built.model.add_exactly_one(exchanges)
            else:
                built.model.add(_sum(exchanges) == _sum(built.x[leaf][i] for leaf, i in places))


def one_level(built: CpSatMatching, programme: Programme) -> None:
    """Sum over h of y[h, u, v] <= 1, for every two sites u, v."""
    for pair in programme.pairs:
        built.model.add_at_most_one(own[pair] for own in built.y)


def follows(built: CpSatMatching, programme: Programme) -> None:
    """x[p, u] + y[h, u, v] <= 1 + x[q, v], for every exchange (p, q) of level h, either way, and ordered pair u, v."""
    for level, pair, (leaf, i), other in followers(programme):
        clause = [~built.x[leaf][i], ~built.y[level][pair]]
        built.model.add_bool_or(clause if other is None else [*clause, built.x[other[0]][other[1]]])


def busiest(built: CpSatMatching, programme: Programme) -> None:
    """Sum over pairs {u, v} of load[l, u, v] y[h, u, v] <= ticks[h], for every link l and level h."""
    for load in programme.loads:
        for h, ticks in built.ticks.items():
            built.model.add(linear((built.y[h][pair], busy) for pair, busy in load.items()) <= ticks)


def crossing(built: CpSatMatching, programme: Programme) -> None:
    """Sum over h of w[h] x (sum over u in S, v not in S of y[h, u, v]) >= least, for every cut (S, w, least)."""
    for cut in programme.cuts:
        crossed = cut.separated(programme.pairs)
        terms = ((built.y[h][pair], weight) for h, weight in enumerate(cut.weights) if weight for pair in crossed)
        built.model.add(linear(terms) >= cut.least)


def proven(built: CpSatMatching, programme: Programme) -> None:
    """Scaled cost >= least, if something is proven beforehand."""
    if programme.least > 0:
        built.model.add(linear(programme.terms(built.y, built.ticks)) >= programme.least)


def first_key(built: CpSatMatching, programme: Programme) -> None:
    """Sum over u of u x[p, u] < sum over u of u x[q, u], for the leaves p, q that symmetry orders."""
    for p, q in programme.symmetry.orders:
        first, second = (linear(zip(built.x[leaf], programme.values[leaf], strict=True)) for leaf in (p, q))
        built.model.add(first + 1 <= second)


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


def _sum(literals: Iterable[IntVar]) -> LinearExpr:
    from ortools.sat.python.cp_model import LinearExpr

    return LinearExpr.sum(list(literals))


STRATEGIES = ("core", "no_lp")
"""Two full searches: one raises the bound by sums of prices that cannot all be avoided, one learns clauses.

Of two workers CP-SAT would give one to neighbourhoods of the incumbent, which is the optimum nearly always. Seconds
to a proof on 2 busy cores (ortools 9.15; `>`: stopped), comm-time, 16 accelerators:

| array | volumes | its own choice | no_lp, max_lp | core, no_lp |
| --- | --- | --- | --- | --- |
| mesh 4 x 4 | 1, 1, 1, 1 | > 60 | 1.6 | 4.8 |
| mesh 4 x 4 | 1, 2, 4, 8 | > 60 | 7.3 | 13 |
| ring | 1, 1, 1, 1 | 33 | > 60 | 24 |
| ring | 1, 2, 4, 8 | 11 | 19 | 2.9 |
"""


def search(programme: Programme, best: Incumbent, run: Run) -> SolverAnswer:
    """Build and solve; placements go to `best` as they come."""
    built = build(programme)
    run.phase("searching")
    strategies = STRATEGIES if run.limits.workers > 1 else ()
    return solve(built, programme, best, run, presolve=True, strategies=strategies)
