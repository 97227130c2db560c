// The list: chapters with a row for each theorem, opened by a click or Enter.

const rows = CONTENT.items.map(rowOf);
const chapters = CONTENT.groups.map(chapterOf);

function rowOf(item, number) {
  const detail = make("div", { class: "detail", id: `detail-${number}`, hidden: true });
  const button = make("button", {
    type: "button", class: "row", "aria-expanded": "false", "aria-controls": `detail-${number}`, tabindex: number ? -1 : 0,
    onclick: () => toggle(row), onkeydown: (event) => walk(event, row),
  },
    make("span", { class: `verdict ${item.label}` }, item.label === "skipped" ? "skipped" : item.label),
    proseElement("span", { class: "statement" }, item.statement || item.id),
    make("span", { class: "meta" }, make("span", { class: "id" }, item.id), ...tagsOf(item)),
    CONTENT.kind === "theorems" && item.label !== "skipped" ? make("span", { class: "bars" }, timeBar(item), item.peak_bytes ? memoryBar(item) : null) : null);
  const element = make("li", { class: `item ${item.good ? "" : "bad"}`, "data-id": item.id }, make("h3", {}, button), detail);
  const row = { item, element, button, detail, number };
  return row;
}

/** Remarks on a theorem, of a word or two. */
function tagsOf(item) {
  const group = CONTENT.groups[item.group];
  return [
    item.form ? make("span", { class: `tag ${item.form}` }, item.form) : null,
    item.vacuous?.length ? make("span", { class: "tag vacuous" }, "vacuous") : null,
    item.states_paper ? make("span", { class: "tag sized" }, `${grouped(item.states_paper)} states published`) : null,
    item.good ? null : make("span", { class: "tag unexpected" }, "unexpected"),
    item.source && item.source !== group.source ? make("span", { class: "source" }, item.source) : null,
  ].filter(Boolean);
}

function chapterOf(group, number) {
  const list = make("ol", {}, rows.filter((row) => row.item.group === number).map((row) => row.element));
  const facts = [group.source, group.system, group.place].filter(Boolean).join(" · ");
  return make("section", { class: "chapter", "data-group": number },
    make("header", {}, proseElement("h2", {}, group.title), facts ? make("p", { class: "facts" }, facts) : null), list);
}

/** Open or close a row; its contents are made when it is first opened. */
function toggle(row, open = row.detail.hidden) {
  if (open && !row.detail.hasChildNodes()) row.detail.append(...detailOf(row.item));
  row.detail.hidden = !open;
  row.button.setAttribute("aria-expanded", String(open));
  row.element.classList.toggle("open", open);
}

function shownRows() {
  return ordered.filter((row) => !row.element.hidden);
}

let ordered = rows, current = rows[0];

/** One row can be reached by Tab; the arrow keys go on from there. */
function focusRow(row, focus = true) {
  if (!row) return;
  if (current) current.button.tabIndex = -1;
  current = row;
  row.button.tabIndex = 0;
  if (focus) row.button.focus();
}

function walk(event, row) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const shown = shownRows(), place = shown.indexOf(row);
  const to = { ArrowDown: place + 1, j: place + 1, ArrowUp: place - 1, k: place - 1, Home: 0, End: shown.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  focusRow(shown[Math.max(0, Math.min(shown.length - 1, to))]);
}
