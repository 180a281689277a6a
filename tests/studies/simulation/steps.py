"""Steps to simulate: made-up seconds, small graphs, and a judge of what a simulation says."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypothesis import strategies as st

from hypar_opt.evaluation.step import PHASES
from hypar_opt.formulation.run import Limits
from hypar_opt.instance.hardware import routing_of
from hypar_opt.studies.simulation import Compute, Resource, TaskGraph, Transfer, build_step
from tests.evaluation.links.machines import graphs


def seconds_of(work, seed=0):
    """Return made-up seconds with different denominators."""
    rng = Random(seed)
    weighted = [i for i, layer in enumerate(work.layers) if not layer.is_join]
    return {(i, phase): Fraction(rng.randint(0, 40), rng.choice((1, 3, 7, 10))) for i in weighted for phase in PHASES}


def random_words(problem, seed=0):
    """Return strategies that are allowed, at random."""
    rng = Random(seed)
    words = {}
    for layer in problem.work.layers:
        letters = problem.instance.choices.replace("o", "") if layer.keeps_layout else problem.instance.choices
        words[layer.name] = "".join(rng.choice(letters or "d") for _ in range(problem.instance.levels))
    return words


def step_of(problem, words, placed, seconds):
    return build_step(problem.work, words, problem.bytes_of(words), placed, seconds)


class Countdown:
    """A flag that is set at the look after so many; tells how often it was looked at."""

    def __init__(self, looks):
        self.looks, self.left = 0, looks

    def is_set(self):
        self.looks, self.left = self.looks + 1, self.left - 1
        return self.left < 0


def over_after(looks):
    """Return limits that are over at the look after so many."""
    return Limits(stop=Countdown(looks))


def compute(name, site, seconds, waits=(), stage=0):
    return Compute(name, "forward", site, Fraction(seconds), stage, tuple(waits))


def send(name, source, target, amount, waits=(), stage=0):
    return Transfer(name, "forward", 0, source, target, Fraction(amount), stage, tuple(waits))


@st.composite
def task_graphs(draw, most=14):
    """Draw an array and tasks on it that wait for earlier ones, in stages that ascend."""
    machine = draw(graphs(most=8).filter(lambda one: len(one.accelerators) > 1))
    sites = st.integers(0, len(machine.accelerators) - 1)
    sizes = st.sampled_from([Fraction(0)] * 3 + [Fraction(1)]) | st.fractions(0, 9, max_denominator=6)
    tasks, stage = [], 0
    for number in range(draw(st.integers(1, most))):
        stage += draw(st.integers(0, 1))
        waits = draw(st.sets(st.integers(0, number - 1), max_size=3)) if number else ()
        if draw(st.booleans()):
            tasks.append(compute(f"c{number}", draw(sites), draw(sizes), sorted(waits), stage))
        else:
            source, target = draw(st.lists(sites, min_size=2, max_size=2, unique=True))
            tasks.append(send(f"t{number}", source, target, draw(sizes), sorted(waits), stage))
    return machine, TaskGraph(tuple(tasks))


def faults_of(found):
    """Return what a simulation says that cannot be, judged from the definitions alone."""
    tasks, unit = found.graph.tasks, found.field.clock.unit
    faults = []
    for number, task in enumerate(tasks):
        ready = max((found.ends[one] for one in task.waits_for), default=0)
        if found.options.overlap == "none":
            ready = max([ready, *(found.ends[i] for i, one in enumerate(tasks) if one.stage < task.stage)])
        if found.released[number] != ready:
            faults.append(f"{number} was released at {found.released[number]}, its data were there at {ready}")
        if not ready <= found.begins[number] <= found.ends[number]:
            faults.append(f"{number} runs from {found.begins[number]} to {found.ends[number]}, ready at {ready}")
        served = {
            found.field.resources[i]: (span.end - span.begin) * _part(found, i, span) / unit
            for i, spans in enumerate(found.spans)
            for span in spans
            if span.task == number
        }
        needed = _needs(found, task)
        if isinstance(task, Transfer) and found.options.contention and found.options.hold == "whole" and needed:
            needed = dict.fromkeys(needed, max(needed.values()))
        if served != needed:
            faults.append(f"{number} was served {served}, it needs {needed}")
    for i, spans in enumerate(found.spans):
        for span in spans:
            at_once = sum(_part(found, i, one) for one in spans if one.since <= span.since < one.end)
            if at_once > 1:
                faults.append(f"{found.field.resources[i]} has {at_once} times as much to do as it can")
    if found.options.contention and found.options.acquire == "together":
        faults += _overtaken(found)
    return faults + _idle(found)


def _part(found, resource, span):
    return Fraction(span.lots, found.field.capacities[resource])


def _needs(found, task):
    """Return the seconds that a task needs of each resource."""
    if isinstance(task, Compute):
        return {Resource("accelerator", (task.accelerator,)): task.seconds} if task.seconds else {}
    if not task.amount:
        return {}
    shares = routing_of(found.machine).shares(task.source, task.target)
    links = found.machine.link_of
    needs = {Resource("link", hop): share * task.amount / links[hop].bandwidth for hop, share in shares.items()}
    pace = found.options.memory_bandwidth
    ends = () if pace is None else (task.source, task.target)
    return needs | {Resource("memory", (end,)): task.amount / pace for end in ends}


def _idle(found):
    """Return tasks that waited for what nobody left at the time when they got it."""
    faults = []
    for i, spans in enumerate(found.spans):
        left = {one.end for one in spans if one.end > one.since}
        for one in spans:
            waited = found.released[one.task] < one.since and not _held_another(found, i, one)
            if waited and one.since not in left:
                faults.append(f"{one.task} waited for {found.field.resources[i]}, which was free")
    return faults


def _overtaken(found):
    """Return transfers that waited when all their links had room, or only those who came later had it."""
    faults = []
    own = {}
    for i, spans in enumerate(found.spans):
        for span in spans:
            if span.since < span.begin:
                faults.append(f"{span.task} held {found.field.resources[i]} while it waited")
            own.setdefault(span.task, []).append((i, _part(found, i, span)))
    instants = sorted({0, *found.released, *found.ends})
    for number, task in enumerate(found.graph.tasks):
        if isinstance(task, Compute) or not task.amount:
            continue
        came, began = found.released[number], found.begins[number]
        for now in (one for one in instants if came <= one < began):
            if not any(part + _taken(found, i, now, came) > 1 for i, part in own[number]):
                faults.append(f"{number} could have gone at {now}, it went at {began}")
    return faults


def _taken(found, resource, now, came):
    """Return the part of a resource that is held by who began before an instant, or at it but did not come later."""
    return sum(
        _part(found, resource, one)
        for one in found.spans[resource]
        if one.since <= now < one.end and (one.since < now or found.released[one.task] <= came)
    )


def _held_another(found, resource, span):
    """Return whether a task came to a resource late because it waited for another before."""
    others = [one for i, spans in enumerate(found.spans) if i != resource for one in spans]
    return any(one.task == span.task and one.since == span.since for one in others)
