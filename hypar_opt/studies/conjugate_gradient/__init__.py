"""Conjugate gradients as task graphs: variants as listings, from which dependences are derived."""

from hypar_opt.studies.conjugate_gradient.document import cg_document
from hypar_opt.studies.conjugate_gradient.durations import Durations, MatrixWork
from hypar_opt.studies.conjugate_gradient.noise import Noise
from hypar_opt.studies.conjugate_gradient.unrolling import Loop, unroll
from hypar_opt.studies.conjugate_gradient.variants import VARIANTS

__all__ = ["VARIANTS", "Durations", "Loop", "MatrixWork", "Noise", "cg_document", "unroll"]
