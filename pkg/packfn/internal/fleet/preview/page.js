"use strict";
(function () {
  const by = (id) => document.getElementById(id);
  const table = by("rows"), body = table.tBodies[0], heads = Array.from(table.tHead.rows[0].cells);
  const find = by("find"), outcome = by("outcome"), check = by("check"), sortBy = by("sort"), chip = by("chip"), shown = by("shown"), none = by("none");
  const rows = Array.from(body.rows), open = new Map(), texts = new Map();
  const order = new Intl.Collator("en", { numeric: true });
  let group = "", sorted = 1, up = true; // the page has the refused first

  const groups = (row) => row.dataset.g ? row.dataset.g.split(" ") : [];
  const item = (id) => by("g" + id).closest("[data-group]");
  const make = (tag, properties, ...children) => {
    const e = Object.assign(document.createElement(tag), properties);
    e.append(...children);
    return e;
  };

  // What a search looks in: the texts of a row, and the rules of its findings.
  function text(row) {
    let t = texts.get(row);
    if (t === undefined) {
      t = (row.textContent + " " + groups(row).map((g) => item(g).dataset.group).join(" ")).toLowerCase();
      texts.set(row, t);
    }
    return t;
  }

  function filter() {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean), column = check.value === "" ? -1 : Number(check.value);
    let count = 0;
    for (const row of rows) {
      const seen = (!outcome.value || row.dataset.outcome === outcome.value) &&
        (column < 0 || row.cells[column] && row.cells[column].dataset.sort > 0) &&
        (!group || groups(row).includes(group)) && (words.length === 0 || words.every((w) => text(row).includes(w)));
      if (row.hidden === seen) row.hidden = !seen;
      if (open.has(row)) open.get(row).hidden = !seen;
      if (seen) count++;
    }
    chip.hidden = !group;
    if (group) chip.textContent = "only " + item(group).dataset.group + " ✕";
    none.hidden = count > 0;
    shown.textContent = count.toLocaleString("en") + " of " + rows.length.toLocaleString("en") + " shown";
  }

  function sort(at, rising) {
    sorted = at, up = rising;
    const key = (row) => {
      const cell = row.cells[at];
      if (!cell) return -2;
      return cell.dataset.sort === undefined ? cell.textContent : Number(cell.dataset.sort);
    };
    const keyed = rows.map((row, i) => [key(row), i, row]);
    const compare = (x, y) => typeof x === "number" && typeof y === "number" ? x - y : order.compare(x, y);
    keyed.sort((a, b) => (rising ? compare(a[0], b[0]) : compare(b[0], a[0])) || a[1] - b[1]);
    heads.forEach((head, i) => head.setAttribute("aria-sort", i !== at ? "none" : rising ? "ascending" : "descending"));
    sortBy.value = String(at);
    body.append(...keyed.flatMap(([, , row]) => open.has(row) ? [row, open.get(row)] : [row]));
  }

  // A row opens to what was found about its package.
  function toggle(link, force) {
    const row = link.closest("tr");
    if (open.has(row)) {
      if (force) return;
      open.get(row).remove();
      open.delete(row);
      link.setAttribute("aria-expanded", "false");
      return;
    }
    const facts = make("dl", { className: "facts" });
    for (const [name, value] of [["Package", row.dataset.package], ["PackageVariant", row.dataset.variant], ["Upstream", row.dataset.upstream]]) {
      if (value) facts.append(make("dt", {}, name), make("dd", {}, make("bdi", {}, value)));
    }
    const list = make("ul", {});
    for (const g of groups(row)) {
      const from = item(g), where = make("a", { href: "#g" + g }, from.dataset.group);
      list.append(make("li", {}, from.querySelector(".badge").cloneNode(true), " ", from.querySelector(".message").cloneNode(true), " ", where));
    }
    if (list.children.length) facts.append(make("dt", {}, "Findings"), make("dd", {}, list));
    const detail = make("tr", { className: "detail", id: link.id + "-detail" }, make("td", { colSpan: heads.length }, facts));
    open.set(row, detail);
    row.after(detail);
    link.setAttribute("aria-expanded", "true");
  }

  function reveal() {
    const target = by(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let d = target.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
    if (target.matches("th a")) toggle(target, true);
    target.scrollIntoView();
  }

  heads.forEach((head, at) => {
    const button = make("button", { type: "button" }, ...head.childNodes);
    button.addEventListener("click", () => sort(at, at === sorted ? !up : head.dataset.first !== "down"));
    head.append(button);
    head.setAttribute("aria-sort", at === sorted ? "ascending" : "none");
    sortBy.append(make("option", { value: at }, head.textContent));
  });
  sortBy.value = String(sorted);
  for (const row of rows) {
    const link = row.cells[0].firstElementChild;
    link.setAttribute("role", "button");
    link.setAttribute("aria-expanded", "false");
  }
  body.addEventListener("click", (e) => {
    const link = e.target.closest("th a");
    if (!link) return;
    e.preventDefault();
    toggle(link);
  });
  body.addEventListener("keydown", (e) => {
    const link = e.target.closest("th a");
    if (!link || e.key !== " ") return;
    e.preventDefault();
    toggle(link);
  });
  document.addEventListener("click", (e) => {
    const only = e.target.closest("[data-finding]"), stat = e.target.closest("[data-stat]");
    if (only) {
      clear();
      group = only.dataset.finding;
      filter();
      by("clusters").scrollIntoView();
      chip.focus({ preventScroll: true });
    }
    if (stat) {
      clear();
      outcome.value = stat.dataset.stat;
      filter();
    }
  });
  function clear() {
    find.value = outcome.value = check.value = group = "";
  }
  find.addEventListener("input", filter);
  for (const select of [outcome, check]) select.addEventListener("change", filter);
  sortBy.addEventListener("change", () => sort(Number(sortBy.value), heads[sortBy.value].dataset.first !== "down"));
  chip.addEventListener("click", () => { group = ""; filter(); find.focus(); });
  by("reset").addEventListener("click", () => { clear(); filter(); find.focus(); });

  // The edges of a pack are lit while it has the focus or the pointer.
  for (const type of ["focusin", "focusout", "pointerover", "pointerout"]) {
    document.addEventListener(type, (e) => {
      const node = e.target.closest && e.target.closest("svg a");
      if (!node) return;
      const on = type === "focusin" || type === "pointerover";
      for (const edge of node.ownerSVGElement.querySelectorAll("path[data-ends]")) {
        if (edge.dataset.ends.split(" ").includes(node.dataset.node)) edge.classList.toggle("lit", on);
      }
    });
  }
  addEventListener("hashchange", reveal);
  document.documentElement.classList.add("script");
  filter();
  if (location.hash) reveal();
})();
