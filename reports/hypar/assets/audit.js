"use strict";
/* Shows only the claims of the verdicts and words that are asked for. */
(() => {
  const whole = document.querySelector("[data-claims]");
  if (!whole) return;
  const form = whole.querySelector("[data-filter]");
  const claims = [...whole.querySelectorAll("[data-verdict]")];
  const count = whole.querySelector("[data-count]");

  function shown() {
    const words = form.elements.words.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const verdict = form.elements.verdict.value;
    let left = 0;
    for (const one of claims) {
      const text = one.textContent.toLowerCase();
      one.hidden = !((!verdict || one.dataset.verdict === verdict) && words.every((word) => text.includes(word)));
      left += one.hidden ? 0 : 1;
    }
    count.textContent = `${left} of ${claims.length} claims`;
  }

  form.hidden = false;
  form.addEventListener("input", shown);
  form.addEventListener("submit", (event) => event.preventDefault());
  shown();
})();
