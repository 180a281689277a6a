"""What two plans that are compared are plans of: one network on one array, and in what else the problems differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.shipped import shipped_names, shipped_operators, shipped_problems
from hypar_opt.instance.text import FieldPath, dotted, shown
from hypar_opt.solver.kinds import not_explained, problem_of
from hypar_opt.util.errors import did_you_mean
from hypar_opt.verification.checks import check_binding
from hypar_opt.verification.verifier import problem_claimed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.instance import Instance
    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.solver.problem import Problem
    from hypar_opt.verification.claim import Claim

MAY_DIFFER: Final = (("objective",), ("subject_to",), ("fix",), ("array", "placement"), ("array", "collectives"))
"""Fields that say which plan is wanted; the others say what a plan is and costs."""
AS_A_WHOLE: Final = ("collective", "task-graph")
"""Kinds of problems whose plans are compared though no choice of theirs is worth something by itself."""
MOST_NAMED = 5
"""Fields that a message names."""


@dataclass(frozen=True)
class FieldDifference:
    """A field that two instances say differently.

    Parameters
    ----------
    path
        From the top of an instance's file.
    first, second
        What each says; None where it says nothing.
    """

    path: FieldPath
    first: object
    second: object

    @property
    def field(self) -> str:
        """The path as text."""
        return dotted(self.path)


def differing_fields(first: object, second: object, path: FieldPath = ()) -> Iterator[FieldDifference]:
    """Yield where two data differ, as deep inside both as there are mappings, or lists of them."""
    ones, others = _inside(first), _inside(second)
    if ones is not None and others is not None and (ones or others):
        for key in dict.fromkeys((*ones, *others)):
            yield from differing_fields(ones.get(key), others.get(key), (*path, key))
    elif first != second:
        yield FieldDifference(path, first, second)


def _inside(value: object) -> Mapping[str | int, object] | None:
    """Return what a mapping, a list of them, or nothing has inside; None of anything else."""
    if value is None or isinstance(value, Mapping):
        return value or {}
    if isinstance(value, list | tuple) and any(isinstance(one, Mapping) for one in value):
        return dict(enumerate(value))
    return None


def problems_compared(
    claims: tuple[Claim, Claim], instance: Instance | OperatorInstance | Problem | Path | str | None
) -> tuple[tuple[Any, Any], tuple[FieldDifference, ...]]:
    """Return what two plans are plans of, and in what that differs: one problem twice where in nothing.

    Parameters
    ----------
    claims
        Of the plans.
    instance
        Of which both are plans, each with its own overrides; None for the shipped one that they name.

    Raises
    ------
    InputError
        If the networks or the arrays are different ones, or the problems differ in more than `MAY_DIFFER`.
    """
    first, second = claims
    _check_same(first, second)
    given = _shipped(first) if instance is None else instance
    problem = _problem_of(given, first)
    check_binding(problem, first)
    if dict(first.overrides) == dict(second.overrides):
        return (problem, problem), ()
    other = _problem_of(given, second)
    check_binding(other, second)
    differing = tuple(differing_fields(_fields(problem.instance), _fields(other.instance)))
    fixed = [one for one in differing if not any(one.path[: len(free)] == free for free in MAY_DIFFER)]
    if fixed:
        said = [f"{one.field} {shown(one.second)}, there {shown(one.first)}" for one in fixed[:MOST_NAMED]]
        rest = [f"{len(fixed) - MOST_NAMED:,} more fields"] if len(fixed) > MOST_NAMED else []
        raise second.error(
            f"cannot be compared with {first.source}: {'; '.join(said + rest)}; what may differ is "
            f"{', '.join(dotted(free) for free in MAY_DIFFER)}",
            "overrides",
        )
    return ((problem, other), differing) if differing else ((problem, problem), ())


def _check_same(first: Claim, second: Claim) -> None:
    """Check that two plans are of one instance, whatever their overrides."""
    if first.instance != second.instance:
        raise second.error(
            f"is a plan of '{second.instance}', and {first.source} is one of '{first.instance}'", "instance"
        )
    if first.instance_sha256 != second.instance_sha256:
        raise second.error(
            f"is a plan of another version of '{first.instance}' than {first.source}: the hashes are "
            f"{second.instance_sha256[:12]}... and {first.instance_sha256[:12]}...; of one file, other bounds, "
            "objectives and strategies to keep are given by --at-most, --objective and --fix",
            "instance_sha256",
        )


def _shipped(claim: Claim) -> str:
    """Return the shipped instance that a plan names."""
    known = (*shipped_names(), *shipped_operators(), *shipped_problems())
    if claim.instance not in known:
        hint = did_you_mean(claim.instance, known) or "; name its file, as INSTANCE"
        raise claim.error(f"is a plan of '{claim.instance}', which is no shipped instance{hint}", "instance")
    return claim.instance


def _explainable(instance: Instance | OperatorInstance | Problem | Path | str) -> Any:
    """Return the problem of an instance, if its plans can be compared."""
    problem = problem_of(instance)
    if not problem.is_explained and problem.kind not in AS_A_WHOLE:
        raise not_explained(problem)
    return problem


def _problem_of(given: Instance | OperatorInstance | Problem | Path | str, claim: Claim) -> Any:
    """Return the problem of a claim: the one that is given, or the same instance's with the claim's overrides."""
    if isinstance(given, Path | str):
        return _explainable(problem_claimed(given, claim))
    problem = _explainable(given)
    instance, now = problem.instance, problem.instance.overrides
    if dict(now) == dict(claim.overrides):
        return problem
    missing = {name: one for name, one in claim.overrides.items() if now.get(name) != one}
    if now.keys().isdisjoint(missing) and now.keys() <= claim.overrides.keys():
        return _explainable(instance.replace(**missing))
    return problem if instance.source is None else _explainable(problem_claimed(instance.source, claim))


def _fields(instance: Instance | OperatorInstance) -> dict[str, object]:
    """Return what an instance says beside its network, in the words in which a difference is told."""
    found = instance.spec.model_dump(by_alias=True, exclude={"network"})
    return found | {"objective": instance.objective.spelt, "subject_to": dict(instance.bounds)}
