"""python -m reports.precision: a small network trained, its bits chosen, a rule replayed; half a minute."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from hypar_opt import solve
from hypar_opt.formulation.run import Limits
from hypar_opt.instance import Instance
from hypar_opt.report.charts.export import picture
from hypar_opt.report.precision.replay import ways
from hypar_opt.report.tables import csv_lines
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.precision_problem import PrecisionProblem
from hypar_opt.studies.precision import NormRule, beside_static, read_norms
from hypar_opt.util.files import write_bytes_to_folder, write_to_folder
from reports.operators.page import page

from . import training
from .figure import TITLE, front_figure

FOLDER = Path(__file__).parent
DIGITS = 6
"""Significant digits of what was measured."""
RULES = {
    "T 0.002, 25 batches": NormRule(Fraction(2, 1000), 25, 8, 8),
    "T 0.002, 25 in a row": NormRule(Fraction(2, 1000), 25, 8, 8, in_a_row=True),
    "T 0.001, 50 batches": NormRule(Fraction(1, 1000), 50, 8, 8),
    "T 0.0005, 25 batches": NormRule(Fraction(1, 2000), 25, 8, 8),
    "T -0.002, 25 batches": NormRule(Fraction(-2, 1000), 25, 8, 8),
}
PUBLISHED = (("153.93", "52.27"), ("39.12", "12.21"))
"""Milliseconds of host-to-device transfers without and with ADT, as published with A2DTWP (the thesis, 2019)."""
SIZES, SEED = " - ".join(map(str, training.SIZES)), training.SEED
TEXT = f"""Written by `make precision`. A network of {SIZES} features is trained on drawn pictures of ten classes with
noise (NumPy, seed {SEED}, {training.BATCHES} batches of {training.BATCH} samples, SGD at {training.RATE}, weight decay
{training.DECAY}). `norms.csv` has the norms of the weights behind every batch. Every {training.EVERY} batches each
layer's gradient, feature map and error were cut off to their first 8, 16 and 24 bits, as ADT packs them: what is lost
is the norm of the difference by the tensor's own, and the mean of these is a sensitivity. They stand in
`small-mlp.yaml`, two levels of accelerators, and the error is their sum over layers and tensors: a measure of what is
lost in transit, and no statement about how well the network learns."""
IN_TURN = """*Plans in turn* is the convex hull of the front of bytes against error at the rule's mean error: whatever
plans take turns over the batches, with that mean error they send no less. Strategies of the rule are the best ones
where all is sent in full; bits and strategies that are chosen together send less, for where fewer bits are sent other
strategies are the best."""
RULE = """The rule raises the bits of a layer behind every so many batches in which the norm of its weights changed by
less than T. It sees no errors: it is told when, not what for."""
ADT = """Of n bytes b of 32 bits take b / 32 of the time, at best, where packing takes none. Published times say at
most how many bits were sent on average: from 24 bits alone no more than 1.333 times can come."""


def rounded(number):
    """Return a measured number as the decimal that is kept of it."""
    return Decimal(f"{number:.{DIGITS}g}")


def instance_of(means):
    """Return the network with the errors that were measured."""
    features = training.SIZES[1:]
    sensitivities = {}
    for (layer, tensor), row in means.items():
        sensitivities.setdefault(layer, {})[tensor] = [rounded(one) for one in row]
    del sensitivities[training.LAYERS[-1]]["feature-map"]  # which nobody reads
    layers = [
        {"name": name, "linear": {"features": count}} for name, count in zip(training.LAYERS, features, strict=True)
    ]
    return Instance(
        {"input": [training.SIZES[0]], "layers": layers},
        {"topology": "h-tree", "levels": 2},
        training.BATCH,
        name="small-mlp",
        precision={"bits": list(training.BITS), "sensitivities": dict(sorted(sensitivities.items()))},
    )


def norms_text(norms):
    """Return the trace as CSV."""
    rows = [(batch, name, rounded(one)) for batch, own in enumerate(norms) for name, one in own.items()]
    return csv_lines(("batch", "layer", "norm"), rows)


def front_rows(problem):
    """Return the front of bytes against error."""
    front = pareto_front(problem, ("communication", "rounding-error"))
    assert front.complete
    return front, [{"way": "front", "bytes": one.values[0], "error": one.values[1]} for one in front.points]


def replays(problem, trace):
    """Return by rule what is compared."""
    return {name: beside_static(problem, trace, rule, Limits()) for name, rule in RULES.items()}


def shown(number, digits=4):
    """Return a number for the page."""
    return f"{float(number):.{digits}g}"


def main() -> None:
    """Train, write the trace, the instance and the page."""
    losses, norms, means = training.measured()
    instance = instance_of(means)
    said = f"Written by `make precision`; errors measured with NumPy, seed {training.SEED}"
    write_to_folder(FOLDER, {"norms.csv": norms_text(norms), "small-mlp.yaml": instance.to_yaml(said.replace("`", ""))})
    problem, trace = PrecisionProblem(instance), read_norms(FOLDER / "norms.csv")
    front, points = front_rows(problem)
    found = replays(problem, trace)
    rules = [
        {
            "rule": name,
            "raised": str(len(one.periods) - 1),
            "mean error": shown(one.mean_error),
            **{f"{way}, kB": "-" if sent is None else f"{float(sent) / 1000:.2f}" for way, sent, _, _ in ways(one)},
        }
        for name, one in found.items()
    ]
    marks = [
        {"way": f"the rule, {name}", "bytes": one.mean_sent, "error": one.mean_error} for name, one in found.items()
    ]
    sensitive = [
        {
            "layer": layer,
            "tensor": tensor,
            **{f"{b} bits": shown(one, 3) for b, one in zip(training.BITS, row, strict=True)},
        }
        for (layer, tensor), row in sorted(means.items())
    ]
    some = [point for number, point in enumerate(front.points) if number % max(1, len(front.points) // 12) == 0]
    plans = [
        {"kB": f"{float(one.values[0]) / 1000:.2f}", "error": shown(one.values[1]), **one.strategies} for one in some
    ]
    whole = solve(problem.network)
    adt = [
        {
            "ms": before,
            "ms with ADT": after,
            "times": shown(Fraction(before) / Fraction(after), 3),
            "at most bits": shown(32 * Fraction(after) / Fraction(before), 3),
        }
        for before, after in PUBLISHED
    ]
    loss = f"The loss is {losses[0]:.2f} behind the first batch and {sum(losses[-20:]) / 20:.2f} over the last twenty."
    text = page(
        "Bits of what is sent: a rule beside the optimum",
        f"{TEXT}\n{loss}",
        "## Sensitivities",
        sensitive,
        "## The front",
        f"In full {whole.communication_bytes:,} bytes are sent a batch. The front has {len(front.points)} plans, all "
        "proven; some of them:",
        plans,
        f"![{TITLE}](front.svg)",
        "## The rule replayed",
        RULE,
        rules,
        IN_TURN,
        "## What packing can have saved",
        ADT,
        adt,
    )
    write_to_folder(
        FOLDER,
        {
            "precision.md": text,
            "front.csv": csv_lines(("bytes", "error"), [(one["bytes"], shown(one["error"], 9)) for one in points]),
        },
    )
    write_bytes_to_folder(FOLDER, {"front.svg": picture(front_figure(points, marks), "svg")})


if __name__ == "__main__":
    main()
