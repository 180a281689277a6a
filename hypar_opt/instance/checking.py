"""What an instance has to be beyond what its fields say one by one: checked wherever one is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.errors import InputError
from hypar_opt.instance.arrays import array_fault
from hypar_opt.instance.capacity import capacity_fault
from hypar_opt.instance.faults import Fault
from hypar_opt.instance.fixed import fix_fault
from hypar_opt.instance.wording import dotted

if TYPE_CHECKING:
    from hypar_opt.instance.instance import Instance


class InvalidInstance(InputError):
    """An instance that cannot be.

    Parameters
    ----------
    fault
        What is wrong, and where in the instance.
    """

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message, field=dotted(fault.path) or None)
        self.fault = fault


def check_instance(instance: Instance) -> None:
    """Check an instance's array, given strategies and memory.

    Raises
    ------
    InvalidInstance
        At the first thing that is wrong.
    """
    wrong = array_fault(instance.spec)
    fault = fix_fault(instance) if wrong is None else Fault(*wrong)
    fault = fault or capacity_fault(instance)
    if fault is not None:
        raise InvalidInstance(fault)
