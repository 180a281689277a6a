"""What the page says between its tables."""

from __future__ import annotations

TITLE = "Lockstep and larger messages"
OPENING = """Written by `make collectives`. MultiTree (Huang et al., ISCA 2021) comes with a network interface of its
own: it begins the sends of a step together, *lockstep*, and gives a chunk one head instead of one for every 256 bytes,
*messages* instead of *packets*. Here its all-reduces are simulated without either and with both
([how](../../docs/simulation.md#schedules-of-collectives)). Links carry a flit of 16 bytes a cycle of 1 ns and have 150
cycles of latency, as its authors' have. *Greedy* sends go as soon as their chunk is there and their links are free,
first come, first served, of those that come together the lower chunk first; *in order* they keep the plan's order on
every link, without waiting for steps. Bytes are those of all chunks together."""
GAINS = """## What both bring

Cycles of an all-reduce, and what is saved of *greedy, packets* by lockstep, of *lockstep, packets* by larger
messages, and by both.

![Times beside lockstep with whole messages](network-interface.svg)"""
GAINED = """A chunk's heads are a sixteenth of it, and larger messages save a seventeenth, less where latencies are what
takes long. Of large data lockstep saves 15 to 28 % on tori, meshes and the larger fat tree, where greedy sends come in
each other's way. On BiGraphs and the fat tree of 16, where every step has a send into every accelerator, it saves
nothing as long as all links agree on the lower chunk: the link into an accelerator is what is waited for, and never
idle. For small data lockstep loses, since every step waits for the latency of the one before, which greedy sends hide
behind each other. Keeping the plan's order on every link is never slower than lockstep, and has most of what both
others have: a counter for every link would do, and nobody has to know how long a step takes."""
WAITING = """## A schedule without contention, without lockstep

In steps no two sends of these plans ever want one link. Greedily many do, one earlier and one later than planned, and
who goes first is no longer who has the longest way to go. Of greedy packets:"""
TIES = """What that costs depends on who goes first of those that come together. *Times lockstep with packets*, at 64
MiB: the lower chunk first, the earlier step first, and in orders that are drawn. No order that was tried is as good as
the plan's on 8x8 arrays, and where links do not agree (*drawn*) BiGraphs and the fat tree of 16 lose 7 to 18 %."""
PUBLISHED = """## Published cycles

TTO's artefact (HPCA 2024) has simulated cycles of an 8x8 mesh at 64 MiB. Its messages of 8,192 bytes are 17 flits and
take 357 cycles, which is what is simulated here, without latency. *Ring to it* is how many times as long a ring takes:
as published, and here in lockstep and greedily."""
COMPARED = """Rings agree to less than a thousandth, either way; the one both ways has two chunks an accelerator here.
MultiTree is published with what 38.1 steps take one way. There are 32 here (33 by its authors' code), and no all-gather
on an 8x8 mesh takes fewer: lockstep would be 16 % faster than published. Greedily both ways together take 79 steps,
3.5 % more than published, and in the orders drawn above between 67 and 73. So the published cycles are either of trees
without lockstep, or of trees with more steps than these; which, the numbers alone do not say. A ring in two dimensions
is between lockstep and greedy, too. The published double tree takes more than twice as long as that of
`double-binary-tree`, which passes chunks on before it has all of them."""
LEFT = """## What is not modelled

Wormholes: a message has all links of its route at once, from end to end, and is passed on when all of it has come.
Buffers and credits: what comes early is kept, however much it is. Messages of several chunks that share a link in
turns; the time to decide who goes first, to add up, and to read and write memory. Lockstep costs nothing by itself: no
signal goes around to say that a step is over."""
