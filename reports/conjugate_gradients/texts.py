"""What the page says between its tables."""

from __future__ import annotations

from math import ceil

from hypar_opt.studies.conjugate_gradient.matrices import PUBLISHED_FUSE

TITLE = "Conjugate gradients in tasks"
OPENING = """Written by `make conjugate-gradients`. Six algorithms of conjugate gradients are listings here, from
whose reads and writes the graph of tasks follows ([how](../../docs/conjugate-gradients.md)). *PCG* waits three times
an iteration; *pipelined CG* (Ghysels and Vanroose, 2014) adds up both scalar products at once, beside preconditioner
and product; *IFCG1* and *IFCG2* (Zhuang and Casas, 2017) let iterations run into each other, the second with its two
sums apart. What is published of them is from the slides and the thesis of S. Zhuang (Barcelona, 2019).

## Two iterations of three blocks

Least makespans where every task takes a second, by the number of workers, found and proven by `task-cp-sat`. What that
had not proven after two minutes, a model of moments in place of intervals proves in two seconds: IFCG1 on four
workers, and on six below. Work and paths between barriers are bounds, too.

![Makespans over workers](makespans.svg)"""
MAKESPANS = """With as many workers as are wanted PCG takes {free[pcg]} s, the others {free[ifcg2]}: eight tasks of
an iteration wait for each other in PCG, four in the others. These have {work[ifcg2]} tasks instead of {work[pcg]},
so that with few workers they lose: with two PCG takes {two[pcg]} s and they {two[ifcg2]}. Removing the barrier
(IFCG1) saves a second on {barrier} workers, taking the sums apart (IFCG2) another on {apart}; elsewhere all three
are alike: work or the longest path decides, but on nine workers, where a search proves that IFCG1 and IFCG2 cannot do
it in 9 s either. IFCG2 is never behind IFCG1, and IFCG1 never behind pipelined CG, as
it has to be: each waits for less. An earlier prototype had 14, 13 and 13 s on six workers, 12, 11 and 10 on eight,
and 8 without a limit: the same.

![Optima on eight workers, coloured by iteration](optima.svg)

Between the two iterations of pipelined CG workers are idle; IFCG2 fills that with the next one's tasks.

## Vectors that are overwritten

That is with vectors of their own for every iteration. Programs overwrite them, and then who writes also waits for who
still reads (OpenMP's `depend` sees to that): the preconditioner of the next iteration for all products with what it
overwrites. The same on six to twelve workers:"""
STORAGE = """Pipelined CG loses nothing, for its barrier waits for all that anyway. IFCG1 loses all that it has won,
proven; of what removing the barrier brings nothing is left unless vectors are there twice. IFCG2 keeps a second, but
on nine: its sums are apart in either case.

## What synchronises

Counted in the graph of five iterations of three blocks: tasks of the third that are done once and wait for all
blocks, sums or barriers (`end`), and how many of all the tasks can be done beside each."""
POINTS = """PCG's three points and the single reduction of pipelined CG, beside preconditioner and product (6 tasks),
are what the slides say; its barrier comes on top. That nothing in PCG overlaps a synchronisation is not quite so: the
update of x (3 tasks) can be done beside the second sum.

## An iteration on sixteen workers

Sixteen blocks of a matrix on sixteen cores with 20.8 Gflop/s and 6.4 GB/s each (a Xeon E5-2670's eighth), by counted
operations and bytes; a sum, or two at once, takes 0, 10 or 100 us, and a barrier as long; a coefficient of sums that
are there takes nothing. Fused variants have a barrier every 20 iterations,
before which they compute the residual anew. Microseconds an iteration; tasks are taken as they come, longest tails
first:"""
TIMES = """Eight vector updates instead of three are bytes, and where vectors come from memory every time PCG is the
fastest of all unless synchronising is slow: from the following number of microseconds on others are
faster, Chronopoulos and Gear's first, which has one reduction and one update more."""
EVEN = """Measured were speed-ups of 8.20 (PCG), 8.40 (pipelined), 8.70 (Gropp), 8.99 (Chronopoulos), 9.64 (IFCG2) and
10.06 (IFCG1) on 16 cores, on average over the matrices. Barriers and sums of 10 us do not explain that order; those of
100 us have IFCG1, IFCG2 and Chronopoulos and Gear's ahead of PCG on the three smallest matrices, too. That tasks are
taken as they come is no proof: on these three, 100 us to synchronise, these schedules are up to a quarter above work
and longest paths, and which of the three variants is ahead of the others is not decided. What else explains it, such
as vectors that stay in caches, is not modelled here.

## How many iterations to fuse

Convergence is looked for every FUSE iterations: seldom costs iterations that are done for nothing, often costs
computing the residual. IFCG1 until the iteration in which pipelined CG was measured to converge, 10 us to
synchronise; *times the best*, and which
of these could be best by the bounds (work and paths from barrier to barrier):"""
FUSED = """A FUSE of {chosen} is within {near} % of the best for every matrix; that it is a good choice for all is
confirmed. What FUSE costs when it is small is computing the residual, a product more for every FUSE: with FUSE = 1
that is {least} to {most} %. Of overlap there is little to win with 10 us to synchronise, as the times of an
iteration above have it.

Iterations as published, and the multiple of 20 that follows from those of pipelined CG:"""
ITERATIONS = """All follow but those of G3_circuit, of which 480 are printed where 440 would do.

## Noise

Delays of 10 us, 2,000 or 8,000 a second of work: 2 or 8 % more of it. What twenty iterations take longer, in per
cent, mean of three seeds: where workers take what is ready / where each keeps the tasks and the order that are its own
without noise. 10 us to synchronise."""
NOISE = """Fused variants lose what noise adds to the work, to a fifth of a per cent; those with barriers lose more,
most where tasks are short: on G2_circuit an axpy takes 35 us, so that some block of sixteen is late nearly always.
That fused variants lose less was measured, too, not in this size: measured degradations of PCG are twice those here,
and those of fused variants below the 8 % of work that was added, which needs cores that were idle. That Chronopoulos
and Gear's loses less than PCG was measured as well and is not found here. Orders that are planned lose a third to most
of what fusing wins on small matrices: it is taking what is ready that hides noise, and not the missing barrier alone.

## What is not modelled

Caches; memory whose bandwidth is shared unevenly; the time to create and to schedule tasks; the order in which sums
are added up, and with it numerical stability, which is worse where scalars are recursive."""


def of_makespans(rows):
    """Return what the least makespans come to.

    Raises
    ------
    SystemExit
        If one is longer though less is waited for, or the others are not alike where they are told of together.
    """
    found = {(row["variant"], int(row["workers"])): int(row["makespan"]) for row in rows}
    workers = sorted({count for _, count in found})
    work, two, free = (
        {variant: found[variant, count] for variant in ("pcg", "pipelined-cg", "ifcg1", "ifcg2")}
        for count in (1, 2, workers[-1])
    )
    saved = {
        pair: {count: found[pair[0], count] - found[pair[1], count] for count in workers}
        for pair in (("pipelined-cg", "ifcg1"), ("ifcg1", "ifcg2"))
    }
    alike = all(one["pipelined-cg"] == one["ifcg1"] == one["ifcg2"] for one in (work, two, free))
    if not alike or any(one not in (0, 1) for seconds in saved.values() for one in seconds.values()):
        raise SystemExit("makespans are not what the page says of them")
    barrier, apart = (_listed([count for count, one in seconds.items() if one]) for seconds in saved.values())
    return MAKESPANS.format(work=work, two=two, free=free, barrier=barrier, apart=apart)


def of_fused(rows):
    """Return what it costs to fuse as many as are published, and one: beside the best of each matrix."""
    best, lost = {}, {1: [], PUBLISHED_FUSE: []}
    for row in rows:
        best[row["matrix"]] = min(row["found"], best.get(row["matrix"], row["found"]))
    for row in rows:
        if int(row["fuse"]) in lost:
            lost[int(row["fuse"])].append(row["found"] / best[row["matrix"]] - 1)
    near = ceil(100 * max(lost[PUBLISHED_FUSE]))
    return FUSED.format(
        chosen=PUBLISHED_FUSE, near=near, least=round(100 * min(lost[1])), most=round(100 * max(lost[1]))
    )


def _listed(numbers):
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}" if first else last
