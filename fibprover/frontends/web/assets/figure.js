// What stands beside an answer: its automaton, which can be run and enlarged, its members, its board, and why it holds.
import { blobOf, csvOf, downloadButtons, drawnGraph, make, plural, pngOf, runnerElement, svgOf, tikzOf, unpackedAutomaton } from "./shared.js";
import { whyElement } from "./why.js";

/** The most states of an automaton that is shown at once. */
const UNFOLDED = 30;

/** How many members are listed at a time. */
const PAGE = 20;

/** What the page may show of an answer, folded: a figure, and why it holds. */
export function besideElement({ figure, why }, ask) {
  return make("div", { class: "figure-parts" }, figure ? figureParts(figure, ask) : null,
    why ? folded("why", () => whyElement(why, ask, (found) => unfolded(besideElement(found, ask)))) : null);
}

function figureParts(figure, ask) {
  const sizes = `automaton, ${plural(figure.states, "state")}, ${plural(figure.transitions, "transition")}`;
  const automaton = folded(sizes, () => automatonElement(figure, ask));
  automaton.classList.toggle("small", !figure.drawing.reason && figure.states <= UNFOLDED);
  return [automaton, figure.members ? folded("members", () => membersElement(figure, ask)) : null,
    figure.board ? folded("board", () => boardElement(figure, ask)) : null];
}

/** Unfold the automaton of an answer, if it has one that is small. */
export function unfold(answer) {
  const beside = answer?.querySelector(":scope > .figure-parts");
  if (beside) unfolded(beside);
}

function unfolded(beside) {
  beside.querySelector(":scope > .small")?.setAttribute("open", "");
  return beside;
}

/** Content below a summary that is made when it is seen for the first time. */
function folded(summary, fill) {
  const element = make("details", {}, make("summary", {}, summary));
  element.addEventListener("toggle", () => element.append(fill()), { once: true });
  return element;
}

// -- the automaton --------------------------------------------------------------------------------------------------

function automatonElement(figure, ask) {
  const graph = drawnGraph(figure.drawing, `automaton of ${figure.title}`);
  if (figure.drawing.reason) return graph;
  const a = figure.automaton && unpackedAutomaton(figure.automaton);
  const represent = async (values) => {
    const found = await ask("represent", { id: figure.id, values });
    if (found.error) throw new Error(found.error);
    return found.words;
  };
  const order = figure.lsd.some(Boolean) ? ", the least significant digit first" : "";
  return make("div", {}, zoomed(graph),
    a ? runnerElement({ graph, a, names: figure.names, word: figure.word, represent }) : null,
    make("p", { class: "caption" }, `Labels are digits of (${figure.names.join(", ")})${order}; * is any digit. Type ${figure.names.length > 1 ? "numbers" : "a number"} to see the way of ${figure.names.length > 1 ? "their" : "its"} digits.`),
    downloadButtons(figure.title, [
      ["SVG", "the drawing", () => blobOf(svgOf(graph, figure.title), "image/svg+xml")],
      ["PNG", "the drawing in pixels", () => pngOf(graph, figure.title)],
      ["TikZ", "the drawing for LaTeX", () => blobOf(tikzOf(figure.drawing, figure.title), "text/x-tex")],
    ]));
}

/** A drawing in a box that scrolls, with buttons that enlarge it; the mouse wheel does with Ctrl. */
function zoomed(graph) {
  const [, , width, height] = graph.getAttribute("viewBox").split(" ").map(Number);
  const box = make("div", { class: "graph-box", tabindex: 0, role: "group", "aria-label": "the drawing; + and - change its size" }, graph);
  let scale = 1;
  const resize = (factor) => {
    scale = factor === 0 ? fitting() : Math.max(0.2, Math.min(6, scale * factor));
    graph.setAttribute("width", Math.round(width * scale));
    graph.setAttribute("height", Math.round(height * scale));
  };
  const fitting = () => Math.max(0.2, Math.min(1, (box.clientWidth - 24) / width));
  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    resize(event.deltaY < 0 ? 1.15 : 1 / 1.15);
  }, { passive: false });
  box.addEventListener("keydown", (event) => {
    const factor = { "+": 1.25, "=": 1.25, "-": 0.8, 0: 0 }[event.key];
    if (factor !== undefined && !event.ctrlKey && !event.metaKey) { event.preventDefault(); resize(factor); }
  });
  requestAnimationFrame(() => { if (box.clientWidth) resize(0); });
  const button = (text, label, factor) => make("button", { type: "button", "aria-label": label, title: label, onclick: () => resize(factor) }, text);
  return make("div", { class: "zoomed" }, make("div", { class: "zoom" }, button("+", "larger", 1.25), button("−", "smaller", 0.8), button("fit", "fit the width of the page", 0)), box);
}

// -- members and boards ---------------------------------------------------------------------------------------------

function membersElement(figure, ask) {
  const body = make("tbody", {}), status = make("p", { class: "caption", role: "status" });
  const head = make("thead", {}, make("tr", {}, figure.names.map((name) => make("th", { scope: "col" }, name))));
  const rows = [];
  const more = make("button", { type: "button", onclick: () => next() }, "more");
  const next = async () => {
    more.disabled = true;
    const found = await ask("members", { id: figure.id, first: rows.length, count: PAGE });
    more.disabled = false;
    if (found.error) { status.textContent = found.error; return; }
    status.textContent = "";
    rows.push(...found.rows);
    body.append(...found.rows.map((row) => make("tr", {}, row.map(([value, digits]) => make("td", {}, value, digits ? make("span", { class: "digits" }, digits) : null)))));
    more.hidden = !found.more;
    if (!rows.length) status.textContent = "There are none.";
  };
  next();
  const csv = () => csvOf([figure.names, ...rows.map((row) => row.map(([value]) => value))]);
  return make("div", {}, make("div", { class: "table-box", tabindex: 0, role: "group", "aria-label": "members" }, make("table", { class: "members" }, head, body)), status,
    make("p", { class: "buttons" }, more), downloadButtons(figure.title, [["CSV", "the members that are listed", csv]]));
}

function boardElement(figure, ask) {
  const holder = make("div", { class: "board-holder" }, "drawing");
  ask("board", { id: figure.id }).then((found) => {
    if (found.error) holder.textContent = found.error;
    else holder.innerHTML = found.html; // made by fibprover, with texts escaped
  });
  return holder;
}
