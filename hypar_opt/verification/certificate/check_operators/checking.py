"""Check a certificate: what its messages prove, and its plan."""

from __future__ import annotations

import warnings
import zipfile
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from .archive import OperatorCertificateError, expect, read_header, read_tables
from .bound import bound, check_clusters, table_shapes
from .costs import Costs
from .exact import WorkRoom, dtype_of
from .header import check_header
from .plan import cost_of, faults


@dataclass(frozen=True)
class CheckedOperators:
    """What a certificate proves: that no plan costs less than `bound`; and what its own costs, None if it is not legal.

    Both are in the objective's unit. `faults` say what keeps the claim in `header` from being proven.
    """

    header: dict[str, Any]
    bound: Fraction
    cost: Fraction | None
    faults: tuple[str, ...]
    plan: dict[str, str]

    @property
    def proven(self) -> bool:
        """Whether the potentials prove the bound claimed, and the plan costs as much."""
        return not self.faults


def check(source: str | Path | BinaryIO) -> CheckedOperators:
    """Check a certificate, given as a path or as an open file; raises CertificateError if it is none, or damaged."""
    is_file = not isinstance(source, str | Path) or Path(source).is_file()  # a device has no end
    expect(is_file, "no such file, or none that a certificate can be")
    try:
        with np.errstate(all="raise"), warnings.catch_warnings(), zipfile.ZipFile(source) as archive:
            warnings.simplefilter("error", RuntimeWarning)  # NumPy's, of what is not as exact as it should be
            return _checked(archive)
    except OperatorCertificateError:
        raise
    except Exception as error:  # a damaged file may fail anywhere, and what fails proves nothing
        text = f"not a certificate, or damaged: {type(error).__name__}: {error}"
        raise OperatorCertificateError(text.splitlines()[0]) from error


def _checked(archive: zipfile.ZipFile) -> CheckedOperators:
    header = read_header(archive)
    check_header(header)
    problem, claim = header["problem"], header["claim"]
    weight = Fraction(problem["objective"]["communication"])
    expect(weight > 0, "header.json: problem: objective: communication: expected a weight above 0")
    each = weight / prod(one["size"] for one in problem["axes"])  # what 1/D of a byte weighs
    unit = each.denominator * 2 ** header["scale"]
    costs = Costs(problem, each.numerator * 2 ** header["scale"], WorkRoom())
    check_clusters(header, costs)
    shapes = table_shapes(header, costs)
    raw = read_tables(archive, [prod(shape) for shape in shapes], header["arrays_sha256"], dtype_of)
    proven = Fraction(bound(header, costs, shapes, raw), unit)
    next(raw, None)  # what stands behind the last one: the comparison of the digests
    found, claimed = [*faults(costs, claim["plan"])], Fraction(claim["bound"])
    cost = None if found else Fraction(cost_of(costs, claim["plan"]), unit)
    if proven != claimed:
        found.append(f"the potentials prove the bound {proven}, the file claims {claimed}")
    if cost not in (None, proven):
        found.append(f"the plan in the file costs {cost}, the bound is {proven}")
    return CheckedOperators(header, proven, cost, tuple(found), claim["plan"])
