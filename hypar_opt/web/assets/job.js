"use strict";
/* A job as it goes: events from the server move the numbers and the chart; spoken at most every few seconds. */
(() => {
  const watch = document.getElementById("watch");
  if (!watch) return;
  const $ = (id) => document.getElementById(id);
  const SPOKEN = 4000, SHOWN = 300, MOST = 500;
  const began = Date.now() - 1000 * Number(watch.dataset.age);
  let view = null, begun = false, points = [], drawn = 0, timer = null, spokenAt = 0, waiting = null, latest = {}, over = false, source = null, heard = 0;

  const spec = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    description: "The best plan's cost and the proven bound over time",
    width: "container", height: 260, autosize: { type: "fit", contains: "padding" },
    data: { name: "moves" },
    mark: { type: "line", interpolate: "step-after", point: { size: 30 } },
    encoding: {
      x: { field: "t", type: "quantitative", title: "seconds" },
      y: { field: "v", type: "quantitative", title: "objective", scale: { zero: false }, axis: { format: "~s" } },
      color: { field: "what", type: "nominal", title: null, legend: { orient: "top" }, scale: { range: ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"] } },
      strokeDash: { field: "kind", type: "nominal", legend: null, scale: { domain: ["best plan", "bound"], range: [[1, 0], [5, 4]] } },
      tooltip: [{ field: "what", title: "what" }, { field: "shown", title: "value" }, { field: "t", title: "seconds" }],
    },
    config: { font: "DejaVu Sans, Verdana, sans-serif", background: "white", view: { stroke: null } },
  };

  const options = { renderer: "svg", actions: false, ast: true, defaultStyle: false, tooltip: { disableDefaultStyle: true } };

  /* Axes need a value, so that the chart begins with the first one. */
  async function begin() {
    spec.data.values = points;
    try { view = (await window.vegaEmbed("#moving", spec, options)).view; draw(); } catch (error) {
      $("moving").textContent = "This chart cannot be drawn here; the values are in the log.";
      console.error(String(error));
    }
  }

  function draw() {
    drawn = Date.now();
    if (view) view.data("moves", points.slice()).runAsync();
  }

  function soon() {
    if (timer === null) timer = setTimeout(() => { timer = null; draw(); }, Math.max(0, drawn + SHOWN - Date.now()));
  }

  function say(sentence) {
    clearTimeout(waiting);
    const wait = Math.max(0, spokenAt + SPOKEN - Date.now());
    waiting = setTimeout(() => { spokenAt = Date.now(); $("now").textContent = sentence; }, wait);
  }

  function log(line) {
    const list = $("log"), item = document.createElement("li");
    const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 4;
    item.textContent = line;
    list.append(item);
    if (list.children.length > MOST) list.firstChild.remove();
    if (atEnd) list.scrollTop = list.scrollHeight;
  }

  function moved(event) {
    const kind = event.event === "incumbent" ? "best plan" : "bound";
    latest[event.event] = event;
    points.push({ t: event.time_s, v: event.near, what: `${kind}, ${event.source}`, kind, shown: event.shown });
    $(event.event).textContent = event.shown;
    const { incumbent, bound } = latest;
    if (incumbent && bound && incumbent.source === bound.source && bound.near > 0) {
      const gap = (incumbent.near - bound.near) / bound.near;
      $("gap").textContent = gap <= 0 ? "none" : `${(100 * gap).toPrecision(3)} %`;
    }
    if (!begun) { begun = true; begin(); }
    say(`best plan ${incumbent ? incumbent.shown : "none yet"}, bound ${bound ? bound.shown : "none yet"}`);
    soon();
  }

  function hear(event) {
    if (event.event === "state") {
      $("state").firstElementChild.textContent = event.state;
      $("state").firstElementChild.className = `badge state-${event.state}`;
      say(event.state === "queued" ? `number ${event.position} in the queue` : "running");
    } else if (event.event === "end") {
      over = true;
      leave();
      window.location.reload();
    } else if (event.event === "phase") {
      log(`${event.time_s.toFixed(2)} s  ${event.source}: ${event.text}`);
      say(`${event.source}: ${event.text}`);
    } else if (event.event === "progress") {
      say(`${event.source}: ${event.text}`);
    } else {
      log(`${event.time_s.toFixed(2)} s  ${event.source}: ${event.event === "incumbent" ? "best plan" : "bound"} ${event.shown}`);
      moved(event);
    }
  }

  /* A browser has six connections to a server: pages that nobody looks at give theirs back. */
  function listen() {
    if (over || source) return;
    const opened = source = new EventSource(`/api/jobs/${encodeURIComponent(watch.dataset.job)}/events?after=${heard}`);
    opened.addEventListener("message", (message) => { heard = Number(message.lastEventId); hear(JSON.parse(message.data)); });
    opened.addEventListener("error", () => {
      if (over || source !== opened) return;
      say(opened.readyState === EventSource.CLOSED ? "the server refuses to tell more; load the page again" : "the server does not answer; trying again");
    });
  }

  function leave() {
    if (source) source.close();
    source = null;
  }

  listen();
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : listen()));
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", listen);
  setInterval(() => { $("elapsed").textContent = `${Math.round((Date.now() - began) / 1000)} s`; }, 1000);
})();
