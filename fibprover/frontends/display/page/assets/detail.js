// The details of a theorem, which are shown when its row is opened.

const GRADES = {
  vacuous: "could be anything: the theorem says nothing about it", unused: "does not matter", undecided: "was not decided within the limits",
};

function detailOf(item) {
  if (isSheet) return sheetDetail(item);
  const marks = (item.parts ?? []).filter((part) => part.inside && !item.expanded);
  const formulas = [];
  if (item.formula) {
    formulas.push(make("div", { class: "formula-box" }, formulaElement(item.formula, { calls: item.calls, look: lookAt, marks }), copyButton(item.formula)));
    if (item.expanded) formulas.push(make("p", { class: "label" }, "with macros expanded"), formulaElement(item.expanded, { calls: item.calls, look: lookAt }));
  }
  const names = [...new Set([...(item.defines === undefined ? [] : [item.defines]), ...Object.values(item.calls ?? {})])];
  return [
    ...formulas,
    item.form ? make("p", { class: "judged" }, judgement(item)) : null,
    item.example ? make("p", { class: "example" }, item.example) : null,
    item.detail && item.detail !== item.example ? make("p", { class: "example" }, item.detail) : null,
    item.problem ? make("pre", { class: "problem" }, item.problem) : null,
    ...(item.said ?? []).map((text) => proseElement("p", { class: "said" }, text)),
    partsOf(item), commandsOf(item), costsOf(item),
    item.board ? gameBoard(item.board) : null,
    item.play ? tableOf(item.play, CONTENT.title) : null,
    item.attempts ? attemptsTable(item.attempts) : null,
    names.length ? make("div", { class: "cards" }, names.map(cardOf)) : null,
    make("p", { class: "origin" }, [item.source, item.place].filter(Boolean).join(" · ")),
  ].filter(Boolean);
}

/** A sentence on the verdict. */
function judgement(item) {
  const words = { TRUE: "TRUE", FALSE: "FALSE", skipped: "Not tried: it takes long (--long).", SPENT: "A budget was spent.", ERROR: "An error." };
  const parts = [verdictElement(item, words[item.label] ?? item.label, "strong")];
  if (item.label === "TRUE" || item.label === "FALSE") {
    if (item.form === "control") parts.push(item.good ? ": the control fails, as it must" : ": the control should fail, and does not");
    else parts.push(item.good ? ", as expected" : `, expected ${item.expected ? "TRUE" : "FALSE"}`);
    if (item.looked && item.vacuous && !item.vacuous.length) parts.push("; not vacuous");
    else if (item.looked && item.vacuous === null) parts.push("; the limits left open whether it is vacuous");
    else if (item.vacuous?.length) parts.push("; vacuous");
    if (item.certificate?.checked) parts.push("; its ", make("a", { href: item.certificate.link }, "certificate"), " is checked");
    parts.push(".");
  }
  return parts;
}

/** The parts of the formula that do not matter. */
function partsOf(item) {
  if (!item.parts?.length) return null;
  return make("ul", { class: "parts" }, item.parts.map((part) => make("li", { class: part.grade },
    make("span", { class: "tag" }, part.grade), " ", formulaElement(part.text), ` ${GRADES[part.grade]}`)));
}

/** The commands that prove a finding about a game. */
function commandsOf(item) {
  if (!item.commands?.length) return null;
  const list = make("ol", { class: "commands" }, item.commands.map((command) => make("li", {},
    make("span", { class: "word" }, `${command.word} ${command.name}`.trim()), formulaElement(command.text, { calls: item.calls, look: lookAt }))));
  return make("details", {}, make("summary", {}, `The proof: ${plural(item.commands.length, "command")}`), list);
}

function costsOf(item) {
  if (item.seconds === undefined || item.label === "skipped") return null;
  if (CONTENT.kind === "game") {
    return make("p", { class: "label" }, `${item.label === "PROVED" ? "Found and proved" : item.group === 0 ? "Searched" : "Found"} in ${duration(item.seconds)} with ${megabytes(item.peak_bytes)}.`);
  }
  const cost = make("dl", { class: "sizes" }, make("dt", {}, "time"), make("dd", { "data-size": "seconds" }, timeBar(item)),
    item.peak_bytes ? [make("dt", {}, "memory"), make("dd", { "data-size": "peak_bytes" }, memoryBar(item))] : null);
  return make("div", { class: "costs" }, sizesTable(item), cost);
}

function copyButton(text, name = "copy", meaning = "Copy the formula as typed") {
  const button = make("button", {
    type: "button", class: "copy", "aria-label": meaning, onclick: async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "copied";
      } catch {
        button.textContent = "not allowed";
      }
      setTimeout(() => { button.textContent = name; }, 1500);
    },
  }, name);
  return button;
}

// -- games ------------------------------------------------------------------------------------------------------------

/** The board of a game: the automaton of its P-positions where it is known, else the positions themselves. */
function gameBoard({ entry, data }) {
  const others = entry === undefined ? (CONTENT.data ?? []).map((other) => [other.name, () => sourceOfData(other)]) : comparable(entry);
  const source = entry === undefined ? sourceOfData(data) : sourceOf(entry);
  const holder = make("div", { class: "inline-board" });
  const second = CONTENT.data?.length ? "0" : "";
  // A board needs its place on the page before it can be drawn; it is made anew after the viewer has been open.
  const fill = () => { if (!viewer.open) holder.replaceChildren(boardPanel(source, others, second, true)); };
  whenSeen(holder, fill);
  viewer.addEventListener("close", fill);
  return holder;
}

function attemptsTable(attempts) {
  const heads = ["system", "bound", "positions", "states", "margin", "outcome"];
  const cells = (attempt) => heads.map((head) => make("td", { class: head }, head === "outcome" ? outcomeOf(attempt) : String(attempt[head])));
  return make("details", { class: "attempts" }, make("summary", {}, `What was tried: ${plural(attempts.length, "candidate")}`),
    make("table", {}, make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head)))),
      make("tbody", {}, attempts.map((attempt) => make("tr", {}, cells(attempt))))));
}

function outcomeOf(attempt) {
  if (attempt.failure) return `${attempt.outcome} at (${attempt.failure.join(",")})`;
  return attempt.reason ? `${attempt.outcome}: ${attempt.reason}` : attempt.outcome;
}
