// Why a formula holds, or does not: the truth of each of its parts, also at numbers that are typed.
import { make } from "./shared.js";

/** Milliseconds from the last key to the question, and to the next one while a cell is running. */
const PAUSE = 350, BUSY = 1000;

const CLASSES = new Map([[true, "good"], [false, "bad"], [null, "open"]]);

/** The parts of a formula; figureOf: makes the element of a figure. */
export function whyElement(why, ask, figureOf) {
  const fields = why.names.map((name) => make("input", { type: "text", autocomplete: "off", "aria-label": `a value of ${name}`, oninput: () => later() }));
  const tree = make("div", { class: "tree" }, "deciding the parts"), said = make("pre", { class: "caption", role: "status" });
  let asked = 0, timer = null;
  const later = (pause = PAUSE) => { clearTimeout(timer); timer = setTimeout(show, pause); };
  const show = async () => {
    const now = ++asked;
    const found = await ask("why", { id: why.id, values: Object.fromEntries(why.names.map((name, i) => [name, fields[i].value])) });
    if (now !== asked) return;
    said.textContent = found.error ?? "";
    if (found.busy && tree.isConnected) later(BUSY);
    if (found.error) { if (!tree.querySelector("li")) tree.replaceChildren(); return; }
    tree.replaceChildren(make("ul", {}, partElement(found, (number) => ask("part", { id: why.id, number }), figureOf)));
  };
  show();
  return make("div", { class: "why" },
    fields.length ? make("div", { class: "values" }, why.names.map((name, i) => make("label", {}, make("i", {}, `${name} =`), " ", fields[i]))) : null,
    said, tree, make("p", { class: "caption" }, `${fields.length ? "Type numbers to see the parts there. " : ""}A click on a part shows its automaton.`));
}

/** A part with its truth, and those below it; details: promises what else is known of a part, by its number. */
function partElement({ text, verdict, truth, number, parts }, details, figureOf) {
  const panel = make("div", { class: "panel", hidden: true });
  const button = make("button", { type: "button", class: "part", "aria-expanded": "false" }, text);
  button.addEventListener("click", async () => {
    panel.hidden = !panel.hidden;
    button.setAttribute("aria-expanded", String(!panel.hidden));
    if (panel.hidden || panel.querySelector("p")) return; // an error is no answer: it is asked again
    const found = await details(number);
    if (found.error) { panel.replaceChildren(make("pre", { class: "caption" }, found.error)); return; }
    if (panel.querySelector("p")) return;
    panel.replaceChildren(make("p", { class: "caption" }, found.text));
    if (found.figure) panel.append(figureOf(found));
  });
  return make("li", {}, button, make("span", { class: `truth ${CLASSES.get(truth)}` }, verdict), panel,
    parts.length ? make("ul", {}, parts.map((part) => partElement(part, details, figureOf))) : null);
}
