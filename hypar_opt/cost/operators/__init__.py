"""What plans of operators cost: bytes of the collectives that conversions between placements are."""

from hypar_opt.cost.operators.compile import CompiledOperators
from hypar_opt.cost.operators.domains import Domain, DomainValue
from hypar_opt.cost.operators.model import OperatorModel

__all__ = ["CompiledOperators", "Domain", "DomainValue", "OperatorModel"]
