"""Reading collectives from the text of optimised HLO, as XLA of JAX 0.10 and its TPU compiler wrote it."""

from __future__ import annotations

import pytest

from hypar_opt.count.hlo import collectives

CAPTURED = {
    "listed groups": (
        "  %psum.15 = f32[8,8]{1,0} all-reduce(%wrapped_sine), channel_id=1, replica_groups={{0,2},{1,3}}, "
        'use_global_device_ids=true, to_apply=%region_1.0, metadata={op_name="jit(step)/shard_map/fc1/x/psum"}',
        ("all-reduce", ((0, 2), (1, 3)), 256, "jit(step)/shard_map/fc1/x/psum"),
    ),
    "transposed groups": (
        "  ROOT %ar = f32[4]{0} all-reduce(f32[4]{0} %x), replica_groups=[2,2]<=[2,2]T(1,0), to_apply=%add",
        ("all-reduce", ((0, 2), (1, 3)), 16, ""),
    ),
    "computed groups": (
        "  %ag = bf16[8,4]{1,0} all-gather(%x), channel_id=2, replica_groups=[2,4]<=[8], dimensions={0}",
        ("all-gather", ((0, 1, 2, 3), (4, 5, 6, 7)), 64, ""),
    ),
    "groups of a mesh": (
        "  %rs = f32[2]{0} reduce-scatter(%x), replica_groups=mesh['a'=2,'b'=2] {'a'}, dimensions={0}, to_apply=%add",
        ("reduce-scatter", ((0, 2), (1, 3)), 8, ""),
    ),
    "groups of a mesh in another order": (
        "  %rs = f32[2]{0} reduce-scatter(%x), replica_groups=mesh['a'=2,'b'=2], device_ids=([4]<=[2,2]T(1,0)) {'a'}",
        ("reduce-scatter", ((0, 1), (2, 3)), 8, ""),
    ),
    "groups of a mesh whose devices are transposed": (
        "  %ag = f32[8]{0} all-gather(%x), replica_groups=mesh['a'=1,'b'=2,'c'=2], device_ids=([2,2]T(1,0)) {'b'}, dim",
        ("all-gather", ((0, 1), (2, 3)), 32, ""),
    ),
    "groups of a part of a mesh's axis": (
        "  %ag = f32[8]{0} all-gather(%x), replica_groups=mesh['a'=4] {'a':(2)2}, dimensions={0}",
        ("all-gather", ((0, 1), (2, 3)), 32, ""),
    ),
    "groups of another part of a mesh's axis": (
        "  %ag = f32[8]{0} all-gather(%x), replica_groups=mesh['a'=4] {'a':(1)2}, dimensions={0}",
        ("all-gather", ((0, 2), (1, 3)), 32, ""),
    ),
    "everybody": (
        "  %ar = f32[3]{0} all-reduce(%x), replica_groups={}, to_apply=%add",
        ("all-reduce", ((0, 1, 2, 3),), 12, ""),
    ),
    "a tuple of parts": (
        "  %all-to-all = (f32[2,2]{1,0}, f32[2,2]{1,0}) all-to-all(%a, %b), channel_id=1, replica_groups={{0,1},{2,3}}",
        ("all-to-all", ((0, 1), (2, 3)), 32, ""),
    ),
    "several that were combined": (
        "  %all-reduce = (f32[8]{0}, f32[2]{0}) all-reduce(%a, %b), replica_groups={{0,1,2,3}}, to_apply=%r",
        ("all-reduce", ((0, 1, 2, 3),), 40, ""),
    ),
    "an asynchronous gather": (
        "  %ags = (f32[2]{0}, f32[8]{0}) all-gather-start(%x), replica_groups={{0,1,2,3}}, dimensions={0}",
        ("all-gather", ((0, 1, 2, 3),), 32, ""),
    ),
    "an asynchronous permutation": (
        "  %cps = (f32[2,3]{1,0}, f32[2,3]{1,0}, u32[], u32[]) collective-permute-start(%x), "
        "source_target_pairs={{0,1},{2,3}}",
        ("collective-permute", ((0, 1), (2, 3)), 24, ""),
    ),
}


@pytest.mark.parametrize(("line", "expected"), CAPTURED.values(), ids=CAPTURED)
def test_captured(line, expected):
    (found,) = collectives(line, 4)
    assert (found.kind, found.groups, found.bytes, found.op_name) == expected


@pytest.mark.parametrize(
    "line",
    [
        "  %ags = f32[8]{0} all-gather-done(%ags.1)",
        '  %get-tuple-element.7 = f32[8,8]{1,0} get-tuple-element(%all-reduce), index=1, metadata={op_name="a/psum"}',
        "  %fusion = f32[8]{0} fusion(%all-reduce.1), kind=kLoop, calls=%fused",
        "%region_0.0 (a: f32[], b: f32[]) -> f32[] {",
    ],
)
def test_no_collective(line):
    assert collectives(line, 4) == ()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("  %x = q7[8]{0} all-reduce(%a), replica_groups={}", "unknown type 'q7'"),
        ("  %x = f32[8]{0} all-reduce(%a), replica_groups=everyone", "written in an unknown way"),
    ],
)
def test_unknown(line, said):
    with pytest.raises(ValueError, match=said):
        collectives(line, 4)
