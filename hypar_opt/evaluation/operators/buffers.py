"""What is in a device's memory when, by a plan: buffers, each from a moment of a training step to another.

Moments are operators: each runs forward, then, from the last to the first, backward; blocks that run once more do so
before the backward phase of their last operator. A map lies as it is written until it is read, one that several read as
it lies for all of them; who needs it otherwise has a copy while it runs, or as long as it is kept for its backward
phase. A gradient lies as it was made until it is read, one that several make is added up where it lies for all. Where
parameters lie in parts, they are gathered and their gradients are whole while their operator runs; a shared one is
gathered once, for both phases. Not followed: halos, sums of statistics, the update, and an operator's own scratch.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.memory import lies_of_parameter
from hypar_opt.evaluation.operators.placements import needed, produced, written
from hypar_opt.evaluation.operators.plan import is_shared, readers_that_keep_first, shared_placement
from hypar_opt.evaluation.operators.recomputation import keeps_output, lies_for_all
from hypar_opt.evaluation.operators.timeline import Buffer, Timeline, Use

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.evaluation.operators.placements import Placement
    from hypar_opt.evaluation.operators.plan import OperatorPlan
    from hypar_opt.instance.operators import Operator, Tensor


@dataclass(frozen=True)
class _Uses:
    """The buffers of one tensor."""

    timeline: Timeline
    tensor: Tensor

    @property
    def plan(self) -> OperatorPlan:
        return self.timeline.plan

    @cached_property
    def readers(self) -> list[tuple[Operator, int]]:
        operators = self.timeline.graph.operators
        return [(operators[number], place) for number, place in self.timeline.graph.readers[self.tensor.name]]

    @cached_property
    def forms(self) -> list[tuple[Operator, int]]:
        """Who has a form of its own; what an operator needs alike for several operands is one."""
        graph = self.timeline.graph
        found: dict[tuple[int, Placement], tuple[Operator, int]] = {}
        for number, place in readers_that_keep_first(graph, self.tensor.name):
            reader = graph.operators[number]
            found.setdefault((number, self.need(reader, place)), (reader, place))
        return list(found.values())

    @cached_property
    def writer(self) -> Operator:
        return self.timeline.graph.operators[self.timeline.graph.writers[self.tensor.name]]

    def need(self, reader: Operator, place: int) -> Placement:
        return needed(reader.operands[place], self.plan.words[reader.name])

    def is_kept(self, reader: Operator, place: int) -> bool:
        return self.plan.recomputed.is_kept(reader, reader.operands[place])

    @cached_property
    def is_own(self) -> bool:
        """Whether its writer keeps it for its own backward phase."""
        return keeps_output(self.timeline.graph, self.writer)

    @property
    def home(self) -> Placement:
        """How its writer needs it again, and its gradient."""
        return needed(self.writer.output, self.plan.words[self.writer.name])

    def buffer(self, placement: Placement, use: Use, first: int, last: int) -> Buffer:
        return Buffer(self.tensor, placement, use, first, last)

    def loaded(self) -> Iterator[Buffer]:
        """Yield what is loaded of an input, for each reader as it needs it."""
        for reader, place in self.forms:
            now, kept = self.timeline.forward(reader), self.is_kept(reader, place)
            last = self.timeline.backward(reader) if kept else now
            yield self.buffer(self.need(reader, place), "maps" if kept else "copies", now, last)

    def direct(self) -> Iterator[Buffer]:
        """Yield the forms of a map that one operator reads at the most."""
        have, made = written(self.writer, self.plan.words[self.writer.name]), self.timeline.forward(self.writer)
        if not self.readers:
            yield self.buffer(have, "unread maps", made, made)
            return
        ((reader, place),) = self.readers
        inside = self.tensor.name in self.plan.recomputed.inside
        kept = self.is_kept(reader, place)
        yield from self._passed(have, made, self.timeline.forward(reader), reader, place, kept and not inside)
        again = self.timeline.again(self.writer)
        if inside and again is not None:
            read = self.timeline.again(reader)
            if read is not None or kept:
                yield from self._passed(have, again, again if read is None else read, reader, place, kept)
            elif not self.is_own or have != self.home:
                yield self.buffer(have, "unread maps", again, again)

    def _passed(
        self, have: Placement, made: int, read: int, reader: Operator, place: int, kept: bool
    ) -> Iterator[Buffer]:
        """Yield a map from when it is made to when it is read, and for the backward phase if it is kept."""
        need = self.need(reader, place)
        until = self.timeline.backward(reader) if kept else read
        use: Use = "maps" if kept else "copies"
        own = self.is_own and self.timeline.again(self.writer) in (None, made)
        if own:
            yield self.buffer(have, "unread maps", made, read if have != self.home else read - 1)
            if need != self.home:
                yield self.buffer(need, use, read, until)
            return
        if need != have:
            yield self.buffer(have, "unread maps", made, read)
            yield self.buffer(need, use, read, until)
            return
        yield self.buffer(have, "unread maps", made, read - kept)
        if kept:
            yield self.buffer(have, use, read, until)

    def shared(self) -> Iterator[Buffer]:
        """Yield the forms of a map that several operators read: where it lies for all, and copies."""
        lies = shared_placement(self.timeline.graph, self.tensor.name, self.plan.shared[self.tensor.name][0])
        recomputed, time = self.plan.recomputed, self.timeline
        inside = self.tensor.name in recomputed.inside
        have = written(self.writer, self.plan.words[self.writer.name])
        made, again = time.forward(self.writer), time.again(self.writer) if inside else None
        stays_for_all = lies_for_all(time.graph, self.tensor.name)
        kept = [reader for reader, place in self.readers if stays_for_all and self.is_kept(reader, place)]
        released = max((time.backward(reader) for reader in kept), default=None)
        for moment in (made, again):
            if moment is not None and have != lies:
                yield self.buffer(have, "unread maps", moment, moment)
        read = max(time.forward(reader) for reader, _ in self.readers)
        stays = self.is_own and lies == self.home
        if inside or released is None:
            yield self.buffer(lies, "unread maps", made, read - (stays and not inside))
        else:
            yield self.buffer(lies, "maps", made, released)
        if again is not None:
            rerun = [one for one in (time.again(reader) for reader, _ in self.readers) if one is not None]
            if released is not None:
                yield self.buffer(lies, "maps", again, released)
            else:
                yield self.buffer(lies, "unread maps", again, max(rerun, default=again) - stays)
        for reader, place in self.forms:
            if self.need(reader, place) != lies:
                yield from self._copies(reader, place, again)
            elif not stays_for_all and self.is_kept(reader, place):
                yield self.buffer(lies, "maps", read + 1, time.backward(reader))

    def _copies(self, reader: Operator, place: int, again: int | None) -> Iterator[Buffer]:
        """Yield a reader's own forms of what lies otherwise; `again` is when a map inside of a block is made anew."""
        time, need = self.timeline, self.need(reader, place)
        now, rerun, back = time.forward(reader), time.again(reader), time.backward(reader)
        saved, kept = reader.operands[place].saved, self.is_kept(reader, place)
        if kept and not self.plan.keeps_no_copy(time.graph, reader, place):
            inside = self.tensor.name in self.plan.recomputed.inside
            if inside:
                yield self.buffer(need, "copies", now, now)
                now = rerun if rerun is not None else again if again is not None else back
            yield self.buffer(need, "maps", now, back)
            return
        yield self.buffer(need, "copies", now, now)
        if rerun is not None:
            yield self.buffer(need, "copies", rerun, rerun)
        if saved:
            yield self.buffer(need, "copies", back, back)

    def own(self) -> Iterator[Buffer]:
        """Yield what its writer keeps of it, from when it has been read on, or converted."""
        if not self.is_own:
            return
        time, graph = self.timeline, self.timeline.graph
        again, home = time.again(self.writer), self.home
        runs = time.forward if again is None else time.again
        made = time.forward(self.writer) if again is None else again
        begin = max((at for reader, _ in self.readers if (at := runs(reader)) is not None), default=made)
        if is_shared(graph, self.tensor.name):
            lies = shared_placement(graph, self.tensor.name, self.plan.shared[self.tensor.name][0])
            stays = lies_for_all(graph, self.tensor.name)
            kept = [time.backward(one) for one, place in self.readers if stays and self.is_kept(one, place)]
            begin = made + 1 if lies != home else max(kept) + 1 if kept else begin
        yield self.buffer(home, "maps", begin, time.backward(self.writer))

    def errors(self) -> Iterator[Buffer]:
        """Yield the forms of a map's gradient."""
        readers = [(reader, place) for reader, place in self.readers if reader.operands[place].has_gradient]
        if not readers:
            return
        time, home = self.timeline, self.home
        end = time.backward(self.writer)
        if not is_shared(time.graph, self.tensor.name):
            ((reader, place),) = readers
            made = produced(reader, reader.operands[place], self.plan.words[reader.name])
            yield self.buffer(made, "gradients of maps", time.backward(reader), end)
            if made != home:
                yield self.buffer(home, "gradients of maps", end, end)
            return
        lies = shared_placement(time.graph, self.tensor.name, self.plan.shared[self.tensor.name][1])
        first = min(time.backward(reader) for reader, _ in readers)
        yield self.buffer(lies, "gradients of maps", first, end)
        begun = False
        seen: set[tuple[str, Placement]] = set()
        for reader, place in reversed(readers):
            made, now = produced(reader, reader.operands[place], self.plan.words[reader.name]), time.backward(reader)
            if (reader.name, made) in seen:
                continue  # what one operator makes alike is added up as it is made
            seen.add((reader.name, made))
            if made != lies:
                yield self.buffer(made, "gradients of maps", now, now)
            if begun:
                yield self.buffer(lies, "gradients of maps", now, now)  # what is added to the sum
            begun = True
        if lies != home:
            yield self.buffer(home, "gradients of maps", end, end)

    def gathered(self, stored: Placement) -> Iterator[Buffer]:
        """Yield the forms of a parameter that its operators use, where it is stored otherwise."""
        time, alone = self.timeline, not is_shared(self.timeline.graph, self.tensor.name)
        for reader, place in self.forms:
            need = self.need(reader, place)
            if need == stored:
                continue
            now, again = time.forward(reader), time.again(reader)
            back = time.backward(reader) if reader.operands[place].saved else again
            if not alone:
                yield self.buffer(need, "gathered parameters", now, now if back is None else back)
                continue
            yield self.buffer(need, "gathered parameters", now, now)
            if back is not None:  # what is gathered to run once more serves the backward phase, too
                yield self.buffer(need, "gathered parameters", back if again is None else again, back)

    def sums(self, summed: Placement) -> Iterator[Buffer]:
        """Yield a parameter's gradients as operators make them, where they are kept otherwise."""
        for reader, place in self.readers:
            made = produced(reader, reader.operands[place], self.plan.words[reader.name])
            whole = tuple(replace(entry, is_partial=False) for entry in made)
            if whole != summed:
                now = self.timeline.backward(reader)
                yield self.buffer(made, "unscattered gradients", now, now)


def buffers(timeline: Timeline, states: int) -> Iterator[Buffer]:
    """Yield everything that is in a device's memory during a step.

    Parameters
    ----------
    timeline
        Of which plan.
    states
        Numbers that the optimiser has for each one trained.
    """
    for tensor in timeline.graph.tensors.values():
        yield from buffers_of(tensor, timeline, states)


def buffers_of(tensor: Tensor, timeline: Timeline, states: int) -> Iterator[Buffer]:
    """Yield the buffers of one tensor; parameters as of `buffers`."""
    graph, end, name = timeline.graph, len(timeline.moments) - 1, tensor.name
    uses = _Uses(timeline, tensor)
    if not graph.readers[name] and name not in graph.writers:
        return
    if tensor.role == "input":
        yield from uses.loaded()
    elif tensor.role == "parameter":
        _, (stored, summed, owned) = lies_of_parameter(graph, tensor, timeline.plan)
        yield Buffer(tensor, stored, "parameters", 0, end)
        yield from uses.gathered(stored)
        if tensor.has_gradient:
            yield Buffer(tensor, summed, "gradients", 0, end)
            yield Buffer(tensor, owned, "states", 0, end, states)
            yield from uses.sums(summed)
    else:
        yield from uses.shared() if is_shared(graph, name) else uses.direct()
        yield from uses.own()
        if tensor.has_gradient:
            yield from uses.errors()
