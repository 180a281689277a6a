"""The optimum of a network under each accounting, priced under all of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hypar_opt.instance import load
from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve

TEN = ("sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e")
LEVELS = 4
CHOICES = (("dp", "mp"), ("dp", "mp", "op"))


@dataclass(frozen=True)
class Optimum:
    """A plan that is proven to be optimal under one accounting.

    Parameters
    ----------
    network, choices, accounting
        Of what.
    strategies
        The plan; where there are several optima, the one that joint-dp returns.
    prices
        By accounting, the plan's bytes.
    """

    network: str
    choices: tuple[str, ...]
    accounting: str
    strategies: dict
    prices: dict


def known(choices):
    """Return the accountings that know some choices."""
    return [name for name, one in ACCOUNTINGS.items() if set(choices) <= set(one.choices)]


def problem(network, choices, accounting):
    """Return a network as every accounting can price it: no error of the input, which `collective` never charges."""
    instance = load(network, levels=LEVELS, accounting=accounting, input_error=False)
    return NetworkProblem(instance.changed(cost=instance.spec.cost.model_copy(update={"choices": choices})))


def optima(network, choices):
    """Return the optimum under each accounting that knows the choices."""
    names = known(choices)
    found = []
    for name in names:
        asked = problem(network, choices, name)
        plan = solve(asked, "joint-dp")
        if not plan.proven:
            raise RuntimeError(f"{network} under {name}: {plan.status}, expected a proven optimum")
        prices = {other: asked.bytes_of(plan.strategies, other).total for other in names}
        found.append(Optimum(network, choices, name, dict(plan.strategies), prices))
    return found


def excess(priced, least):
    """Return by how much each optimum is above the least under each accounting, as shares."""
    return {name: Fraction(count) / least[name] - 1 for name, count in priced.prices.items()}


def least(plans):
    """Return the bytes of each accounting's own optimum."""
    return {one.accounting: one.prices[one.accounting] for one in plans}
