// The viewer: one name, large, with its board, its automaton and its first members.

const viewer = document.getElementById("viewer");
let openBoard = null, trail = [];

/** Open the viewer on an entry, or show another one in it. */
function lookAt(number) {
  if (!viewer.open) trail = [];
  trail.push(number);
  fillViewer(number);
  if (!viewer.open) viewer.showModal();
}

function back() {
  trail.pop();
  if (trail.length) fillViewer(trail[trail.length - 1]);
  else viewer.close();
}

viewer.addEventListener("close", () => { closeBoard(); viewer.replaceChildren(); });
viewer.addEventListener("click", (event) => { if (event.target === viewer) viewer.close(); });

function closeBoard() {
  openBoard?.close();
  openBoard = null;
}

function fillViewer(number) {
  const entry = CONTENT.names[number];
  closeBoard();
  const panels = [];
  if (hasBoard(entry)) panels.push(["Board", () => boardPanel(sourceOf(number), comparable(number))]);
  if (entry.states !== undefined) panels.push(["Automaton", () => graphPanel(entry)]);
  if (runnable(entry)) panels.push([entry.kind === "word" ? "Letters" : "Members", () => membersPanel(entry)]);
  const facts = [entry.kind, entry.states === undefined ? "automaton not at hand" : `${plural(entry.states, "state")}, ${plural(entry.transitions, "transition")}`, [...new Set(entry.systems ?? [])].join(", "), entry.place];
  const body = make("div", { class: "panel" });
  viewer.replaceChildren(
    make("header", {},
      make("h2", { id: "viewer-title" }, headOf(entry)), make("p", { class: "facts" }, facts.filter(Boolean).join(" · ")),
      trail.length > 1 ? make("button", { type: "button", class: "back", onclick: back }, "Back") : null,
      make("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => viewer.close() }, "×")),
    definitionOf(entry), panels.length ? tabs(panels, body) : "", body);
  if (!panels.length) body.append(make("p", { class: "none" }, "Its automaton is too large for this page, or was not made."));
}

/** The text that defines an entry. */
function definitionOf(entry) {
  if (!entry.text) return "";
  if (entry.kind === "language") return make("code", { class: "formula", "data-text": entry.text }, entry.text);
  return formulaElement(entry.text, { calls: entry.calls, look: lookAt });
}

/** Tabs with arrow keys; the first is shown. */
function tabs(panels, body) {
  const buttons = panels.map(([name, fill], i) => make("button", {
    type: "button", role: "tab", onclick: () => show(i), onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) show((i + step + panels.length) % panels.length, true);
    },
  }, name));
  const show = (chosen, focus = false) => {
    closeBoard();
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === chosen));
      button.tabIndex = i === chosen ? 0 : -1;
    });
    if (focus) buttons[chosen].focus();
    body.replaceChildren(panels[chosen][1]());
  };
  show(0);
  return make("div", { role: "tablist", class: "tabs" }, buttons);
}

// -- boards -----------------------------------------------------------------------------------------------------------

/** The data that a board shows for an entry. */
function sourceOf(number) {
  const entry = CONTENT.names[number], a = automatonOf(entry.automaton);
  return {
    name: entry.called ?? entry.name, axes: entry.variables, systems: a.systems, bytes: () => bytesOfEntry(number),
    terminal: entry.terminal === undefined ? null : () => bytesOfEntry(entry.terminal),
  };
}

/** The data that a board shows for positions that are given one by one. */
function sourceOfData({ name, gaps }) {
  return { name, axes: ["a", "b"], systems: ["", ""], bytes: () => bytesOf(gaps), terminal: null };
}

/** The other sets that a board of an entry can show with it: [label, source maker], those of the same script first. */
function comparable(number) {
  const entry = CONTENT.names[number];
  const script = (other) => (other.place ?? "").replace(/:\d+$/, "");
  const others = CONTENT.names.map((other, i) => [other, i]).filter(([other, i]) => i !== number && hasBoard(other) && firstsOf(other).join() === firstsOf(entry).join());
  others.sort(([one], [two]) => (script(two) === script(entry)) - (script(one) === script(entry)));
  return [
    ...(CONTENT.data ?? []).map((data) => [data.name, () => sourceOfData(data)]),
    ...others.map(([other, i]) => [other.place ? `${headOf(other)}, ${other.place}` : headOf(other), () => sourceOf(i)]),
  ];
}

/** A board with a choice of a second set on it, the one that is chosen at first; shy: see Board. */
function boardPanel(source, others, chosen = "", shy = false) {
  const holder = make("div", {});
  const legend = make("ul", { class: "legend" });
  const choice = make("select", { "aria-label": "A second set on the board", onchange: () => show(choice.value) },
    make("option", { value: "" }, "alone"), others.map(([label], i) => make("option", { value: i }, `with ${label}`)));
  const show = (value) => {
    closeBoard();
    const other = value === "" ? null : others[value][1]();
    const colours = other ? PAIR_COLOURS : ALONE_COLOURS;
    const terminal = other || !source.terminal ? null : source.terminal();
    const flags = flagsOf(source.bytes(), other?.bytes() ?? null, terminal);
    const words = wordsFor(source.name, other?.name, terminal);
    openBoard = new Board({ flags, colours, axes: source.axes, systems: source.systems, words, label: `Board of ${source.name}`, shy });
    holder.replaceChildren(openBoard.element, boardDownloads(openBoard, source.name));
    const counts = {};
    for (const flag of flags) counts[flag] = (counts[flag] ?? 0) + 1;
    legend.replaceChildren(...Object.keys(colours).filter((flag) => words[flag]).map((flag) => make("li", { class: colours[flag], "data-count": counts[flag] ?? 0 },
      make("span", {}, words[flag]), make("span", { class: "number" }, grouped(counts[flag] ?? 0)))));
  };
  choice.value = chosen;
  show(chosen);
  return make("div", { class: "board-panel" }, make("div", { class: "board-head" }, legend, others.length ? choice : null), holder);
}

/** The meanings of the flags of a board. */
function wordsFor(one, other, terminal) {
  if (other) return { 0: "neither", [FIRST]: `${one} only`, [SECOND]: `${other} only`, [COMMON]: "both" };
  return { 0: `not in ${one}`, [FIRST]: terminal ? `${one}, not terminal` : one, ...(terminal ? { [TERMINAL]: "terminal" } : {}) };
}

// -- automata and members ---------------------------------------------------------------------------------------------

function graphPanel(entry) {
  if (entry.drawn === null) return make("p", { class: "none" }, "The automaton that reads the least significant digit first is too large.");
  const graph = graphElement(entry.drawn, `Automaton of ${headOf(entry)}`);
  const box = make("div", { class: "graph-box", tabindex: 0 }, graph), a = runnable(entry);
  const hint = make("p", { class: "caption more", hidden: true }, "Wider than the window: it scrolls sideways.");
  requestAnimationFrame(() => {
    fitGraph(box, graph);
    hint.hidden = box.scrollWidth <= box.clientWidth;
  });
  const order = entry.kind === "language" ? "letters" : "digits";
  const caption = entry.variables.length ? `Labels are ${order} of (${entry.variables.join(", ")}); * is any digit.` : "";
  // The drawing reads lsd systems the other way than the arrays of the page.
  const runs = a && !CONTENT.drawings[entry.drawn].reason && !a.systems.some((system) => system.startsWith("lsd_"));
  const runner = runs ? runnerElement({ graph, a, names: entry.variables, word: entry.kind === "word", represent: (values) => firstWords(a, values) }) : null;
  return make("div", {}, hint, box, runner, make("p", { class: "caption" }, caption), graphDownloads(entry, graph));
}

/** The words of numbers that are typed, which have to be among the first ones, brought to one length without needless zeros. */
function firstWords(a, values) {
  const length = commonLength(a);
  const words = a.systems.map((system, track) => {
    const { first, words } = wordsOf(system), number = Number(values[track]);
    const word = /^\s*-?\d+\s*$/.test(values[track]) ? words[number - first] : undefined;
    if (!word) throw new Error(`Type a number from ${first} to ${first + words.length - 1}.`);
    return [...new Array(length - word.length).fill(0), ...word];
  });
  let zeros = 0;
  while (zeros < length - 1 && words.every((word) => word[zeros] === 0)) zeros++;
  return words.map((word) => word.slice(zeros));
}

/** A drawing somewhat smaller, if that makes it fit; if it does not, its beginning is in view. */
function fitGraph(box, graph) {
  const [left, top, width, height] = (graph.getAttribute("viewBox") ?? "").split(" ").map(Number);
  if (!width) return;
  const scale = Math.max(0.65, Math.min(1, (box.clientWidth - 24) / width, (box.clientHeight - 24) / height));
  graph.setAttribute("width", Math.round(width * scale));
  graph.setAttribute("height", Math.round(height * scale));
  box.scrollTop = (Number(graph.dataset.begin) - top) * scale - box.clientHeight / 2;
}

function membersPanel(entry) {
  const a = runnable(entry);
  if (entry.kind !== "word" || a.systems.length !== 1) return make("div", {}, make("p", { class: "members" }, membersText(entry, 200)), memberDownloads(entry));
  return make("div", {}, letterCells(entry.name, outputsOf(a).slice(0, 300)), memberDownloads(entry));
}
