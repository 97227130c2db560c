// Search, filters and orders; the address holds the choice, so that it can be shared.

const FACETS = [
  { key: "form", values: ["printed", "strong", "control"], of: (item) => [item.form] },
  { key: "verdict", values: ["TRUE", "FALSE", "skipped", "SPENT", "ERROR", "PROVED", "REFUTED", "OPEN", "differs", "same", "not known"], of: (item) => [item.label] },
  {
    key: "mark", values: ["unexpected", "vacuous", "published size"],
    of: (item) => [item.good || isSheet ? "" : "unexpected", item.vacuous?.length ? "vacuous" : "", item.states_paper ? "published size" : ""],
  },
];

const ORDERS = isSheet ? { "": ["in order", null], time: ["longest first", "seconds"], states: ["largest automaton first", "states"] } : {
  "": ["in order", null], time: ["longest first", "seconds"], memory: ["most memory first", "peak_bytes"],
  states: ["largest automaton first", "states_built"],
};

const chosen = { q: "", chapter: "", order: "", form: new Set(), verdict: new Set(), mark: new Set() };
const control = {};

/** The text of a theorem that is searched. */
const haystacks = rows.map(({ item }) => {
  const group = CONTENT.groups[item.group];
  return [item.id, item.statement, item.source, ...sidesOf(item).flatMap((side) => [side.formula, side.example, side.value]), group.title, group.system, ...(item.said ?? [])].join("\n").toLowerCase();
});

function filterBar() {
  control.search = make("input", {
    type: "search", placeholder: isSheet ? "Search statements, formulas, values" : "Search statements, formulas, sources", "aria-label": "Search", "aria-keyshortcuts": "/", spellcheck: "false",
    oninput: () => { chosen.q = control.search.value; apply(); },
  });
  control.chapter = make("select", { "aria-label": "Chapter", onchange: () => { chosen.chapter = control.chapter.value; apply(); } },
    make("option", { value: "" }, "all chapters"), CONTENT.parts.map(chapterOptions));
  control.order = make("select", { "aria-label": "Order", onchange: () => { chosen.order = control.order.value; apply(); } },
    Object.entries(ORDERS).map(([key, [name]]) => make("option", { value: key }, name)));
  control.count = make("p", { class: "count", role: "status" });
  control.clear = make("button", { type: "button", class: "clear", onclick: clear, hidden: true }, "clear");
  control.chips = FACETS.flatMap(chipsOf);
  document.getElementById("filter").append(
    make("div", { class: "fields" }, control.search, isSheet ? null : control.chapter, control.order),
    isSheet ? sectionLinks() : "",
    make("div", { class: "chips" }, control.chips.map((chip) => chip.element), make("span", { class: "shown" }, control.clear, control.count)));
}

/** The chapters of a part that have theorems, under its title if it has one. */
function chapterOptions({ title }, part) {
  const options = CONTENT.groups.map((group, i) => (group.part === part && rows.some((row) => row.item.group === i) ? make("option", { value: i }, group.title) : null));
  return title && options.some(Boolean) ? make("optgroup", { label: title }, options) : options;
}

/** A switch for each value of a facet that occurs. */
function chipsOf(facet) {
  const counts = new Map();
  for (const { item } of rows) for (const value of facet.of(item)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return facet.values.filter((value) => counts.has(value)).map((value) => ({
    facet, value, element: make("button", {
      type: "button", class: "chip", "data-facet": facet.key, "aria-pressed": "false", "data-value": value,
      onclick: () => { const set = chosen[facet.key]; if (!set.delete(value)) set.add(value); apply(); },
    }, value, make("span", { class: "number" }, grouped(counts.get(value)))),
  }));
}

function clear() {
  Object.assign(chosen, { q: "", chapter: "", order: "" });
  for (const facet of FACETS) chosen[facet.key].clear();
  control.search.value = "";
  apply();
  control.search.focus();
}

/** Show the chosen rows. */
function apply(remember = true) {
  const words = chosen.q.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  rows.forEach((row, i) => {
    const fits = words.every((word) => haystacks[i].includes(word))
      && (chosen.chapter === "" || row.item.group === Number(chosen.chapter))
      && FACETS.every((facet) => !chosen[facet.key].size || facet.of(row.item).some((value) => chosen[facet.key].has(value)));
    row.element.hidden = !fits;
    count += fits;
  });
  arrange();
  // What has been asked for is not folded away.
  const asked = Boolean(words.length) || FACETS.some(({ key }) => chosen[key].size);
  for (const fold of folds) {
    countFold(fold);
    fold.details.open = asked || (fold.details.open && !fold.asked);
    fold.asked = asked;
  }
  control.count.textContent = count === rows.length ? plural(count, "theorem") : `${grouped(count)} of ${plural(rows.length, "theorem")}`;
  control.clear.hidden = count === rows.length && !chosen.order;
  for (const { facet, value, element } of control.chips) element.setAttribute("aria-pressed", String(chosen[facet.key].has(value)));
  control.chapter.value = chosen.chapter;
  control.order.value = chosen.order;
  if (!shownRows().includes(current)) focusRow(shownRows()[0], false);
  nothing.hidden = count > 0;
  if (remember) rememberChoice();
}

const flat = make("ol", { class: "flat", hidden: true });
const nothing = make("p", { class: "nothing", hidden: true }, "No theorem is like that.");

/** By chapters, or all rows in one list in another order. */
function arrange() {
  const key = ORDERS[chosen.order]?.[1];
  const before = ordered;
  ordered = key ? [...rows].sort((one, two) => (two.item[key] ?? -1) - (one.item[key] ?? -1) || one.number - two.number) : rows;
  if (key) flat.append(...ordered.map((row) => row.element));
  else if (before !== rows) unflatten();
  flat.hidden = !key;
  for (const section of [...chapters, ...parts]) section.hidden = Boolean(key) || !section.querySelector(".item:not([hidden])");
}

/** Put the rows back into their chapters and folds. */
function unflatten() {
  chapters.forEach((chapter, i) => {
    const elements = [];
    for (const row of rows.filter((row) => row.item.group === i)) {
      if (row.fold) row.fold.list.append(row.element);
      const element = row.fold?.element ?? row.element;
      if (elements[elements.length - 1] !== element) elements.push(element);
    }
    chapter.querySelector("ol").append(...elements);
  });
}

// -- the address ------------------------------------------------------------------------------------------------------

function rememberChoice() {
  const parts = new URLSearchParams();
  for (const key of ["q", "chapter", "order"]) if (chosen[key] !== "") parts.set(key, chosen[key]);
  for (const { key } of FACETS) if (chosen[key].size) parts.set(key, [...chosen[key]].join(","));
  const text = parts.toString();
  try { history.replaceState(null, "", text ? `#?${text}` : "#"); } catch { /* some browsers do not allow it for files */ }
}

/** Show the theorem or the choice that the address names. */
function followAddress() {
  let named = location.hash.slice(1);
  try { named = decodeURIComponent(named); } catch { /* not written by this page */ }
  const row = rows.find((row) => row.item.id === named);
  if (row) {
    if (row.element.hidden) clear();
    if (row.fold) row.fold.details.open = true;
    toggle(row, true);
    focusRow(row);
    row.element.scrollIntoView({ block: "start" });
  } else if (location.hash.startsWith("#?")) {
    const parts = new URLSearchParams(location.hash.slice(2));
    chosen.q = control.search.value = parts.get("q") ?? "";
    chosen.chapter = CONTENT.groups[parts.get("chapter")] ? parts.get("chapter") : "";
    chosen.order = ORDERS[parts.get("order")] ? parts.get("order") : "";
    for (const { key } of FACETS) chosen[key] = new Set((parts.get(key) ?? "").split(",").filter(Boolean));
    apply(false);
  }
}
