"""Small task graphs of whole seconds: drawn, simulated second by second, and all their schedules tried."""

from fractions import Fraction

from hypothesis import strategies as st

from hypar_opt.instance.tasks import Dependence, Keep, TaskGraphInstance, TaskSchedule, TimedTask

RESOURCES = ("core", "link")
MEMORY = "hbm"


@st.composite
def task_graphs(draw, goal="makespan", most=4):
    """Return a task graph whose numbers are small and whole."""
    resources = {name: draw(st.integers(1, 3)) for name in RESOURCES}
    limit = draw(st.sampled_from([None, 2, 3, 4]))
    count = draw(st.integers(1, most))
    names = [f"t{place}" for place in range(count)]
    grouped = draw(st.booleans()) and count > 2
    tasks = []
    for place, name in enumerate(names):
        group = "g" if grouped and place in (1, 2) else None
        takes = tuple(
            (one, draw(st.integers(1, resources[one]))) for one in RESOURCES if draw(st.sampled_from([True, False]))
        )
        earlier = [one for one in range(place) if not (group and tasks[one].group)]
        waits = [one for one in earlier if draw(st.sampled_from([True, False, False]))]
        after = [Dependence(names[one], Fraction(draw(st.sampled_from([0, 0, 1])))) for one in waits]
        if goal == "period" and group is None and draw(st.sampled_from([True, False, False])):
            after.append(Dependence(name, Fraction(draw(st.integers(0, 1))), draw(st.integers(1, 2))))
        keeps = ()
        if draw(st.sampled_from([True, False, False])):
            until = draw(st.sampled_from([None, *names]))
            keeps = (Keep(MEMORY, draw(st.integers(1, 2)), until),)
        tasks.append(
            TimedTask(
                name,
                Fraction(draw(st.integers(0, 3))),
                takes,
                tuple(after),
                Fraction(draw(st.sampled_from([0, 0, 1, 2]))),
                Fraction(draw(st.integers(0, 3))),
                group,
                keeps,
            )
        )
    return TaskGraphInstance("drawn", "", tuple(tasks), resources, {MEMORY: limit}, goal)


@st.composite
def scheduled(draw, goal="makespan"):
    """Return a task graph and some schedule of it, which mostly is none."""
    graph = draw(task_graphs(goal))
    if draw(st.booleans()):  # begins one after the other: mostly right
        begins, now = {}, draw(st.integers(0, 2))
        for task in graph.tasks:
            begins[task.name] = Fraction(now)
            now += draw(st.sampled_from([0, 1, int(task.seconds), int(task.seconds) + 1]))
    else:
        begins = {task.name: Fraction(draw(st.integers(0, 7))) for task in graph.tasks}
    for task in graph.tasks:
        if draw(st.integers(0, 9)) < (5 if task.group else 1):
            begins[task.name] = None
    period = Fraction(draw(st.integers(1, 6))) if goal == "period" else None
    return graph, TaskSchedule(begins, period)


class Simulated:
    """A schedule of whole seconds, looked at second by second; of what is repeated, amid very many periods."""

    def __init__(self, graph, schedule):
        self.graph, self.schedule = graph, schedule
        self.begins = {name: int(begin) for name, begin in schedule.begins.items() if begin is not None}
        self.tasks = {task.name: task for task in graph.tasks if task.name in self.begins}
        self.ends = {name: begin + int(self.tasks[name].seconds) for name, begin in self.begins.items()}
        self.period = None if schedule.period is None else int(schedule.period)
        last = max(self.ends.values(), default=0)
        self.moments = range(last + 1) if self.period is None else range(self.period)
        self.shifts = [0] if self.period is None else [k * self.period for k in range(-last - 1, last + 2)]

    def present(self, begin, end, second):
        return sum(begin + shift <= second < end + shift for shift in self.shifts)

    def units(self, resource, second):
        return sum(
            dict(task.takes).get(resource, 0) * self.present(self.begins[name], self.ends[name], second)
            for name, task in self.tasks.items()
        )

    def kept(self, second):
        total = 0
        for name, task in self.tasks.items():
            for keep in task.keeps:
                end = max(self.ends[name], self.ends.get(keep.until, 0))
                total += keep.amount * self.present(self.begins[name], end, second)
        return total

    def over(self):
        """Return the first second at which there is too much of something, and how much, by what it is of."""
        found = {}
        for name, units in self.graph.resources.items():
            more = [(second, self.units(name, second) - units) for second in self.moments]
            found[name] = next((one for one in more if one[1] > 0), None)
        most = self.graph.memories[MEMORY]
        more = [(second, self.kept(second) - (most or 0)) for second in self.moments]
        found[MEMORY] = None if most is None else next((one for one in more if one[1] > 0), None)
        return found

    def late(self):
        """Return by how many seconds which tasks begin before what they wait for."""
        found = []
        for name, task in self.tasks.items():
            for one in task.after:
                if one.task in self.ends:
                    ready = self.ends[one.task] + one.lag - one.distance * (self.period or 0)
                    if ready > self.begins[name]:
                        found.append((name, ready - self.begins[name]))
        return sorted(found)

    def is_complete(self):
        groups = {task.group for task in self.graph.tasks if task.group}
        done = [sum(task.group == group for task in self.tasks.values()) for group in groups]
        return done == [1] * len(groups) and all(task.name in self.begins or task.group for task in self.graph.tasks)

    def is_schedule(self):
        released = all(begin >= self.tasks[name].release for name, begin in self.begins.items())
        return self.is_complete() and released and not self.late() and not any(self.over().values())

    def objective(self):
        if self.graph.goal == "period":
            return self.period
        if self.graph.goal == "makespan":
            return max(self.ends.values(), default=0)
        return sum(task.weight * self.ends[name] for name, task in self.tasks.items())


def least(graph, last=9, periods=range(1, 10)):
    """Return the least objective of all schedules whose tasks end up to a second; None where there are none.

    Begins are tried task by task, and given up as soon as one is before what it waits for; the rest is simulated.
    """
    best = None
    for period in periods if graph.goal == "period" else (None,):
        for begins in _tried(graph, 0, {}, last):
            found = Simulated(graph, TaskSchedule(begins, None if period is None else Fraction(period)))
            value = found.objective()
            if (best is None or value < best) and found.is_schedule():
                best = value
                if graph.goal == "period":
                    return best
    return best


def _tried(graph, place, begins, last):
    if place == len(graph.tasks):
        yield begins
        return
    task = graph.tasks[place]
    ready = [int(task.release)]
    for one in task.after:
        if not one.distance and begins.get(one.task) is not None:
            before = next(other for other in graph.tasks if other.name == one.task)
            ready.append(int(begins[one.task] + before.seconds + one.lag))
    for begin in range(max(ready), last + 1 - int(task.seconds)):
        yield from _tried(graph, place + 1, {**begins, task.name: Fraction(begin)}, last)
    if task.group:
        yield from _tried(graph, place + 1, {**begins, task.name: None}, last)
