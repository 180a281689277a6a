"""Collectives: what accelerators of a group have to have of each other's data, and what is asked of its schedule."""

from hypar_opt.instance.collective.chunks import Chunk
from hypar_opt.instance.collective.groups import GroupsAllReduce, all_reduce_of, groups_of
from hypar_opt.instance.collective.instance import CollectiveInstance, read_collective
from hypar_opt.instance.collective.packing import Branch, TreePacking, TreeShare, read_packing
from hypar_opt.instance.collective.schedule import (
    Moment,
    Send,
    SendSchedule,
    exact_moment,
    joined_messages,
    read_schedule,
)

__all__ = [
    "Branch",
    "Chunk",
    "CollectiveInstance",
    "GroupsAllReduce",
    "Moment",
    "Send",
    "SendSchedule",
    "TreePacking",
    "TreeShare",
    "all_reduce_of",
    "exact_moment",
    "groups_of",
    "joined_messages",
    "read_collective",
    "read_packing",
    "read_schedule",
]
