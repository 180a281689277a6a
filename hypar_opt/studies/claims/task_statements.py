"""What a claim can state of a task graph: its least makespan."""

from __future__ import annotations

from decimal import InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, ClassVar, Self, TypeAlias

from pydantic import Field, PlainValidator, model_validator

from hypar_opt.instance.exact import rational
from hypar_opt.instance.fields import Name, refusal
from hypar_opt.instance.read import load_task_graph
from hypar_opt.instance.text import shown
from hypar_opt.studies.claims.statement_parts import Statement
from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import exact


def _seconds(value: object) -> Fraction:
    """Take an exact number: an integer, a decimal, or a fraction as text."""
    try:
        found = rational(value)
    except (InvalidOperation, ValueError, OverflowError):
        found = None
    if found is None or found < 0:
        raise refusal(f'expected seconds, such as 10 or "7/3", got {shown(value)}')
    return found


if TYPE_CHECKING:
    from hypar_opt.instance.tasks import TaskGraphInstance

    ExactSeconds: TypeAlias = Fraction
else:
    ExactSeconds = Annotated[Fraction, PlainValidator(_seconds)]


class TaskMakespan(Statement):
    """No schedule of a task graph has a shorter makespan, and one has it."""

    of_instances: ClassVar[bool] = False
    tasks: Name = Field(description="a task graph: the name of a shipped one, or a file")
    makespan: ExactSeconds = Field(description="seconds, exact")

    @property
    def says(self) -> str:
        """The makespan."""
        return f"{exact(self.makespan)} s, no less"

    @property
    def instance(self) -> TaskGraphInstance:
        """The task graph."""
        found = load_task_graph(self.tasks)
        assert found is not None  # `_is_there` has seen to it
        return found

    @model_validator(mode="after")
    def _is_there(self) -> Self:
        try:
            found = load_task_graph(self.tasks)
        except InputError as error:
            raise refusal(str(error), at="tasks") from None
        if found is None or found.goal != "makespan":
            raise refusal(f"{shown(self.tasks)} is no task graph whose makespan is to be least", at="tasks")
        return self
