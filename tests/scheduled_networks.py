"""Small chains whose partial sums are exchanged by schedules."""

from __future__ import annotations

from random import Random

from helpers import document, instance_of, linear_chain

ARRAYS = (
    {"topology": "torus", "dims": [2, 4], "levels": 3},
    {"topology": "ring", "levels": 3},
    {"topology": "mesh", "dims": [2, 2], "levels": 2},
    {"topology": "h-tree", "levels": 2},
    {"topology": "bigraph", "switches": 2, "levels": 2},
)
ALGORITHMS = ("ring", "multitree", "shifted-trees", "best")


def scheduled(array, collectives, layers=(6, 10, 4), **said):
    """Return an instance of linear layers on an array whose placement is in order, for the time of its exchanges."""
    whole = document(linear_chain(*layers[1:]), [layers[0]], objective={"comm-time": 1}, **said)
    wire = {"bandwidth": 3, "latency": 2}
    return instance_of({**whole, "array": {"link": wire, "placement": "identity", "collectives": collectives, **array}})


def drawn(seed):
    """Return such an instance by chance: array, latency, algorithm, chunks and network."""
    random = Random(seed)
    array = random.choice(ARRAYS)
    small = array["levels"] < 3
    collectives = {
        "algorithm": random.choice(ALGORITHMS if small else ALGORITHMS[:3]),
        "chunks": random.choice((1, 1, 2)),
        "levels": random.choice(("together", "together", "each")),
    }
    wire = {"bandwidth": random.choice((1, 3)), "latency": random.choice((0, 2, 50))}
    layers = tuple(random.randint(1, 12) for _ in range(3))
    said = {"batch": random.randint(1, 16), "accounting": random.choice(("published", "receiver", "as-evaluated"))}
    choices = ["dp", "mp"] if said["accounting"] == "as-evaluated" else ["dp", "mp", "op"]
    return scheduled({"link": wire, **array}, collectives, layers, choices=choices if small else ["dp", "mp"], **said)
