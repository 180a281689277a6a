"use strict";
/* The form: the server checks the text as one types, and sets fields in it; whatever it says is shown as text. */
(() => {
  const PAUSE = 400, SMALL = 1048576;
  const $ = (id) => document.getElementById(id);
  const form = $("job"), text = $("text"), lines = $("lines"), verdict = $("verdict"), sending = $("sending");
  const limit = Number(form.dataset.uploadLimit);
  const DEFAULT = $("default").textContent;
  const controls = [...document.querySelectorAll("[data-field]")];
  let timer = null, asked = 0, counted = 0, bad = null, edits = Promise.resolve();

  /* ---- the editor's line numbers */
  function number(wrong = bad) {
    const many = text.value.split("\n").length;
    if (many === counted && wrong === bad) return;
    [counted, bad] = [many, wrong];
    lines.replaceChildren();
    const upTo = (from, to) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i).join("\n");
    if (!wrong || wrong > many) { lines.textContent = upTo(1, many); return; }
    const mark = document.createElement("span");
    mark.className = "bad";
    mark.textContent = wrong;
    lines.append(upTo(1, wrong - 1) + (wrong > 1 ? "\n" : ""), mark, (wrong < many ? "\n" : "") + upTo(wrong + 1, many));
  }

  function goTo(line) {
    const rows = text.value.split("\n");
    const begin = rows.slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0);
    text.focus();
    text.setSelectionRange(begin, begin + (rows[line - 1] || "").length);
    const height = parseFloat(getComputedStyle(text).lineHeight) || 20;
    text.scrollTop = Math.max(0, (line - 6) * height);
    text.scrollLeft = 0;
  }

  /* ---- what the server says */
  const OVERRIDES = [...form.querySelectorAll("[data-override]")];
  const READ = {
    text: (value) => value, truth: (value) => value === "true",
    words: (value) => {
      const parts = value.split(",").flatMap((one) => one.split("=").length > 2 ? one.trim().split(/\s+/) : [one.trim()]);
      const given = parts.filter((one) => one.lastIndexOf("=") > 0);
      return given.length ? Object.fromEntries(given.map((one) => [one.slice(0, one.lastIndexOf("=")), one.slice(one.lastIndexOf("=") + 1)])) : undefined;
    },
    integer: (value) => (/^\d+$/.test(value) ? Number(value) : undefined),
  };

  function overrides() {
    const given = OVERRIDES.filter((one) => one.value).map((one) => [one.name, READ[one.dataset.override](one.value)]);
    return Object.fromEntries(given.filter(([, value]) => value !== undefined));
  }

  /* Edits are made one after the other, each to the text that the one before it left. */
  function set(edit) {
    edits = edits.then(() => check(edit));
  }

  async function check(edit) {
    clearTimeout(timer);
    if (!text.value.trim() && !edit) { clear(); return; }
    const turn = ++asked, sent = text.value;
    try {
      const answered = await fetch("/api/check", {
        method: "POST", headers: { "content-type": "application/json" },
        body: JSON.stringify({ text: sent, overrides: overrides(), edit: edit || null }),
      });
      const answer = await answered.json();
      if (edit && text.value !== sent) { await check(edit); return; }
      if (edit && answered.ok && answer.text !== sent) text.value = answer.text;
      if (turn !== asked) { if (edit) await check(); return; }
      if (!answered.ok) { say({ message: answer.error, field: answer.field, line: null }); return; }
      show(answer);
    } catch { if (turn === asked) say({ message: "the server does not answer", line: null, field: null }); }
  }

  function clear() {
    number(null);
    const none = document.createElement("p");
    none.className = "absent";
    none.textContent = "Nothing to check yet.";
    verdict.replaceChildren(none);
    offer(null);
  }

  function show(answer) {
    if (answer.fields) controls.forEach((one) => fill(one, answer.fields[one.dataset.field]));
    blame(answer.fault);
    if (answer.fault) { say(answer.fault); return; }
    number(null);
    const good = document.createElement("p"), about = answer.about;
    good.className = "good";
    good.textContent = about.said ? `A good instance: ${about.said}.` : `A good instance: ${about.name}, ${about.layers.toLocaleString("en")} ${about.axes ? "operators" : "layers with weights or joins"}, ` +
      `batch ${about.batch.toLocaleString("en")}, ${about.axes ? `${about.accelerators.toLocaleString("en")} devices: ${about.axes}` : `${about.accelerators.toLocaleString("en")} accelerators in ${about.levels} levels`}, accounting ${about.accounting}.`;
    verdict.replaceChildren(good);
    layers(about);
    offer(about);
  }

  /* Only what takes the instance is offered, and what it would be without a choice is named; of an instance that is
     edited as text alone, no fields of others. */
  function offer(about) {
    $("fields").hidden = $("fixing").hidden = Boolean(about && about.as_text);
    const declining = new Map();
    form.querySelectorAll("[data-offer]").forEach((row) => {
      const name = row.dataset.offer, why = about ? about.declining[name] : "";
      row.hidden = row.querySelector("input").disabled = Boolean(why);
      row.querySelector("[data-default]").hidden = !about || name !== about.default;
      if (why) declining.set(why, [...(declining.get(why) || []), name]);
    });
    form.querySelectorAll("[data-offers]").forEach((part) => {
      part.hidden = !part.querySelector("[data-offer]:not([hidden])");
      if (part.tagName === "DETAILS" && part.querySelector("[data-default]:not([hidden])")) part.open = true;
    });
    $("unoffered").hidden = !declining.size;
    const said = [...declining].map(([why, names]) => `${names.join(", ")} (${why})`);
    $("unoffered").textContent = `Not offered, as they do not take this instance: ${said.join("; ")}.`;
    $("default").textContent = !about ? DEFAULT : about.default ? `Choose none, and it is ${about.default}.`
      : form.querySelector("[data-offer]:not([hidden])") ? "No default takes this instance: choose one." : "None takes this instance as it is:";
  }

  function say(fault) {
    number(fault.line);
    const said = document.createElement("p");
    said.className = "bad";
    if (fault.line) {
      const there = document.createElement("button");
      there.type = "button";
      there.textContent = `line ${fault.line}`;
      there.addEventListener("click", () => goTo(fault.line));
      said.append(there, ": ");
    }
    if (fault.field) {
      const field = document.createElement("code");
      field.textContent = fault.field;
      said.append(field, ": ");
    }
    said.append(fault.message);
    verdict.replaceChildren(said);
  }

  function blame(fault) {
    document.querySelectorAll("[data-holds]").forEach((field) => {
      const wrong = fault && fault.field === field.dataset.holds;
      field.classList.toggle("has-fault", Boolean(wrong));
      const said = field.querySelector("[data-wrong]");
      said.hidden = !wrong;
      said.textContent = wrong ? fault.message : "";
      field.querySelectorAll("input, select").forEach((one) => one.setAttribute("aria-invalid", wrong ? "true" : "false"));
    });
  }

  /* ---- fields and text */
  function fill(control, value) {
    if (control.dataset.kind === "several") {
      control.querySelectorAll("input").forEach((box) => { box.checked = (value || []).includes(box.value); });
      return;
    }
    if (control === document.activeElement && control.tagName === "INPUT") return;
    if (control.tagName === "SELECT" && value && ![...control.options].some((one) => one.value === value)) {
      control.append(new Option(value, value));
    }
    control.value = value === null || value === undefined ? "" : String(value);
  }

  const valueOf = (control) => control.dataset.kind === "several"
    ? [...control.querySelectorAll("input:checked")].map((box) => box.value) : control.value.trim();

  controls.forEach((control) => control.addEventListener("change", () =>
    set({ field: control.dataset.field, value: valueOf(control) })));

  /* ---- fixed strategies */
  function layers(about) {
    const place = $("fix");
    if (place.contains(document.activeElement)) return;
    place.replaceChildren(...about.fix.map(([name, word], i) => {
      const field = document.createElement("div"), label = document.createElement("label"), input = document.createElement("input");
      field.className = "field";
      label.textContent = name;
      label.htmlFor = input.id = `fix-${i}`;
      input.value = word;
      input.autocomplete = "off";
      input.spellcheck = false;
      input.placeholder = "free";
      input.dataset.layer = name;
      input.addEventListener("change", () => {
        const given = {};
        place.querySelectorAll("input").forEach((one) => { if (one.value.trim()) given[one.dataset.layer] = one.value.trim(); });
        set({ field: "fix", value: given });
      });
      field.append(label, input);
      return field;
    }));
  }

  /* ---- where the text comes from */
  function attach(file) {
    const note = $("attached");
    note.hidden = !file;
    note.textContent = file ? `${file.name} (${(file.size / 1048576).toFixed(1)} MiB) is too large to be edited here; it is sent as it is, and checked by its job.` : "";
    text.disabled = Boolean(file);
    $("fields").disabled = Boolean(file);
    if (file) { text.value = ""; clear(); }
  }

  $("shipped").addEventListener("change", async () => {
    const name = $("shipped").value;
    if (!name) return;
    const answered = await fetch(`/api/instances/${encodeURIComponent(name)}`);
    if (!answered.ok) return;
    $("file").value = "";
    attach(null);
    text.value = await answered.text();
    text.scrollTop = 0;
    check();
  });

  $("file").addEventListener("change", async () => {
    const [file] = $("file").files;
    attach(null);
    if (!file) return;
    $("shipped").value = "";
    if (file.size > limit) {
      $("file").value = "";
      say({ message: `${file.name} has ${(file.size / 1048576).toFixed(1)} MiB; at most ${limit / 1048576} MiB can be uploaded`, line: null, field: null });
      return;
    }
    if (file.size > SMALL) { attach(file); return; }
    text.value = await file.text();
    $("file").value = "";
    text.scrollTop = 0;
    check();
  });

  text.addEventListener("input", () => {
    number();
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE);
  });
  text.addEventListener("scroll", () => { lines.scrollTop = text.scrollTop; });
  OVERRIDES.forEach((one) => one.addEventListener("change", () => check()));

  /* ---- sending: what is wrong is said here, the form stays as it is */
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button.main");
    button.disabled = true;
    sending.className = "";
    sending.textContent = "sending ...";
    try {
      const answered = await fetch("/api/jobs", { method: "POST", body: new FormData(form) });
      const answer = await answered.json();
      if (answered.ok) { window.location.assign(`/jobs/${encodeURIComponent(answer.id)}`); return; }
      sending.textContent = answer.field ? `${answer.field}: ${answer.error}` : answer.error;
    } catch { sending.textContent = "the server does not answer, or stopped reading: the file may be too large"; }
    sending.className = "bad";
    button.disabled = false;
  });
  window.addEventListener("pageshow", () => { form.querySelector("button.main").disabled = false; sending.textContent = ""; });

  number(null);
  if (text.value.trim()) check();
})();
