"""The live page in a real browser: from an upload to a certificate, and what is hostile on the way."""

import os
import re

import pytest

from tests.browser.waiting import PATIENCE_MS, eventually
from tests.web.conftest import LENET, put_plug_in
from tests.web.server import running
from tests.web.test_serving_operators import BLOCK as OPERATORS

pytestmark = pytest.mark.browser
OWN = r"(http://127\.0\.0\.1:|data:|blob:)"
NAME = "</script><script>document.title='taken'</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Run one server for all tests."""
    with running(tmp_path_factory.mktemp("live") / "state", "--upload-limit", "32") as server:
        yield server


@pytest.fixture
def live(open_page, server):
    """Return a function that opens a page of the server; nothing outside it may be asked for."""

    def opened(path="/"):
        return open_page(server.url + path, allowed=OWN, offline=False)

    return opened


@pytest.fixture(scope="module")
def obedient(tmp_path_factory):
    """Run one server that has a formulation which does what it is told, and when; return it and its folder."""
    folder = tmp_path_factory.mktemp("obedient") / "state"
    environment = {**os.environ, "PYTHONPATH": str(put_plug_in(tmp_path_factory.mktemp("site")))}
    with running(folder, environment=environment) as server:
        yield server, folder


@pytest.fixture
def obeying(open_page, obedient):
    """Return a function that begins a job of that formulation; it returns the job's page, and how to give orders."""
    server, folder = obedient
    begun = []

    def begin(*orders, script="", **asked):
        begun.append(server.submit(**{"instance": LENET, "formulations": ["obeys"], **asked}))
        server.until(begun[-1], "running")

        def order(what):
            (folder / "jobs" / begun[-1] / what).touch()

        for one in orders:
            order(one)
        page = open_page("about:blank", allowed=OWN, offline=False)
        page.add_init_script(script)
        page.goto(f"{server.url}/jobs/{begun[-1]}")
        return page, order

    yield begin
    for job in begun:
        server.client.post(f"/api/jobs/{job}/cancel")


def given(page, text, name="lenet.yaml"):
    page.set_input_files("#file", {"name": name, "mimeType": "text/yaml", "buffer": text.encode()})


def shipped(page, name, levels=None):
    """Pick a shipped instance, and give its array so many levels."""
    page.select_option("#shipped", name)
    page.wait_for_selector(f".verdict .good:has-text('{name}')")
    if levels is not None:
        filled(page, "#field-array-levels", str(levels), f".verdict .good:has-text('{2**levels} accelerators')")


def filled(page, field, value, until):
    """Type a value and leave its field; wait for what the page then shows."""
    page.fill(field, value)
    page.press(field, "Tab")
    page.wait_for_selector(until)


def solved(page):
    page.click("button.main")
    page.wait_for_url("**/jobs/*")
    page.wait_for_selector("#delete")  # a job that is over


def drawn(page, figure):
    """Scroll to a figure, which is drawn when it comes into view."""
    page.locator(figure).scroll_into_view_if_needed()
    page.wait_for_selector(f"{figure} [data-state=drawn] svg")


def test_operators_from_an_upload_to_a_plan(live, accessible):
    page = live()
    given(page, OPERATORS, "operators.yaml")
    page.wait_for_selector(".verdict .good:has-text('3 operators')")
    solved(page)
    assert page.locator("#plan thead").inner_text().split("\t")[:4] == ["Operator", "Kind", "node (2)", "gpu (2)"]
    assert page.locator("h3:has-text('Collectives')").is_visible()
    drawn(page, "#plan-figure")
    accessible(page)


def test_lenet_c_from_an_upload_to_a_certificate(live, accessible, screenshot, server):
    page = live()
    accessible(page)
    given(page, LENET)
    page.wait_for_selector(".verdict .good")
    assert page.input_value("#text") == LENET
    assert page.inner_text(".verdict .good").startswith("A good instance: lenet-c, 4 layers with weights or joins, ")
    page.check("#by-joint-dp")
    page.check("#by-cp-sat")
    accessible(page)
    screenshot(page, "form")
    solved(page)
    assert page.inner_text("h1") == "lenet-c"
    assert "OPTIMAL by joint-dp" in page.inner_text("#headline")
    assert "17,603,040 bytes" in page.inner_text("#headline")
    assert "proves that no plan costs less" in page.inner_text("#certificate")
    drawn(page, "#plan-figure")
    first = page.query_selector_all("#plan tbody tr")[0].inner_text()
    assert first.split()[:6] == ["conv1", "conv", "d", "d", "d", "d"]
    accessible(page)
    screenshot(page, "result")
    with page.expect_download() as kept:
        page.click("text=Certificate >> nth=0")
    assert kept.value.suggested_filename == "plan.cert"
    page.click(".downloads a:has-text('Report')")
    page.wait_for_selector("main h1")
    assert "lenet-c" in page.inner_text("main h1")
    screenshot(page, "report")
    page.goto(server.url + "/jobs")
    accessible(page)
    screenshot(page, "jobs")


def test_a_fault_is_shown_at_its_field_and_leads_to_its_line(live, accessible, screenshot):
    page = live()
    shipped(page, "lenet-c")
    filled(page, "#field-array-levels", "40", ".verdict .bad")
    said = "expected at most 24 levels (2^24 accelerators), got 40"
    assert page.inner_text(".verdict .bad") == f"line 21: array.levels: {said}"
    assert page.inner_text("[data-holds='array.levels'] [data-wrong]") == said
    assert page.inner_text("#lines .bad") == "21"
    page.click(".verdict button")
    assert page.evaluate("getSelection().toString()") == "  levels: 40"
    accessible(page)
    screenshot(page)


def test_text_and_fields_follow_each_other(live):
    page = live()
    page.select_option("#shipped", "sfc")
    page.wait_for_selector(".verdict .good:has-text('sfc')")
    page.check("[data-field='cost.choices'] input[value=op]")
    assert eventually(page, lambda: "choices: [dp, mp, op]" in page.input_value("#text"))
    page.wait_for_selector(".verdict .good")
    page.select_option("#field-cost-accounting", "receiver")
    page.wait_for_selector(".verdict .good:has-text('receiver')")
    assert "choices: [dp, mp, op]" in page.input_value("#text")
    page.fill("#text", page.input_value("#text").replace("batch: 256", "batch: 64"))
    page.wait_for_selector(".verdict .good:has-text('batch 64')")
    assert page.input_value("#field-batch") == "64"
    page.click("text=Decide some layers yourself")
    page.fill("#fix-0", "mmmm")
    page.press("#fix-0", "Tab")
    fixed = re.compile(r"^fix: \{\w+: mmmm\}$", re.MULTILINE)
    assert eventually(page, lambda: fixed.search(page.input_value("#text")) is not None)
    page.wait_for_selector(".verdict .good")


COUNTED = """
window.opened = [];
window.EventSource = class extends EventSource { constructor(url) { super(url); window.opened.push(this); } };
"""


def hide(page, hidden):
    page.evaluate(
        "(hidden) => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
        " document.dispatchEvent(new Event('visibilitychange')); }", hidden,
    )  # fmt: skip


def test_the_bound_and_the_best_plan_move_until_the_job_is_cancelled(obeying, accessible, screenshot):
    page, order = obeying(script=COUNTED)
    page.wait_for_selector("#incumbent:has-text('MB')")
    order("tell")
    page.wait_for_selector("#bound:has-text('1 MB')")
    page.wait_for_selector("#moving svg .mark-line path", state="attached")  # a level line has no height
    assert "obeys: best plan" in page.inner_text("#log")
    labels = page.locator("#moving svg .role-axis-label text").all_text_contents()
    costs = [label for label in labels if re.fullmatch(r"[\d.]+ [kMG]?B", label)]
    assert len(costs) > 2, f"no bytes at the axis: {labels}"
    assert page.get_attribute("#now", "aria-live") == "polite"
    accessible(page)
    screenshot(page)
    log = page.locator("#log li")
    hide(page, True)
    assert page.evaluate("opened.map((one) => one.readyState)") == [2], "a page that is not seen holds a connection"
    before = log.all_inner_texts()
    hide(page, False)
    assert eventually(page, lambda: page.evaluate("opened.map((one) => one.readyState)") == [2, 1])
    order("tell")
    page.wait_for_selector("#log li:has-text('obeys: bound 2 MB')")  # what is told again would have come before it
    assert len(set(log.all_inner_texts())) == log.count() == len(before) + 1, "told twice"
    page.click("text=Cancel this job")
    page.wait_for_selector(".state-cancelled")
    accessible(page)


LINE = "best plan, cp-sat"
TOLD = [
    (0.1, 9000, LINE),
    (0.2, 400, LINE),
    (0.5, 110, LINE),
    (1, 104, LINE),
    (2, 103, LINE),
    (0.1, 0, "bound, cp-sat"),
]


def ranged(page, points):
    """Return the scale of a chart, and what it says of what is not on it."""
    given = [
        {"t": t, "v": v, "what": what, "kind": what.partition(",")[0], "shown": f"{v} B", "unit": "B"}
        for t, v, what in points
    ]
    return page.evaluate(
        "(points) => { const scale = hyparMoves.range(points); return [scale, hyparMoves.beyond(points, scale)]; }",
        given,
    )


def test_the_scale_begins_with_what_matters(live, server):
    page = live(f"/jobs/{server.submit(instance=LENET)}")
    page.wait_for_selector("#headline")
    (least, most), said = ranged(page, TOLD)
    assert 101 < least < 103 and 110 < most < 112, "neither 0 nor the first bad plans"
    assert said == "Off this scale: bound, cp-sat: 0 B; 2 earlier values, which the log has."
    (least, most), said = ranged(page, [*TOLD, (3, 90, "bound, cp-sat"), (4, 102, "bound, cp-sat")])
    assert 85 < least < 90 and 110 < most < 112
    assert said == "Off this scale: 3 earlier values, which the log has."
    (least, most), said = ranged(page, [(0, 5, "bound, cp-sat")])
    assert least < 5 < most and said == "", "a bound alone is all that is known"
    assert ranged(page, [(0, 0, LINE)])[0] == [0, 0.08]
    assert ranged(page, [(0, 7, LINE), (1, 7, "bound, cp-sat")])[0] == pytest.approx([6.44, 7.56])


def test_the_chart_stays_as_it_is_when_the_job_is_done(obeying, accessible, screenshot):
    page, order = obeying("explain it")
    page.wait_for_selector("#moving svg .mark-line path", state="attached")
    page.evaluate("document.querySelector('#moving svg').dataset.same = 'yes'")
    place = "document.getElementById('moves').getBoundingClientRect().top"
    before = page.evaluate(place)
    order("end")
    page.wait_for_selector("#state:has-text('done')")
    assert page.query_selector("#moving svg[data-same=yes]") is not None, "drawn anew"
    assert abs(page.evaluate(place) - before) < 2, "it jumped"
    assert page.inner_text("#state").strip() == "done"
    assert page.inner_text("#incumbent") in page.inner_text("#headline")
    drawn(page, "#plan-figure")
    assert page.title() == "lenet-c \u00b7 hypar-opt"
    accessible(page)
    screenshot(page)
    shown = page.inner_text("#figures")
    page.reload()
    page.wait_for_selector("#moving svg .mark-line path", state="attached")
    assert page.inner_text("#figures") == shown
    assert "obeys: best plan" in page.text_content("#log")


def test_the_plan_is_shown_while_its_report_is_being_made(obeying, accessible, screenshot):
    page, order = obeying("end", report=True)
    page.wait_for_selector("#pending")
    said = "The plan is found. Its report is still being made; the link to it appears here."
    assert page.inner_text("#pending") == said
    assert "FEASIBLE by obeys" in page.inner_text("#headline")
    assert page.inner_text("#state").strip() == "running"
    assert page.locator("#regrets, #again, #delete, .downloads a:has-text('Report')").count() == 0
    assert page.locator("text=not finished").count() == 0
    drawn(page, "#plan-figure")
    accessible(page)
    screenshot(page, "found")
    order("explain it")
    page.wait_for_selector("#regrets")
    assert page.inner_text("#pending") == said
    page.reload()
    assert page.inner_text("#pending") == said and page.locator("#regrets").count() == 1
    drawn(page, "#plan-figure")
    order("report it")
    page.wait_for_selector("#state:has-text('done')")
    assert page.locator("#pending, .notice").count() == 0
    page.click(".downloads a:has-text('Report')")
    page.wait_for_selector("main h1")
    assert "lenet-c" in page.inner_text("main h1")


def test_the_name_is_the_instances_own_as_soon_as_its_plan_is_shown(obeying):
    page, _ = obeying("end", instance=LENET.replace("name: lenet-c", "name: it's mine"))
    page.wait_for_selector("#pending")
    assert page.inner_text("h1") == "it's mine"


def test_a_plan_that_is_drawn_stays_when_there_is_more_to_say_of_it(obeying):
    page, order = obeying("end", report=True)
    drawn(page, "#plan-figure")
    page.evaluate("document.querySelector('#plan-figure svg').dataset.same = 'yes'")
    order("explain it")
    page.wait_for_selector("#regrets")
    order("report it")
    page.wait_for_selector(".downloads a:has-text('Report')")
    assert page.query_selector("#plan-figure svg[data-same=yes]") is not None, "drawn anew"


def test_a_job_that_is_cancelled_while_its_report_is_made_keeps_its_plan(obeying):
    page, _ = obeying("end", "explain it", report=True)
    page.wait_for_selector("#regrets")
    page.click("text=Cancel this job")
    page.wait_for_selector(".state-cancelled")
    assert "FEASIBLE by obeys" in page.inner_text("#headline")
    assert page.inner_text(".notice") == "No report: it was not finished"


def test_only_formulations_that_take_the_instance_are_offered(live, accessible):
    page = live()
    page.select_option("#shipped", "resnet-18")
    page.wait_for_selector("#default:has-text('Choose none, and it is joint-dp.')")
    assert page.is_visible("#by-cp-sat") and not page.is_visible("#by-hypar-dp")
    assert "hypar-dp (is for chains and this network has joins or branches)" in page.inner_text("#unoffered")
    page.check("#by-cp-sat")
    page.click("text=Overrides")
    page.select_option("#o-array", "torus-16")
    filled(page, "#o-objective", "hop-bytes", "#default:has-text('joint-enumeration')")
    assert page.is_visible("#by-alternating") and not page.is_visible("#by-cp-sat")
    assert page.is_disabled("#by-cp-sat"), "what is not offered is not sent"
    filled(page, "#o-objective", "", "#default:has-text('joint-dp')")
    assert page.is_checked("#by-cp-sat") and page.is_enabled("#by-cp-sat")
    accessible(page)


def test_pipelines_are_edited_as_text_without_fields_of_networks(live, accessible):
    page = live()
    page.select_option("#shipped", "branched-training")
    page.wait_for_selector("#fields", state="hidden")
    assert not page.is_visible("#fixing") and page.is_visible("#by-pipeline-dp")
    accessible(page)
    shipped(page, "lenet-c")
    assert page.is_visible("#fields") and page.is_visible("#fixing")


def test_a_job_is_edited_and_run_again(live, accessible, screenshot):
    page = live()
    shipped(page, "lenet-c")
    page.check("#by-data-parallel")
    page.click("text=Overrides")
    page.fill("#o-batch", "64")
    solved(page)
    page.click("#again")
    page.wait_for_selector(".verdict .good:has-text('batch 64')")
    assert page.input_value("#shipped") == "lenet-c"
    assert page.is_checked("#by-data-parallel") and not page.is_checked("#by-joint-dp")
    accessible(page)
    screenshot(page)
    page.uncheck("#by-data-parallel")
    filled(page, "#field-array-levels", "3", ".verdict .good:has-text('8 accelerators')")
    solved(page)
    assert "OPTIMAL by joint-dp" in page.inner_text("#headline")
    first = page.query_selector_all("#plan tbody tr")[0].inner_text().split()
    assert first[2:6] != ["d", "d", "d", "d"] and len(first[2]) == 1


CUT = """() => {
  const room = document.documentElement.clientWidth;
  const scrolls = ".editor, .sheet, .drawing, .skip, .for-readers, .stacked thead";
  const right = (one) => one.getBoundingClientRect();
  return [document.documentElement.scrollWidth - room, ...[...document.querySelectorAll("body *")]
    .filter((one) => !one.closest(scrolls) && right(one).width && right(one).right > room + 1)
    .map((one) => one.outerHTML.slice(0, 120))];
}"""


LEGEND = """() => {
  const top = (one) => one.getBoundingClientRect().top, svg = document.querySelector("#moving svg");
  return [...svg.querySelectorAll(".role-legend-label text")].map((one) => top(one) >= top(svg));
}"""
"""Whether each name in the chart's legend, which grows, is seen."""


@pytest.mark.parametrize("width", [1400, 390])
def test_nothing_is_cut_off_at_the_right_edge(width, live, accessible, screenshot, server):
    page = live()
    page.set_viewport_size({"width": width, "height": 900})
    shipped(page, "resnet-18")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate(CUT) == [0]
    accessible(page)
    screenshot(page, "form")
    page.check("#by-joint-dp")
    page.check("#by-data-parallel")
    solved(page)
    page.wait_for_selector("#moving svg .mark-line path", state="attached")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate(CUT) == [0]
    assert eventually(page, lambda: len(seen := page.evaluate(LEGEND)) > 2 and all(seen))
    accessible(page)
    screenshot(page, "result")
    page.evaluate("document.querySelector('h1').style.width = '1500px'")
    assert page.evaluate(CUT) != [0], "a page that is cut off is not noticed"
    page.goto(server.url + "/jobs")
    assert page.evaluate(CUT) == [0]
    screenshot(page, "jobs")


def test_hostile_names_are_text(live, accessible, screenshot):
    page = live()
    text = LENET.replace("name: lenet-c", f'name: "{NAME}"').replace("name: fc1", f'name: "{NAME}"')
    given(page, text, "<img src=x onerror=alert(2)>.yaml")
    page.wait_for_selector(".verdict .good")
    page.click("text=Decide some layers yourself")
    assert page.inner_text("#fix label >> nth=2") == NAME
    solved(page)
    assert page.inner_text("h1") == NAME
    assert page.title() == f"{NAME} · hypar-opt"
    drawn(page, "#plan-figure")
    assert page.query_selector("img") is None
    accessible(page)
    screenshot(page)


def test_a_hostile_text_is_refused_as_text(live, screenshot):
    page = live()
    page.fill("#text", "schema: hypar-opt/instance/1\n<img src=x onerror=alert(1)>: 1\nnetwork: {file: /etc/passwd}\n")
    page.wait_for_selector(".verdict .bad")
    assert page.inner_text(".verdict .bad") == (
        "line 3: network.file: no file can be named here, got '/etc/passwd'; put what it says in its place"
    )
    page.click("button.main")
    page.wait_for_url("**/jobs/*")
    page.wait_for_selector("#error")
    assert "no file can be named here, got '/etc/passwd'" in page.inner_text("#error")
    assert "root:" not in page.content()
    screenshot(page)


def test_a_file_that_is_too_large_is_not_sent(live, tmp_path):
    page = live()
    large = tmp_path / "large.yaml"
    with large.open("wb") as stream:
        stream.truncate(33 * 2**20)
    page.set_input_files("#file", large)
    page.wait_for_selector(".verdict .bad")
    assert page.inner_text(".verdict .bad") == "large.yaml has 33.0 MiB; at most 32 MiB can be uploaded"


def test_a_network_of_a_million_layers_is_refused_by_its_job(live, tmp_path, screenshot):
    page = live()
    many = tmp_path / "many.json"
    layers = ",".join(['{"name":"a","flatten":{}}'] * 1_000_000)
    head = '"schema":"hypar-opt/instance/1","name":"many","batch":1,"array":{"topology":"h-tree","levels":1}'
    many.write_text(f'{{{head},"network":{{"input":[1],"layers":[{layers}]}}}}')
    page.set_input_files("#file", many)
    page.wait_for_selector("#attached:not([hidden])")
    solved(page)
    said = "line 1: network.layers: expected a list of at most 100,000, got a list of 1000000"
    assert page.inner_text("#error").startswith(said)
    screenshot(page)


def test_without_scripts_the_form_still_works_and_the_job_s_page_looks_again(browser, server):
    context = browser.new_context(java_script_enabled=False)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(server.url)
    page.select_option("#shipped", "lenet-c")
    page.click("button.main")
    page.wait_for_url("**/jobs/*")
    page.wait_for_selector("#headline")
    assert "OPTIMAL" in page.inner_text("#headline")
    context.close()


def test_strategies_to_keep_are_checked_as_they_are_typed_and_stay_out_of_the_text(live):
    page = live()
    given(page, LENET)
    page.wait_for_selector(".verdict .good")
    page.click("text=Overrides: other values")
    page.fill("#o-fix", "conv*=d..., fc9=mmmm")
    page.press("#o-fix", "Tab")
    assert eventually(page, lambda: "'fc9' is no layer; did you mean 'fc2'?" in page.inner_text("#verdict"))
    filled(page, "#o-fix", "conv*=d..., fc1=.m..", ".verdict .good")
    assert page.input_value("#text") == LENET
    assert page.locator("#fix input").evaluate_all("all => all.map((one) => one.value)") == ["", "", "", ""]
