"use strict";
/* Buttons that copy a command, and lists from which one of several parts of a page is chosen. */
(() => {
  const said = document.createElement("p");
  said.className = "for-readers";
  said.setAttribute("role", "status");
  document.body.append(said);

  async function copied(text) {
    if (navigator.clipboard && window.isSecureContext) {
      try { await navigator.clipboard.writeText(text); return true; } catch { /* refused: the old way may do */ }
    }
    const field = document.createElement("textarea");
    field.value = text;
    field.setAttribute("aria-hidden", "true");
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const done = await copied(button.parentElement.querySelector("code").textContent);
    button.textContent = done ? "Copied" : "Select it and copy";
    said.textContent = done ? "Copied" : "It could not be copied";
    button.focus();
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });

  /* [data-choices] holds parts with [data-choice]; its select shows one of them. */
  function choose(whole, value) {
    for (const part of whole.querySelectorAll(":scope > [data-choice]")) part.hidden = part.dataset.choice !== value;
    if (window.hyparCharts) window.hyparCharts.scan(whole);
  }

  function scan(root) {
    for (const whole of root.querySelectorAll("[data-choices]")) {
      const list = whole.querySelector(":scope > .pick select");
      if (!list) continue;  // there is nothing to choose from
      list.parentElement.hidden = false;
      list.addEventListener("change", () => choose(whole, list.value));
      choose(whole, list.value);
    }
  }

  window.hyparPage = { scan };
  scan(document);
})();
