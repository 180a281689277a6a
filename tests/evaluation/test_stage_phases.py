"""Phases of stages: their seconds and bytes are all of a stage's, by hand and of random plans."""

from fractions import Fraction
from random import Random

from hypar_opt.evaluation.schedule import JudgedSchedule
from hypar_opt.evaluation.stage_phases import PhasedStage, phased
from hypar_opt.evaluation.stages import JudgedStages
from hypar_opt.instance import Instance
from hypar_opt.instance.stage_words import StageWord
from hypar_opt.studies.schedules.compare import compare_schedules
from hypar_opt.studies.schedules.planned import KINDS
from tests.helpers import each
from tests.solver.staged.small_stages import judged, plans_of, random_stages


def test_by_hand():
    array = {
        "topology": "star", "levels": 1, "placement": "identity", "link": {"bandwidth": 40},
        "accelerator": {"model": "peak", "rate": 100},
    }  # fmt: skip
    layers = [{"name": name, "linear": {"features": 10}} for name in ("a", "b")]
    instance = Instance({"input": [10], "layers": layers}, array, 4, objective="time", microbatches=2)

    def phases(**words):
        found = JudgedStages(instance, {name: StageWord.read(text) for name, text in words.items()})
        return [phased(found, stage) for stage in found.stages]

    # a phase of the batch takes 8 s; 160 bytes cross in each direction on links of 40 bytes a second, in 4 s together
    one = PhasedStage(Fraction(8 + 2, 2), Fraction(16 + 2, 2), Fraction(8, 2), Fraction(80), Fraction(400))
    assert phases(a="1", b="2") == [one, one]
    # two layers on half the batch each: 400 bytes of gradients of either go each way, in the gradient phase alone
    (both,) = phases(a="1-2 d", b="1-2 d")
    assert (both.forward, both.backward - both.gradient) == (4, 4)
    assert both.gradient == 4 + Fraction(2 * 400, 40) / 2


@each("seed", range(24), quick=6)
def test_phases_are_all_of_a_stage(seed):
    instance = random_stages(seed, most=3)
    plans = list(plans_of(instance))
    Random(seed).shuffle(plans)
    found = next((one for one in (judged(instance, plan) for plan in plans) if one.fault is None), None)
    if found is None:  # memory is too small for any
        return
    count = found.microbatches
    for stage in found.stages:
        one = phased(found, stage)
        assert count * (one.forward + one.backward) == stage.seconds
        assert 0 <= one.gradient <= one.backward
        assert count * one.maps + 2 * one.weights <= stage.resident
    schedules = {one.name: one for one in compare_schedules(KINDS["staged"](found, None).stages, count)}
    # by gpipe all microbatches are kept, as the model of stages has it
    assert peaks(schedules["gpipe"].judged) == [stage.resident for stage in found.stages]
    assert schedules["pipedream"].seconds == found.slowest.seconds
    assert schedules["gpipe"].seconds >= found.objective


def peaks(schedule: JudgedSchedule) -> list[Fraction]:
    """Return the most bytes that every device keeps."""
    return [schedule.peak(device) for device in range(schedule.devices)]
