"""Figure 6: performance over data parallelism."""

from __future__ import annotations

from .facts import (
    DATA_PARALLEL,
    HYPAR,
    MODEL_PARALLEL,
    NETWORKS,
    PRINTED,
    costs_of,
    deviation,
    gain,
    geometric_mean,
    number,
)
from .sheet import Sheet, bars, canvas, fixed, percent, short

FIGURE = PRINTED["figure_6"]
BYTES = PRINTED["figure_8"]["model parallelism"]


def hypar(network):
    """Return HyPar's gain."""
    return gain(network, "time", HYPAR)


def seconds_a_byte(network):
    """Return what a byte takes: the same at every level of an H tree."""
    costs = costs_of(network, DATA_PARALLEL)
    return costs["comm-time"] / costs["communication"]


def model_parallel(network):
    """Return the gain of mp everywhere as the model here has it."""
    return gain(network, "time", MODEL_PARALLEL)


def with_printed_bytes(network):
    """Return the same with the bytes that Figure 8 prints for it."""
    moved = number(BYTES[network]) * 10**9
    computed = costs_of(network, MODEL_PARALLEL)["compute-time"]
    return costs_of(network, DATA_PARALLEL)["time"] / (computed + moved * seconds_a_byte(network))


def implied_bytes(network):
    """Return the bytes with which the model gives Figure 6's model-parallel value."""
    wanted = costs_of(network, DATA_PARALLEL)["time"] / number(FIGURE["model parallelism"][network])
    return (wanted - costs_of(network, MODEL_PARALLEL)["compute-time"]) / seconds_a_byte(network)


def rows():
    """Return a row a network, and the geometric means."""
    found = [
        {
            "network": network,
            "hypar, printed": FIGURE["hypar"][network],
            "hypar": hypar(network),
            "mp, printed": FIGURE["model parallelism"][network],
            "mp, with Figure 8's bytes": with_printed_bytes(network),
            "mp, as modelled": model_parallel(network),
            "mp, GB printed": number(BYTES[network]),
            "mp, GB implied": implied_bytes(network) / 10**9,
            "mp, GB as modelled": costs_of(network, MODEL_PARALLEL)["communication"] / 10**9,
        }
        for network in NETWORKS
    ]
    texts = {
        "network": "gmean",
        "hypar, printed": FIGURE["hypar"]["gmean"],
        "mp, printed": FIGURE["model parallelism"]["gmean"],
    }
    means = {name: geometric_mean([row[name] for row in found]) for name in found[0] if name not in texts}
    return [*found, {name: {**means, **texts}[name] for name in found[0]}]


def sheet():
    """Return the page."""
    found = rows()
    off = [deviation(row["hypar"], row["hypar, printed"]) for row in found[:-1]]
    largest = max(map(abs, off))
    most = max(abs(deviation(row["mp, with Figure 8's bytes"], row["mp, printed"])) for row in found[:-1])
    first = [
        {
            "network": row["network"],
            "printed": row["hypar, printed"],
            "recomputed": fixed(row["hypar"]),
            "deviation": percent(deviation(row["hypar"], row["hypar, printed"])),
        }
        for row in found
    ]
    second = [
        {
            "network": row["network"],
            "printed": row["mp, printed"],
            "with Figure 8's bytes": short(row["mp, with Figure 8's bytes"]),
            "deviation": percent(deviation(row["mp, with Figure 8's bytes"], row["mp, printed"]), 1),
            "as modelled": short(row["mp, as modelled"]),
            "GB printed": short(row["mp, GB printed"]),
            "GB implied by Figure 6": short(row["mp, GB implied"]),
            "GB as modelled": short(row["mp, GB as modelled"]),
        }
        for row in found
    ]
    summary = (
        f"Reproduced: HyPar's ten gains within {float(100 * largest):.2f} %, their geometric mean "
        f"{float(found[-1]['hypar']):.3f} (printed {found[-1]['hypar, printed']}). One constant is fitted: the "
        "bandwidth."
    )
    return Sheet(
        "figure-6",
        "Figure 6: performance over data parallelism",
        summary,
        found,
        [
            "Step time of hypar-dp's plan on hypar-16, accounting as-evaluated, over that of dp everywhere; "
            "computing and communicating one after the other.",
            "## HyPar",
            first,
            "## Model parallelism",
            "The printed gains follow from the bytes that Figure 8 prints for mp everywhere, within "
            f"{float(100 * most):.1f} % on all ten networks. Those bytes themselves follow from no accounting: the "
            "last column is what mp everywhere exchanges as modelled here, and 'as modelled' its gain.",
            second,
        ],
        picture(found),
    )


def picture(found):
    """Return bars: printed and recomputed."""
    figure = canvas(10, 4.6)
    axes = figure.add_subplot()
    names = [row["network"] for row in found]
    printed = [number(row["hypar, printed"]) for row in found]
    other = [number(row["mp, printed"]) for row in found]
    series = {
        "HyPar, printed": (printed, "#9ecae1"),
        "HyPar, recomputed": ([row["hypar"] for row in found], "#08519c"),
        "mp, printed": (other, "#fdae6b"),
        "mp, with Figure 8's bytes": ([row["mp, with Figure 8's bytes"] for row in found], "#d94801"),
    }
    bars(axes, names, series, log=True)
    axes.set_ylabel("performance over data parallelism")
    return figure
