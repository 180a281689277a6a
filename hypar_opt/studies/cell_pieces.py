"""Solves as pieces of work: a problem by value and a formulation's name out, a sealed plan back.

The plan was recomputed by the evaluator where it was found, as every plan of `solve` is. The seal, a digest of what was
asked and of what comes back, binds the two: what is damaged on its way, or answers another question, is no plan.
"""

from __future__ import annotations

import copyreg
import pickle
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from inspect import getattr_static
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from hypar_opt.executor.process import STOP
from hypar_opt.solver.mixed.problem import MixedProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.mixed.baselines import BASELINES, priced
from hypar_opt.util.errors import HyparError, Refusal
from hypar_opt.util.interrupt import Interrupted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.formulation.run import Limits, Listener
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Problem

Answer: TypeAlias = "tuple[Plan | None, str]"
"""A plan and nothing; or none, and why the formulation declined."""


def _proxy(held: Mapping[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(held)


copyreg.pickle(MappingProxyType, lambda held: (_proxy, (dict(held),)))  # pickle itself finds no such class


class DamagedAnswer(HyparError):
    """What came back is not what was sent."""


def attempt(problem: Problem, name: str | None, limits: Limits, listener: Listener | None) -> Answer:
    """Return a plan, or why the formulation declines; on several kinds of accelerators a rule may be named as well."""
    try:
        if name is not None and name in BASELINES and isinstance(problem, MixedProblem):
            return priced(BASELINES[name], problem, limits), ""
        return solve(problem, name, limits=limits, listener=listener), ""
    except Refusal as refusal:
        return None, str(refusal)


@dataclass(frozen=True)
class SolvePiece:
    """One solve, with all that its result depends on beside the limits.

    Parameters
    ----------
    problem
        What `packed` returns of it.
    formulation
        Its name; None for the default.
    time_limit_s
        From when the solve begins, wherever that is; None for the limits of all alone.
    """

    problem: bytes
    formulation: str | None
    time_limit_s: float | None

    @property
    def asked(self) -> bytes:
        """A digest of it."""
        rest = pickle.dumps((self.formulation, self.time_limit_s))
        return sha256(self.problem).digest() + sha256(rest).digest()


class Asking(Protocol):
    """A piece that is answered."""

    @property
    def asked(self) -> bytes:
        """A digest of all that the answer depends on beside the limits."""


@dataclass(frozen=True)
class SealedAnswer:
    """An answer on its way.

    Parameters
    ----------
    answer
        Pickled.
    seal
        Binds it to its piece.
    """

    answer: bytes
    seal: bytes

    @classmethod
    def of(cls, piece: Asking, answer: Any, dump: Callable[[Any], bytes] = pickle.dumps) -> SealedAnswer:
        """Seal an answer, where it was found."""
        found = dump(answer)
        return cls(found, _seal(piece, found))

    def opened(self, piece: Asking, load: Callable[[bytes], Any] = pickle.loads) -> Any:
        """Return the answer to a piece, where that was asked.

        Raises
        ------
        DamagedAnswer
            If it is not the one that was sealed, or answers another piece.
        """
        if self.seal != _seal(piece, self.answer):
            raise DamagedAnswer("what came back from its worker is damaged, or answers something else")
        return load(self.answer)


def _seal(piece: Asking, answer: bytes) -> bytes:
    return sha256(piece.asked + answer).digest()


NOT_SENT: Final = frozenset({"shared", "known", "passes", "limits"})
"""Fields of problems that no answer depends on: what was compiled or found before, and limits, which are the call's."""


def packed(problem: Problem) -> bytes:
    """Return a problem by value, without what it or its instance has computed and kept.

    It is more than its instance: weights of an objective may have been given to it alone.
    """
    bare = _bare(problem)
    object.__setattr__(bare, "instance", _bare(problem.instance))
    return pickle.dumps(bare)


def _bare(whole: Any) -> Any:
    kind = type(whole)
    bare = object.__new__(kind)
    for name, value in vars(whole).items():
        if name not in NOT_SENT and not isinstance(getattr_static(kind, name, None), cached_property):
            object.__setattr__(bare, name, value)
    return bare


def solve_piece(piece: SolvePiece, limits: Limits) -> SealedAnswer:
    """Solve, in a worker; what is compiled is kept for the next formulation of the same instance."""
    problem = kept_problem(piece.problem, limits)
    own = limits if piece.time_limit_s is None else limits.within(piece.time_limit_s)
    return SealedAnswer.of(piece, attempt(problem, piece.formulation, own, None))


_Asked: TypeAlias = "tuple[bytes, int, int, int]"
_kept: tuple[_Asked, Problem] | None = None
"""In a worker: the last problem, with all that it was compiled from."""


def kept_problem(sent: bytes, limits: Limits) -> Problem:
    """Return a problem that was packed, presolved; the last one again, where it is of the same bytes and limits.

    What is presolved until a deadline is not kept: how far that came is no property of the instance. Nor is it where
    the flag is of one call, which no other has: such a worker outlives those who submit, and would keep it for nobody.
    """
    global _kept
    asked = (sent, limits.seed, limits.workers, limits.memory_bytes)
    is_kept = limits.deadline is None and limits.stop is STOP
    if _kept is not None and is_kept and _kept[0] == asked:
        return _kept[1]
    _kept = None  # two would be in memory
    problem: Problem = pickle.loads(sent).within(limits)
    # whoever goes on with the problem notices a stop itself, and has what it found by then
    with suppress(Interrupted):
        problem.refuted  # noqa: B018 - which presolves, outside the time of any formulation
    if is_kept and not limits.over:
        _kept = asked, problem
    return problem
