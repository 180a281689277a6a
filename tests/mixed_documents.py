"""Random instances whose arrays are of several kinds of accelerators, and what these are to the evaluator."""

from __future__ import annotations

from random import Random

from bank.random_networks import random_document

from hypar_opt.evaluation.mixed import MixedRules, MixedSetting
from hypar_opt.instance.network import workload

CHOICES = ("dp", "mp", "op", "none")


def random_mixed_document(seed, *, most_layers=3, most_levels=1, objective="time", exact=False):
    """Return the document of one random instance; the same for the same arguments.

    Bandwidths are such that reading and computing take about as long as each other; one memory in four is short.
    """
    rng = Random(f"mixed {seed}")
    whole = random_document(seed, most_layers=most_layers, accounting="published", most_levels=1)
    levels, whole["batch"] = rng.randint(1, most_levels), rng.choice((8, 12, 64))
    free = objective == "time" and rng.random() < 0.8
    as_evaluated = rng.random() < 0.2
    choices = CHOICES[:2] if as_evaluated else CHOICES[: rng.choice((3, 3, 2))]
    whole["array"] = {
        "topology": "h-tree",
        "levels": levels,
        "accelerators": _kinds(rng, 2**levels),
        "reads": rng.choice(("accelerator", "group")),
    }
    whole["cost"] |= {
        "accounting": "as-evaluated" if as_evaluated else rng.choice(("published", "receiver")),
        "choices": [*choices, *(["none"] if _all_differ(whole) and rng.random() < 0.5 else [])],
        "splits": "any",
        "shares": _shares(rng, free, exact),
        "barrier": rng.choice(("step", "level", "layer")),
    }
    whole["objective"] = {objective: 1}
    whole.pop("fix", None)
    return whole


def _shares(rng, free, exact):
    if not free:
        first = rng.randrange(1, 10)
        return [f"{first}/10", f"{10 - first}/10"]
    return "exact" if exact else {"parts": rng.choice((2, 3, 5, 8))}


def _kinds(rng, leaves):
    names = "ABC"[: rng.choice((2, 2, 3)) if leaves > 2 else 2]
    of_leaf = [rng.choice(names) for _ in range(leaves)]
    of_leaf[0], of_leaf[-1] = "A", "B"
    return [
        {
            "kind": name,
            "groups": [format(leaf, f"0{leaves.bit_length() - 1}b") for leaf in range(leaves) if of_leaf[leaf] == name],
            "bandwidth": rng.choice((3, 5, 20, 100)),
            "accelerator": {"model": "as-evaluated", "rate": rng.choice((50, 100, 300, 1000, 9000)), "utilisation": 1}
            | ({"memory": {"capacity": rng.choice((300, 2000, 10**4, 10**5))}} if rng.random() < 0.25 else {}),
        }
        for name in sorted(set(of_leaf))
    ]


def _all_differ(whole):
    """Return whether all groups of some level may be told apart, so that one half may be idle."""
    return len(whole["array"]["accelerators"]) > 1


def judged(instance):
    """Return an instance's layers, and what its plans are judged for and by."""
    setting = MixedSetting(
        instance.batch, instance.mixed, instance.accounting, instance.bytes_per_element, instance.optimiser,
        instance.barrier, instance.input_error,
    )  # fmt: skip
    return workload(instance.network), setting, MixedRules(instance.choices, instance.shares, instance.fix)
