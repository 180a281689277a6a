"""Check certificates of optimality of networks of operators, whose format hypar-opt's docs/certificates.md gives.

The folder stands alone: it needs NumPy and the standard library only, shares nothing with the solvers nor with what
compiles costs, and can be copied. `python check_operators FILE`, or `check.py` beside it, exits with 0: proven; 1: not;
2: damaged. Formulas are those of docs/operators.md; how messages prove a bound, docs/certificates.md says.
"""

from .archive import OperatorCertificateError
from .checking import CheckedOperators, check

__all__ = ["CheckedOperators", "OperatorCertificateError", "check"]
