"""One component more, by its record alone: everybody knows of it."""

from __future__ import annotations

import pytest
from cost.further import changes_of, record_of, spelt, told

from hypar_opt.instance.objective.components import COMPONENTS

pytestmark = pytest.mark.slow
"""A process of its own reads the changed package anew."""


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    return told(tmp_path_factory.mktemp("further"), record_of("component.md"), "asking_of_components.py")


def test_it_takes_three_places():
    assert list(changes_of("component.md")) == [
        "hypar_opt/instance/objective/components.py",
        "hypar_opt/cost/computing.py",
        "hypar_opt/evaluation/step/step.py",
    ]


def test_it_is_one_more(said):
    assert set(said["components"]) == {*COMPONENTS, "dram-bytes"}


@pytest.mark.parametrize("place", ["schema", "claims"])
def test_all_are_offered(said, place):
    assert said[place] == said["components"]


def test_what_is_offered_is_accepted(said):
    """By instances, the server, and claims."""
    assert said["taken"] == {"instance": "dram-bytes", "server": "time,dram-bytes=2", "claim": "dram-bytes"}


def test_plan_files_have_a_field_for_it(said):
    assert said["field"] == "dram_bytes"
    assert said["described"] == "read from and written to all memories"


def test_it_is_shown_in_its_unit(said):
    assert said["shown"] == "53.7 MB"


def test_what_it_needs_is_asked_for(said):
    assert said["needs"] == "missing, and dram-bytes needs it; try --array hypar-16"


PART = [
    """\
--- a/hypar_opt/instance/objective/components.py
+++ b/hypar_opt/instance/objective/components.py
@@ -86,3 +86,4 @@
     ),
+    CostComponent("switch-energy", "J", _LINKS, "a picojoule a byte and link", (), ENERGY, "#CC79A7"),
     CostComponent(
         COMPUTE_TIME, "s", _ACCELERATORS, "every layer's phases one after the other", ("accelerator",), TIME, "#56B4E9"
""",
    """\
--- a/hypar_opt/cost/links.py
+++ b/hypar_opt/cost/links.py
@@ -41,3 +41,4 @@
 ADDED: Final[Mapping[str, Callable[[Link], Fraction]]] = MappingProxyType(
     {HOP_BYTES: lambda _: Fraction(1), COMM_ENERGY: lambda link: link.energy or Fraction(0)}
+    | {"switch-energy": lambda _: Fraction(1, 10**12)}
 )
""",
    """\
--- a/hypar_opt/evaluation/links/loads.py
+++ b/hypar_opt/evaluation/links/loads.py
@@ -130,4 +130,5 @@
         found = {
             COMMUNICATION: self.communication,
+            "switch-energy": self.hop_bytes / 10**12,
             HOP_BYTES: self.hop_bytes,
             COMM_TIME: self.comm_time,
""",
]


def test_one_on_the_links_that_is_part_of_another_is_counted_in_it(tmp_path):
    """By its record, its cost function and the evaluator's: compiled, recomputed, verified, drawn."""
    said = told(tmp_path, PART, "asking_of_a_part.py")
    assert said["parts"][-2:] == ["comm-energy", "switch-energy"]
    assert said["placed"]
    assert (said["status"], said["outcome"]) == ("OPTIMAL", "confirmed")
    assert said["energy"] == said["summed"]
    assert said["share"] > 0
    assert said["colour"] == "#CC79A7"


def test_no_name_is_spelt_elsewhere():
    """But for the front that is found unless others are named, and a column of another table that is called so."""
    apart = ("instance/objective/components", "solver/pareto", "report/pages/operator_tables")
    assert spelt(COMPONENTS, apart) == []
