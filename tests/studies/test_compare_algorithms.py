"""Networks on arrays, with partial sums by several algorithms."""

from __future__ import annotations

from fractions import Fraction

import pytest
from helpers import document, instance_of, linear_chain

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.array import Array
from hypar_opt.report.compare_arrays import IN_ORDER, NO_SCALE, paper_tables, rows
from hypar_opt.report.compare_arrays import document as document_of
from hypar_opt.report.tables import displayed
from hypar_opt.studies.compare_arrays import compare_arrays
from hypar_opt.util.errors import InputError


def cells_of(algorithms, **link):
    instance = instance_of(document(linear_chain(6, 4), [5], levels=2))
    mesh = Array("mesh", 2, dims=[2, 2], link={"bandwidth": 3, **link})
    return compare_arrays([instance], [mesh], collectives=algorithms)


def test_every_algorithm_has_a_column():
    cells = cells_of(["pairwise", "multitree", "best"])
    assert [one.algorithm for one in cells] == ["pairwise", "multitree", "best"]
    assert all(one.plan.status is Status.OPTIMAL and one.plan.placement is not None for one in cells)
    assert cells[2].time == min(one.time for one in cells)
    table = paper_tables(cells)[0]
    assert [column.heading.rpartition(" ")[2] for column in table.columns[1:]] == ["pairwise", "multitree", "best"]
    assert IN_ORDER in table.notes
    assert [row["algorithm"] for row in rows(cells)] == ["pairwise", "multitree", "best"]
    assert "multitree: " in str(document_of(cells).lists)


def test_latencies_do_not_grow_with_slower_links():
    pairwise, ring = cells_of(["pairwise", "ring"], latency=1)
    assert (pairwise.scales, ring.scales) == (True, False)
    assert ring.time > 0
    first = paper_tables([pairwise, ring])[0]
    assert displayed(first).footnotes == (NO_SCALE,)


def test_an_array_that_exchanges_by_schedules_keeps_its_placement():
    instance = instance_of(document(linear_chain(6, 4), [5], levels=2))
    link = {"bandwidth": Fraction(3)}
    plain = Array("ring", 2, link=link, placement=["a0", "a1", "a3", "a2"])
    told = Array("ring", 2, link=link, placement=["a0", "a1", "a3", "a2"], collectives={"algorithm": "ring"})
    (asked,) = compare_arrays([instance], [plain], collectives=["ring"])
    (own,) = compare_arrays([instance], [told])
    assert own.plan.placement == asked.plan.placement == ("a0", "a1", "a3", "a2")
    assert own.time == asked.time


def test_an_unknown_algorithm_is_named_before_anything_is_read():
    with pytest.raises(InputError, match=r"--collectives: expected .* got 'rong'; did you mean 'ring'"):
        compare_arrays(["no-such-instance"], ["no-such-array"], collectives=["rong"])
