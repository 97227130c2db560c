// Automata that run: numbers are typed, and the way that their digits lead is shown on the drawing, state by state.

/** The elements of a drawing that belong to a state or an edge. */
function elementsOf(graph, name, value) {
  return graph.querySelectorAll(`[data-${name}="${value}"]`);
}

/** Mark the arrows that leave the state under the mouse. */
function markedByMouse(graph) {
  const mark = (event, on) => {
    const state = event.target.closest?.("[data-state]")?.dataset.state;
    if (state === undefined) return;
    for (const part of graph.querySelectorAll(`[data-edge^="${state}-"]`)) part.classList.toggle("near", on);
  };
  graph.addEventListener("pointerover", (event) => mark(event, true));
  graph.addEventListener("pointerout", (event) => mark(event, false));
}

/** Mark the first steps of a path on a drawing. */
function markPath(graph, path, steps) {
  for (const part of graph.querySelectorAll(".passed, .here")) part.classList.remove("passed", "here");
  for (let i = 0; i <= steps; i++) {
    if (path[i] < 0) break;
    for (const part of elementsOf(graph, "state", path[i])) part.classList.add("passed");
    if (i) for (const part of elementsOf(graph, "edge", `${path[i - 1]}-${path[i]}`)) part.classList.add("passed");
  }
  const here = path[steps] < 0 ? path[steps - 1] : path[steps];
  for (const part of elementsOf(graph, "state", here)) part.classList.add("here");
}

/** What is known after some steps of a path. */
function stepText({ a, word }, words, path, steps) {
  const letter = (place) => (words.length === 1 ? String(words[0][place]) : `[${words.map((digits) => digits[place]).join(",")}]`);
  const moved = steps ? `${letter(steps - 1)} read: ` : "";
  if (path[steps] < 0) return `${moved}state ${path[steps - 1]} has no arrow for it: ${word ? "there is no letter" : "it is not in the set"}.`;
  if (steps < words[0].length) return `${moved}state ${path[steps]}, ${plural(words[0].length - steps, "digit")} to read.`;
  const output = a.outputs[path[steps]];
  if (word) return `${moved}state ${path[steps]}, the letter is ${output}.`;
  return `${moved}state ${path[steps]}, ${output ? "accepting: it is in the set." : "not accepting: it is not in the set."}`;
}

/**
 * Fields for numbers below the drawing of an automaton, and the way of their digits on it.
 *
 * graph: the drawing; a: its automaton; names: of the tracks; word: whether outputs are letters; represent: gives the digits of
 * values that are typed, a list for each track in the order in which they are read, or a promise of them; it may throw.
 */
function runnerElement({ graph, a, names, word, represent }) {
  markedByMouse(graph);
  let words = null, path = null, asked = 0;
  const fields = names.map((name) => make("input", { type: "text", inputmode: "numeric", autocomplete: "off", "aria-label": `a value of ${name}`, oninput: () => run() }));
  const slider = make("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "step", hidden: true, oninput: () => show() });
  const digits = make("div", { class: "digits", "aria-hidden": "true" }), said = make("p", { class: "said", role: "status" });
  const show = () => {
    const steps = Number(slider.value);
    markPath(graph, path, steps);
    digits.replaceChildren(...words.map((track, row) => make("div", {}, make("i", {}, `${names[row]} =`), track.map((digit, place) => make("b", { class: place === steps - 1 ? "now" : place < steps ? "read" : null }, digit)))));
    said.textContent = stepText({ a, word }, words, path, steps);
    digits.querySelector(".now")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const forget = (reason) => {
    for (const part of graph.querySelectorAll(".passed, .here")) part.classList.remove("passed", "here");
    digits.replaceChildren();
    slider.hidden = true;
    said.textContent = reason;
  };
  const run = async () => {
    const values = fields.map((field) => field.value), now = ++asked;
    if (values.some((value) => !value.trim())) { forget(""); return; }
    try {
      const found = await represent(values);
      if (now !== asked) return;
      words = found;
    } catch (problem) {
      if (now === asked) forget(problem.message);
      return;
    }
    path = pathOf(a, words);
    furnish(slider, { max: path.length - 1 }, []);
    slider.hidden = false;
    slider.value = path.length - 1;
    show();
  };
  return make("div", { class: "runner" }, names.map((name, i) => make("label", {}, `${name} =`, fields[i])), digits, slider, said);
}
