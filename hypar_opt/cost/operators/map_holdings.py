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
            last = self.moments.returns(number) if self.keeps(number, place) else now
            yield self.of_reader(number, now, last, self.read_first(number, place))


class DirectHoldings(TensorHoldings):
    """What a map takes that one operator reads, or none."""

    def found(self) -> Iterator[Holding | Misfit]:
        """Yield all of it."""
        writer, moments = self.writer, self.moments
        made = moments.runs(writer)
        if not self.readers:
            yield self.of_writer(made, made)
            return
        ((reader, place),) = self.readers
        rerun = moments.runs_again(writer) if self.is_inside else None
        kept = self.keeps(reader, place)
        yield from self._passed(made, moments.runs(reader), kept and not self.is_inside, rerun is None)
        if rerun is None:
            return
        read = moments.runs_again(reader)
        if read is None and not kept:
            if self.is_own:
                yield self._converted(rerun)
                yield from self.of_own(rerun)
            else:
                yield self.of_writer(rerun, rerun)
            return
        yield from self._passed(rerun, rerun if read is None else read, kept, True)

    def _passed(self, made: int, read: int, kept: bool, last: bool) -> Iterator[Holding | Misfit]:
        """Yield the map from when it is made to when it is read; and as long as it is kept, by whom.

        Parameters
        ----------
        made, read
            Moments.
        kept
            Whether its reader keeps it from then on.
        last
            Whether it is not made once more.
        """
        ((reader, place),) = self.readers
        taken = self.read_first(reader, place)
        until = self.moments.returns(reader) if kept else read
        if self.is_own and last:
            yield from self.held_between(self.of_writer, made, read - 1)
            yield self._converted(read)
            yield from self.of_own(read)
            yield self.apart(self.at(reader), self.at(self.writer), (read, until), taken, self.home)
        elif kept:
            yield from self.held_between(self.of_writer, made, read - 1)
            yield self.of_reader(reader, read, until, taken)
            yield self.apart(self.at(self.writer), self.at(reader), (read, read), self.as_written, taken.lies)
        else:
            yield self.of_writer(made, read)
            yield self.apart(self.at(reader), self.at(self.writer), (read, read), taken, self.as_written.lies)

    def _converted(self, moment: int) -> Holding:
        """Return what its writer has as it is written, where it keeps it otherwise."""
        apart = (self.as_written.lies != self.home).any(axis=1)
        return self.holding(self.at(self.writer), moment, moment, self.as_written.only(self.sizes, apart))


class SharedMapHoldings(TensorHoldings):
    """What a map takes that several operators read: as it is written, where it lies for all of them, and as copies."""

    def found(self) -> Iterator[Holding | Misfit]:
        """Yield all of it."""
        made = self.moments.runs(self.writer)
        rerun = self.moments.runs_again(self.writer) if self.is_inside else None
        lies, here = self.index[self.tensor.name + FORWARD], self.lying(FORWARD)
        for moment in (made, rerun):
            if moment is not None:
                yield self.apart(self.at(self.writer), lies, (moment, moment), self.as_written, here.lies)
        keepers = [number for number, place in self.readers if self.keeps(number, place)]
        released = max(map(self.moments.returns, keepers)) if keepers else None
        read = max(self.moments.runs(number) for number, _ in self.readers)
        if self.is_inside:
            yield self.holding(lies, made, read, here)
            if rerun is not None:
                runs = (self.moments.runs_again(number) for number, _ in self.readers)
                again = max((one for one in runs if one is not None), default=rerun)
                yield from self._at_last(rerun, again, released)
        else:
            yield from self._at_last(made, read, released)
        for number, place in self.readers:
            yield from self._copies(number, place, rerun)

    def _at_last(self, made: int, read: int, released: int | None) -> Iterator[Holding | Misfit]:
        """Yield where it lies for all from when it is made for the last time, and what its writer keeps beside that."""
        lies, here = self.index[self.tensor.name + FORWARD], self.lying(FORWARD)
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

    def _copies(self, number: int, place: int, rerun: int | None) -> Iterator[Holding | Misfit]:
        """Yield what a reader has of it that lies otherwise.

        A copy that is kept counts as one even where it lies as for all: not to keep it is as good then, and takes none.
        """
        moments, here = self.moments, self.lying(FORWARD)
        now, again, back = moments.runs(number), moments.runs_again(number), moments.returns(number)
        taken = self.read_first(number, place)
        reader, lies = self.at(number), self.index[self.tensor.name + FORWARD]
        yield self.apart(reader, lies, (now, now), taken, here.lies)
        copies = self._copies_kept(number, place)
        begin = now + 1
        if self.is_inside:
            begin = again if again is not None else rerun if rerun is not None else back
        if copies.any() and begin <= back:
            yield self.holding(reader, begin, back, taken.only(self.sizes, copies))
        if copies.all():
            return
        rest = taken.only(self.sizes, ~copies)
        saved = self.graph.operators[number].operands[place].saved
        for moment in (again, back if saved else None):
            if moment is not None:
                yield self.apart(reader, lies, (moment, moment), rest, here.lies)

    def _copies_kept(self, number: int, place: int) -> NDArray[np.bool_]:
        """Return by a reader's values whether it keeps a copy."""
        operator = self.graph.operators[number]
        values = self.domains[self.at(number)].values
        if not self.keeps(number, place):
            return np.zeros(len(values), dtype=bool)

        def chosen() -> NDArray[np.bool_]:
            which = copied(operator, self.graph, self.again).index(place)
            return np.array([value.kept[which] == COPY for value in values])

        return self.sharing.of_alike("copies", operator, chosen, place)
