"""A batch in CP-SAT's terms: phases of slots, places from the pipeline's end, and dates of operations."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from formulations.cp_sat.model import linear
from formulations.pipeline.batch_cp_sat.variables import CpSatBatch
from formulations.pipeline.cp_sat import model as slots
from formulations.pipeline.cp_sat.in_flight import in_flight

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ortools.sat.python.cp_model import BoolVarT, IntVar

    from formulations.pipeline.cp_sat.model import Terms
    from formulations.pipeline.cp_sat.variables import CpSatStages
    from formulations.pipeline.programme import StageProgramme
    from hypar_opt.costgraph import Array

BatchFamily: TypeAlias = "Callable[[CpSatBatch, StageProgramme], None]"
STAGES = (slots.one_slot, slots.used, slots.devices, slots.few, slots.capacity, in_flight, slots.in_order)
"""What is asked of stages whatever they cost."""


def build_batch(programme: StageProgramme) -> CpSatStages:
    """Create the stages, then the families of a batch, then the objective."""
    built = slots.build(programme, STAGES)
    batch = CpSatBatch.of(built, programme)
    for family in FAMILIES:
        family(batch, programme)
    built.model.minimize(batch.makespan)
    return built


def phases(built: CpSatBatch, programme: StageProgramme) -> None:
    """f[s], b[s] >= what slot s computes and moves in a phase; where that overlaps l[s] >= what it moves in either."""
    model = built.stages.model
    for slot, one in enumerate(programme.graph.slots):
        options = built.batch.forward[one.option], built.batch.backward[one.option]
        computing = [built.stages.terms(slot, partial(_time, own)) for own in options]
        moving = _moving(built, programme, slot)
        for total, terms, moved in zip((built.forward, built.backward), computing, moving, strict=True):
            if built.batch.overlapped:
                model.add(total[slot] >= linear(terms))
                model.add(built.lags[slot] >= linear(moved))
            else:
                model.add(total[slot] >= linear([*terms, *moved]))


def _time(times: Array, group: int, way: int) -> int:
    """Return a group's time; a batch's operators are done in one way."""
    return int(times[group])


def _moving(built: CpSatBatch, programme: StageProgramme, slot: int) -> tuple[Terms, Terms]:
    """Return what a slot reads and sends forward and backward, each message once a phase."""
    model = built.stages.model
    found: tuple[Terms, Terms] = ([], [])
    transfers = built.batch.transfers[programme.graph.slots[slot].option].tolist()
    for number, (message, transfer) in enumerate(zip(built.batch.messages, transfers, strict=True)):
        if not transfer:
            continue
        owner = built.stages.of(message.owner, slot)
        for phase, readers in enumerate(message.readers):
            if readers:
                reads = model.new_bool_var(f"r_{number}_{phase}_{slot}")
                for reader in readers:
                    model.add(built.stages.of(reader, slot) <= owner + reads)
                found[phase].append((reads, int(transfer)))
        sends = model.new_bool_var(f"w_{number}_{slot}")
        for reader in (*message.readers[0], *message.readers[1]):
            model.add(owner <= built.stages.of(reader, slot) + sends)
        found[message.backward].append((sends, int(transfer)))
    return found


def busy(built: CpSatBatch, programme: StageProgramme) -> None:
    """Makespan >= M (f[s] + b[s]), for every slot s: a device does one thing at a time. It follows from the others."""
    count = built.batch.microbatches
    for forward, backward in zip(built.forward, built.backward, strict=True):
        built.stages.model.add(built.makespan >= count * forward + count * backward)


def closed_form(built: CpSatBatch, programme: StageProgramme) -> None:
    """Makespan >= sum f + 2 sum l + (M - 1) max f + sum b + (M - 1) max b; l of all but the last: gpipe on a line."""
    if built.phases or not built.line:
        return
    model, most = built.stages.model, built.batch.most
    slowest = model.new_int_var(0, most, "forward"), model.new_int_var(0, most, "backward")
    for own, each in zip(slowest, (built.forward, built.backward), strict=True):
        model.add_max_equality(own, each)
    counted = []
    if built.batch.overlapped:
        for slot, lag in enumerate(built.lags):
            further = model.new_int_var(0, most, f"further_{slot}")
            last = built.stages.of(programme.graph.groups - 1, slot)
            model.add(further >= lag).only_enforce_if(~last)
            counted.append((further, 2))
    every = [(one, 1) for one in (*built.forward, *built.backward)]
    rest = [(one, built.batch.microbatches - 1) for one in slowest]
    model.add(built.makespan >= linear([*every, *counted, *rest]))


def places(built: CpSatBatch, programme: StageProgramme) -> None:
    """Give a used slot one place, with as many used ones behind it as its number says; F[k] >= f[s] there.

    Stage numbers are from the beginning, or from the end, as `StageGraph.search_order` has it. Places are taken without
    a gap from the end: the slots' numbers are all different and none is beyond the number of stages.
    """
    model, stages, graph = built.stages.model, built.stages, programme.graph
    if not built.phases:
        return
    total = linear([(literal, 1) for literal in stages.used])
    for slot, used in enumerate(stages.used):
        own = {place: literal for (at, place), literal in built.at.items() if at == slot}
        model.add(sum(own.values()) == used)
        number = stages.positions[slot] if stages.positions else graph.slots[slot].number
        for place, literal in own.items():
            if graph.counts_behind:
                model.add(model.new_constant(0) + number == place).only_enforce_if(literal)
            else:
                model.add(total == number + place + 1).only_enforce_if(literal)
            every = zip(built.phases[place], (built.forward, built.backward, built.lags), strict=True)
            for time, times in every:
                model.add(time >= times[slot]).only_enforce_if(literal)
    taken = [[literal for (_, at), literal in built.at.items() if at == place] for place in range(len(built.phases))]
    for literals in taken:
        model.add_at_most_one(literals)
    for nearer, farther in pairwise(taken):
        model.add(sum(farther) <= sum(nearer))


def in_turn(built: CpSatBatch, programme: StageProgramme) -> None:
    """Operations of a place end one after the other, each its time later, in the schedule's order; makespan is last."""
    model = built.stages.model
    for place, ends in enumerate(built.ends):
        before: IntVar | int = 0
        for phase, number in _order(built, place):
            end = ends[phase][number]
            model.add(end >= before + built.phases[place][phase])
            before = end
        model.add(built.makespan >= before)


def _order(built: CpSatBatch, place: int) -> Iterator[tuple[int, int]]:
    """Yield the phase and microbatch of all operations of the stage with so many behind it."""
    count, ahead = built.batch.microbatches, built.batch.ahead(place)
    for turn in range(count + ahead):
        if turn < count:
            yield 0, turn
        if turn >= ahead:
            back = turn - ahead
            yield 1, count - 1 - back if built.batch.rule == "gpipe" else back


def through(built: CpSatBatch, programme: StageProgramme) -> None:
    """Makespan >= sum f + sum b + 2 sum l + (M - w) (F[k] + B[k]), w = min(k + 1, M): 1f1b on a line; it follows.

    Microbatch 0 goes to place k, from there to the end and back, while k does w forward; M - w of either are left. Lags
    are of all places but the last. All places together take no less than all slots, for relaxations without y.
    """
    if not built.line or not built.phases:
        return
    model, count = built.stages.model, built.batch.microbatches
    once = [(one, 1) for one in (*built.forward, *built.backward)]
    once += [(lag, 2) for _, _, lag in built.phases[1:] if built.batch.overlapped]
    for place, (forward, backward, _) in enumerate(built.phases):
        rest = count - min(place + 1, count)
        model.add(built.makespan >= linear([*once, (forward, rest), (backward, rest)]))
    for phase, times in enumerate((built.forward, built.backward)):
        model.add(sum(each[phase] for each in built.phases) >= sum(times))
    rest = count - min(len(built.phases), count)
    for forward, backward in zip(built.forward, built.backward, strict=True):
        model.add(built.makespan >= linear([*once, (forward, rest), (backward, rest)]))


def waits(built: CpSatBatch, programme: StageProgramme) -> None:
    """F[k, i] ends F[k] after F[j, i] and L[j], B[j, i] ends B[j] after B[k, i] and L[j], where place k reads j."""
    model = built.stages.model
    for (maker, reader), reads in _reads(built, programme):
        forward, lag = built.phases[reader][0], built.phases[maker][2]
        backward = built.phases[maker][1]
        for number in range(built.batch.microbatches):
            there, here = built.ends[maker], built.ends[reader]
            model.add(here[0][number] >= there[0][number] + lag + forward).only_enforce_if(reads)
            model.add(there[1][number] >= here[1][number] + lag + backward).only_enforce_if(reads)


def _reads(built: CpSatBatch, programme: StageProgramme) -> Iterator[tuple[tuple[int, int], BoolVarT]]:
    """Yield two places and whether the second, nearer the end, reads the first.

    On a line each reads the one before it, and what it reads besides was there earlier.
    """
    model, count = built.stages.model, len(built.phases)
    if built.line:
        for reader, maker in pairwise(range(count)):
            taken = model.new_bool_var(f"reads_{reader}")
            model.add(sum(literal for (_, place), literal in built.at.items() if place == maker) <= taken)
            yield (maker, reader), taken
        return
    stands = _stands(built, programme)
    for reader in range(count):
        for maker in range(reader + 1, count):
            reads = model.new_bool_var(f"reads_{reader}_{maker}")
            for first, second in built.batch.reads:
                model.add_bool_or([reads, ~stands[first][maker], ~stands[second][reader]])
            yield (maker, reader), reads


def _stands(built: CpSatBatch, programme: StageProgramme) -> list[list[IntVar]]:
    """Return by group and place whether the group stands there, or may be taken to."""
    model, count = built.stages.model, len(built.phases)
    found = [[model.new_bool_var(f"p_{g}_{k}") for k in range(count)] for g in range(programme.graph.groups)]
    for (group, slot), x in built.stages.inside.items():
        for place in range(count):
            model.add_bool_or([found[group][place], ~x, ~built.at[slot, place]])
    return found


FAMILIES: tuple[BatchFamily, ...] = (phases, busy, closed_form, places, in_turn, waits, through)
"""All of them; those of a closed form or of dates say themselves whether they are for it."""
