"""What maps and inputs take while they are written, converted, read and kept, by the values of the variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.cost.operators.domains import COPY, FORWARD, copied
from hypar_opt.cost.operators.tensor_holdings import TensorHoldings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from hypar_opt.cost.operators.holdings import Holding, Misfit


class InputHoldings(TensorHoldings):
    """What each reader has loaded of an input, as it needs it; kept, if it reads that once more."""

    def found(self) -> Iterator[Holding | Misfit]:
        """Yield all of it."""
        for number, place in self.readers:
            now = self.moments.runs(number)
            for way in self.ways(number):
                last = self.moments.returns(number) if self.keeps(number, place, again=way) else now
                yield from self.only([self.of_reader(number, now, last, self.read_first(number, place))], again=way)


class DirectHoldings(TensorHoldings):
    """What a map takes that one operator reads, or none."""

    def found(self) -> Iterator[Holding | Misfit]:
        """Yield all of it."""
        made = self.moments.runs(self.writer)
        if not self.readers:
            yield self.of_writer(made, made)
        elif self.is_inside:
            for way in self.again.ways_of_map(self.tensor.name):
                yield from self.only(self._inside(made, again=way), again=way)
        else:
            ((reader, _),) = self.readers
            read = self.moments.runs(reader)
            yield from self._passed(made, read, last=True)
            for way in self.ways(reader):
                yield from self.only(self._kept(read, again=way), again=way)

    def _inside(self, made: int, *, again: bool) -> Iterator[Holding | Misfit]:
        """Yield a map that is dropped where its block runs once more, if that does so or not."""
        ((reader, place),) = self.readers
        first, rerun = self.moments.runs(reader), self.runs_again(self.writer, again=again)
        yield from self._passed(made, first, last=rerun is None)
        if not again:
            yield from self._kept(first, again=again)
        if rerun is None:
            return
        read = self.runs_again(reader, again=again)
        if read is None and not self.keeps(reader, place, again=again):
            if self.is_own:
                yield self._converted(rerun)
                yield from self.of_own(rerun)
            else:
                yield self.of_writer(rerun, rerun)
            return
        read = rerun if read is None else read
        yield from self._passed(rerun, read, last=True)
        yield from self._kept(read, again=again)

    def _passed(self, made: int, read: int, *, last: bool) -> Iterator[Holding | Misfit]:
        """Yield the map from when it is made to when it is read; made for the last time, what its writer keeps of it.

        Parameters
        ----------
        made, read
            Moments.
        last
            Whether it is not made once more.
        """
        ((reader, place),) = self.readers
        taken, span = self.read_first(reader, place), (read, read)
        if self.is_own and last:
            yield from self.held_between(self.of_writer, made, read - 1)
            yield self._converted(read)
            yield from self.of_own(read)
            yield self.apart(self.at(reader), self.at(self.writer), span, taken, self.home)
        else:
            yield self.of_writer(made, read)
            yield self.apart(self.at(reader), self.at(self.writer), span, taken, self.as_written.lies)

    def _kept(self, read: int, *, again: bool) -> Iterator[Holding | Misfit]:
        """Yield what its reader keeps of it when it has read it for the last time before its backward phase."""
        ((reader, place),) = self.readers
        if not self.keeps(reader, place, again=again):
            return
        taken, until = self.read_first(reader, place), self.moments.returns(reader)
        if self.is_own:
            yield self.apart(self.at(reader), self.at(self.writer), (read + 1, until), taken, self.home)
        else:
            yield self.of_reader(reader, read + 1, until, taken)

    def _converted(self, moment: int) -> Holding:
        """Return what its writer has as it is written, where it keeps it otherwise."""
        apart = (self.as_written.lies != self.home).any(axis=1)
        return self.holding(self.at(self.writer), moment, moment, self.as_written.only(self.sizes, apart))


class SharedMapHoldings(TensorHoldings):
    """What a map takes that several operators read: as it is written, where it lies for all of them, and as copies."""

    def found(self) -> Iterator[Holding | Misfit]:
        """Yield all of it."""
        if self.is_inside:
            for way in self.again.ways_of_map(self.tensor.name):
                yield from self.only(self._inside(again=way), again=way)
            return
        made = self.moments.runs(self.writer)
        yield self._converted(made)
        sure = [number for number, place in self.readers
                if all(self.keeps(number, place, again=way) for way in self.ways(number))]  # fmt: skip
        released = max(map(self.moments.returns, sure)) if self.stays_for_all else None
        yield from self._at_last(made, self._read, released)
        if released is not None:
            yield from self._longer(released)
        for number, place in self.readers:
            for way in self.ways(number):
                yield from self.only(self._copies(number, place, None, again=way), again=way)

    @property
    def _lies(self) -> int:
        """The variable of where it lies for all."""
        return self.index[self.tensor.name + FORWARD]

    @property
    def _read(self) -> int:
        """When it is read last in the forward phase."""
        return max(self.moments.runs(number) for number, _ in self.readers)

    def _converted(self, moment: int) -> Misfit:
        """Return what its writer has as it is written, where it lies otherwise for all."""
        return self.apart(self.at(self.writer), self._lies, (moment, moment), self.as_written, self.lying(FORWARD).lies)

    def _inside(self, *, again: bool) -> Iterator[Holding | Misfit]:
        """Yield a map that is dropped where its block runs once more, if that does so or not."""
        made, rerun = self.moments.runs(self.writer), self.runs_again(self.writer, again=again)
        yield from (self._converted(moment) for moment in (made, rerun) if moment is not None)
        keepers = [number for number, place in self.readers if self.keeps(number, place, again=again)]
        released = max(map(self.moments.returns, keepers)) if keepers else None
        if not again:
            yield from self._at_last(made, self._read, released)
        else:
            yield self.holding(self._lies, made, self._read, self.lying(FORWARD))
        if rerun is not None:
            runs = (self.moments.runs_again(number) for number, _ in self.readers)
            yield from self._at_last(rerun, max((one for one in runs if one is not None), default=rerun), released)
        for number, place in self.readers:
            yield from self._copies(number, place, rerun, again=again)

    def _longer(self, released: int) -> Iterator[Holding | Misfit]:
        """Yield where it lies for all as long as blocks that run once more keep it, beyond who does so in any case."""
        lies, until = self._lies, self.sharing.lasting(self.domains[self._lies])
        longer = self.sharing.longer(self.tensor.name)
        for count in range(len(longer), 0, -1):
            last = self.moments.returns(longer[count - 1])
            there = self.lying(FORWARD).only(self.sizes, (until > 0) & (until <= count))
            if self.is_own:  # its writer has it anyway, as that needs it
                yield self.apart(lies, self.at(self.writer), (released + 1, last), there, self.home)
            else:
                yield self.holding(lies, released + 1, last, there)
            released = last

    def _at_last(self, made: int, read: int, released: int | None) -> Iterator[Holding | Misfit]:
        """Yield where it lies for all from when it is made for the last time, and what its writer keeps beside that."""
        lies, here = self._lies, self.lying(FORWARD)
        until = read if released is None else released
        if not self.is_own:
            yield self.holding(lies, made, until, here)
            return
        is_read = released is None and read > made  # who reads it has it as its writer keeps it, where that is alike
        writer, since = self.at(self.writer), until if is_read else until + 1
        yield from self.held_between(lambda first, last: self.holding(lies, first, last, here), made, since - 1)
        if is_read:
            yield self.apart(lies, writer, (read, read), here, self.home)
        if made + 1 < since:
            yield self.apart(writer, lies, (made + 1, since - 1), self.wanted, here.lies)
        yield from self.of_own(since)

    def _copies(self, number: int, place: int, rerun: int | None, *, again: bool) -> Iterator[Holding | Misfit]:
        """Yield what a reader has of it that lies otherwise.

        A copy that is kept counts as one even where it lies as for all: not to keep it is as good then, and takes none.
        One that only who runs once more reads again does not lie for all, and is kept by each of those.
        """
        moments, here, lies, reader = self.moments, self.lying(FORWARD), self._lies, self.at(number)
        now, back, runs = moments.runs(number), moments.returns(number), self.runs_again(number, again=again)
        taken = self.read_first(number, place)
        yield self.apart(reader, lies, (now, now), taken, here.lies)
        if self.keeps(number, place, again=again) and not self.stays_for_all:
            if now < self._read:
                yield self.apart(reader, lies, (now + 1, self._read), taken, here.lies)
            yield self.holding(reader, self._read + 1, back, taken)
            return
        copies = self._copies_kept(number, place, again=again)
        begin = now + 1
        if self.is_inside and again:
            begin = runs if runs is not None else rerun if rerun is not None else back
        if copies.any() and begin <= back:
            yield self.holding(reader, begin, back, taken.only(self.sizes, copies))
        if copies.all():
            return
        rest = taken.only(self.sizes, ~copies)
        saved = self.graph.operators[number].operands[place].saved
        for moment in (runs, back if saved else None):
            if moment is not None:
                yield self.apart(reader, lies, (moment, moment), rest, here.lies)

    def _copies_kept(self, number: int, place: int, *, again: bool) -> NDArray[np.bool_]:
        """Return by a reader's values whether it keeps a copy, of those by which its block runs once more or not."""
        operator = self.graph.operators[number]
        values = self.domains[self.at(number)].values
        if not self.keeps(number, place, again=again):
            return np.zeros(len(values), dtype=bool)

        def chosen() -> NDArray[np.bool_]:
            which = copied(operator, self.graph, self.again, again=again).index(place)
            return np.array([value.again == again and value.kept[which] == COPY for value in values])

        return self.sharing.of_alike("copies", operator, chosen, place, again)
