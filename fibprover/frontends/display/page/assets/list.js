// The list: parts, chapters, and a row for each theorem, opened by a click or Enter; controls are folded.

const folds = [];
const rows = CONTENT.items.map(rowOf);
const chapters = CONTENT.groups.map(chapterOf);
const parts = partsOfList();

function rowOf(item, number) {
  const detail = make("div", { class: "detail", id: `detail-${number}`, hidden: true });
  const button = make("button", {
    type: "button", class: "row", "aria-expanded": "false", "aria-controls": `detail-${number}`, tabindex: number ? -1 : 0,
    onclick: () => toggle(row), onkeydown: (event) => walk(event, row),
  },
    isSheet ? statusElement(item) : verdictElement(item, item.label),
    proseElement("span", { class: "statement" }, item.statement || item.id),
    isSheet ? foundOf(item) : null,
    make("span", { class: "meta" }, make("span", { class: "id" }, item.id), ...tagsOf(item)),
    CONTENT.kind === "theorems" && item.label !== "skipped" ? make("span", { class: "bars" }, timeBar(item), item.peak_bytes ? memoryBar(item) : null) : null,
    isSheet ? sparksOf(item) : null);
  const element = make("li", { class: `item ${item.good ? "" : "bad"}`, "data-id": item.id }, make(isInPart(item.group) ? "h4" : "h3", {}, button), detail);
  const row = { item, element, button, detail, number, fold: null };
  return row;
}

/** Text in the colour of what was expected, whether that is TRUE or FALSE. */
function verdictElement(item, text, tag = "span") {
  const kind = item.label === "skipped" ? "skipped" : item.good ? "good" : "bad";
  return make(tag, { class: `verdict ${kind}`, "data-verdict": item.label, title: { good: "as expected", bad: "unexpected" }[kind] }, text);
}

/** Whether a row is folded away: a control whose verdict is the expected one. */
function isFolded({ item }) {
  return item.form === "control" && item.good;
}

/** Remarks on a theorem, of a word or two. */
function tagsOf(item) {
  const group = CONTENT.groups[item.group];
  return [
    item.form ? make("span", { class: `tag ${item.form}` }, item.form) : null,
    item.vacuous?.length ? make("span", { class: "tag vacuous" }, "vacuous") : null,
    item.states_paper ? make("span", { class: "tag sized" }, `${grouped(item.states_paper)} states published`) : null,
    item.good || isSheet ? null : make("span", { class: "tag unexpected" }, "unexpected"),
    item.source && item.source !== group.source ? make("span", { class: "source" }, item.source) : null,
  ].filter(Boolean);
}

function chapterOf(group, number) {
  const list = make("ol", {}, foldedElements(rows.filter((row) => row.item.group === number)));
  const facts = [group.source, group.system, group.place].filter(Boolean).join(" · ");
  return make("section", { class: "chapter", id: `section-${number}`, "data-group": number, tabindex: isSheet ? -1 : null },
    make("header", {}, proseElement(isInPart(number) ? "h3" : "h2", { class: "chapter-title" }, group.title), facts ? make("p", { class: "facts" }, facts) : null), list);
}

/** The elements of rows in their order; controls that follow one another are one element, which opens. */
function foldedElements(some) {
  const elements = [];
  let run = null;
  for (const row of some) {
    if (!isFolded(row)) {
      run = null;
      elements.push(row.element);
    } else {
      if (!run) {
        run = { rows: [], list: make("ol", {}), summary: make("summary", {}) };
        run.details = make("details", {}, run.summary, run.list);
        run.element = make("li", { class: "fold" }, run.details);
        elements.push(run.element);
        folds.push(run);
      }
      row.fold = run;
      run.rows.push(row);
      run.list.append(row.element);
    }
  }
  return elements;
}

/** Count the rows of a fold that are shown, and hide it if there are none. */
function countFold(fold) {
  const shown = fold.rows.filter((row) => !row.element.hidden), skipped = shown.filter((row) => row.item.label === "skipped").length;
  fold.element.hidden = !shown.length;
  const failed = shown.length - skipped;
  fold.summary.textContent = [
    failed ? `${plural(failed, "control")}: ${failed === 1 ? "fails, as it must" : "fail, as they must"}` : "",
    skipped ? `${plural(skipped, "control")} skipped` : "",
  ].filter(Boolean).join("; ");
}

/** Whether a chapter stands below the title of a part. */
function isInPart(chapter) {
  return Boolean(CONTENT.parts[CONTENT.groups[chapter].part].title);
}

/** The chapters under the titles of their parts. */
function partsOfList() {
  return CONTENT.parts.map((part, number) => {
    const own = chapters.filter((_, i) => CONTENT.groups[i].part === number);
    return make("section", { class: "part" }, part.title ? make("header", {}, proseElement("h2", { class: "part-title" }, part.title), part.about ? proseElement("p", { class: "facts" }, part.about) : null) : null, own);
  });
}

/** Open or close a row; its contents are made when it is first opened. */
function toggle(row, open = row.detail.hidden) {
  if (open && !row.detail.hasChildNodes()) row.detail.append(...detailOf(row.item));
  row.detail.hidden = !open;
  row.button.setAttribute("aria-expanded", String(open));
  row.element.classList.toggle("open", open);
}

function shownRows() {
  return ordered.filter((row) => !row.element.hidden && (!row.fold || row.fold.details.open || !row.fold.element.isConnected || !row.fold.details.contains(row.element)));
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
