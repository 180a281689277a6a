"""A judge of schedules of task graphs, from the file's own words."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction


def ends_of(document, begins):
    return {one["name"]: begins[one["name"]] + Fraction(one["seconds"]) for one in document["tasks"]}


def faults_of(document, begins):
    """Return what is wrong with the begins of the tasks of a graph, all of which are done."""
    faults, ends = [], ends_of(document, begins)
    used, kept = defaultdict(list), defaultdict(list)
    for task in document["tasks"]:
        name, on = task["name"], task.get("on", {})
        for other in task.get("after", ()):
            before, lag = (other, 0) if isinstance(other, str) else (other["task"], Fraction(other.get("lag", 0)))
            if begins[name] < ends[before] + lag:
                faults.append(f"{name} before {before}")
        for resource, units in on.items() if isinstance(on, dict) else [(one, 1) for one in on]:
            used[resource].append((begins[name], ends[name], units))
        for keep in task.get("keeps", ()):
            until = max(ends[keep.get("until", name)], ends[name])
            kept[keep["memory"]].append((begins[name], until, keep["amount"]))
    for spans, rooms in ((used, document["resources"]), (kept, document.get("memories", {}))):
        for name, own in spans.items():
            for moment, _, _ in own:
                there = sum(units for begin, end, units in own if begin <= moment < end)
                if rooms[name] is not None and there > rooms[name]:
                    faults.append(f"{there} of {name} at {moment}")
    return faults
