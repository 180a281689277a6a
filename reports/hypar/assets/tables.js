"use strict";
/* Makes the tables that are marked so sortable and filterable: a search for all columns, and a filter for each. */
(() => {
  const FEW = 25;

  function rich(table) {
    if (table.dataset.rich === "done") return;
    table.dataset.rich = "done";
    const headings = [...table.tHead.rows[0].cells];
    const filters = table.tHead.insertRow();
    filters.className = "filters";
    headings.forEach(() => filters.append(document.createElement("th")));
    const made = new window.DataTable(table, {
      paging: false, order: [], autoWidth: false, titleRow: 0,
      columnDefs: headings.flatMap((one, at) => (one.dataset.type ? [{ targets: at, type: one.dataset.type }] : [])),
      layout: { topStart: "info", topEnd: "search", bottomStart: null, bottomEnd: null },
      language: { search: "Search all columns ", info: "_TOTAL_ rows", infoFiltered: "of _MAX_", infoEmpty: "no rows", zeroRecords: "no row is like that", emptyTable: "no rows" },
    });
    headings.forEach((heading, at) => {
      if (!heading.dataset.type) filters.cells[at].append(filterOf(made.column(at), textsOf(table, at), heading.textContent));
    });
  }

  const textsOf = (table, at) => [...table.tBodies[0].rows].map((row) => row.cells[at].dataset.search ?? row.cells[at].textContent.trim());

  function filterOf(column, texts, name) {
    const values = [...new Set(texts)].sort();
    const long = values.some((one) => one.length > 40);
    const field = document.createElement(values.length <= FEW && !long ? "select" : "input");
    field.setAttribute("aria-label", `Only rows whose ${name} is`);
    if (field.tagName === "SELECT") {
      field.append(new Option("all", ""), ...values.map((one) => new Option(one || "(none)", one || " ")));
      field.addEventListener("change", () => {
        const at = field.selectedIndex;
        column.search(at ? (cell) => cell === values[at - 1] : "").draw();
      });
    } else {
      field.type = "search";
      field.addEventListener("input", () => column.search(field.value).draw());
    }
    field.addEventListener("click", (event) => event.stopPropagation());
    field.addEventListener("keydown", (event) => event.stopPropagation());
    return field;
  }

  const scan = (root) => root.querySelectorAll("table[data-rich]").forEach(rich);
  window.hyparTables = { scan };
  scan(document);
})();
