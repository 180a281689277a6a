"""Figure 12: a torus in place of the H tree."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from hypar_opt.instance import load
from hypar_opt.instance.overrides import array_text

from .facts import (
    ACCOUNTING,
    HYPAR,
    MACHINE,
    NETWORKS,
    PRINTED,
    array_of,
    changed,
    costs_of,
    deviation,
    gain,
    geometric_mean,
    number,
)
from .sheet import Sheet, bars, canvas, fixed, percent

READING = Fraction(1, 20)
"""What a number that was read off an axis may be off."""
LEAF, TOTAL = "links as fast as an H tree leaf's", "as much link bandwidth in all"


@cache
def half():
    """Return the H tree with half the bandwidth at every level: communication takes twice as long."""
    own = int(array_of(MACHINE)["link"]["bandwidth"])
    return changed(MACHINE, bandwidth=own // 2)


@cache
def bandwidth(topology, rule, name=MACHINE):
    """Return a link's bytes a second each way by a rule, a whole number, rounded down.

    Either as fast as a leaf's link of the H tree of the evaluation, the slowest that it has; or so that all links
    together are as fast as all of the H tree's.
    """
    tree = load("sfc", array=name).machine.links
    if rule == LEAF:
        return int(min(link.bandwidth for link in tree))
    count = len(load("sfc", array=on(topology, 10**6, name), accounting=ACCOUNTING).machine.links)
    return int(sum(link.bandwidth for link in tree) / count)


def on(topology, speed, name=MACHINE):
    """Return a machine's accelerators on another topology, a group beside its next: the placement identity."""
    shape = {
        key: value for key, value in array_of(f"{topology}-16").items() if key not in ("link", "topology", "levels")
    }
    own = array_of(name)
    link = {"bandwidth": speed, "energy": own["link"]["energy"]}
    kept = {key: own[key] for key in ("levels", "placement", "accelerator")}
    return {"topology": topology, **shape, **kept, "link": link}


@cache
def torus(rule):
    """Return a 4 x 4 torus of equal links, as JSON."""
    return array_text(on("torus", bandwidth("torus", rule)))


def rows():
    """Return a row a network, and the geometric means."""
    printed = PRINTED["figure_12"]
    found = [
        {
            "network": network,
            "h tree": gain(network, "time"),
            "torus, printed": printed.get(network),
            "half the bandwidth": gain(network, "time", HYPAR, half()),
            LEAF: gain(network, "time", HYPAR, torus(LEAF)),
            TOTAL: gain(network, "time", HYPAR, torus(TOTAL)),
        }
        for network in NETWORKS
    ]
    texts = {"network": "gmean", "torus, printed": printed["gmean"]}
    means = {name: geometric_mean([row[name] for row in found]) for name in found[0] if name not in texts}
    return [*found, {name: {**means, **texts}[name] for name in found[0]}]


def sheet():
    """Return the page."""
    found = rows()
    off = {
        row["network"]: deviation(row["half the bandwidth"], row["torus, printed"])
        for row in found
        if row["torus, printed"]
    }
    largest = max(map(abs, off.values()))
    slower = [costs_of(name, HYPAR, torus(LEAF))["comm-time"] / costs_of(name, HYPAR)["comm-time"] for name in NETWORKS]
    least, most = float(min(slower)), float(max(slower))
    table = [
        {
            "network": row["network"],
            "H tree": fixed(row["h tree"]),
            "torus, read": row["torus, printed"] or "",
            "half the bandwidth": fixed(row["half the bandwidth"]),
            "deviation": percent(off.get(row["network"]), 1),
            f"4 x 4 torus, {LEAF}": fixed(row[LEAF]),
            f"4 x 4 torus, {TOTAL}": fixed(row[TOTAL]),
        }
        for row in found
    ]
    return Sheet(
        "figure-12",
        "Figure 12: a torus",
        f"Reproduced as arithmetic, not as a torus: all numbers within {float(100 * largest):.1f} % (read off an "
        f"axis, taken to be known to {float(100 * READING):.0f} %) if communication takes exactly twice as long as on "
        "the H tree. A 4 x 4 torus with equal links does not give them.",
        found,
        [
            "Performance of hypar-dp's plan over data parallelism on the H tree. There is no printed number for SFC "
            "here; the printed mean agrees with it among the ten.",
            table,
            "The torus is 4 x 4, routed dimension by dimension, every group beside the next (placement identity); "
            f"its links have, by two rules, {bandwidth('torus', LEAF):,} bytes a second each way ({LEAF}) or "
            f"{bandwidth('torus', TOTAL):,} ({TOTAL}: 32 links have what the H tree's 30 have). By the first it takes "
            f"{least:.2f} to {most:.2f} times as long as the H tree to communicate, by the second less long. "
            "`hypar-opt audit hypar-hpca19` (fig12-...) has what better placements give: with the first rule and the "
            "best placement the torus is as fast as the H tree.",
        ],
        picture(found),
    )


def picture(found):
    """Return bars: read, recomputed, and by routing."""
    figure = canvas(10, 4.6)
    axes = figure.add_subplot()
    printed = [None if row["torus, printed"] is None else number(row["torus, printed"]) for row in found]
    series = {
        "H tree": ([row["h tree"] for row in found], "#bdbdbd"),
        "torus, read": (printed, "#9ecae1"),
        "half the bandwidth": ([row["half the bandwidth"] for row in found], "#08519c"),
        f"4 x 4 torus, {LEAF}": ([row[LEAF] for row in found], "#74c476"),
        f"4 x 4 torus, {TOTAL}": ([row[TOTAL] for row in found], "#006d2c"),
    }
    bars(axes, [row["network"] for row in found], series, log=True)
    axes.set_ylabel("performance over data parallelism\non the H tree")
    return figure
