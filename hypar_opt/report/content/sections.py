"""The sections of instances, found where the report is made or by workers; `missing` says why one is not there."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hypar_opt.executor import run_pieces
from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.report.content.kinds import KINDS
from hypar_opt.report.content.section import NOT_ASKED, STOPPED, tried
from hypar_opt.report.content.section_pieces import SectionPiece, answered, find_piece, given_of
from hypar_opt.studies.cell_pieces import DamagedAnswer, packed
from hypar_opt.studies.cells import set_aside

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from hypar_opt.executor import PieceResult, Workers
    from hypar_opt.formulation.run import Limits, Listener
    from hypar_opt.report.content.content import Subject
    from hypar_opt.report.content.section_pieces import Found
    from hypar_opt.studies.cell_pieces import SealedAnswer

_Asked: TypeAlias = "tuple[int, str]"
"""A subject's position, and a section's name."""
SOURCE: Final = "report"
"""Of progress."""


def with_sections(
    subject: Subject, wanted: Collection[str], limits: Callable[[], Limits], listener: Listener | None
) -> Subject:
    """Return a subject with its sections, and what else is shown beside plans.

    Parameters
    ----------
    wanted
        Which sections are.
    limits
        Returns those of what begins now.
    """
    kind = KINDS[subject.kind]
    found = {name: _found_here(subject, name, limits(), listener) for name in kind.sections if name in wanted}
    return kind.beside(_with(subject, found), wanted, limits, listener)


def _found_here(subject: Subject, name: str, limits: Limits, listener: Listener | None) -> Found:
    one = KINDS[subject.kind].sections[name]
    return tried(lambda: one.find(subject, one.read(subject), limits, listener))


def with_sections_of_workers(
    workers: Workers,
    subjects: Sequence[Subject],
    wanted: Collection[str],
    limits: Limits,
    time_limit_s: float | None,
    listener: Listener | None,
) -> tuple[list[Subject], list[str]]:
    """Return subjects with their sections, each found by a worker: of large subjects first.

    Parameters
    ----------
    wanted
        Which sections are.
    limits
        Of all: seed, threads, memory, the flag that stops the run.
    time_limit_s
        Of each section, from when it begins.
    listener
        Told how many are done.

    Returns
    -------
    The subjects, still without what else is shown beside plans, and a sentence for every section that killed its
    workers, or whose answer was changed on its way: it is missing.
    """
    found: list[dict[str, Found]] = [{} for _ in subjects]
    faults: list[str] = []
    asked: list[_Asked] = []
    pieces: list[SectionPiece] = []
    order = sorted(enumerate(subjects), key=lambda pair: -KINDS[pair[1].kind].decided(pair[1].problem))
    for row, subject in order:
        sent = packed(subject.problem)
        for name, section in KINDS[subject.kind].sections.items():
            if name not in wanted:
                continue
            given, why = tried(partial(given_of, subject, section))
            if given is None:
                found[row][name] = None, why
                continue
            asked.append((row, name))
            pieces.append(SectionPiece(sent, name, given, time_limit_s))
    names = [name for _, name in asked]
    tracker = Tracker(listener, SOURCE, "sections", kinds=names, each_s=time_limit_s) if names else None
    for one in run_pieces(workers, find_piece, pieces, limits, tracker, most=1):
        row, name = asked[one.index]
        found[row][name], fault = _answer(one, subjects[row])
        faults += [fault] if fault else []
    left: dict[str, Found] = dict.fromkeys(wanted, (None, STOPPED))
    return [_with(subject, {**left, **one}) for subject, one in zip(subjects, found, strict=True)], faults


def _answer(one: PieceResult[SectionPiece, SealedAnswer], subject: Subject) -> tuple[Found, str]:
    """Return what came of a piece, and what is wrong with it, if anything is."""
    try:
        if one.result is not None:
            return answered(one.result, one.piece, subject), ""
        why = set_aside(subject.problem, one.killed)
    except DamagedAnswer as error:
        why = str(error)
    return (None, why), f"{subject.instance.name}, {one.piece.name}: {why}"


def _with(subject: Subject, found: Mapping[str, Found]) -> Subject:
    """Return a subject with what was found of its kind's sections; what nobody looked for was not asked for."""
    every = {name: found.get(name, (None, NOT_ASKED)) for name in KINDS[subject.kind].sections}
    fields: dict[str, Any] = {name: value for name, (value, _) in every.items() if value is not None}
    missing = {name: why for name, (_, why) in every.items() if why}
    return replace(subject, missing={**subject.missing, **missing}, **fields)
