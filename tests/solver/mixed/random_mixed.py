"""Random small instances whose accelerators are of several kinds, and their best plans by trying all."""

from __future__ import annotations

from random import Random

from bank.random_networks import random_document
from mixed_brute_force import best_plan

from hypar_opt.evaluation.mixed import BY_LEVEL
from hypar_opt.instance.barriers import BARRIERS

LEAVES = (
    (0, 1), (0, 1), (1, 0), (0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0), (0, 0, 0, 1), (0, 1, 0, 2), (0, 1, 2, 3),
    (0, 0, 0, 0, 1, 1, 1, 1), (0, 0, 0, 1, 0, 0, 0, 1),
)  # fmt: skip
"""The kinds of the leaves: one split at the root, others below like halves or unlike ones; up to three levels."""
SPLITS = {(0, 1, 0, 1): ["0"], (0, 1, 1, 0): ["root", "0", "1"], (0, 0, 0, 1): ["root", "1"]} | {
    (0, 1, 0, 2): ["root", "0", "1"],
    (0, 1, 2, 3): ["root", "0", "1"],
    (0, 0, 0, 1, 0, 0, 0, 1): ["0", "01"],
}
"""By leaves, the groups whose halves are unlike; of others the root."""
LETTERS = ("dm", "dmo", "dmn", "dmno", "do", "mo", "dn", "don")
NAMES = {"d": "dp", "m": "mp", "o": "op", "n": "none"}


def random_mixed(seed, *, most_layers=4, most_plans=4000, most_splits=3):
    """Return the document of a random instance; the same for the same arguments.

    Parameters
    ----------
    most_plans
        Words of all layers times shares.
    most_splits
        Groups whose halves are unlike.
    """
    rng = Random(f"mixed {seed}")
    while True:
        whole = random_document(rng.random(), most_layers=most_layers, most_levels=1, is_chain=rng.random() < 0.4)
        layers = sum(len({"linear", "conv", "add", "concat"} & set(one)) for one in whole["network"]["layers"])
        leaves, letters = rng.choice(LEAVES), rng.choice(LETTERS)
        levels, splits = len(leaves).bit_length() - 1, SPLITS.get(leaves, ["root"])
        words = len(letters) ** (levels * layers)
        most = int((most_plans / words) ** (1 / len(splits)))
        if most < 1 or len(splits) > most_splits:
            continue
        objective = "communication" if rng.random() < 0.2 else "time"
        shares = _shares(rng, splits, min(12, most + 1), objective == "time")
        batch = whole["batch"] if shares == "equal" or "parts" not in shares else max(whole["batch"], shares["parts"])
        whole |= {"batch": batch, "objective": {objective: 1}}
        whole["cost"] |= {
            "accounting": rng.choice([one for one in BY_LEVEL if one != "as-evaluated" or "o" not in letters]),
            "choices": [NAMES[one] for one in letters if one != "n" or leaves not in ((0, 0, 0, 1),)],
            "splits": "any",
            "shares": shares,
            "barrier": rng.choice(list(BARRIERS)),
            "optimiser": rng.choice(("sgd", "adam")),
        }
        whole.pop("fix", None)
        whole["array"] = {
            "topology": "h-tree",
            "levels": levels,
            "reads": rng.choice(("accelerator", "group")),
            "accelerators": _kinds(rng, leaves),
        }
        return whole


def _shares(rng, splits, most, may_be_free):
    kind = rng.choice(("parts", "parts", "parts", "given", "equal"))
    if kind == "parts" and may_be_free:
        return {"parts": rng.randint(2, max(2, most))}
    if kind == "equal":
        return "equal"
    return {name: [f"{k}/12", f"{12 - k}/12"] for name in splits for k in [rng.randint(1, 11)]}


def _kinds(rng, leaves):
    """Return kinds with rates, bandwidths and memories such that now this binds and now that."""
    levels = len(leaves).bit_length() - 1
    pace = 10 ** rng.choice((1, 2, 3, 4))  # operations for a byte
    small = rng.random() < 0.4
    found = []
    for kind in sorted(set(leaves)):
        bandwidth = rng.choice((1, 2, 3, 5, 10))
        chip = {"model": "as-evaluated", "rate": rng.choice((1, 2, 3, 7, 20)) * pace}
        if small and rng.random() < 0.7:
            chip["memory"] = {"capacity": int(10 ** rng.uniform(1.5, 6))}
        groups = [f"{leaf:0{levels}b}" for leaf, one in enumerate(leaves) if one == kind]
        found.append({"kind": "abcd"[kind], "groups": groups, "bandwidth": bandwidth, "accelerator": chip})
    return found


def least(problem):
    """Return the least cost of all plans and shares, or None where none fits, by the evaluator."""
    found = best_plan(problem.work, problem.judged_by, problem.rules, problem.objective.components[0])
    return None if found is None else found.cost
