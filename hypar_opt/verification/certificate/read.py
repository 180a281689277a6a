"""Checking a certificate's file as this project reports errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.util.errors import InputError
from hypar_opt.verification.certificate.check import CertificateError, check

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.verification.certificate.check import Checked


def check_file(path: Path) -> Checked:
    """Check a certificate.

    Raises
    ------
    InputError
        If the file is none, or damaged.
    """
    try:
        return check(path)
    except CertificateError as error:
        raise InputError(str(error), file=path) from None
