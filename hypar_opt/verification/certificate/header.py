"""The part of a certificate that says what it is about, and whether it is of an instance; errors as elsewhere here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.instance.file_kinds import WrongKind
from hypar_opt.instance.formats import read_document
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import exact
from hypar_opt.verification.certificate.check import CertificateError, Checked, check

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hypar_opt.costgraph import Weight
    from hypar_opt.evaluation.choices import Operand
    from hypar_opt.instance.network import WorkLayer
    from hypar_opt.solver.network_problem import NetworkProblem

LONGEST = 200
"""Characters of two values that are shown beside each other."""


def problem_document(problem: NetworkProblem) -> dict[str, Any]:
    """Return what the checker needs to know of a problem; docs/certificates.md has the format."""
    instance, work = problem.instance, problem.work
    return {
        "kind": "network",
        "instance": instance.name,
        "instance_sha256": instance.sha256,
        "overrides": dict(instance.overrides),
        "batch": instance.batch,
        "levels": instance.levels,
        "accounting": instance.accounting,
        "choices": instance.choices,
        "bytes_per_element": instance.bytes_per_element,
        "splits": instance.splits,
        "fix": instance.fix,
        "objective": {COMMUNICATION: _texts(problem.weight)},
        "layers": [
            {
                "name": layer.name,
                "join": layer.is_join,
                "feature_in": _summed(problem, layer, "read", layer.feature_in),
                "weight": layer.weight,
                "feature_out": _summed(problem, layer, "written", layer.feature_out),
                "in_sizes": list(layer.in_sizes),
                "out_sizes": list(layer.out_sizes),
                "groups": layer.groups,
            }
            for layer in work.layers
        ],
        "boundaries": [[edge.producer, edge.reader, edge.feature] for edge in work.boundaries],
    }


def _summed(problem: NetworkProblem, layer: WorkLayer, operand: Operand, feature: int) -> int:
    """Return the elements, of one sample, of a tensor where it is left in partial sums; else of the feature."""
    return feature if layer.keeps_layout else problem.summed_elements(layer, operand) // problem.instance.batch


def _texts(weight: Weight) -> str | list[str]:
    """Return what a byte weighs as exact text: one, or one a level."""
    return [str(exact(one)) for one in weight] if isinstance(weight, tuple) else str(exact(weight))


def bind(header: Mapping[str, Any], problem: NetworkProblem, path: Path | str) -> None:
    """Check that a certificate is one of this problem.

    Raises
    ------
    InputError
        If it is not; names the first field that differs. Or if the problem's placement is to be decided:
        certificates are of strategies for a given one.
    """
    other = problem.uncertifiable
    if other is None and problem.is_free:
        other = "it is of strategies for a given placement, and this instance's is to be decided"
    if other is not None:
        raise InputError(f"is a certificate of another problem: {other}", file=path, field="problem.objective")
    require_same(header["problem"], problem_document(problem), path, LONGEST)


def require_same(given: Mapping[str, Any], expected: Mapping[str, Any], path: Path | str, longest: int) -> None:
    """Check that a certificate's problem is the one expected.

    Parameters
    ----------
    longest
        Up to so many characters the two values that differ are shown.

    Raises
    ------
    InputError
        If it is not; names the first field that differs.
    """
    for name, value in expected.items():
        if given.get(name) != value:
            both = f"it has {given.get(name)!r}, this instance has {value!r}"
            detail = both if len(both) <= longest else "it differs from this instance's"
            raise InputError(f"is a certificate of another problem: {detail}", file=path, field=f"problem.{name}")


def check_file(path: Path) -> Checked:
    """Check a certificate.

    Raises
    ------
    InputError
        If the file is none, or damaged: where it is of another known kind, what takes it.
    """
    try:
        return check(path)
    except CertificateError as error:
        raise _of_other_kind(path) or InputError(str(error), file=path) from None


def _of_other_kind(path: Path) -> WrongKind | None:
    """Return the error of a file that is something else than a certificate, if it can be told what."""
    try:
        read_document(path, "certificate")
    except WrongKind as error:
        return None if error.kind == "certificate" else error
    except InputError:
        return None
    return None
