// The page of a word, of two, or of a sequence: its letters in cells, the sections, and what is known of a line.

const isSheet = CONTENT.kind === "sheet";

/** Cells with letters, each kind in a colour of its own. */
function letterCells(name, found) {
  const letters = [...new Set(found)].filter((letter) => letter !== null).sort((x, y) => x - y);
  return make("div", { class: "letters" }, found.map((letter, n) => (
    make("span", { class: `letter l${Math.min(6, letters.indexOf(letter))}`, title: `${name}[${n}]` }, letter === null ? "·" : String(letter))
  )));
}

/** The words of the page, each with its first letters, its automaton and its script, or the sequence. */
function wordsOfSheet() {
  return CONTENT.words.map((word) => make("section", { class: "word-head", "aria-label": word.values === null ? `The word ${word.name}` : CONTENT.title },
    make("p", { class: "facts" },
      word.entry === null ? null : make("button", { type: "button", class: "look", onclick: () => lookAt(word.entry) }, `${word.name}: automaton and letters`),
      word.given ? make("code", { class: "given" }, word.given) : null,
      make("span", {}, word.system),
      copyButton(word.script, "copy the sheet as Walnut script", "Copy the sheet as Walnut script, with all lines"),
      downloadButtons(`${word.name}_sheet`, [["txt", "all lines as a script for Walnut", () => blobOf(word.script, "text/plain")]])),
    word.values === null ? letterCells(word.name, word.prefix) : make("p", { class: "first-values" }, word.values)));
}

/** A matrix between brackets. */
function matrixElement(rows) {
  return make("table", { class: "matrix" }, make("tbody", {}, rows.map((row) => make("tr", {}, row.map((entry) => make("td", {}, entry))))));
}

/** A linear representation: the row, the matrix of each digit, and the column. */
function matricesElement({ v, parts, w }) {
  const named = (name, rows) => make("span", { class: "named-matrix" }, make("span", {}, name, " ="), matrixElement(rows));
  return make("div", { class: "matrices" }, named(make("i", {}, "v"), v),
    parts.map(({ digit, rows }) => named([make("i", {}, "M"), make("sub", {}, digit)], rows)),
    named(make("i", {}, "w"), w));
}

/** The equations of a recursion, one below the other; a line does not end between a factor and its term. */
function equationsElement(equations) {
  const set = (equation) => equation.replaceAll(/(?<=[\d)]) (?=[ab]\()/g, "\u202f").replaceAll("- ", "−\u00a0").replaceAll("+ ", "+\u00a0").replaceAll("-", "−");
  return make("span", { class: "found equations" }, equations.map((equation) => make("span", {}, set(equation))));
}

/** Links to the sections. */
function sectionLinks() {
  return make("nav", { class: "sections", "aria-label": "Sections" }, make("ul", {}, CONTENT.groups.map((group, number) => (
    make("li", {}, make("a", { href: `#section-${number}`, onclick: (event) => jump(event, number) }, group.title))
  ))));
}

/** Show a section; all lines are shown again, if it has none that fits the search. */
function jump(event, number) {
  event.preventDefault();
  if (chosen.order || chapters[number].hidden) clear();
  chapters[number].scrollIntoView({ block: "start" });
  chapters[number].focus({ preventScroll: true });
}

/** The lines of an item, one for each word that has it. */
function sidesOf(item) {
  return (item.sides ?? [item]).filter(Boolean);
}

/** The marks of statuses: a refuted statement is a theorem, too. */
function statusElement(side, tag = "span") {
  return make(tag, { class: `verdict ${side.label.toLowerCase().replace(" ", "-")}`, "data-verdict": side.label }, side.label);
}

/** The value of a line, or its evidence; a rule such as 0 -> 01 is on one line. */
function saidOf(side) {
  return (side.value || side.example).replaceAll(" -> ", "\u00a0->\u00a0");
}

/** What a row says beside the statement: the value, or the evidence, of each word. */
function foundOf(item) {
  if (item.equations) return equationsElement(item.equations);
  if (!item.sides) return proseElement("span", { class: item.value ? "found" : "found evidence" }, saidOf(item));
  return make("span", { class: "sides" }, item.sides.map((side, number) => make("span", { class: "side" },
    make("b", {}, CONTENT.words[number].name), " ", side ? [statusElement(side), " ", proseElement("span", {}, saidOf(side))] : "—")));
}

function sparksOf(item) {
  const plots = sidesOf(item).map((side) => side.plot).filter(Boolean);
  return make("span", { class: "sparks" }, plots.map(sparkElement));
}

/** The details of a line: of each word the formula, the value, a plot, automata, and the script. */
function sheetDetail(item) {
  return sidesOf(item).map((side) => make("section", { class: "side-detail" },
    item.sides ? make("h5", {}, side.word) : null,
    side.formula && make("div", { class: "formula-box" }, formulaElement(side.formula, { calls: side.calls, look: lookAt }), copyButton(side.formula)),
    side.equations ? null : make("p", { class: "example" }, statusElement(side), " ", proseElement("span", {}, saidOf(side))),
    side.plot ? make("figure", { class: "plotted" }, plotElement(side.plot), make("figcaption", {}, side.plot.said)) : null,
    side.matrices ? matricesElement(side.matrices) : null,
    make("div", { class: "cards" }, [...(side.defines === undefined ? [] : [side.defines]), ...Object.values(side.calls)].map(cardOf)),
    make("p", { class: "label spent" }, [duration(side.seconds), side.size].filter(Boolean).join(" · "), " ",
      side.script && copyButton(side.script, "copy as Walnut script", "Copy as Walnut script: this line"))));
}
