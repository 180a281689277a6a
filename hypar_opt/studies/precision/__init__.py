"""Bits of what is sent: rules that raise them while a network is trained, replayed beside the static optimum."""

from hypar_opt.studies.precision.beside_static import BesideStatic, beside_static
from hypar_opt.studies.precision.norms import NormTrace, read_norms
from hypar_opt.studies.precision.rule import NormRule, Period, replayed

__all__ = ["BesideStatic", "NormRule", "NormTrace", "Period", "beside_static", "read_norms", "replayed"]
