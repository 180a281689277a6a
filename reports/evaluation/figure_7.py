"""Figure 7: energy efficiency over data parallelism, by two models of the energy."""

from __future__ import annotations

from functools import cache

from hypar_opt.cost.computing import exchanged_energy
from hypar_opt.instance import load
from hypar_opt.solver.solve import solve

from .facts import (
    ACCOUNTING,
    DATA_PARALLEL,
    DATAFLOW,
    HYPAR,
    MACHINE,
    MODEL_PARALLEL,
    NETWORKS,
    PRINTED,
    costs,
    costs_of,
    deviation,
    gain,
    geometric_mean,
    number,
    on_machine,
    plan_of,
)
from .sheet import Sheet, bars, canvas, fixed, percent, short

FIGURE = PRINTED["figure_7"]
BYTES = PRINTED["figure_8"]["model parallelism"]


def hypar(network, array=MACHINE):
    """Return HyPar's gain."""
    return gain(network, "energy", HYPAR, array, array)


def with_printed_bytes(network):
    """Return the gain of mp everywhere with the bytes that Figure 8 prints for it."""
    own = costs_of(network, MODEL_PARALLEL)
    more = number(BYTES[network]) * 10**9 - own["communication"]
    joules = exchanged_energy(on_machine(network).instance.accelerator)
    return costs_of(network, DATA_PARALLEL)["energy"] / (own["energy"] + more * joules)


@cache
def thriftiest(network, array):
    """Return the plan of least energy by a model, proven; HyPar's, if that is one of several."""
    plan = solve(load(network, array=array, accounting=ACCOUNTING, objective="energy"), "joint-dp")
    assert plan.status == "OPTIMAL"
    if plan.objective == costs_of(network, HYPAR, array)["energy"]:
        return plan_of(network, HYPAR)
    return tuple(plan.strategies.items())


def joules(network, array):
    """Return the energy by a model of four plans: both models' best, HyPar's, and data parallelism."""
    problem = on_machine(network, array)
    plans = {
        "best as-evaluated": thriftiest(network, MACHINE),
        "best row-stationary": thriftiest(network, DATAFLOW),
        "hypar": plan_of(network, HYPAR),
        "dp": plan_of(network, DATA_PARALLEL),
    }
    return {name: costs(problem, strategies)["energy"] for name, strategies in plans.items()}


def rows():
    """Return a row a network, and the geometric means."""
    found = []
    for network in NETWORKS:
        own, flow = joules(network, MACHINE), joules(network, DATAFLOW)
        found.append(
            {
                "network": network,
                "hypar, printed": FIGURE["hypar"][network],
                "hypar": hypar(network),
                "hypar, row-stationary": hypar(network, DATAFLOW),
                "mp, printed": FIGURE["model parallelism"][network],
                "mp, with Figure 8's bytes": with_printed_bytes(network),
                "mp, as modelled": gain(network, "energy", MODEL_PARALLEL),
                "mp, row-stationary": gain(network, "energy", MODEL_PARALLEL, DATAFLOW, DATAFLOW),
                **{f"J as-evaluated: {name}": value for name, value in own.items()},
                **{f"J row-stationary: {name}": value for name, value in flow.items()},
            }
        )
    texts = {
        "network": "gmean",
        "hypar, printed": FIGURE["hypar"]["gmean"],
        "mp, printed": FIGURE["model parallelism"]["gmean"],
    }
    gains = [name for name in found[0] if name not in texts and not name.startswith("J ")]
    means = {name: geometric_mean([row[name] for row in found]) for name in gains}
    return [*found, {name: {**means, **texts}.get(name) for name in found[0]}]


def disagreements(found):
    """Return a row a network: what each model says of each plan, relative to its own best."""
    shown = []
    for row in found[:-1]:
        line = {"network": row["network"]}
        for model, own in (("as-evaluated", "best as-evaluated"), ("row-stationary", "best row-stationary")):
            least = row[f"J {model}: {own}"]
            other = "best row-stationary" if own == "best as-evaluated" else "best as-evaluated"
            line[f"{model}: best"] = f"{short(least)} J"
            for plan, label in ((other, "the other model's best"), ("hypar", "HyPar"), ("dp", "dp")):
                line[f"{model}: {label}"] = percent(row[f"J {model}: {plan}"] / least - 1, 1)
        shown.append(line)
    return shown


def excess(row, model, plan):
    """Return by which share a plan needs more energy than the best by a model."""
    return row[f"J {model}: {plan}"] / row[f"J {model}: best {model}"] - 1


def plans_of(network):
    """Return in words how the two best plans differ from HyPar's: the layers with another word."""
    base = dict(plan_of(network, HYPAR))
    line = {"network": network}
    for label, array in (("as-evaluated", MACHINE), ("row-stationary", DATAFLOW)):
        other = {layer: word for layer, word in thriftiest(network, array) if word != base[layer]}
        line[f"least energy, {label}"] = ", ".join(f"{layer} {word}" for layer, word in other.items()) or "HyPar's plan"
    return line


def opposed(found):
    """Return the networks where one model says that HyPar's plan saves energy over dp, and the other not."""
    pairs = [(row["network"], row["hypar"] > 1, row["hypar, row-stationary"] > 1) for row in found[:-1]]
    return [name for name, one, other in pairs if one != other]


def sheet():
    """Return the page."""
    found = rows()
    largest = max(abs(deviation(row["hypar"], row["hypar, printed"])) for row in found[:-1])
    mean = deviation(found[-1]["hypar"], found[-1]["hypar, printed"])
    first = [
        {
            "network": row["network"],
            "printed": row["hypar, printed"],
            "recomputed": fixed(row["hypar"]),
            "deviation": percent(deviation(row["hypar"], row["hypar, printed"])),
            "row-stationary": fixed(row["hypar, row-stationary"]),
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
            "row-stationary": short(row["mp, row-stationary"]),
        }
        for row in found
    ]
    against = opposed(found)
    held = [row["network"] for row in found[:-1] if excess(row, "as-evaluated", "hypar") > 0]
    missed = [row for row in found[:-1] if excess(row, "row-stationary", "hypar") > 0]
    most = max(excess(row, "row-stationary", "hypar") for row in missed)
    names = [row["network"] for row in missed]
    return Sheet(
        "figure-7",
        "Figure 7: energy efficiency over data parallelism",
        f"Reproduced without any fitted constant: HyPar's ten gains within {float(100 * largest):.2f} %, their "
        f"geometric mean {float(found[-1]['hypar']):.3f} (printed {found[-1]['hypar, printed']}, {percent(mean, 1)}). "
        "A model of the row-stationary dataflow gives a geometric mean of "
        f"{float(found[-1]['hypar, row-stationary']):.3f}.",
        found,
        [
            "Energy of hypar-dp's plan under accounting as-evaluated, over that of dp everywhere: on hypar-16 (4.6 "
            "pJ a multiply-accumulate, three memory accesses for every word held or exchanged: what the printed "
            "numbers follow) and on hypar-row-stationary-16 (accesses counted from the dataflow, 80 pJ a byte on a "
            "link: what such an accelerator would do, by our count). Neither has a number that was chosen for one "
            "network.",
            "## HyPar",
            first,
            "## Model parallelism",
            "With Figure 8's bytes; SFC and the VGGs follow, the small networks do not, and why is open.",
            second,
            "## Which plan saves energy",
            "Joules by either model of: the plan that is proven to need the least by it (HyPar's where that is one "
            "of several), the plan that needs the least by the other model, HyPar's, and dp everywhere, as excess "
            f"over the least. As evaluated, {_least(held)}. By the row-stationary dataflow another plan needs less "
            f"than HyPar's on {len(names)} of ten ({', '.join(names)}), and HyPar's up to {float(100 * most):.1f} % "
            f"more. {_agreed(against)}",
            disagreements(found),
            "The layers in which the plan of least energy differs from HyPar's:",
            [plans_of(network) for network in NETWORKS],
        ],
        picture(found),
    )


def _least(missed):
    if not missed:
        return "no plan needs less energy than HyPar's on any of the ten networks"
    return f"another plan needs less energy than HyPar's on {len(missed)} of ten ({', '.join(missed)})"


def _agreed(against):
    what = "whether HyPar's plan needs less energy than data parallelism"
    if not against:
        return f"On all ten networks the two agree {what}."
    return f"They disagree {what} on {', '.join(against)}."


def picture(found):
    """Return bars: printed, recomputed, and the other model."""
    figure = canvas(10, 4.6)
    axes = figure.add_subplot()
    series = {
        "HyPar, printed": ([number(row["hypar, printed"]) for row in found], "#a1d99b"),
        "HyPar, recomputed": ([row["hypar"] for row in found], "#006d2c"),
        "HyPar, row-stationary": ([row["hypar, row-stationary"] for row in found], "#756bb1"),
    }
    bars(axes, [row["network"] for row in found], series, log=True)
    axes.set_ylabel("energy efficiency over data parallelism")
    return figure
