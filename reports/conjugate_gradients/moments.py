"""Whether steps of a unit each can be done by a makespan: by whether each has begun by each moment (CP-SAT).

b[i, t] is 1 where step i has begun by moment t, so it does not fall; a step begins behind whom it waits for has ended;
no more begin at a moment than there are workers. These relaxations are tight where intervals' are not: what waits for
what moves whole rows of b.
"""

from __future__ import annotations

SECONDS = 60


def is_possible(steps, seconds, workers, makespan):
    """Return whether there is a schedule that is no longer; None where that was not decided.

    Parameters
    ----------
    seconds
        Of each step, 1, or 0 of what takes no worker.
    """
    from ortools.sat.python import cp_model

    earliest, latest = windows(steps, seconds, makespan)
    if any(first > last for first, last in zip(earliest, latest, strict=True)):
        return False
    model = cp_model.CpModel()
    begun = [
        {moment: model.new_bool_var(f"{step.name} by {moment}") for moment in range(first, last)}
        for step, first, last in zip(steps, earliest, latest, strict=True)
    ]

    def by(step, moment):
        return 0 if moment < earliest[step] else begun[step].get(moment, 1)

    for number, step in enumerate(steps):
        for moment in range(earliest[number], latest[number]):
            model.add(by(number, moment) <= by(number, moment + 1))
        for moment in range(earliest[number], latest[number] + 1):
            for one in step.waits_for:
                model.add(by(number, moment) <= by(one, moment - seconds[one]))
    working = [number for number, one in enumerate(seconds) if one]
    for moment in range(makespan):
        model.add(sum(by(number, moment) - by(number, moment - 1) for number in working) <= workers)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds, solver.parameters.num_workers = SECONDS, 1
    status = solver.solve(model)
    return {cp_model.OPTIMAL: True, cp_model.FEASIBLE: True, cp_model.INFEASIBLE: False}.get(status)


def windows(steps, seconds, makespan):
    """Return by step the first and the last moment at which it can begin, by paths alone."""
    earliest = [0] * len(steps)
    latest = [makespan - one for one in seconds]
    for number, step in enumerate(steps):
        earliest[number] = max((earliest[one] + seconds[one] for one in step.waits_for), default=0)
    for number in reversed(range(len(steps))):
        for one in steps[number].waits_for:
            latest[one] = min(latest[one], latest[number] - seconds[one])
    return earliest, latest
