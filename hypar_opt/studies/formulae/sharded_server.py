"""A server for every share of the parameters: each process is one."""

from __future__ import annotations

from hypar_opt.studies.formulae.data_parallel import DATA_PARALLEL
from hypar_opt.studies.formulae.formula import SLIDES, Formula

SHARDED_SERVER = Formula(
    "sharded-server",
    "A server a share: what a process sends",
    f"{SLIDES}, parameter server all-reduce",
    "2 (P - 1) N / P",
    lambda setting: 2 * setting.part(setting.parameters),
    "the bytes of the word d at every level; the algorithm parameter-server-sharded",
    counterpart=DATA_PARALLEL.counterpart,
)
"""The formula."""
