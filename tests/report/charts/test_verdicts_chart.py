"""The chart of an audit."""

from dataclasses import dataclass

from chart_data import drawn, rest_of

from hypar_opt.report.charts.export import printed_svg
from hypar_opt.report.charts.verdicts import verdicts_figure
from hypar_opt.studies.claims import ClaimVerdict

HOSTILE = "</script><b>\"'\\ ü"


@dataclass
class Spec:
    source: str


@dataclass
class Claim:
    spec: Spec


@dataclass
class Row:
    claim: Claim
    verdict: ClaimVerdict


def rows(**counts):
    return [
        Row(Claim(Spec(source)), verdict)
        for source, own in counts.items()
        for verdict, count in own.items()
        for _ in range(count)
    ]


SMALL = {
    "Figure 8": {ClaimVerdict.CONFIRMED: 3, ClaimVerdict.REFUTED: 1},
    "Table 2": {ClaimVerdict.NOT_REPRODUCIBLE: 2, ClaimVerdict.UNDECIDED: 1},
}


def test_counts_by_source_and_verdict():
    figure = verdicts_figure(rows(**SMALL))
    assert [(one["source"], one["verdict"], one["claims"], one["of"]) for one in drawn(figure, "source")] == [
        ("Figure 8", "✓ confirmed", 3, 4),
        ("Figure 8", "✗ refuted", 1, 4),
        ("Table 2", "– not reproducible", 2, 3),
        ("Table 2", "? undecided", 1, 3),
    ]
    assert [one["middle"] for one in drawn(figure, "source")] == [1.5, 3.5, 1, 2.5]
    assert [{key: entry.value for key, entry in row.items()} for row in figure.table.rows] == [
        {"source": "Figure 8", "confirmed": 3, "refuted": 1, "not_reproducible": 0, "undecided": 0, "claims": 4},
        {"source": "Table 2", "confirmed": 0, "refuted": 0, "not_reproducible": 2, "undecided": 1, "claims": 3},
    ]


def test_in_words():
    figure = verdicts_figure(rows(**SMALL))
    assert figure.title == "7 claims by source: 3 confirmed, 1 refuted, 2 not reproducible, 1 undecided"
    assert figure.alternative == f"{figure.title}. Sources with a refuted claim: Figure 8."


def test_signs_stand_beside_the_colours():
    svg = printed_svg(verdicts_figure(rows(**SMALL)), "column")
    for text in ("3 ✓", "✗", "2 –", "?"):
        assert f">{text}</text>" in svg


def test_no_claims():
    figure = verdicts_figure([])
    assert figure.title == "0 claims by source: none judged"
    assert printed_svg(figure, "column").startswith("<svg")


def test_hostile_names_stay_data():
    figure = verdicts_figure(rows(**{HOSTILE: {ClaimVerdict.REFUTED: 1}}))
    assert drawn(figure, "source")[0]["source"] == HOSTILE
    assert "<b>" not in rest_of(figure)
    assert "&lt;/script&gt;&lt;b&gt;" in printed_svg(figure, "column")
