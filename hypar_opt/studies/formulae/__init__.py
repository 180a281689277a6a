"""Formulae of communication as sources print them, as they have to be read, and what they are here."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.studies.formulae.beside_model import BESIDE_MODEL
from hypar_opt.studies.formulae.data_parallel import DATA_PARALLEL
from hypar_opt.studies.formulae.domain import DOMAIN
from hypar_opt.studies.formulae.double_binary_tree import DOUBLE_TREE
from hypar_opt.studies.formulae.formula import Convolved, Formula, FormulaSetting
from hypar_opt.studies.formulae.integrated import INTEGRATED
from hypar_opt.studies.formulae.model_forward import MODEL_FORWARD
from hypar_opt.studies.formulae.model_inputs import MODEL_INPUTS
from hypar_opt.studies.formulae.model_parallel import MODEL_PARALLEL
from hypar_opt.studies.formulae.model_weights import MODEL_WEIGHTS
from hypar_opt.studies.formulae.parameter_server import SERVER_TIME, SERVER_TOTAL
from hypar_opt.studies.formulae.project import project_bytes
from hypar_opt.studies.formulae.ring import RING_ROUNDS, RING_TIME, RING_TOTAL
from hypar_opt.studies.formulae.sharded_server import SHARDED_SERVER

if TYPE_CHECKING:
    from collections.abc import Mapping

_ALL: Final = (
    DATA_PARALLEL, MODEL_FORWARD, MODEL_WEIGHTS, MODEL_INPUTS, MODEL_PARALLEL, BESIDE_MODEL, INTEGRATED, DOMAIN,
    SERVER_TOTAL, SERVER_TIME, SHARDED_SERVER, RING_TOTAL, RING_TIME, RING_ROUNDS, DOUBLE_TREE,
)  # fmt: skip
FORMULAE: Final[Mapping[str, Formula]] = MappingProxyType({one.name: one for one in _ALL})
"""By name, in the order of the sources."""

__all__ = ["FORMULAE", "Convolved", "Formula", "FormulaSetting", "project_bytes"]
