"""Every number of docs/evaluation.md that the code gives: the phrase that it stands in, written by the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.evaluation import figure_6, figure_7, figure_9, figure_11, figure_12, figure_13, proxy
from reports.evaluation.facts import (
    DATAFLOW,
    HYPAR,
    MACHINE,
    MODEL_PARALLEL,
    NETWORKS,
    PRINTED,
    READING,
    array_of,
    costs,
    costs_of,
    deviation,
    on_machine,
    plan_of,
)

TEXT = " ".join((Path(__file__).parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8").split())


def per_cent(share, places):
    return f"{float(100 * abs(share)):.{places}f} %"


def most(shares, places):
    return per_cent(max(map(abs, shares)), places)


def rounded(value, places=0):
    return f"{float(value):.{places}f}"


def machine():
    own = array_of(MACHINE)
    rows, columns = own["accelerator"]["grid"]
    yield f"{rows} x {columns} processing elements at {int(own['accelerator']['clock']) // 10**6} MHz"
    yield f"which is {2 * rows * columns * int(own['accelerator']['clock']) // 10**9} GOPS"
    tree = on_machine("sfc").instance.machine.links
    yield f"{rounded(sum(link.bandwidth for link in tree) / own['levels'] / 10**9, 2)} GB/s between the two halves"
    yield f"charges links {rounded(array_of(DATAFLOW)['link']['energy'] * 10**12)} pJ a byte"
    yield f"taken to be known to {per_cent(READING, 0)}, here and in the audit"


def of_figure_6():
    found = figure_6.rows()
    off = [deviation(row["hypar"], row["hypar, printed"]) for row in found[:-1]]
    mean = f"geometric mean {rounded(found[-1]['hypar'], 3)} (printed {found[-1]['hypar, printed']})"
    yield f"HyPar within {most(off, 2)} on all ten, {mean}"
    off = [deviation(row["mp, with Figure 8's bytes"], row["mp, printed"]) for row in found[:-1]]
    yield f"model parallelism within {most(off, 1)} if Figure 8's bytes are taken"
    sfc, sconv, vgg = found[0], found[1], found[NETWORKS.index("vgg-a")]
    yield (
        f"{rounded(sfc['mp, GB as modelled'], 3)} GB instead of {rounded(sfc['mp, GB printed'], 3)} on SFC, "
        f"{rounded(vgg['mp, GB as modelled'])} instead of {rounded(vgg['mp, GB printed'])} on VGG-A"
    )
    implied, printed = rounded(sconv["mp, GB implied"], 4), PRINTED["figure_8"]["model parallelism"]["sconv"]
    yield f"its {sconv['mp, printed']} needs {implied} GB, {printed} are printed"


def of_figure_7():
    found = figure_7.rows()
    off = [deviation(row["hypar"], row["hypar, printed"]) for row in found[:-1]]
    mean = rounded(found[-1]["hypar"], 3)
    yield f"HyPar within {most(off, 2)}, geometric mean {mean} (printed {found[-1]['hypar, printed']})"
    yield f"geometric mean of {rounded(found[-1]['hypar, row-stationary'], 3)} instead of {mean}"
    other = {row["network"]: deviation(row["mp, with Figure 8's bytes"], row["mp, printed"]) for row in found[:-1]}
    small = [other[name] for name in ("sconv", "lenet-c", "cifar-c", "alexnet")]
    large = [share for name, share in other.items() if name == "sfc" or name.startswith("vgg")]
    assert len(small) + len(large) == len(NETWORKS)
    yield (
        f"SFC and the VGGs within {most(large, 1)} and are {rounded(100 * min(small))} to {per_cent(max(small), 0)} "
        "too high for the four small networks"
    )
    over = [figure_7.excess(row, "row-stationary", "hypar") for row in found[:-1]]
    assert sum(one > 0 for one in over) == 8
    assert not any(figure_7.excess(row, "as-evaluated", "hypar") for row in found[:-1])
    yield f"it is another on eight of ten, and HyPar's needs up to {per_cent(max(over), 1)} more"


def of_vgg_e():
    problem = on_machine("vgg-e", DATAFLOW)
    own = costs(problem, plan_of("vgg-e", HYPAR))
    other = costs(problem, figure_7.thriftiest("vgg-e", DATAFLOW))
    memories = [one["sram-energy"] + one["dram-energy"] for one in (own, other)]
    yield f"that is {rounded(own['energy'])} instead of {rounded(other['energy'])} J"
    links = rounded(other["comm-energy"] - own["comm-energy"])
    yield f"memories take {rounded(memories[0] - memories[1])} J less, links {links} J more"
    moved = [rounded(one["communication"] / 10**9, places) for one, places in ((other, 1), (own, 2))]
    yield f"the plan of {rounded(other['energy'])} J exchanges {moved[0]} GB instead of {moved[1]}"
    yield f"takes {rounded(other['time'], 1)} s a step instead of {rounded(own['time'], 1)}"


def of_figures_9_and_10():
    nine, ten, printed = figure_9.of_lenet(), figure_9.of_vgg(), PRINTED["figure_10"]
    top = rounded(nine.gain("time", nine.winner), 3)
    yield f"the peak and its plan, {top} (printed {PRINTED['figure_9']['performance']})"
    own = rounded(ten.gain("time", ten.winner), 3)
    yield f"HyPar's {own} (printed {printed['hypar']['performance']})"
    yield f"costs conv5_2 the same at whichever level it stands: {own}, four times"
    assert len(ten.best) == 4
    peak = printed["peak"]["performance"]
    needed = rounded(figure_9.needed("mddd", peak) / 10**6)
    yield f"For {peak} the peak's plan would have to be charged {needed} MB less"
    gains = {one.what: figure_9.without("mddd", one) for one in figure_9.GUESSES}
    near = next(one for one in figure_9.GUESSES if one.what == "in front of conv5_2, F only")
    yield f"{rounded(figure_9.spared('mddd', near) / 10**6, 1)} MB, {rounded(gains[near.what], 3)}."
    yield f"That is {per_cent(deviation(gains[near.what], peak), 2)} off, but rounds to {rounded(gains[near.what], 2)}."
    front, behind = gains["in front of conv5_2, F and E"], gains["behind conv5_2, F and E"]
    yield f"in front gives {rounded(front, 3)}, the one behind {rounded(behind, 3)}"
    yield f"both {rounded(gains['in front and behind'], 3)}."


def of_figure_11():
    found = figure_11.rows()
    off = figure_11.deviations(found)
    yield f"all {len(off)} numbers within {most(off, 1)} of what can be read"


def of_figure_12():
    found = [row for row in figure_12.rows() if row["torus, printed"] is not None]
    off = [deviation(row["half the bandwidth"], row["torus, printed"]) for row in found]
    yield f"within {most(off, 1)} of what can be read, if communication takes exactly twice as long"
    yield f"({figure_12.bandwidth('torus', figure_12.LEVEL):,} bytes a second each way)"
    tried = [one["communication takes"] for one in figure_12.ways()]
    assert (len(tried), tried.count("exactly 2 times as long")) == (7, 2)
    assert "exactly 1/2 times as long" in tried
    slowest = max(max(figure_12.slower(figure_12.torus(figure_12.LEVEL)).values()), 2)
    yield f"seven ways to fill that in were tried; they take from half as long to {rounded(slowest, 2)} times as long"
    yield f"With groups side by side it is {figure_12.in_times(figure_12.torus(figure_12.LEAF))}"
    assert max(figure_12.slower(figure_12.torus(figure_12.TOTAL)).values()) < 1


def of_figure_13():
    printed = PRINTED["figure_13"]
    off = {
        key: [
            [deviation(figure_13.gains(key, h)[which], printed[name][h][which]) for h in figure_13.LEVELS]
            for which in (0, 1)
        ]
        for key, name in (("fc3", "fc3"), (13, "conv5"))
    }
    yield f"fc3 within {most(off['fc3'][0], 1)} (energy {per_cent(max(map(abs, off['fc3'][1])), 1)})"
    yield f"within {most(off[13][0], 1)} (energy {most(off[13][1], 1)}) with 13 x 13 maps"
    far = per_cent(figure_13.worst(14), 1), per_cent(figure_13.worst(7), 0)
    yield f"are up to {far[0]} off, on 7 x 7 up to {far[1]}."
    least, middle, worst = sorted(map(abs, off[13][0]))
    assert least < middle < worst
    yield f"13 x 13 fits two of the three gains within {per_cent(middle, 1)} and all three energies within "
    yield f"the third gain is {per_cent(worst, 1)} off"


def model_parallel():
    """Figure 8's third column: mp everywhere is nowhere what is printed."""
    for name in NETWORKS:
        printed = PRINTED["figure_8"]["model parallelism"][name]
        assert abs(deviation(costs_of(name, MODEL_PARALLEL)["communication"] / 10**9, printed)) > 0.01
    yield "model parallelism not at all"


SOURCES = (
    machine,
    of_figure_6,
    of_figure_7,
    of_vgg_e,
    of_figures_9_and_10,
    of_figure_11,
    of_figure_12,
    of_figure_13,
    model_parallel,
)


def missing(phrases):
    return [phrase for phrase in phrases if phrase not in TEXT]


@pytest.mark.parametrize("phrases", SOURCES, ids=lambda source: source.__name__)
def test_the_text_has_the_numbers_that_the_code_gives(phrases):
    assert missing(phrases()) == []


def test_a_number_that_is_not_in_the_text_is_missed():
    found = next(of_figure_6())
    assert missing([found, found.replace("3.391", "3.392")]) == [found.replace("3.391", "3.392")]


@pytest.mark.slow
def test_the_text_has_the_numbers_of_the_proxy():
    slow = [case for case in proxy.cases() if case.topology not in proxy.FASTER]
    fast = [case for case in proxy.cases() if case.topology in proxy.FASTER]
    time = proxy.summary(slow, component="time")
    even = proxy.summary([case for case in slow if case.topology in proxy.evenly()], component="time")
    rest = proxy.summary([case for case in slow if case.topology not in proxy.evenly()], component="time")
    faster = proxy.summary(fast, component="time")
    by_link = [proxy.summary(fast, component="time", topology=name) for name in proxy.FASTER]
    held = proxy.summary(slow, component="energy", accelerator="as-evaluated")
    flow = proxy.summary(slow, component="energy", accelerator="row-stationary")
    assert (len(proxy.evenly()), even["right"]) == (4, even["cases"])
    assert [one["right"] for one in by_link[:2]] == [one["cases"] for one in by_link[:2]]
    assert (
        missing(
            [
                f"in {time['right']} of {time['cases']} cases and never more than {per_cent(time['worst'], 2)} slower",
                f"right in all {even['cases']} cases on the four topologies",
                f"in {rest['right']} of {rest['cases']} on the seven where it does not",
                f"it is right in {faster['right']} of {faster['cases']} cases",
                f"in {by_link[2]['right']} of {by_link[2]['cases']} with links 1000 times as fast",
                f"at most {per_cent(faster['worst'], 6)} slower",
                f"right in {held['right']} of {held['cases']} cases, at worst {per_cent(held['worst'], 2)} off",
                f"right in {flow['right']} of {flow['cases']}, at worst {per_cent(flow['worst'], 1)} off",
            ]
        )
        == []
    )
