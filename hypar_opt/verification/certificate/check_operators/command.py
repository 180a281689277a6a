"""The command line of the checker."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from .archive import OperatorCertificateError, expect
from .checking import check

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str]) -> int:
    """Check the file that `argv` names and print the verdict; return the exit code."""
    try:
        expect(len(argv) == 1, "usage: python check_operators FILE")
        found = check(argv[0])
    except OperatorCertificateError as error:
        print(str(error).encode("unicode_escape").decode(), file=sys.stderr)
        return 2
    verdict = f"not proven: {'; '.join(found.faults)}; the potentials prove {found.bound}"
    if found.proven:
        verdict = f"proven: the plan costs {found.cost}, and none costs less"
    print(verdict.encode("unicode_escape").decode())
    return 0 if found.proven else 1
