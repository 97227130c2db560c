// The page of cells: it keeps them, runs them one after the other by its engine, and takes them in and out as files and links.
import { Cell } from "./cell.js";
import { blobOf, make } from "./shared.js";

const FIRST = "Ax,y x+y=y+x";

const KEYS = [
  ["Ctrl-Enter", "runs the cell"], ["Shift-Enter", "runs it and goes on to the next one"], ["Ctrl-Space", "offers names"], ["F8", "goes to the next remark in the cell"],
  ["Esc", "leaves the editor of the cell"], ["Enter", "goes back into it"], ["↑ ↓ or k j", "from cell to cell, outside of editors"],
  ["a, b", "a new cell above, below"], ["Delete", "removes the cell"], ["Ctrl-.", "stops what is computing"], ["?", "this list"],
];

class Page {
  constructor(root, engine, examples) {
    this.root = root;
    this.engine = engine;
    this.about = JSON.parse(root.dataset.about);
    this.cells = [];
    this.queue = [];
    this.running = null;
    this.isReady = false;
    this.removed = null;
    this.build(examples);
    engine.onState = (state, text) => this.state(state, text);
    engine.onKept = () => { this.unkept = true; this.keep(); };
  }

  get isIdle() { return this.isReady && !this.running; }

  // -- the parts of the page ----------------------------------------------------------------------------------------

  build(examples) {
    const button = (name, text, onclick, title = null) => make("button", { type: "button", name, onclick, title }, text);
    this.stopButton = button("stop", "Stop", () => this.stop(), "Ctrl-.");
    this.stopButton.disabled = true;
    this.status = make("span", { role: "status", class: "status" }, "loading");
    this.undoButton = button("undo", "Undo", () => this.undo());
    this.undoButton.hidden = true;
    this.examples = make("select", { name: "example", "aria-label": "examples", onchange: () => this.example() },
      make("option", { value: "", selected: true, disabled: true }, "Examples"),
      examples.map(({ title, kind, text }) => make("option", { value: text, "data-kind": kind }, title)));
    this.examples.hidden = !examples.length;
    this.saveAs = make("select", { name: "export", "aria-label": "export", onchange: () => this.export() },
      make("option", { value: "", selected: true, disabled: true }, "Export"),
      [["script", "script of commands"], ["notebook", "notebook"], ["latex", "LaTeX"]].map(([value, text]) => make("option", { value }, text)));
    this.file = make("input", { type: "file", hidden: true, multiple: true, accept: ".txt,.ipynb", onchange: () => { this.open([...this.file.files]); this.file.value = ""; } });
    this.list = make("div", { class: "cells" });
    this.help = make("dialog", { class: "keys", "aria-labelledby": "keys-title" }, make("h2", { id: "keys-title" }, "Keys"),
      make("dl", {}, KEYS.map(([key, what]) => make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, what)))),
      button("close", "Close", () => this.help.close()));
    this.root.replaceChildren(
      make("div", { class: "page-bar", role: "toolbar", "aria-label": "page" },
        button("run-all", "Run all", () => this.runAll()), this.stopButton, this.examples, button("open", "Open", () => this.file.click(), "a script, a notebook or an automaton of Walnut; or drop it on the page"), this.saveAs,
        button("share", "Link", () => this.share(), "the cells as a link"), button("help", "Keys", () => this.help.showModal()),
        window.switchTheme && this.root.dataset.theme === "own" ? button("theme", "Light / dark", () => window.switchTheme()) : null, this.file),
      make("p", { class: "page-status" }, this.status, this.undoButton), this.list, make("p", { class: "buttons" }, button("add", "New cell", () => this.add({}, this.cells.length).editor.focus())), this.help);
    addEventListener("keydown", (event) => this.key(event));
    for (const name of ["dragover", "drop"]) this.root.addEventListener(name, (event) => this.drop(event));
    addEventListener("hashchange", () => this.fromLink());
    addEventListener("pagehide", () => this.keep(true));
  }

  say(text) { this.status.textContent = text; }

  state(state, text) {
    if (state === "warning") { this.say(text); return; }
    this.isReady = state === "ready";
    this.root.dataset.state = state;
    this.say(this.isReady ? `${text}, ${this.engine.place}` : text);
    if (state === "broken") this.stopButton.disabled = false; // it starts the engine anew
    if (this.isReady) this.work();
  }

  key(event) {
    if (event.key === "." && (event.ctrlKey || event.metaKey)) { event.preventDefault(); this.stop(); }
    const typing = event.target.closest?.("input, select, textarea, dialog, .cm-editor");
    if (event.key === "?" && !typing) { event.preventDefault(); this.help.showModal(); }
  }

  // -- the list of cells --------------------------------------------------------------------------------------------

  add(content, at) {
    const cell = new Cell(this, content);
    this.cells.splice(at, 0, cell);
    this.list.insertBefore(cell.element, this.list.children[at] ?? null);
    this.number();
    this.changed();
    return cell;
  }

  number() { this.cells.forEach((cell, place) => cell.place(place + 1)); }

  insert(cell, below) { this.add({}, this.cells.indexOf(cell) + below).editor.focus(); }

  step(cell, by) { this.cells[this.cells.indexOf(cell) + by]?.element.focus(); }

  remove(cell) {
    if (cell === this.running) return;
    const at = this.cells.indexOf(cell);
    this.discard(cell);
    this.removed = { kind: cell.kind, text: cell.text, at };
    if (!this.cells.length) this.add({}, 0);
    this.number();
    this.changed();
    this.say(`cell ${at + 1} is removed`);
    this.undoButton.hidden = false;
    this.cells[Math.min(at, this.cells.length - 1)].element.focus();
  }

  undo() {
    this.undoButton.hidden = true;
    if (this.removed) this.add(this.removed, Math.min(this.removed.at, this.cells.length)).element.focus();
    this.removed = null;
    this.say("");
  }

  contents() { return this.cells.map(({ kind, text }) => ({ kind, text })); }

  /** Keep the cells in a little while. */
  changed() {
    this.unkept = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), 800);
    // The address would bring the cells of a link back as they were.
    if (this.isLoaded && location.hash.length > 1) history.replaceState(null, "", location.pathname + location.search);
  }

  keep(leaving = false) {
    clearTimeout(this.timer);
    if (this.unkept && this.isLoaded) { this.unkept = false; this.keeping = this.keepAfter(this.keeping, leaving); }
  }

  /** Keep the cells when those that are being kept are; then take the cells that another page has changed. */
  async keepAfter(earlier, leaving) {
    await earlier;
    const sent = this.cells.map((cell) => ({ cell, kind: cell.kind, text: cell.text }));
    const kept = await this.engine.keep(sent.map(({ kind, text }) => ({ kind, text })), leaving);
    if (!kept || (kept.length === sent.length && kept.every(({ kind, text }, i) => kind === sent[i].kind && text === sent[i].text))) return;
    const left = [...sent];
    let at = 0;
    for (const { kind, text } of kept) {
      const found = left.findIndex((each) => each.kind === kind && each.text === text);
      if (found >= 0) at = this.placed(left.splice(found, 1)[0].cell, at);
      else this.add({ kind, text }, at++);
    }
    // What the other page has removed goes, unless it was changed here meanwhile.
    for (const { cell, kind, text } of left) {
      if (this.cells.length > 1 && cell.kind === kind && cell.text === text && cell !== this.running && this.cells.includes(cell)) this.discard(cell);
    }
    this.number();
    this.say("another page has changed the cells: its changes are here, too");
  }

  /** Let a cell be at this place or after it, as in what is kept, and return the place behind it. */
  placed(cell, at) {
    const place = this.cells.indexOf(cell);
    if (place < 0) return at; // it was removed meanwhile
    if (place >= at) return place + 1;
    this.cells.splice(place, 1);
    this.cells.splice(at - 1, 0, cell);
    this.cells[at - 2].element.after(cell.element);
    return at;
  }

  discard(cell) {
    this.queue = this.queue.filter((other) => other !== cell);
    this.cells.splice(this.cells.indexOf(cell), 1);
    cell.element.remove();
    cell.editor.close();
  }

  // -- running ------------------------------------------------------------------------------------------------------

  run(cell, next = false) {
    if (cell !== this.running && !this.queue.includes(cell)) {
      this.queue.push(cell);
      cell.enter("waiting");
    }
    if (next) {
      const after = this.cells[this.cells.indexOf(cell) + 1] ?? this.add({}, this.cells.length);
      after.editor.focus();
    }
    return this.work();
  }

  runAll() {
    for (const cell of this.cells) if (cell.text.trim()) this.run(cell);
  }

  /** Run the cells that wait, one after the other; one that fails lets those after it run, too. */
  async work() {
    if (this.running || !this.isReady) return;
    for (let cell = this.queue.shift(); cell; cell = this.queue.shift()) {
      this.running = cell;
      this.stopButton.disabled = false;
      this.root.dataset.state = "running";
      this.say("computing");
      cell.begin();
      const result = await this.engine.run(cell.kind, cell.text, (event) => cell.show(event));
      cell.end(result);
      this.running = null;
      this.stopButton.disabled = this.root.dataset.state !== "broken";
      if (this.root.dataset.state === "running") this.root.dataset.state = result.error ? "stopped" : result.good ? "done" : "failed";
      if (result.error) this.say(result.error.split("\n")[0]);
      else this.say(cell.status.textContent);
      if (result.lost) for (const other of this.cells) if (other.state === "done") other.enter("new", "run it again: its names are gone");
      if (result.error && this.queue.length) { for (const waiting of this.queue) waiting.enter("new"); this.queue = []; }
      if (!this.isReady) return;
    }
    this.keep();
  }

  stop() {
    for (const cell of this.queue) cell.enter("new");
    this.queue = [];
    if (this.running || this.root.dataset.state === "broken") this.engine.stop();
  }

  // -- in and out ---------------------------------------------------------------------------------------------------

  example() {
    const chosen = this.examples.selectedOptions[0];
    const empty = this.cells.find((cell) => !cell.text.trim());
    const cell = empty ?? this.add({}, this.cells.length);
    cell.speak(chosen.dataset.kind);
    cell.text = chosen.value;
    this.examples.selectedIndex = 0;
    cell.element.scrollIntoView({ block: "nearest" });
    this.run(cell);
  }

  async export() {
    const form = this.saveAs.value;
    this.saveAs.selectedIndex = 0;
    const cells = this.cells.map(({ kind, text, answers }) => ({ kind, text, answers }));
    const found = await this.engine.ask("export", { cells, form });
    if (found.error) { this.say(found.error); return; }
    const link = make("a", { download: found.name, href: URL.createObjectURL(blobOf(found.text, "text/plain")) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    this.say(`${found.name} is downloaded`);
  }

  async open(files) {
    for (const file of files) {
      if (file.size > 2e6) { this.say(`${file.name} has more than 2 MB`); continue; }
      const found = await this.engine.ask("open", { name: file.name, text: await file.text() });
      if (found.error) { this.say(found.error); continue; }
      for (const cell of found.cells ?? []) this.add(cell, this.cells.length);
      this.say(found.text ?? `${file.name}: ${found.cells.length} cell${found.cells.length === 1 ? "" : "s"}, not run`);
    }
  }

  drop(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (event.type === "drop") this.open([...event.dataTransfer.files]);
  }

  fragment() {
    const cells = this.contents().filter(({ text }) => text.trim());
    if (cells.length === 1) return `#${new URLSearchParams({ language: cells[0].kind, cell: cells[0].text })}`;
    return `#${new URLSearchParams({ cells: JSON.stringify(cells.map(({ kind, text }) => [kind, text])) })}`;
  }

  /** Copy a link; the address of a page on this machine has a token, so that there only what follows it is copied. */
  async share() {
    const fragment = this.fragment();
    history.replaceState(null, "", fragment);
    const what = this.engine.link ? location.href : fragment;
    try {
      await navigator.clipboard.writeText(what);
      this.say(this.engine.link ? "the link is copied" : "copied: what begins with # opens the cells behind the address of a playground, or of fibprover web");
    } catch {
      this.say("the link is in the address bar");
    }
  }

  /** Take the cells of a link; commands are run at once where they cannot do harm, and Python waits for a click. */
  fromLink() {
    const given = new URLSearchParams(location.hash.slice(1));
    let found = [];
    try {
      if (given.has("cells")) found = JSON.parse(given.get("cells")).map(([kind, text]) => ({ kind: kind === "python" ? kind : "commands", text: String(text) }));
      else if (given.has("cell")) found = [{ kind: given.get("language") === "python" ? "python" : "commands", text: given.get("cell") }];
    } catch { this.say("this link does not hold cells"); }
    if (!found.length) return;
    const known = new Map(this.cells.map((cell) => [`${cell.kind} ${cell.text}`, cell]));
    const cells = found.map((each) => known.get(`${each.kind} ${each.text}`) ?? this.add(each, this.cells.length));
    cells[0].element.scrollIntoView({ block: "nearest" });
    if (this.engine.trusted) for (const cell of cells) if (cell.kind === "commands") this.run(cell);
  }

  async begin() {
    const begun = this.engine.begin();
    const linked = location.hash.length > 1;
    const kept = await this.engine.load(linked ? [] : [{ kind: "commands", text: FIRST }]);
    for (const cell of kept) this.add(cell, this.cells.length);
    this.fromLink();
    if (!this.cells.length) this.add({ text: FIRST }, 0);
    this.isLoaded = true;
    this.unkept = false;
    document.documentElement.dataset.ready = "true";
    await begun;
  }
}

const root = document.getElementById("cells");
const { engine } = await import(root.dataset.engine === "here" ? "./engine_here.js" : "./engine_in_browser.js");
const examples = JSON.parse(document.getElementById("examples")?.textContent ?? "[]");
new Page(root, engine(), examples).begin();
