"""Random machines for tests: what stands under `array` with an accelerator, small numbers that divide badly."""

from __future__ import annotations

from random import Random

MODELS = ("as-evaluated", "row-stationary")


def random_array(seed, levels, *, model=None, capacity=None):
    """Return an array with accelerators; the same for the same arguments."""
    rng = Random(f"machine {seed}")
    model = model or rng.choice(MODELS)
    accelerator = {
        "model": model,
        "grid": [rng.choice((1, 3, 12)), rng.choice((1, 5, 14))],
        "buffer": rng.choice((24, 100, 1000, 100_000)),
        "utilisation": rng.choice(("grid", 1, 0.5)),
        "energy": {name: rng.choice((0, 1, 3.5, 40)) for name in ("add", "multiply", "sram", "dram")},
        "memory": {},
    }
    accelerator |= {"rate": rng.choice((7, 1000))} if rng.random() < 0.5 else {"clock": rng.choice((11, 250))}
    if rng.random() < 0.6:
        accelerator["memory"]["bandwidth"] = rng.choice((3, 50, 4000))
    if capacity is not None:
        accelerator["memory"]["capacity"] = capacity
    return {
        "topology": rng.choice(("h-tree", "ring", "hypercube")),
        "levels": levels,
        "placement": "identity",
        "link": {"bandwidth": rng.choice((1, 9, 500)), "energy": rng.choice((0, 2, 0.25))},
        "accelerator": accelerator,
    }
