// The meanings of names: entries of predicates, languages and words, as small cards.

const sets = new Map();

/** The bytes of the set of pairs that an entry is; only the last few are kept, since each is a megabyte. */
function bytesOfEntry(number) {
  const index = CONTENT.names[number].automaton;
  if (!sets.has(index)) {
    if (sets.size >= 12) sets.delete(sets.keys().next().value);
    sets.set(index, pairsOf(automatonOf(index)));
  }
  return sets.get(index);
}

function runnable(entry) {
  const a = automatonOf(entry.automaton);
  return a !== null && entry.kind !== "language" && isNumeric(a) ? a : null;
}

/** Whether an entry is a set of pairs of numbers, so that there is a board of it. */
function hasBoard(entry) {
  const a = entry.kind === "predicate" ? runnable(entry) : null;
  return a !== null && a.systems.length === 2;
}

/** The first numbers of the columns and rows of a board: 0, or below it where numbers are integers. */
function firstsOf(entry) {
  return automatonOf(entry.automaton).systems.map((system) => wordsOf(system).first);
}

/** P(a,b), W[n]. */
function headOf(entry) {
  const variables = (entry.variables ?? []).join(",");
  if (entry.kind === "word") return `${entry.name}[${variables}]`;
  return variables ? `${entry.name}(${variables})` : entry.name;
}

/** The size and the systems of an entry. */
function sizeOf(entry) {
  if (entry.states === undefined) return "defined by its formula";
  const systems = [...new Set(entry.systems)].join(", ");
  return [plural(entry.states, "state"), systems].filter(Boolean).join(" · ");
}

/** The first members as a text: numbers, tuples, or the letters of a word; "" where there are none to list. */
function membersText(entry, most) {
  const a = runnable(entry);
  if (!a) return "";
  if (entry.kind === "word") return a.systems.length === 1 ? `${outputsOf(a).slice(0, most).map((letter) => letter ?? "·").join(" ")} …` : "";
  const found = membersOf(a, most + 1).map((tuple) => (tuple.length === 1 ? String(tuple[0]) : `(${tuple.join(",")})`));
  if (!found.length) return nothingIn(entry);
  return found.slice(0, most).join(", ") + (found.length > most ? ", …" : "");
}

/** What is said of a set without members among the numbers that the page knows. */
function nothingIn(entry) {
  return automatonOf(entry.automaton).outputs.some(Boolean) ? "none among the first numbers" : "the empty set";
}

/** A card: what a name stands for, its size, and a small picture; opens the viewer. */
function cardOf(number) {
  const entry = CONTENT.names[number];
  const figure = make("div", { class: "figure" });
  const head = headOf(entry), name = head.slice(0, entry.name.length);
  whenSeen(figure, () => figure.replaceChildren(smallFigure(number, entry)));
  return make("button", { type: "button", class: "card", "data-name": entry.name, onclick: () => lookAt(number) },
    figure, make("span", { class: "head" }, name, make("wbr", {}), head.slice(name.length)), make("span", { class: "size" }, sizeOf(entry)));
}

const MOST_SMALL = 14;

function smallFigure(number, entry) {
  if (hasBoard(entry)) {
    const bytes = bytesOfEntry(number);
    return bytes.includes(1) ? thumbnail(bytes, firstsOf(entry)) : make("span", { class: "few" }, nothingIn(entry));
  }
  if (entry.states === undefined) return formulaElement(entry.text);
  if (entry.drawn !== null && entry.kind !== "word" && !runnable(entry) && entry.states <= MOST_SMALL) return graphElement(entry.drawn, headOf(entry));
  const text = membersText(entry, entry.kind === "word" ? 90 : 24);
  return make("span", { class: "few" }, text || (automatonOf(entry.automaton) ? "" : "too large for this page"));
}
