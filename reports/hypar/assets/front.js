"use strict";
/* A point of a front that is clicked, or chosen in the list, shows its plan. */
(() => {
  function scan(root) {
    for (const whole of root.querySelectorAll("[data-front]")) {
      const points = JSON.parse(whole.querySelector("script[data-points]").textContent);
      const list = whole.querySelector("select");
      whole.querySelector(".pick").hidden = false;
      list.addEventListener("change", () => show(whole, points, Number(list.value)));
      whole.addEventListener("hypar:chosen", (event) => {
        const at = Number(event.detail.point) - 1;
        if (!(at in points.plans)) return;
        list.value = String(at);
        show(whole, points, at);
      });
      show(whole, points, Number(list.value));
    }
  }

  const element = (tag, text, ...classes) => {
    const made = document.createElement(tag);
    made.textContent = text;
    made.className = classes.join(" ");
    return made;
  };

  /* All text goes in as text: names of layers are data. */
  function show(whole, points, at) {
    const one = points.plans[at];
    whole.querySelector("[data-said]").textContent = one.said;
    const body = document.createElement("tbody");
    points.layers.forEach((layer, row) => {
      const line = body.insertRow();
      const head = element("th", layer);
      head.scope = "row";
      line.append(head);
      [...(one.changes[row] ?? points.words[row])].forEach((letter, level) => {
        const changed = letter !== points.words[row][level];
        const cell = element("td", letter, "letter", letter, ...(changed ? ["changed"] : []));
        if (changed) cell.append(element("span", " (changed)", "for-readers"));
        line.append(cell);
      });
    });
    whole.querySelector("[data-plan] tbody").replaceWith(body);
  }

  window.hyparFronts = { scan };
  scan(document);
})();
