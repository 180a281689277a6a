"""What the page says."""

from __future__ import annotations

TITLE = "Altsplit, its baseline and the optimum"
OPENING = """Written by `make altsplit`. Gigabytes that all processes together receive in a training step, leaf by leaf:
*baseline* divides the outputs of every layer (`o`), *altsplit* outputs and inputs in turn (`o`, `m`), *grid* is the
best of all words `d...o...` that all layers have together, *optimum* the least of all words of `d`, `m` and `o`, a word
a layer. Up to 64 processes it is proven twice, by `joint-dp` and by a programme over how often each letter occurs;
beyond by that alone, recounted by the evaluator. Collectives are those of baseline, altsplit and optimum. *Uneven*
plans divide a dimension into parts of unequal size, or into more than it has: 10 outputs, or 16,000 = 2^7 x 125 neurons
by more than 128; they are priced as if parts were equal. What it means is in [Altsplit](../../docs/altsplit.md).

![Bytes by processes](altsplit.svg)"""
PROGRAMMED = """The baseline as it is written adds up an error on every process, which then takes its own part of it.
A program that reduces the error to that part (a reduce-scatter, the accounting `collective`) moves half as much for it,
and Altsplit then saves nothing between hidden layers: the baseline whose last layer divides its inputs moves what
Altsplit does, to the byte."""
CLOSING = "Of three hidden layers of 16,000 and a batch of 512. No optimum of the tables above is uneven."
