"""Small arrays, linked by hand: nothing of the package's own topologies."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from hypothesis import strategies as st

from hypar_opt.evaluation.communication import PhaseExchange
from hypar_opt.evaluation.links import walk, weigh
from hypar_opt.instance.hardware import Link, Machine


def machine(count, pairs, *, switches=0, topology="custom", rule="shortest", dims=(), bandwidth=1, energy=1):
    """Return an array of equal links."""
    wire = (
        None if bandwidth is None else Fraction(bandwidth),
        Fraction(0),
        None if energy is None else Fraction(energy),
    )
    links = tuple(Link(pair, *wire) for pair in pairs)
    names = tuple(f"a{i}" for i in range(count)), tuple(f"s{i}" for i in range(switches))
    return Machine(topology, *names, links, rule, dims)


def measure(machine, placed, bytes_by_level, partition=None):
    """Walk every route of a placement and add up what crosses each link."""
    return weigh(machine, walk(machine, placed, partition=partition), bytes_by_level)


@dataclass(frozen=True)
class Sent:
    """Bytes from one accelerator to another at a level (from 0), of a layer or boundary in a phase."""

    part: PhaseExchange
    level: int
    source: int
    target: int
    amount: Fraction


def matrix(traffic):
    """Yield the entries of the traffic matrix that are not 0: what every leaf sends to each of its peers."""
    partition = traffic.walked.partition
    for part in traffic.parts:
        for h, volume in enumerate(part.levels):
            for leaf, source in enumerate(traffic.placed if volume else ()):
                for peer in partition.peers(leaf, h):
                    yield Sent(part, h, source, traffic.placed[peer], Fraction(volume) / partition.routes(h))


def of_part(traffic, part):
    """Return what one layer or boundary puts on the links in one phase."""
    return weigh(traffic.machine, traffic.walked, part.levels)


def ring(count, **changes):
    """Return accelerators in a circle; those of a pair half round send by ascending positions both."""
    pairs = [(i, (i + 1) % count) for i in range(count)] if count > 2 else [(0, 1)]
    return machine(count, pairs, **({"topology": "torus", "rule": "dimension-order", "dims": (count,)} | changes))


def line(count, **changes):
    return machine(count, [(i, i + 1) for i in range(count - 1)], **changes)


def hypercube(levels, **changes):
    nodes = range(1 << levels)
    pairs = [(node, node | 1 << bit) for node in nodes for bit in range(levels) if not node >> bit & 1]
    return machine(1 << levels, pairs, **({"topology": "hypercube", "rule": "e-cube"} | changes))


def complete(count, **changes):
    return machine(count, combinations(range(count), 2), **changes)


def star(count, **changes):
    return machine(count, [(i, count) for i in range(count)], switches=1, **changes)


def tree(levels, **changes):
    """Return a binary tree: switch 0 the root, those of a level in order, accelerators below."""
    leaves = 1 << levels
    node = {heap: heap - leaves if heap >= leaves else leaves + heap - 1 for heap in range(1, 2 * leaves)}
    pairs = [(node[heap], node[heap // 2]) for heap in range(2, 2 * leaves)]
    return machine(leaves, pairs, switches=leaves - 1, **changes)


@st.composite
def graphs(draw, *, most=12, trees=False):
    """Draw a connected array with its numbers, of shortest or divided routes."""
    nodes = draw(st.integers(2, most))
    switches = draw(st.integers(0, nodes // 2))
    pairs = {(draw(st.integers(0, i - 1)), i) for i in range(1, nodes)}
    if not trees:
        pairs |= draw(st.sets(st.sampled_from(list(combinations(range(nodes), 2))), max_size=nodes))
    order = draw(st.permutations(range(nodes)))
    exact = st.fractions(Fraction(1, 9), 9, max_denominator=9)
    links = tuple(Link((order[a], order[b]), draw(exact), Fraction(0), draw(exact)) for a, b in sorted(pairs))
    count = nodes - switches
    names = tuple(f"a{i}" for i in range(count)), tuple(f"s{i}" for i in range(switches))
    return Machine("custom", *names, links, draw(st.sampled_from(["shortest", "split"])))


@st.composite
def placed_graphs(draw, **changes):
    """Draw an array, a placement on it and bytes by level."""
    drawn = draw(graphs(**changes))
    levels = draw(st.integers(0, len(drawn.accelerators).bit_length() - 1))
    sites = draw(st.permutations(range(len(drawn.accelerators))))
    volumes = draw(st.lists(st.integers(0, 1000), min_size=levels, max_size=levels))
    return drawn, tuple(sites[: 1 << levels]), volumes
