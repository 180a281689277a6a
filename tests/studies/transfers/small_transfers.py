"""Small problems of transfers, drawn, and their optima by trying everything."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations

from hypar_opt.studies.transfers import Gradient, TransferProblem


def problem_of(ready, seconds, forward, start_up=0, backward=None, lead=0):
    """Return a problem of numbers, in the order of the forward pass."""
    each = zip(ready, seconds, forward, strict=True)
    gradients = tuple(Gradient(f"g{place}", *map(Fraction, one)) for place, one in enumerate(each))
    return TransferProblem(
        "small", gradients, Fraction(ready[0] if backward is None else backward), Fraction(lead), Fraction(start_up)
    )


def drawn(random, count, largest=4):
    """Return a problem of small integers."""
    ready = sorted((random.randint(0, 7) for _ in range(count)), reverse=True)
    return problem_of(
        ready,
        [random.randint(1, largest) for _ in ready],
        [random.randint(0, largest) for _ in ready],
        random.randint(0, 3),
        ready[0] + random.randint(0, 1),
        random.randint(0, 1),
    )


def least_cut(problem):
    """Return the least end with gradients cut at whole seconds: every second something goes, a message begins, or not.

    Of problems of integers; a message may have all that are ready when it begins.
    """
    count, start_up = len(problem.gradients), int(problem.start_up)
    ready = [int(one.ready) for one in problem.gradients]
    tails = [int(tail) for tail in problem.tails]

    @cache
    def least(time, left, first):
        """Return the latest of arrival and tail; gradients from `first` on are in the message under way."""
        if not any(left):
            return 0
        found = [sent(place, time, left, first) for place in range(first, count) if left[place]]
        begun = min((place for place in range(count) if ready[place] <= time), default=count)
        found += [sent(place, time + start_up, left, begun) for place in range(begun, count) if left[place]]
        if time < ready[0]:
            found.append(least(time + 1, left, count))
        return min(found)

    def sent(place, time, left, first):
        fewer = (*left[:place], left[place] - 1, *left[place + 1 :])
        end = 0 if fewer[place] else time + 1 + tails[place]
        return max(end, least(time + 1, fewer, first))

    sizes = tuple(int(one.seconds) for one in problem.gradients)
    return max(int(problem.unhindered), least(0, sizes, count))


def least_whole(problem):
    """Return the least end of whole gradients: every division into messages, every order of and in them."""
    count, found = len(problem.gradients), []

    def send(left, free, arrivals):
        if not left:
            found.append(problem.end([arrivals[place] for place in range(count)]))
        for size in range(1, len(left) + 1):
            for block in permutations(left, size):
                time = max(free, *(problem.gradients[place].ready for place in block)) + problem.start_up
                there = dict(arrivals)
                for place in block:
                    time += problem.gradients[place].seconds
                    there[place] = time
                send([place for place in left if place not in block], time, there)

    send(list(range(count)), Fraction(0), {})
    return min(found)
