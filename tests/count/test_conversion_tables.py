"""Tables of what a partitioner moves: made, gone on with, read, and refused where they are of something else."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from exported import CHAIN, instance_of, random_step

from hypar_opt import load
from hypar_opt.cli.count_conversions_command import command
from hypar_opt.count import conversions
from hypar_opt.count.conversions import count_pairs, count_table, table_text
from hypar_opt.count.jax_counter import count_all_constrained
from hypar_opt.evaluation.operators import Emitted
from hypar_opt.instance.operators.conversion_tables import every_pair, read_table, shipped_table
from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import installed

needs_jax = pytest.mark.skipif(not installed("jax"), reason="JAX is not installed: pip install 'hypar-opt[jax]'")


def test_pairs():
    assert list(every_pair(1)) == ["R>0", "P>R", "P>0", "0>R", "0>1"]
    assert len(list(every_pair(2))) == 82


def test_a_table_is_written_as_it_is_read(tmp_path):
    path = tmp_path / "table.json"
    path.write_text(table_text(shipped_table((2, 4))))
    assert read_table(path) == shipped_table((2, 4))


def test_a_table_is_gone_on_with(monkeypatch):
    whole, saved = shipped_table((4,)), []
    some = whole.model_copy(update={"pairs": {pair: whole.pairs[pair] for pair in ("R>0", "0>R")}})
    asked = []

    def counted(pairs, axes):
        asked.extend(pairs)
        return whole.version, tuple({(kind, axis): share for kind, axis, share in whole.pairs[pair]} for pair in pairs)

    monkeypatch.setattr(conversions, "count_pairs", counted)
    assert count_table((4,), some, saved.append) == whole == saved[-1]
    assert asked == ["P>R", "P>0", "0>1"]
    older = some.model_copy(update={"version": "0.9"})
    with pytest.raises(InputError, match=r"is of jax-gspmd 0\.9, and version 0\.10\.2 is installed"):
        count_table((4,), older, saved.append)
    with pytest.raises(InputError, match="is of axes 4, expected 8"):
        count_table((8,), some, saved.append)


@pytest.mark.parametrize("sizes", ["2x", "1x2", "2x2x2x2", "8x16", "a"])
def test_sizes_that_are_refused(sizes, tmp_path):
    found = CliRunner().invoke(command, [sizes, "-o", str(tmp_path / "table.json")])
    assert found.exit_code == 2
    assert "expected" in found.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("cost", "field"),
    [
        ({"accounting": "gspmd", "splits": "any"}, "cost.splits"),
        ({"accounting": "gspmd", "storage": ["zero-3"]}, "cost.storage"),
        ({"accounting": "gspmd", "recompute": "blocks"}, "cost.recompute"),
        ({"conversions": json.loads(table_text(shipped_table((2,))))}, "cost.conversions"),
        ({"accounting": "gspmd", "conversions": json.loads(table_text(shipped_table((4,))))}, "cost.conversions.axes"),
        ({"accounting": "gspdm"}, "cost.accounting"),
    ],
)
def test_what_a_partitioner_does_not_know(cost, field):
    document = {**instance_of(CHAIN, 8, a=2).to_dict(), "cost": cost}
    with pytest.raises(InputError) as error:
        type(instance_of(CHAIN, 8, a=2)).from_dict(document)
    assert error.value.field == field


def test_axes_without_a_table_are_told_of_the_command():
    with pytest.raises(InputError, match="count-conversions 3 -o FILE makes one"):
        instance_of(CHAIN, 48, a=3).replace(accounting="gspmd")


def test_layers_on_halves_are_told_of_axes():
    with pytest.raises(InputError, match="gspmd charges operators on axes, as of --axes"):
        load("sfc", accounting="gspmd")


def test_bytes_alone_are_known_of():
    with pytest.raises(InputError, match="knows bytes and no comm-time"):
        instance_of(CHAIN, 8, a=2).replace(accounting="gspmd", objective="comm-time")


@needs_jax
@pytest.mark.slow
def test_pairs_are_counted_as_shipped():
    table = shipped_table((2, 4))
    pairs = ["RP>R0", "0R>1R", "P0>10", "01>10"]
    version, moved = count_pairs(pairs, (2, 4))
    if version != table.version:
        pytest.skip(f"the table is of {table.title}, {version} is installed")
    for pair, one in zip(pairs, moved, strict=True):
        assert {(kind, axis): str(share) for (kind, axis), share in one.items()} == {
            (kind, axis): share for kind, axis, share in table.pairs[pair]
        }


@needs_jax
@pytest.mark.slow
def test_programs_move_what_the_table_says():
    """Chains of products to the byte, where no dimension is split on two axes."""
    chain = instance_of(CHAIN, 8, a=4).replace(accounting="gspmd")
    steps = [_as_emitted(chain, seed) for seed in range(3)]
    for counted in count_all_constrained(steps):
        assert not counted.different
        assert sum(one.counted for one in counted.lines)


def _as_emitted(instance, seed):
    step = random_step(instance, seed)
    return replace(step, plan=replace(step.plan, emitted=Emitted(instance.conversions.pairs)))


@needs_jax
def test_a_table_is_written_as_json_alone(tmp_path):
    ran = CliRunner().invoke(command, ["2", "-o", str(tmp_path / "2.csv")])
    assert str(ran.exception) == "--output: expected a name that ends in .json, got '2.csv'"
    assert not list(tmp_path.iterdir())
