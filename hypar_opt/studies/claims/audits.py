"""Claims of several files judged at once, in groups that workers run: the same rows in the same order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.executor import run_pieces
from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.run import Limits, Listener
from hypar_opt.studies.claims.auditor import SOURCE, audit, judged
from hypar_opt.studies.claims.claims import ClaimRow, ClaimVerdict, Judgement, PublishedClaim
from hypar_opt.studies.claims.groups import ClaimGroup, groups_of, judge_group
from hypar_opt.studies.claims.plans import PlanCache

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hypar_opt.executor import Workers

    OnRow = Callable[[ClaimRow], None]
    Files = Sequence[Sequence[PublishedClaim]]
MANY: Final = 100
"""What claims ask for has to weigh so much that the start of processes is worth while."""


def worth_processes(files: Files) -> bool:
    """Return whether claims take so long that processes of their own are sooner done with them."""
    groups = [group for claims in files for group in groups_of(claims)]
    return len(groups) > 1 and sum(group.weight for group in groups) >= MANY


def audit_files(
    files: Files,
    workers: Workers | None = None,
    *,
    limits: Limits | None = None,
    time_limit_s: float | None = None,
    listener: Listener | None = None,
    on_row: OnRow | None = None,
) -> list[list[ClaimRow]]:
    """Judge the claims of several files.

    Parameters
    ----------
    files
        The claims of each, as read.
    workers
        Who judges groups of them; None for this process, file by file.
    limits, time_limit_s, listener
        As of `audit`. What workers solve is not heard of, but for how many claims are judged.
    on_row
        Called with every row as it comes, in the order of the files.

    Returns
    -------
    Of each file a row for every claim that was judged before a stop, in its order. A claim that kills its workers is
    undecided.
    """
    limits = limits or Limits()
    if workers is None:
        return [
            audit(claims, limits=limits, time_limit_s=time_limit_s, listener=listener, on_row=on_row)
            for claims in files
        ]
    told = _Told(files, Tracker(listener, SOURCE, "claims", sum(map(len, files)), warming=True), on_row)
    groups = [(index, group) for index, claims in enumerate(files) for group in groups_of(claims, time_limit_s)]
    groups.sort(key=lambda pair: -pair[1].weight)
    while groups and not limits.over:
        again = []
        for index, group, judgements in _run(workers, groups, limits, told.tracker):
            if judgements is None and len(group.claims) > 1:
                again += [(index, one) for one in group.alone]  # one of them kills, and is found by itself
            else:
                told.add(index, group, (KILLED,) if judgements is None else judgements)
        groups = again
    told.rest()
    return told.rows


KILLED: Final = Judgement(ClaimVerdict.UNDECIDED, why="the processes that judged it were killed, each time")
"""Of a claim that kills its workers."""


def _run(
    workers: Workers, groups: Sequence[tuple[int, ClaimGroup]], limits: Limits, tracker: Tracker
) -> Iterator[tuple[int, ClaimGroup, tuple[Judgement, ...] | None]]:
    """Yield what is found of groups; None of a group that kills. The tracker counts claims, and hears what is run."""
    tracker.begin(min(len(groups), workers.count), workers.count)
    for one in run_pieces(workers, judge_group, [group for _, group in groups], limits, most=1):
        index, group = groups[one.index]
        tracker.begin(min(one.running, workers.count), workers.count)
        yield index, group, one.result


class _Told:
    """Rows in the order of the files, told of as soon as all before them are."""

    def __init__(self, files: Files, tracker: Tracker, on_row: OnRow | None) -> None:
        self._files, self.tracker, self._on_row = files, tracker, on_row
        self._known: list[dict[str, Judgement]] = [{} for _ in files]
        self._order = [(index, claim) for index, claims in enumerate(files) for claim in claims]
        self._next = 0
        self.rows: list[list[ClaimRow]] = [[] for _ in files]

    def add(self, index: int, group: ClaimGroup, judgements: Sequence[Judgement]) -> None:
        """Take what is found of a file's group, the last of which may be missing."""
        known, wanted = self._known[index], {claim.id for claim in self._files[index]}
        known.update({claim.id: one for claim, one in zip(group.claims, judgements, strict=False)})
        self.tracker.add(sum(claim.id in wanted for claim, _ in zip(group.claims, judgements, strict=False)))
        while self._next < len(self._order) and self._tell(*self._order[self._next]):
            self._next += 1

    def rest(self) -> None:
        """Tell of all that was judged, whatever was not."""
        for index, claim in self._order[self._next :]:
            self._tell(index, claim)

    def _tell(self, index: int, claim: PublishedClaim) -> bool:
        """Tell of a claim if it is judged, or all are that it is about; return whether it is."""
        known = self._known[index]
        if not _parts_known(claim, known):
            return False
        if claim.id not in known:
            plans = PlanCache(Limits())
            plans.judgements.update(known)
            known[claim.id] = judged(claim, plans)
            self.tracker.add()
        row = ClaimRow(claim, known[claim.id])
        self.rows[index].append(row)
        if self._on_row is not None:
            self._on_row(row)
        return True


def _parts_known(claim: PublishedClaim, known: dict[str, Judgement]) -> bool:
    if not claim.parts:
        return claim.id in known
    return all(_parts_known(part, known) for part in claim.parts)
