"use strict";
/* Draws every figure when it comes into view, and makes its marks reachable with the keyboard. */
(() => {
  const views = new WeakMap();
  const OPTIONS = {
    renderer: "svg", actions: false, ast: true, defaultStyle: false,
    tooltip: { theme: "light", disableDefaultStyle: true },
  };

  const specOf = (place) => JSON.parse(place.parentElement.querySelector("script[data-spec]").textContent);

  const LEAST = 0.2, SPARE = 40, TRIES = 5, RIGID = "rigid", WIDTH = 300;

  /* A chart with the widths of its views multiplied; grids of letters and pictures, which are named so, keep theirs. */
  function scaled(view, factor) {
    const made = { ...view };
    for (const name of ["hconcat", "vconcat", "concat"]) if (view[name]) made[name] = view[name].map((one) => scaled(one, factor));
    if (view.spec) made.spec = scaled(view.spec, factor);
    const width = view.width ?? (view.mark || view.layer ? WIDTH : undefined);
    if (width === undefined || (view.name || "").startsWith(RIGID)) return made;
    if (typeof width === "number") made.width = Math.round(width * factor);
    else if (width.step) made.width = { ...width, step: width.step * factor };
    return made;
  }

  /* The widths that can be changed, where views stand side by side. */
  function span(view) {
    if (view.hconcat) return view.hconcat.reduce((sum, one) => sum + span(one), 0);
    if (view.vconcat) return Math.max(...view.vconcat.map(span));
    if ((view.name || "").startsWith(RIGID)) return 0;
    return typeof view.width === "number" ? view.width : view.width?.step ? WIDTH : view.mark || view.layer ? WIDTH : 0;
  }

  /* A chart whose legends have no more columns than that. */
  function capped(part, columns) {
    if (Array.isArray(part)) return part.map((one) => capped(one, columns));
    if (!part || typeof part !== "object") return part;
    const made = Object.fromEntries(Object.entries(part).map(([name, one]) =>
      [name, name === "data" || name === "datasets" ? one : capped(one, columns)]));
    if (made.legend?.columns > columns) made.legend.columns = columns;
    return made;
  }

  /* Draws a chart no wider than its place, where narrower views and legends do that, and not much narrower. */
  async function fitted(place) {
    const spec = specOf(place), room = span(spec);
    for (let factor = 1, tries = 1; ; tries += 1) {
      const made = tries === 1 ? spec : scaled(capped(spec, Math.max(1, 4 - tries)), factor);
      const { view } = await window.vegaEmbed(place, made, OPTIONS);
      const svg = place.querySelector("svg"), zoom = Number(getComputedStyle(svg).zoom) || 1;
      const over = Number(svg.getAttribute("width")) - place.clientWidth / zoom;
      const fits = over <= 0 && (tries === 1 || over > -SPARE);
      if (fits || !place.clientWidth || tries >= TRIES) return view;
      factor = room ? Math.min(1, Math.max(LEAST, factor - (over + 3) / room)) : factor;
      view.finalize();
    }
  }

  /* Says of a chart that is wider than its place, which shows a part of it, that there is more. */
  function hint(place) {
    const wide = place.scrollWidth > place.clientWidth + 1;
    place.classList.toggle("wide", wide);
    let said = place.previousElementSibling;
    if (!said?.matches(".more")) {
      said = document.createElement("p");
      said.className = "more";
      said.textContent = "Wider than the page: scroll it sideways.";
      place.before(said);  // above it: a tall chart's end is far below where it is read
    }
    said.hidden = !wide;
  }

  const sizes = new ResizeObserver((entries) => entries.forEach((one) => hint(one.target)));

  async function draw(place) {
    if (place.dataset.state) return;
    place.dataset.state = "drawing";
    try {
      const view = await fitted(place);
      views.set(place, view);
      sizes.observe(place);
      place.dataset.state = "drawn";
      place.classList.add("drawn");
      reach(place);
      view.addEventListener("click", (_, item) => {
        if (item && item.datum) tell(place, item.datum);
      });
      place.dispatchEvent(new CustomEvent("hypar:drawn", { bubbles: true }));
    } catch (error) {
      place.dataset.state = "failed";
      place.textContent = "This chart cannot be drawn here; its numbers are below.";
      console.error(String(error));
    }
  }

  /* What was clicked, or chosen with Enter, goes up the page as data. */
  function tell(place, datum) {
    place.dispatchEvent(new CustomEvent("hypar:chosen", { bubbles: true, detail: datum }));
  }

  const marksOf = (place) =>
    [...place.querySelectorAll("svg [aria-roledescription][aria-label]")].filter(
      (one) => !/^(axis|legend|title|visualization|group|.*container)$/.test(one.getAttribute("aria-roledescription"))
        && !one.closest(".role-axis, .role-legend, .role-title"));

  /* One mark can be reached with Tab, its neighbours with the arrow keys; the focused one shows its tooltip. */
  function reach(place) {
    const svg = place.querySelector("svg");
    if (!svg) return;
    tidy(place, svg);
    new MutationObserver(() => tidy(place, svg)).observe(svg, { childList: true, subtree: true });
    svg.addEventListener("keydown", (event) => move(place, event));
    svg.addEventListener("focusin", (event) => point(event.target, "over"));
    svg.addEventListener("focusout", (event) => point(event.target, "out"));
  }

  /* Whenever marks come and go: what only holds others is no picture of its own, and one mark is in the Tab order. */
  function tidy(place, svg) {
    for (const one of svg.querySelectorAll("[role]:not([aria-label]):not(svg)")) {
      one.removeAttribute("role");
      one.removeAttribute("aria-roledescription");
    }
    const marks = marksOf(place);
    if (marks.length && !marks.some((one) => one.getAttribute("tabindex") === "0")) marks[0].setAttribute("tabindex", "0");
  }

  function move(place, event) {
    const marks = marksOf(place);
    const at = marks.indexOf(event.target);
    if (at < 0) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      point(event.target, "click");
      return;
    }
    if (event.key === "Escape") return point(event.target, "out");
    const to = next(marks, at, event.key);
    if (!to) return;
    event.preventDefault();
    marks.forEach((one) => one.setAttribute("tabindex", "-1"));
    to.setAttribute("tabindex", "0");
    to.focus();
  }

  /* The nearest mark in the direction of an arrow; along the order of the marks where there is none. */
  function next(marks, at, key) {
    if (key === "Home") return marks[0];
    if (key === "End") return marks[marks.length - 1];
    const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
    if (!way) return null;
    const [x, y] = centre(marks[at]);
    let best = null, least = Infinity;
    for (const one of marks) {
      const [dx, dy] = [centre(one)[0] - x, centre(one)[1] - y];
      const along = dx * way[0] + dy * way[1], aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      const far = along + 3 * aside;
      if (along > 0.5 && far < least) [best, least] = [one, far];
    }
    return best || marks[at + (way[0] + way[1])] || null;
  }

  function centre(element) {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  const KINDS = { over: ["pointerover", "pointermove", "mousemove"], out: ["pointerout", "mouseout"], click: ["click"] };

  /* What a pointer in the middle of a mark would say. */
  function point(element, what) {
    const [clientX, clientY] = centre(element);
    for (const kind of KINDS[what]) {
      const made = kind.startsWith("pointer") ? PointerEvent : MouseEvent;
      element.dispatchEvent(new made(kind, { bubbles: true, cancelable: true, clientX, clientY, view: window }));
    }
  }

  const seen = new IntersectionObserver(
    (entries) => entries.filter((one) => one.isIntersecting).forEach((one) => { seen.unobserve(one.target); draw(one.target); }),
    { rootMargin: "300px" });

  function scan(root) {
    root.querySelectorAll("[data-drawing]:not([data-state])").forEach((place) => seen.observe(place));
  }

  window.hyparCharts = { scan, draw, viewOf: (place) => views.get(place) };
  scan(document);
  window.addEventListener("beforeprint", () => document.querySelectorAll("[data-drawing]:not([data-state])").forEach(draw));
})();
