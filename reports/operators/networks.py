"""The ten networks as operators: what splitting along more dimensions than HyPar's saves."""

from __future__ import annotations

from hypar_opt.instance import load
from hypar_opt.solver.solve import solve
from hypar_opt.studies.operators.restriction import restricted
from hypar_opt.util.errors import InputError

from .page import count, page, times

NETWORKS = ("sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e")
AXES = "level1=2,level2=2,level3=2,level4=2"
SMALL_BATCHES = (("sconv", 4), ("alexnet", 4), ("vgg-a", 16), ("vgg-a", 4), ("vgg-a", 1))
LETTERS = {"dp": ("batch",), "dp, mp": ("batch", "in"), "dp, mp, op": ("batch", "in", "out")}


def least(instance):
    """Return the bytes of the best plan, which is proven and recounted, or None where a layer has none."""
    try:
        plan = solve(instance, "joint-dp")
    except InputError:
        return None
    assert plan.status == "OPTIMAL"
    return plan.communication_bytes


def row(network, batch=256, *, full=True):
    """Return a network's row: the least bytes by more and more dimensions.

    `full` has all of them, which takes up to 20 s.
    """
    instance = load(network, axes=AXES, batch=batch, splits="any")
    found = {name: least(restricted(instance, letters)) for name, letters in LETTERS.items()}
    if batch < instance.devices:
        found["dp"] = None  # a batch of one cannot be split, and nothing moves where nothing is split
    shown = {"network": network, "batch": batch} | {name: shown_or_none(size) for name, size in found.items()}
    if not full:
        return shown
    best = least(instance)
    gains = {f"{name} / all": times(size, best) for name, size in found.items() if size is not None and name != "dp"}
    return shown | {"all": count(best)} | dict.fromkeys(("dp, mp / all", "dp, mp, op / all"), "") | gains


def shown_or_none(size):
    """Return a number of bytes, or nothing where there is no plan."""
    return "" if size is None else count(size)


def halves(network):
    """Return a network's row: what the accountings of halves charge the best plan of d and m, beside collectives."""
    charged = {}
    for accounting in ("as-evaluated", "leaf-exact"):
        plan = solve(load(network, accounting=accounting, choices="dp,mp"), "joint-dp")
        assert plan.status == "OPTIMAL"
        charged[accounting] = count(plan.communication_bytes)
    by_operators = least(restricted(load(network, axes=AXES, splits="any"), LETTERS["dp, mp"]))
    return {"network": network, **charged, "collective": count(by_operators)}


def written():
    """Return the page."""
    return page(
        "The ten networks as operators",
        "Written by `make operators`; checked by tests/published. Sixteen devices, four axes of two, 32-bit numbers, "
        "splits of any size; bytes that all devices receive by collectives. Every number is the least, proven by "
        "joint-dp and recounted by the evaluator.",
        "## More dimensions than HyPar's",
        "Layers with weights are split along the batch (dp), what they read (mp) and write (op); pools follow "
        "along samples or channels, or are computed by all. The column `all` also has rows and columns of maps, with "
        "their halos.",
        [row(network) for network in NETWORKS],
        "At batch 256 no network gains by rows and columns of maps: strips of maps need the sums of gradients that a "
        "split batch needs as well, and halos on top. That is different where there are fewer samples than devices; "
        "where a column is empty, a layer has fewer samples and channels than its parts:",
        [row(network, batch) for network, batch in SMALL_BATCHES],
        "## Beside the accountings of halves",
        "The least of dp and mp by three accountings. `as-evaluated` is what reduce-scatters move, but that the "
        "exchanges of several levels are not fused into one: of Lenet-c and AlexNet that is all of the difference, of "
        "SFC and SCONV there is none. `leaf-exact` adds up errors for all by all-reduces. Both have a convolution's "
        "partial sums added up behind its pool, where maps are smaller; collectives add them up in front of it.",
        [halves(network) for network in NETWORKS],
    )
