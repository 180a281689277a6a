"""Where the least that is taken at a time is too much already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.presolve.reduction import NoPlan

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, Memory


def check_room(original: Memory, moments: Array, room: Array) -> None:
    """Raise `NoPlan` if a row is left less than no room.

    Parameters
    ----------
    original
        The memory before anything was taken off.
    moments, room
        The times of the rows that are left, and what is left of their room.
    """
    if not len(room) or int(room.min()) >= 0:
        return
    moment = int(moments[room.argmin()])
    available = int(original.room[original.moments == moment][0])
    needed = available - int(room.min())
    raise NoPlan(f"at time {moment} at least {needed} of memory is needed, and {available} is available")
