"""A server that is one of the processes."""

from __future__ import annotations

from hypar_opt.studies.formulae.data_parallel import DATA_PARALLEL
from hypar_opt.studies.formulae.formula import SLIDES, Formula

SERVER_TOTAL = Formula(
    "parameter-server",
    "One parameter server: what all send",
    f"{SLIDES}, parameter server",
    "2 (P - 1) N",
    lambda setting: 2 * setting.beta * (setting.processes - 1) * setting.parameters,
    "the bytes of the word d at every level; the algorithm parameter-server",
    counterpart=DATA_PARALLEL.counterpart,
    of_all=True,
)
"""The formula, N the elements of all gradients."""
SERVER_TIME = Formula(
    "parameter-server-time",
    "One parameter server: time",
    f"{SLIDES}, complexity summary",
    "alpha + P N beta",
    lambda setting: setting.alpha + setting.beta * setting.processes * setting.parameters,
    "the server's link, both ways one after the other; with alpha 0 the bytes of d at every level",
    "2 (P - 1) (alpha + N beta)",
    lambda setting: 2 * (setting.processes - 1) * (setting.alpha + setting.beta * setting.parameters),
    "P - 1 workers push and pull, as the slide's own 2 (P - 1) N says, a message each",
    DATA_PARALLEL.counterpart,
    of_all=True,
)
"""The formula."""
