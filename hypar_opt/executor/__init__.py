"""Many independent pieces of work, handed to workers of the standard library's shape: processes, or a cluster's.

`engines.ENGINES` are the kinds of workers that `--on` names, `Workers` what each is, and `run_pieces` what hands pieces
to them. A piece is a value that says all that its result depends on, seeds included, so that the results are the same
on every engine, whatever the number of workers and their order.
"""

from hypar_opt.executor.engines import ENGINES, Engine, EngineSpec, engine_spec, open_workers
from hypar_opt.executor.given import GivenWorkers, process_count, workers_of
from hypar_opt.executor.pieces import PieceResult, run_pieces, submit_piece
from hypar_opt.executor.telling import tell
from hypar_opt.executor.workers import DEATHS, KilledWorkers, LostWorkers, Workers

__all__ = [
    "DEATHS", "ENGINES", "Engine", "EngineSpec", "GivenWorkers", "KilledWorkers", "LostWorkers", "PieceResult",
    "Workers", "engine_spec", "open_workers", "process_count", "run_pieces", "submit_piece", "tell", "workers_of",
]  # fmt: skip
