"use strict";
/* A point of a front that is clicked, chosen in the list, or named by the page's address, shows its plan. */
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
      const named = () => {
        const number = Number(/^#point-(\d+)$/.exec(location.hash)?.[1] ?? 0);
        if (!(number - 1 in points.plans)) return false;
        list.value = String(number - 1);
        show(whole, points, number - 1);
        whole.querySelector("[data-said]").scrollIntoView({ block: "center" });
        return true;
      };
      window.addEventListener("hashchange", named);
      whole.querySelectorAll("[data-of-point]").forEach((one) => { one.hidden = false; });
      if (!named()) show(whole, points, Number(list.value));
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
    whole.querySelector("[data-link]").setAttribute("href", `#point-${at + 1}`);
    whole.querySelector("[data-file]").setAttribute("href", one.file);
    whole.querySelector("[data-of-point] code").textContent = one.command;
    const body = document.createElement("tbody");
    points.layers.forEach((layer, row) => {
      const line = body.insertRow();
      const head = element("th", layer);
      head.scope = "row";
      line.append(head);
      [...(one.changes[row] ?? points.words[row])].forEach((letter, level) => {
        const changed = letter !== points.words[row][level];
        const cell = element("td", letter, "letter", ...(letter.length === 1 ? [letter] : []), ...(changed ? ["changed"] : []));
        if (changed) cell.append(element("span", " (changed)", "for-readers"));
        line.append(cell);
      });
    });
    whole.querySelector("[data-plan] tbody").replaceWith(body);
  }

  window.hyparFronts = { scan };
  scan(document);
})();
