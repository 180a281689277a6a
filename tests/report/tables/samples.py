"""Tables that are written in every format: a plain one, and one whose names are hostile."""

from __future__ import annotations

from fractions import Fraction

from hypar_opt.report.tables import Column, Entry, Table, best_in_rows, notes_lifted

COSTS = {"unit": "GB", "scale": 10**9, "digits": 4, "best": "least", "group": "communication"}
RULE = "not proven: a rule, not a search"


def plain():
    """Costs and times of two formulations on three networks, one of them declined."""
    columns = (
        Column("instance", "instance"),
        Column("joint", "joint-dp", **COSTS),
        Column("rule", "one-weird-trick", **COSTS),
        Column("time", "time", "ms", Fraction(1, 1000), 3),
        Column("sha", "SHA-256", formats=("csv", "json")),
    )
    rows = (
        ("sfc", Entry(773_124_096, mark="*"), Entry(855_932_928, notes=(RULE,)), Fraction(3, 2000), "ab"),
        ("sconv", Entry(12_060_000, mark="*"), Entry(12_060_000, notes=(RULE,)), Fraction(1, 1000), "cd"),
        ("graph", Entry(99_020_000_001, notes=("stopped",)), Entry(None, notes=("for chains",)), None, None),
    )
    made = tuple(
        {"instance": Entry(name), "joint": joint, "rule": rule, "time": Entry(time), "sha": Entry(sha)}
        for name, joint, rule, time, sha in rows
    )
    return best_in_rows(notes_lifted(Table("plain", "Costs", columns, made, ("*: proven to be optimal",))))


def hostile():
    """Names that are markup, commands, formulae or breaks in some format."""
    names = (
        "a|b", "back\\slash", "$x$ & 5 %", "under_score_", "<script>alert(1)</script>", "two\nlines", "ünïcödé 漢字",
        "=1+1", "**bold** `code`", "[link](http://x) [^plain-1]", "\\input{/etc/passwd}", '"quoted", and #1 ~ ^',
        "--x ''",
    )  # fmt: skip
    columns = (
        Column("name", "name", width=0.4),
        Column("id", "id_$x$|", code=True, width=0.4),
        Column("n", "n < 5 & more"),
    )
    rows = tuple(
        {"name": Entry(name, notes=(f"of {name}",)), "id": Entry(name), "n": Entry(position, best=position == 0)}
        for position, name in enumerate(names)
    )
    return Table(
        "hostile", "Names <b>that</b> are | $not$ \\only names_", columns, rows, ("# no heading", "1. no list")
    )


SAMPLES = {"plain": plain, "hostile": hostile}
