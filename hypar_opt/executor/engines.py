"""The kinds of workers that `--on` names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.run import MOST_WORKERS
from hypar_opt.util.errors import InputError, did_you_mean
from hypar_opt.util.extras import require

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.executor.workers import Workers
    from hypar_opt.formulation.run import Limits


@dataclass(frozen=True)
class EngineSpec:
    """What `--on` says.

    Parameters
    ----------
    engine
        A name of `ENGINES`.
    count
        How many workers; None for as many as the engine finds sensible.
    address
        Of a scheduler that is there, or None.
    """

    engine: str
    count: int | None = None
    address: str | None = None


@dataclass(frozen=True)
class Engine:
    """A kind of workers.

    Parameters
    ----------
    summary
        What they are, for help.
    spelt
        How `--on` names them.
    open
        Returns workers that are ready for calls within limits.
    schemes
        Of addresses that it takes, as `dask` of `dask://HOST:PORT`.
    extra
        What has to be installed besides, or nothing.
    """

    summary: str
    spelt: str
    open: Callable[[EngineSpec, Limits], Workers]
    schemes: tuple[str, ...] = ()
    extra: str = ""


def _local(spec: EngineSpec, limits: Limits) -> Workers:
    from hypar_opt.executor.local import LocalWorkers, processors

    return LocalWorkers(spec.count or max(1, min(MOST_WORKERS, processors() // limits.workers)))


def _dask(spec: EngineSpec, limits: Limits) -> Workers:
    from hypar_opt.executor.dask import DaskWorkers
    from hypar_opt.executor.dask.clusters import OtherCluster, own_cluster

    return DaskWorkers(OtherCluster(spec.address) if spec.address else own_cluster(spec.count, limits), limits)


def _slurm(spec: EngineSpec, limits: Limits) -> Workers:
    from hypar_opt.executor.dask import DaskWorkers
    from hypar_opt.executor.dask.slurm import SlurmCluster

    return DaskWorkers(SlurmCluster(spec.count, limits), limits)


ENGINES: Final[Mapping[str, Engine]] = MappingProxyType(
    {
        "local": Engine("processes of this machine", "local or local:N", _local),
        "dask": Engine(
            "workers of Dask, of this machine or of a scheduler",
            "dask, dask:N or dask://HOST:PORT",
            _dask,
            schemes=("dask",),
            extra="cluster",
        ),
        "slurm": Engine("workers of Dask as jobs of Slurm", "slurm or slurm:N", _slurm, extra="cluster"),
    }
)
"""By name."""


def engine_spec(text: str) -> EngineSpec:
    """Return what `--on` says.

    Raises
    ------
    InputError
        If there is no such engine, or not so many workers.
    """
    name, colon, rest = text.partition(":")
    if name not in ENGINES:
        spelt = ", ".join(one.spelt for one in ENGINES.values())
        raise InputError(f"expected {spelt}, got '{text}'{did_you_mean(name, ENGINES)}", field="--on")
    if name in ENGINES[name].schemes and re.fullmatch(r"//[^/:\s]+:\d{1,5}", rest):
        return EngineSpec(name, None, rest[2:])
    if not colon:
        return EngineSpec(name)
    if not re.fullmatch(r"\d{1,9}", rest) or not 1 <= int(rest) <= MOST_WORKERS:
        raise InputError(f"expected {ENGINES[name].spelt}, N from 1 to {MOST_WORKERS}, got '{text}'", field="--on")
    return EngineSpec(name, int(rest))


def open_workers(spec: EngineSpec, limits: Limits) -> Workers:
    """Return workers that are ready; to be closed as a context manager.

    Raises
    ------
    MissingPackage
        If the engine's extra is not installed.
    InputError
        If there are no such workers, or they are not what is needed.
    """
    engine = ENGINES[spec.engine]
    if engine.extra:
        require(engine.extra)
    return engine.open(spec, limits)
