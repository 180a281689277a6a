"""Figure 12: a torus in place of the H tree."""

from __future__ import annotations

from functools import cache

from hypar_opt.instance import load
from hypar_opt.instance.overrides import array_text

from .facts import (
    ACCOUNTING,
    HYPAR,
    MACHINE,
    NETWORKS,
    PRINTED,
    READING,
    array_of,
    changed,
    claim,
    costs_of,
    deviation,
    gain,
    geometric_mean,
    number,
)
from .sheet import Sheet, bars, canvas, fixed, percent

LEAF, TOTAL = "links as fast as an H tree leaf's", "as much link bandwidth in all"
LEVEL = "as much link bandwidth in all as one level"


def one_hop():
    """Return the audit's placement on which every counterpart is one hop away, so that none is better."""
    return tuple(claim("fig12-torus-sconv")["overrides"]["array"]["placement"])


def shuffled():
    """Return the audit's placement that was drawn at random."""
    return tuple(claim("fig12-link-shuffled")["slower"]["array"]["placement"])


@cache
def half():
    """Return the H tree with half the bandwidth at every level: communication takes twice as long."""
    own = int(array_of(MACHINE)["link"]["bandwidth"])
    return changed(MACHINE, bandwidth=own // 2)


@cache
def bandwidth(topology, rule, name=MACHINE):
    """Return a link's bytes a second each way by a rule, a whole number, rounded down.

    Either as fast as a leaf's link of the H tree of the evaluation, the slowest that it has; or so that all links
    together are as fast as all of the H tree's, or as those of one of its levels, which are all alike.
    """
    tree = load("sfc", array=name).machine.links
    if rule == LEAF:
        return int(min(link.bandwidth for link in tree))
    count = len(load("sfc", array=on(topology, 10**6, name), accounting=ACCOUNTING).machine.links)
    shared = int(array_of(name)["levels"]) if rule == LEVEL else 1
    return int(sum(link.bandwidth for link in tree) / shared / count)


def on(topology, speed, name=MACHINE, placement=None):
    """Return a machine's accelerators on another topology, a group beside its next unless a placement is given."""
    shape = {
        key: value for key, value in array_of(f"{topology}-16").items() if key not in ("link", "topology", "levels")
    }
    own = array_of(name)
    link = {"bandwidth": speed, "energy": own["link"]["energy"]}
    kept = {key: own[key] for key in ("levels", "placement", "accelerator")}
    placed = {} if placement is None else {"placement": list(placement)}
    return {"topology": topology, **shape, **kept, **placed, "link": link}


@cache
def torus(rule, placement=None):
    """Return a 4 x 4 torus of equal links, as JSON."""
    return array_text(on("torus", bandwidth("torus", rule), placement=placement))


def slower(array):
    """Return by network how many times as long as on the H tree it takes to communicate."""
    return {name: costs_of(name, HYPAR, array)["comm-time"] / costs_of(name, HYPAR)["comm-time"] for name in NETWORKS}


def in_times(array):
    """Return the same in words, exact where all networks agree."""
    found = sorted(set(slower(array).values()))
    if len(found) == 1:
        return "exactly as long" if found[0] == 1 else f"exactly {found[0]} times as long"
    return f"{float(found[0]):.2f} to {float(found[-1]):.2f} times as long"


def rows():
    """Return a row a network, and the geometric means."""
    printed = PRINTED["figure_12"]
    found = [
        {
            "network": network,
            "h tree": gain(network, "time"),
            "torus, printed": printed.get(network),
            "half the bandwidth": gain(network, "time", HYPAR, half()),
            LEVEL: gain(network, "time", HYPAR, torus(LEVEL, one_hop())),
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
    table = [
        {
            "network": row["network"],
            "H tree": fixed(row["h tree"]),
            "torus, read": row["torus, printed"] or "",
            "half the bandwidth": fixed(row["half the bandwidth"]),
            "deviation": percent(off.get(row["network"]), 1),
            f"4 x 4 torus, {LEVEL}, counterparts one hop apart": fixed(row[LEVEL]),
            f"4 x 4 torus, {LEAF}, identity": fixed(row[LEAF]),
            f"4 x 4 torus, {TOTAL}, identity": fixed(row[TOTAL]),
        }
        for row in found
    ]
    return Sheet(
        "figure-12",
        "Figure 12: a torus",
        f"Reproduced: all numbers within {float(100 * largest):.1f} % (read off an axis, taken to be known to "
        f"{float(100 * READING):.0f} %) if communication takes exactly twice as long as on the H tree. On a routed 4 x "
        "4 torus whose equal links share what one level of the H tree has, counterparts one hop apart, it takes "
        f"{in_times(torus(LEVEL, one_hop()))}; by the two other rules tried for its links, groups side by side, it "
        "does not. The paper says neither how fast the links are nor who stands where.",
        found,
        [
            "Performance of hypar-dp's plan over data parallelism on the H tree. There is no printed number for SFC "
            "here; the printed mean agrees with it among the ten.",
            table,
            "The torus is 4 x 4, routed dimension by dimension, its 32 links alike. How fast they are, and who stands "
            "where, is tried in several ways; beside it how long communication takes compared with the H tree:",
            ways(),
            "The rows that begin with 'fig12' are claims of `hypar-opt audit hypar-hpca19` as well, with the same "
            "placements; its claims fig12-torus-... are this page's first torus. So Figure 12 may be a routed torus, "
            "or the H tree with half its bandwidth: its numbers cannot tell.",
        ],
        picture(found),
    )


def ways():
    """Return a row a way to fill in what the paper leaves open."""
    tried = (
        ("fig12-level-best", LEVEL, "counterparts one hop apart", one_hop()),
        ("", LEVEL, "identity", None),
        ("fig12-link-best", LEAF, "counterparts one hop apart", one_hop()),
        ("fig12-link-rows", LEAF, "identity", None),
        ("fig12-link-shuffled", LEAF, "drawn at random", shuffled()),
        ("fig12-total-best", TOTAL, "counterparts one hop apart", one_hop()),
        ("", TOTAL, "identity", None),
    )
    return [
        {
            "claim": name,
            "links": rule,
            "bytes a second, each way": f"{bandwidth('torus', rule):,}",
            "placement": where,
            "communication takes": in_times(torus(rule, placement)),
        }
        for name, rule, where, placement in tried
    ]


def picture(found):
    """Return bars: read, recomputed, and by routing."""
    figure = canvas(10, 4.6)
    axes = figure.add_subplot()
    printed = [None if row["torus, printed"] is None else number(row["torus, printed"]) for row in found]
    series = {
        "H tree": ([row["h tree"] for row in found], "#bdbdbd"),
        "torus, read": (printed, "#9ecae1"),
        "half the bandwidth": ([row["half the bandwidth"] for row in found], "#08519c"),
        f"4 x 4 torus, {LEVEL}, one hop": ([row[LEVEL] for row in found], "#d94801"),
        f"4 x 4 torus, {LEAF}": ([row[LEAF] for row in found], "#74c476"),
        f"4 x 4 torus, {TOTAL}": ([row[TOTAL] for row in found], "#006d2c"),
    }
    bars(axes, [row["network"] for row in found], series, log=True)
    axes.set_ylabel("performance over data parallelism\non the H tree")
    return figure
