// Build the page from its parts.

function pageHead() {
  const dark = () => document.documentElement.dataset.theme === "dark";
  const theme = make("button", { type: "button", id: "theme", onclick: window.switchTheme });
  const named = () => { theme.textContent = dark() ? "Light" : "Dark"; theme.setAttribute("aria-pressed", String(dark())); };
  document.addEventListener("themechange", named);
  named();
  const names = { math: "Typed", typed: "∀∃" };
  const writing = make("button", {
    type: "button", id: "notation", title: "Formulas as typed, or in the notation of mathematics",
    onclick: () => { writing.textContent = names[switchNotation()]; },
  }, names[notation]);
  document.getElementById("top").append(
    make("div", { class: "title" }, proseElement("h1", {}, CONTENT.title), make("div", { class: "switches" }, writing, theme)),
    CONTENT.lead ? proseElement("p", { class: "lead" }, CONTENT.lead) : "",
    ...(isSheet ? wordsOfSheet() : []),
    CONTENT.legend?.length ? legendOf(CONTENT.legend) : "",
    CONTENT.summary ? make("p", { class: "summary" }, CONTENT.summary) : "",
    CONTENT.remarks?.length ? remarksOf(CONTENT.remarks) : "");
}

/** What the words mean that rows are marked with; it is closed at first on a phone. */
function legendOf(legend) {
  const item = (word) => (word === "as expected" || word === "unexpected"
    ? verdictElement({ label: "", good: word === "as expected" }, word) : isSheet ? statusElement({ label: word }) : make("span", { class: `tag ${word}` }, word));
  const list = make("dl", {}, legend.map(([word, meaning]) => make("div", {}, make("dt", {}, item(word)), proseElement("dd", {}, meaning))));
  return make("details", { class: "key", open: matchMedia("(min-width: 46rem)").matches }, make("summary", {}, "What the marks mean"), list);
}

function remarksOf(remarks) {
  const list = make("ul", {}, remarks.map((text) => make("li", {}, text)));
  return make("details", { class: "remarks" }, make("summary", {}, plural(remarks.length, "remark")), list);
}

function pageFoot() {
  document.getElementById("foot").append(
    make("p", {}, ...(CONTENT.kind === "game" ? [] : [make("kbd", {}, "/"), " search, "]), make("kbd", {}, "↑"), make("kbd", {}, "↓"), " rows, ", make("kbd", {}, "Enter"), " open, ", make("kbd", {}, "Esc"), " close."),
    make("p", {}, CONTENT.about));
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea, dialog");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    control.search.focus();
    control.search.select();
  } else if (event.key === "Escape" && event.target === control.search) {
    if (control.search.value) { chosen.q = control.search.value = ""; apply(); } else focusRow(current);
  } else if (event.key === "ArrowDown" && event.target === control.search) {
    event.preventDefault();
    focusRow(shownRows()[0]);
  }
});

document.body.classList.add(CONTENT.kind);
pageHead();
filterBar();
pageFoot();
document.getElementById("list").append(...parts, flat, nothing);
if (CONTENT.kind === "game") {
  // A handful of statements: there is nothing to filter, and the first one is opened.
  document.getElementById("filter").hidden = true;
  toggle(rows[0], true);
}
apply(false);
followAddress();
addEventListener("hashchange", followAddress);
document.documentElement.dataset.ready = "true";
