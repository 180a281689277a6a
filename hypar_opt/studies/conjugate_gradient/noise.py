"""Delays that a system brings about, drawn with a seed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random


@dataclass(frozen=True)
class Noise:
    """Delays of tasks; each task's are drawn apart, from the seed and its name, whatever else there is.

    Parameters
    ----------
    seconds
        Of one delay.
    seed
        What is drawn anew with another.
    frequency
        Delays a second of a task's duration D; f D on average, of which the whole part always comes. None for none.
    probability
        That a task is delayed once, however long it is, where no frequency is given.
    """

    seconds: Fraction
    seed: int
    frequency: Fraction | None = None
    probability: Fraction = Fraction(0)

    def delay(self, name: str, seconds: Fraction) -> Fraction:
        """Return the seconds by which a task is longer.

        Parameters
        ----------
        name
            The task's.
        seconds
            What it takes without noise; what takes none is not delayed by a frequency.
        """
        mean = self.probability if self.frequency is None else self.frequency * seconds
        whole, rest = divmod(mean, 1)
        # drawn in integers: no float says how often
        more = Random(f"{self.seed} {name}").randrange(rest.denominator) < rest.numerator
        return (whole + more) * self.seconds
