"""The pages of a report, each from its template."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypar_opt.formulation.solution import Status
from hypar_opt.report.charts.registry import Need, drawings
from hypar_opt.report.pages.beside import Beside, Drawn
from hypar_opt.report.pages.environment import SCRIPTS
from hypar_opt.report.pages.kinds import PAGES
from hypar_opt.report.pages.overview import command, lead, numbers, overview
from hypar_opt.report.pages.parts import runs
from hypar_opt.report.pages.plans import Alike, alike, plan_paths
from hypar_opt.report.pages.summary import same, summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Environment

    from hypar_opt.report.content import Report, Subject
    from hypar_opt.report.pages.inputs import Inputs

INDEX, AUDIT = "index.html", "audit.html"


@dataclass(frozen=True)
class Pages:
    """What pages are made with.

    Parameters
    ----------
    report
        What they show.
    templates
        Of all pages.
    beside
        The files that they lead to.
    inputs
        The files that their commands read.
    """

    report: Report
    templates: Environment
    beside: Beside
    inputs: Inputs

    def index(self) -> str:
        """Return the first page."""
        subjects = self.report.subjects
        table = summary(subjects)
        cells = [cell for subject in subjects for cell in subject.cells]
        solved = any(cell.plan is not None for cell in cells)
        return self._page(
            INDEX, INDEX, lead=lead(self.report), numbers=numbers(self.report), overview=overview(subjects),
            links=[_path(one) for one in subjects], summary=table, alike=same(table), csv=self.beside.table(table),
            row_links=[_path(subject) for subject in subjects for _ in subject.cells],
            drawn=self._drawn("cells", cells if solved else None, "index"), faults=self.faults,
        )  # fmt: skip

    def instance(self, subject: Subject) -> str:
        """Return the page of an instance."""
        table = summary((subject,), f"results-{subject.slug}", f"Results of {subject.instance.name}")
        groups = alike(subject.plans)
        plans = [self._plan(subject, one) for one in groups]
        more = PAGES[subject.kind].parts(subject, groups, self.beside, self.inputs.asked(subject.instance))
        more = (*more, *runs(subject, self.beside))
        contents = [("results", "Results"), ("plans", "Plans"), *((one.id, one.title) for one in more)]
        contents.append(("provenance", "How this was made"))
        return self._page(
            _path(subject), "instance.html", subject=subject, facts=PAGES[subject.kind].facts(subject), summary=table,
            csv=self.beside.table(table, f"data/{subject.slug}"), plans=plans, parts=more,
            choices=[(one.slug, one.names) for one in groups], contents=contents, none_found=none_found(subject),
            hashes=[(subject.instance.name, subject.instance.sha256)], files=self.inputs.of.get(subject.slug, {}),
        )  # fmt: skip

    def _plan(self, subject: Subject, one: Alike) -> dict[str, Any]:
        paths = plan_paths(subject)
        name = f"plan-{one.slug}"
        drawn = self.beside.drawn(lambda: replace(PAGES[subject.kind].drawn(one.named), name=name), subject.slug, name)
        return {
            "slug": one.slug,
            "title": one.names,
            "status": one.status,
            "said": one.said,
            "drawn": drawn,
            "files": [(each.name, paths[each.name]) for each in one.all],
            "command": command("verify", self.inputs.asked(subject.instance), paths[one.named.name]),
        }

    def audit(self) -> str:
        """Return the page of the verdicts."""
        from hypar_opt.report.claims import document, flat_table

        claims, rows = self.report.claims, self.report.rows
        assert claims is not None  # asked for where there are some
        found = document(claims, rows)
        drawn = self._drawn("claims", rows, "audit")
        return self._page(
            AUDIT, AUDIT, claims=claims, rows=found["rows"], counts=found["counts"], drawn=drawn,
            csv=self.beside.table(flat_table(rows)),
        )  # fmt: skip

    def _drawn(self, needs: Need, what: Any, folder: str) -> list[Drawn]:
        """Draw all that is drawn of something."""
        return [self.beside.drawn(draw, folder, name) for name, draw in drawings({needs: what}).items()]

    @property
    def faults(self) -> tuple[str, ...]:
        """What cannot be, and what could not be drawn by now."""
        return (*self.report.faults, *self.beside.faults, *self.inputs.faults)

    def _page(self, here: str, template: str, **content: Any) -> str:
        report = self.report
        names = unlike([one.instance.name for one in report.subjects])
        subjects = list(zip(names, report.subjects, strict=True))
        pages = [("Overview", INDEX), *((name, _path(one)) for name, one in subjects)]
        pages += [] if report.claims is None else [("Audit", AUDIT)]
        hashes = [(name, one.instance.sha256) for name, one in subjects]
        scripts = (*SCRIPTS, *{"instance.html": ["front.js"], AUDIT: ["audit.js"]}.get(template, []))
        common = {"report": report, "from": report.provenance, "pages": pages, "here": here, "assets": "assets",
                  "scripts": scripts, "hashes": hashes}  # fmt: skip
        return self.templates.get_template(template).render({**common, **content})


def unlike(names: Sequence[str]) -> list[str]:
    """Return names that can be told apart: of those that are the same all but the first have a number."""
    return [f"{name} ({names[: at + 1].count(name)})" if name in names[:at] else name for at, name in enumerate(names)]


def _path(subject: Subject) -> str:
    return f"{subject.slug}.html"


def none_found(subject: Subject) -> str:
    """Return why an instance has no plans: that there is none is a finding, that none was found is not."""
    proven = [cell for cell in subject.cells if cell.plan and cell.plan.status is Status.INFEASIBLE]
    if not proven:
        return "no formulation found a plan"
    why = next((cell.plan.note for cell in proven if cell.plan and cell.plan.note), "")
    said = f"no plan is allowed, proven by {', '.join(cell.formulation for cell in proven)}"
    return f"{said}: {why}" if why else said
