"""`show --curve`: how the search for a plan went, of a plan of whatever kind of problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hypar_opt.cli.inputs import check_apart
from hypar_opt.cli.json_lines import echo_document
from hypar_opt.cli.options import form_of, table_format_of, table_formats
from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import require
from hypar_opt.util.files import atomically, check_writable

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.cli.options import Wanted
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Problem


def show_curve(instance: str, path: Path, output: Path | None, wanted: Wanted) -> None:
    """Print best plan and bound over time, as the plan's file has them, or write them: a picture, or a table.

    Raises
    ------
    InputError
        If the file is none of a plan of the instance, or says nothing of its search, or of another one.
    """
    from hypar_opt.report.improvements import course_document

    content = None
    if output is not None:
        is_table = output.suffix.lower() in table_formats()
        if not is_table:
            form_of(output, "--output", tuple(table_formats()))
            require("report")
        check_writable(output)
        check_apart({"--output": output}, instance, path)
    problem, plan = _read(instance, path)
    if output is not None:
        content = _table(problem, plan, output) if is_table else _picture(problem, plan, output)
        with atomically(output) as stream:
            stream.write(content)
    if wanted.machine:
        echo_document(course_document(problem, plan), wanted)
    elif output is None:
        _print(problem, plan, wanted)


def _read(instance: str, path: Path) -> tuple[Problem, Plan]:
    from hypar_opt.report.improvements import NONE, check_course
    from hypar_opt.solver.plan import Plan
    from hypar_opt.verification import read_claim
    from hypar_opt.verification.checks import check_binding
    from hypar_opt.verification.verifier import problem_claimed

    claim = read_claim(path)
    problem = problem_claimed(instance, claim)
    check_binding(problem, claim)
    plan = Plan.load(path)
    if not plan.improvements:
        raise InputError(f"says nothing of how plan and bound moved: {NONE}", file=path, field="improvements")
    check_course(plan, path)
    return problem, plan


def _table(problem: Problem, plan: Plan, output: Path) -> bytes:
    from hypar_opt.report.improvements import course_tables

    form = table_format_of(output, "--output")
    return form.write(course_tables(problem, plan)).encode(errors="surrogateescape")


def _picture(problem: Problem, plan: Plan, output: Path) -> bytes:
    from hypar_opt.report.charts.anytime import anytime_figure
    from hypar_opt.report.charts.export import picture
    from hypar_opt.report.improvements import course_of

    figure = anytime_figure([course_of(plan)], problem.objective, problem.instance.name)
    return picture(figure, form_of(output, "--output"), titled=True)


def _print(problem: Problem, plan: Plan, wanted: Wanted) -> None:
    from hypar_opt.report.console import console, terminal_table
    from hypar_opt.report.improvements import NOTE, course_of, courses_table, lines_of

    course = course_of(plan)
    click.echo(f"{problem.instance.name} by {plan.formulation}: {'; '.join(lines_of(course, problem.objective))}")
    if not wanted.quiet:
        console().print(terminal_table(courses_table([course], problem.objective)))
        click.echo(NOTE)
