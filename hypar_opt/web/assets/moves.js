"use strict";
/* The chart of a job: the best plan and the bound over time, on a scale of what matters by now. */
(() => {
  const FACTOR = 2, ROOM = 0.08, NARROW = 600, SHOWN = 300, BEST = "best plan", BOUND = "bound";
  const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"];
  const OPTIONS = { renderer: "svg", actions: false, ast: true, defaultStyle: false, tooltip: { disableDefaultStyle: true } };

  function linesOf(points) {
    const lines = new Map();
    for (const point of points) lines.set(point.what, [...(lines.get(point.what) || []), point]);
    return [...lines.values()];
  }

  /* What the scale shows: the later half of each line's values, those within a factor of two of the best plan's. */
  function range(points) {
    const values = linesOf(points).flatMap((line) => line.slice(Math.floor(line.length / 2))).map((one) => one.v);
    const best = points.filter((one) => one.kind === BEST).reduce((least, one) => Math.min(least, one.v), Infinity);
    const near = best > 0 && best < Infinity ? values.filter((v) => v >= best / FACTOR && v <= best * FACTOR) : values;
    const shown = best < Infinity ? [best, ...near] : near;
    const least = Math.min(...shown), most = Math.max(...shown);
    const room = ROOM * (most - least || Math.abs(most) || 1);
    return [least >= 0 ? Math.max(0, least - room) : least - room, most + room];
  }

  /* What is not on the scale, in words; nothing if all is. */
  function beyond(points, [least, most]) {
    const outside = (one) => one.v < least || one.v > most;
    const gone = linesOf(points).map((line) => line[line.length - 1]).filter(outside);
    const earlier = points.filter(outside).length - gone.length;
    const said = gone.map((one) => `${one.what}: ${one.shown}`);
    if (earlier) said.push(`${earlier.toLocaleString("en")} earlier ${earlier === 1 ? "value" : "values"}, which the log has`);
    return said.length ? `Off this scale: ${said.join("; ")}.` : "";
  }

  /* Each line goes on to the last moment that anything is known of. Copies: what is drawn is marked by the library, and
     a marked one is not drawn again. */
  function drawnOf(points) {
    const end = Math.max(...points.map((one) => one.t));
    const copy = ({ t, v, what, kind, shown }, told = true) => ({ t, v, what, kind, shown, told });
    return [...points.map((one) => copy(one)), ...linesOf(points).map((line) => copy({ ...line[line.length - 1], t: end }, false))];
  }

  const spec = (points, place) => ({
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    description: "The best plan's cost and the bound over time",
    width: "container", height: 260, autosize: { type: "fit", contains: "padding", resize: true },
    params: [{ name: "least", value: range(points)[0] }, { name: "most", value: range(points)[1] },
      { name: "unit", value: points[0].unit }],
    data: { name: "moves", values: drawnOf(points) },
    encoding: {
      x: { field: "t", type: "quantitative", title: "seconds" },
      y: {
        field: "v", type: "quantitative", title: "cost", axis: { format: "~s", tickCount: 6, labelExpr: place.dataset.label },
        scale: { zero: false, nice: false, domainMin: { expr: "least" }, domainMax: { expr: "most" } },
      },
      color: {
        field: "what", type: "nominal", title: null, sort: null, scale: { range: COLOURS },
        legend: { orient: "top", columns: place.clientWidth < NARROW ? 1 : 3, labelLimit: 400 },
      },
    },
    layer: [
      {
        mark: { type: "line", interpolate: "step-after", clip: true },
        encoding: { strokeDash: { field: "kind", type: "nominal", legend: null, scale: { domain: [BEST, BOUND], range: [[1, 0], [5, 4]] } } },
      },
      {
        transform: [{ filter: "datum.told" }],
        mark: { type: "point", filled: true, size: 40, clip: true },
        encoding: { tooltip: [{ field: "what", title: "what" }, { field: "shown", title: "cost" }, { field: "t", title: "seconds" }] },
      },
    ],
    config: { font: "DejaVu Sans, Verdana, sans-serif", background: "white", view: { stroke: null } },
  });

  /* A chart that grows; axes need a value, so that it begins with the first one. */
  class Moves {
    constructor(place, note) {
      Object.assign(this, { place, note, points: [], view: null, begun: false, drawn: 0, timer: null });
    }

    add(event) {
      const kind = event.event === "incumbent" ? BEST : BOUND;
      this.points.push({ t: event.time_s, v: event.near, unit: event.unit || "", what: `${kind}, ${event.source}`, kind, shown: event.shown });
      if (this.timer === null) this.timer = setTimeout(() => { this.timer = null; this.draw(); }, Math.max(0, this.drawn + SHOWN - Date.now()));
    }

    async draw() {
      this.drawn = Date.now();
      this.note.textContent = beyond(this.points, range(this.points));
      if (!this.begun) { this.begun = true; await this.begin(); return; }
      if (!this.view) return;
      const [least, most] = range(this.points);
      this.view.data("moves", drawnOf(this.points)).signal("least", least).signal("most", most).runAsync();
    }

    async begin() {
      const known = this.points.length;
      try {
        this.view = (await window.vegaEmbed(this.place, spec(this.points, this.place), OPTIONS)).view;
        if (this.points.length > known) this.draw();
      } catch (error) {
        this.place.textContent = "This chart cannot be drawn here; the values are in the log.";
        console.error(String(error));
      }
    }
  }

  window.hyparMoves = { Moves, range, beyond };
})();
