// One cell of the page: its editor, its buttons and its answers.
import { editor } from "./editor.js";
import { besideElement, unfold } from "./figure.js";
import { make } from "./shared.js";

/** Names of the states that a cell has, for people. */
const SAID = { new: "", waiting: "waits", running: "computing", done: "", failed: "", stopped: "" };

export class Cell {
  /** page: what the cell asks of the page: engine, about, isIdle, run, changed, remove, leave. */
  constructor(page, { kind = "commands", text = "" } = {}) {
    this.page = page;
    this.kind = kind; // a cell of Python stays one where it is not run, since another page may run it
    this.answers = [];
    this.number = make("span", { class: "number", "aria-hidden": "true" });
    this.runButton = make("button", { type: "button", name: "run", title: "Ctrl-Enter", onclick: () => page.run(this) }, "Run");
    this.language = make("select", { name: "language", "aria-label": "language of the cell", onchange: () => this.speak(this.language.value) },
      make("option", { value: "commands" }, "formulas"), make("option", { value: "python" }, "Python"));
    this.language.value = this.kind;
    this.language.hidden = !page.about.python && kind !== "python";
    this.removeButton = make("button", { type: "button", name: "remove", class: "quiet", onclick: () => page.remove(this) }, "×");
    this.status = make("span", { class: "cell-status" });
    this.output = make("div", { class: "answers", "aria-live": "polite" });
    const holder = make("div", { class: "editor" });
    this.element = make("section", { class: "cell", tabindex: -1, "data-state": "new", onkeydown: (event) => this.key(event) },
      holder, make("div", { class: "bar" }, this.number, this.runButton, this.language, this.status, this.removeButton), this.output);
    this.editor = editor({
      parent: holder, text, kind: this.kind, commands: page.about.commands, label: "cell", ask: (...what) => page.engine.ask(...what), isIdle: () => page.isIdle,
      onChange: () => page.changed(), onRun: (next) => page.run(this, next), onLeave: () => this.element.focus(),
    });
  }

  get text() { return this.editor.text; }
  set text(value) { this.editor.text = value; }
  get state() { return this.element.dataset.state; }

  speak(kind) {
    this.kind = kind;
    this.language.value = kind;
    this.editor.speak(kind);
    this.page.changed();
  }

  /** Give the cell its place among the others. */
  place(number) {
    const name = `Cell ${number}`;
    this.number.textContent = number;
    this.element.setAttribute("aria-label", name);
    this.editor.name(`${name}: formulas, commands or Python`);
    this.output.setAttribute("aria-label", `answers of ${name}`);
    this.removeButton.setAttribute("aria-label", `Remove ${name}`);
    this.runButton.setAttribute("aria-label", `Run ${name}`);
  }

  enter(state, said = SAID[state]) {
    this.element.dataset.state = state;
    this.status.textContent = said;
  }

  /** Keys while the frame of the cell has the focus, and not its editor. */
  key(event) {
    if (event.target !== this.element) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.page.run(this);
    else if (event.key === "Enter" && event.shiftKey) this.page.run(this, true);
    else if (event.key === "Enter") this.editor.focus();
    else if (event.key === "ArrowDown" || event.key === "j") this.page.step(this, 1);
    else if (event.key === "ArrowUp" || event.key === "k") this.page.step(this, -1);
    else if (event.key === "a" || event.key === "b") this.page.insert(this, event.key === "b");
    else if (event.key === "Delete") this.page.remove(this);
    else return;
    event.preventDefault();
  }

  begin() {
    this.answers = [];
    this.output.replaceChildren();
    this.enter("running");
    this.begun = performance.now();
  }

  show(event) {
    if (event.kind === "progress") {
      this.status.textContent = event.text;
    } else if (event.kind === "answer" || event.kind === "error") {
      this.answers.push(event.text);
      const answer = make("div", { class: event.kind === "error" ? "answer failed" : "answer" });
      answer.innerHTML = event.html; // made by fibprover, with texts escaped
      if (event.figure || event.why) answer.append(besideElement(event, (...what) => this.page.engine.ask(...what)));
      this.output.append(answer);
      if (event.start !== undefined) this.editor.mark(event);
    }
  }

  /** The end of the cell: {good}, or {error}. */
  end(result) {
    unfold(this.output.lastElementChild);
    const seconds = `${((performance.now() - this.begun) / 1000).toFixed(2)} s`;
    if (result.error) {
      this.output.append(make("div", { class: "answer failed" }, make("pre", {}, result.error)));
      this.enter("stopped", seconds);
    } else {
      this.enter(result.good ? "done" : "failed", seconds);
    }
  }
}
