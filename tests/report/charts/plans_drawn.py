"""Plans of any words, to be drawn: no solver has to find them."""

import ast
import operator
import re
from dataclasses import replace
from fractions import Fraction

from helpers import document, linear_chain, problem_of

from hypar_opt.instance import load
from hypar_opt.report.content.named_plan import NamedPlan
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve

TEN = ("sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e")
OPERATORS = {ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Add: operator.add, ast.Pow: operator.pow}


def planned(problem, words, name="of-a-test"):
    """Return a plan with a word for every layer, in order; what it is said to cost is its communication."""
    found = solve(problem, "data-parallel")
    plan = replace(
        found, strategies=dict(zip((layer.name for layer in problem.work.layers), words, strict=True)), placement=None
    )
    total = problem.bytes_of(plan.strategies).total
    return NamedPlan(name, problem, replace(plan, objective=Fraction(total), communication_bytes=total))


def shipped(name, **overrides):
    """Return the problem of a shipped instance."""
    return NetworkProblem(load(name, **overrides))


def chain(*features, levels=2, batch=4, **cost):
    """Return the problem of a chain of linear layers of 8 features."""
    return problem_of(document(linear_chain(*features), [8], batch=batch, levels=levels, **cost))


def drawn_words(rng, problem):
    """Return a random word for every layer that it may choose."""
    levels = problem.instance.levels
    return [
        "".join(rng.choice("dm" if layer.keeps_layout else problem.instance.choices) for _ in range(levels))
        for layer in problem.work.layers
    ]


def number(text):
    """Return the number that a text with all digits is."""
    return Fraction(text.replace(",", ""))


def evaluated(formula):
    """Return what a formula comes to, by a reader of its own: sums, products, quotients and powers of integers."""
    if formula.startswith("0:"):
        return Fraction(0)
    plain = formula.replace("×", "*").replace("^", "**").replace(",", "").replace(" B", "")
    return _value(ast.parse(re.sub(r"\(0: [^)]*\)", "0", plain), mode="eval").body)


def _value(node):
    if isinstance(node, ast.Constant):
        return Fraction(node.value)
    return OPERATORS[type(node.op)](_value(node.left), _value(node.right))
