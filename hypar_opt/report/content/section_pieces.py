"""Sections as pieces of work: a problem by value, its best plan and a name out, what was found back.

What a section is of, its problem and its best plan, is sent once and not sent back: the answer names both, and where
it is read these names stand for what is there. So an answer is no larger than what was found.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeAlias

from hypar_opt.report.content.content import Subject
from hypar_opt.report.content.kinds import KINDS
from hypar_opt.report.content.section import tried
from hypar_opt.studies.cell_pieces import SealedAnswer, kept_problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.formulation.run import Limits
    from hypar_opt.report.content.section import Section

Found: TypeAlias = "tuple[Any, str]"
"""What a section shows, and nothing; or None, and why there is none."""


@dataclass(frozen=True)
class SectionPiece:
    """One section of one instance, with all that it depends on beside the limits.

    Parameters
    ----------
    problem
        What `packed` returns of it.
    name
        Of the section.
    given
        What `given_of` returns.
    time_limit_s
        From when it begins, wherever that is; None for the limits of all alone.
    """

    problem: bytes
    name: str
    given: bytes
    time_limit_s: float | None

    @property
    def asked(self) -> bytes:
        """A digest of it."""
        rest = pickle.dumps((self.name, self.time_limit_s))
        return b"".join(sha256(one).digest() for one in (self.problem, self.given, rest))


def given_of(subject: Subject, section: Section) -> bytes:
    """Return by value what a section needs beside the problem: the best plan with its name, and what files say.

    Raises
    ------
    InputError, MachineError, Refusal
        Where there is no such section.
    """
    best = subject.best
    plan = None if best is None else (best.name, best.plan, best.source)
    return pickle.dumps((plan, section.read(subject)))


def find_piece(piece: SectionPiece, limits: Limits) -> SealedAnswer:
    """Find a section, in a worker; what is compiled is kept for the next one of the same instance."""
    problem = kept_problem(piece.problem, limits)
    kind = KINDS[problem.kind]
    plan, read = pickle.loads(piece.given)
    plans = () if plan is None else (kind.named(plan[0], problem, *plan[1:]),)
    own = limits if piece.time_limit_s is None else limits.within(piece.time_limit_s)
    subject = Subject("", problem, (), plans)
    found = tried(lambda: kind.sections[piece.name].find(subject, read, own, None))
    return SealedAnswer.of(piece, found, partial(_dumped, _known(subject)))


def answered(answer: SealedAnswer, piece: SectionPiece, subject: Subject) -> Found:
    """Return what a piece's answer says of a subject, which it is about.

    Raises
    ------
    DamagedAnswer
        If it is not the one that was sealed, or answers another piece.
    """
    found: Found = answer.opened(piece, partial(_loaded, _known(subject)))
    return found


def _known(subject: Subject) -> tuple[Any, ...]:
    """Return what both sides have."""
    return subject.problem, subject.best


class _Pickler(pickle.Pickler):
    """Writes numbers instead of what is known."""

    def __init__(self, file: BytesIO, known: Sequence[Any]) -> None:
        super().__init__(file)
        self._numbers = {id(one): number for number, one in enumerate(known) if one is not None}

    def persistent_id(self, obj: Any) -> int | None:
        return self._numbers.get(id(obj))


class _Unpickler(pickle.Unpickler):
    """Reads what is known where there are numbers."""

    def __init__(self, file: BytesIO, known: Sequence[Any]) -> None:
        super().__init__(file)
        self._known = known

    def persistent_load(self, pid: int) -> Any:
        return self._known[pid]


def _dumped(known: Sequence[Any], found: Found) -> bytes:
    file = BytesIO()
    _Pickler(file, known).dump(found)
    return file.getvalue()


def _loaded(known: Sequence[Any], answer: bytes) -> Found:
    found: Found = _Unpickler(BytesIO(answer), known).load()
    return found
