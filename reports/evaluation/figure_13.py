"""Figure 13: HyPar against the one weird trick, on one layer."""

from __future__ import annotations

from functools import cache

from hypar_opt.solver.solve import solve

from .facts import PRINTED, costs, deviation, number, one_layer
from .sheet import Sheet, canvas, fixed, percent

TRICK = "one-weird-trick"
LEVELS = (2, 3, 4)
MAPS = tuple(range(7, 17))
"""Heights and widths that conv5's map is tried with, padded by 1 so that it stays."""
FIGURE = PRINTED["figure_13"]
NEAREST = 13


def linear():
    """Return fc3: 4096 -> 1000 features, batch 4096."""
    return ({"name": "fc3", "linear": {"features": 1000}}, (4096,), 4096)


def conv(size, channels=512, filters=512, pool=None):
    """Return conv5: 3 x 3 kernels on maps of a size, batch 32, with a pool behind it if one is given."""
    layer = {"name": "conv5", "conv": {"filters": filters, "kernel": 3, "pad": 1}}
    layers = [layer] if pool is None else [layer, {"name": "pool5", "pool": pool}]
    return (layers, (channels, size, size), 32)


OTHERS = {
    "14 x 14, pooled to 7 x 7 (VGG's conv5 with its pool)": conv(14, pool={"kernel": 2}),
    "13 x 13, 384 -> 256 channels (AlexNet's conv5)": conv(13, 384, 256),
    "13 x 13, 384 -> 256 channels, pooled to 6 x 6": conv(13, 384, 256, {"kernel": 3, "stride": 2}),
    "13 x 13, 192 -> 128 channels (one of AlexNet's columns)": conv(13, 192, 128),
    "28 x 28 (VGG's conv4)": conv(28),
}
"""Other shapes that a layer called conv5 might have."""


@cache
def _gains(key, levels):
    layer, shape, batch = {"fc3": linear(), **{size: conv(size) for size in MAPS}, **OTHERS}[key]
    problem = one_layer(layer, shape, batch, levels)
    own, other = (costs(problem, solve(problem.by_communication, name).strategies) for name in ("hypar-dp", TRICK))
    return other["time"] / own["time"], other["energy"] / own["energy"]


def gains(key, levels):
    """Return HyPar's gains in time and energy on fc3, on conv5 with maps of a size, or on another shape by name."""
    return _gains(key, levels)


def worst(key, which=0):
    """Return the largest deviation of a conv5 from what is printed, over the three sizes of the array."""
    return max(abs(deviation(gains(key, h)[which], FIGURE["conv5"][h][which])) for h in LEVELS)


def rows():
    """Return a row a layer and number of levels."""
    shown = []
    for name, key in [
        ("fc3", "fc3"),
        *((f"conv5, {size} x {size}", size) for size in MAPS),
        *((one, one) for one in OTHERS),
    ]:
        printed = FIGURE["fc3" if name == "fc3" else "conv5"]
        for h in LEVELS:
            time, energy = gains(key, h)
            shown.append(
                {
                    "layer": name,
                    "levels": h,
                    "performance, printed": printed[h][0],
                    "performance": time,
                    "energy, printed": printed[h][1],
                    "energy": energy,
                }
            )
    return shown


def table(found):
    """Return a row a layer for the page: performance and energy at the three sizes of the array."""
    lines = []
    for name in dict.fromkeys(row["layer"] for row in found):
        own = [row for row in found if row["layer"] == name]
        line = {"layer": name}
        for which in ("performance", "energy"):
            for row in own:
                off = percent(deviation(row[which], row[f"{which}, printed"]), 1)
                line[f"{which}, H = {row['levels']}"] = f"{fixed(row[which])} ({off})"
        lines.append(line)
    return lines


def printed(name):
    """Return the printed numbers as a row of the same table."""
    line = {"layer": f"{name}, printed"}
    for which, position in (("performance", 0), ("energy", 1)):
        line |= {f"{which}, H = {h}": FIGURE[name][h][position] for h in LEVELS}
    return line


def nearest(levels):
    """Return the map with which conv5 comes nearest to what is printed at one size of the array."""
    return min(MAPS, key=lambda size: abs(deviation(gains(size, levels)[0], FIGURE["conv5"][levels][0])))


def sheet():
    """Return the page."""
    found = rows()
    linear_off = [abs(deviation(gains("fc3", h)[0], FIGURE["fc3"][h][0])) for h in LEVELS]
    energy_off = [abs(deviation(gains("fc3", h)[1], FIGURE["fc3"][h][1])) for h in LEVELS]
    lines = table(found)
    best = min(MAPS, key=worst)
    each = ", ".join(f"{nearest(h)} x {nearest(h)} at H = {h}" for h in LEVELS)
    return Sheet(
        "figure-13",
        "Figure 13: HyPar against the one weird trick",
        f"fc3 reproduced: performance within {float(100 * max(linear_off)):.1f} %, energy within "
        f"{float(100 * max(energy_off)):.1f} %. conv5, whose shape is not stated, only nearly: of 3 x 3 kernels on "
        f"512 channels a map of {best} x {best} comes nearest, performance within {float(100 * worst(best)):.1f} %, "
        f"energy within {float(100 * worst(best, 1)):.1f} %.",
        found,
        [
            "One layer, so that the trick is mp everywhere for fc3 (4096 -> 1000 features, batch 4096) and dp "
            "everywhere for conv5 (3 x 3 kernels, 512 -> 512 channels unless said otherwise, batch 32). Gains of "
            "hypar-dp's plan over the trick on hypar-16 with 2^H accelerators. In parentheses: the deviation from "
            "what is printed.",
            "## fc3",
            [printed("fc3"), *lines[:1]],
            "## conv5",
            f"Of the maps tried the nearest are {each}. The energies, which that choice did not look at, agree with "
            f"{best} x {best} too. But the printed gain of H = 3 lies between {best - 1} x {best - 1} and {best} x "
            f"{best} where those of H = 2 and 4 are {best} x {best}'s, and no network of the paper has 512 channels "
            "on such maps: VGG's conv5 has 14 x 14, AlexNet's has 13 x 13 with fewer channels. The shape stays open.",
            [printed("conv5"), *lines[1:]],
        ],
        picture(),
    )


def picture():
    """Return gains over the number of levels."""
    figure = canvas(10, 4.2)
    styles = {7: "c:", 12: "b--", 13: "g-", 14: "r-.", 16: "m:"}
    for axes, which, label in zip(figure.subplots(1, 2), (0, 1), ("performance", "energy efficiency"), strict=True):
        axes.plot(
            LEVELS,
            [float(number(FIGURE["fc3"][h][which])) for h in LEVELS],
            "s",
            color="tab:orange",
            label="fc3, printed",
        )
        axes.plot(LEVELS, [float(gains("fc3", h)[which]) for h in LEVELS], "-", color="tab:orange", label="fc3")
        axes.plot(
            LEVELS, [float(number(FIGURE["conv5"][h][which])) for h in LEVELS], "o", color="k", label="conv5, printed"
        )
        for size, style in styles.items():
            drawn = [float(gains(size, h)[which]) for h in LEVELS]
            axes.plot(LEVELS, drawn, style, label=f"conv5, {size} x {size}", lw=2 if size == NEAREST else 1)
        axes.set_xticks(LEVELS)
        axes.set_xlabel("H")
        axes.set_ylabel(f"{label} over the one weird trick")
        axes.grid(visible=True, alpha=0.3)
        axes.legend(fontsize=7)
    return figure
