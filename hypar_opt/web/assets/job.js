"use strict";
/* A job as it goes: events from the server move the numbers and the chart; spoken at most every few seconds. Once a plan is
   found, what came of the job takes the place of what was there before, anew whenever there is more of it, and the numbers,
   the chart and the log stay where they are. */
(() => {
  const watch = document.getElementById("watch");
  if (!watch) return;
  const $ = (id) => document.getElementById(id);
  const SPOKEN = 4000, MOST = 500, NONE = "–";
  const began = Date.now() - 1000 * Number(watch.dataset.age);
  const moves = new window.hyparMoves.Moves($("moving"), $("beyond"));
  let isOver = "over" in watch.dataset, isTold = false, spokenAt = 0, waiting = null, latest = {}, source = null, heard = 0;
  let showing = Promise.resolve();
  const ALWAYS = ["head", "now", "figures"], CHANGED = ["came", "picture", "listed"];
  const contentOf = (part) => part.querySelector("[data-spec]")?.textContent ?? part.innerHTML;  // a chart is its data
  const isFound = () => Boolean($("headline"));

  function say(sentence) {
    if (isOver) return;
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

  /* What the outcome says of a job that is over is more than what was told on the way. */
  function put(id, text) {
    if (!isOver || $(id).textContent === NONE) $(id).textContent = text;
  }

  function tick() {
    if (!isOver) $("elapsed").textContent = `${Math.round((Date.now() - began) / 1000)} s`;
  }

  function moved(event) {
    moves.add(event);
    const known = latest[event.event], isBetter = event.event === "bound" ? (a, b) => a > b : (a, b) => a < b;
    if (!known || isBetter(event.near, known.near)) latest[event.event] = event;
    if (isOver || isFound()) return;
    $(event.event).textContent = latest[event.event].shown;
    const { incumbent, bound } = latest;
    if (incumbent && bound && bound.near > 0) {
      const gap = (incumbent.near - bound.near) / bound.near;
      $("gap").textContent = gap <= 0 ? "none" : `${(100 * gap).toPrecision(3)} %`;
    }
    say(`best plan so far ${incumbent ? incumbent.shown : "none yet"}, no plan costs less than ${bound ? bound.shown : "not known yet"}`);
  }

  function hear(event) {
    if (event.event === "state" && event.outcome) {
      if (event.outcome !== $("head").dataset.edition) show();
    } else if (event.event === "state") {
      $("state").firstElementChild.textContent = event.state;
      $("state").firstElementChild.className = `badge state-${event.state}`;
      say(event.state === "queued" ? `number ${event.position} in the queue` : "running");
    } else if (event.event === "end") {
      end();
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

  async function end() {
    const wasOver = isOver;
    clearTimeout(waiting);
    isOver = isTold = true;
    leave();
    if (!wasOver) await show();
    for (const what of ["incumbent", "bound"]) if (latest[what]) put(what, latest[what].shown);
    $("moves").hidden = !moves.points.length;
  }

  function show() {
    return showing = showing.then(replace);  // one after the other: the last answer is the newest
  }

  async function replace() {
    let page;
    try {
      const answered = await fetch(window.location.href);
      page = new DOMParser().parseFromString(await answered.text(), "text/html");
      for (const part of [...ALWAYS, ...CHANGED]) page.getElementById(part).children;
    } catch { window.location.reload(); return; }
    document.title = page.title;
    const held = $("moves").getBoundingClientRect().bottom > 0 ? "moves" : "picture";
    const top = () => $(held).getBoundingClientRect().top, before = top();
    if (!isFound()) $("said").open = false;
    const fresh = CHANGED.filter((part) => contentOf($(part)) !== contentOf(page.getElementById(part)));
    for (const part of [...ALWAYS, ...fresh]) $(part).replaceWith(document.adoptNode(page.getElementById(part)));
    tick();
    window.scrollBy({ top: top() - before, behavior: "instant" });
    window.hyparCharts.scan(document);
  }

  /* A browser has six connections to a server: pages that nobody looks at give theirs back. */
  function listen() {
    if (isTold || source) return;
    const opened = source = new EventSource(`/api/jobs/${encodeURIComponent(watch.dataset.job)}/events?after=${heard}`);
    opened.addEventListener("message", (message) => { heard = Number(message.lastEventId); hear(JSON.parse(message.data)); });
    opened.addEventListener("error", () => {
      if (isTold || source !== opened) return;
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
  setInterval(tick, 1000);
})();
