// An editor of one cell: CodeMirror with the colours, the names and the remarks of the engine.
import {
  Compartment, EditorState, EditorView, autocompletion, bracketMatching, classHighlighter, completionKeymap, defaultKeymap, history, historyKeymap,
  hoverTooltip, keymap, linter, lintKeymap, placeholder, setDiagnostics, syntaxHighlighting,
} from "./codemirror.js";
import { commandLanguage, pythonLanguage } from "./highlighting.js";

/** How long nobody types before a cell is looked at, in milliseconds. */
const PAUSE = 350;

/**
 * An editor in an element.
 *
 * ask: of the engine; isIdle: whether it may be asked now; onChange(text), onRun(next), onLeave(): what keys do.
 */
export function editor({ parent, text, kind, commands, label, ask, isIdle, onChange, onRun, onLeave }) {
  const language = new Compartment(), naming = new Compartment();
  let current = kind;
  const languageOf = (what) => (what === "python" ? pythonLanguage : commandLanguage(commands));

  const complete = async (context) => {
    if (current === "python" || !isIdle()) return null;
    const word = context.matchBefore(/[$?#.%]?\w+|[$?#%]/);
    if (!context.explicit && !word) return null;
    const found = await ask("complete", { cell: context.state.doc.toString(), cursor: context.pos });
    if (found.error || !found.texts.length) return null;
    return { from: found.start, options: found.texts.map((option) => ({ label: option.trimEnd(), apply: option })), filter: false };
  };

  const diagnose = async (view) => {
    const text = view.state.doc.toString();
    if (current === "python" || !text.trim() || !isIdle()) return [];
    const { found } = await ask("diagnose", { cell: text });
    const length = view.state.doc.length;
    return (found ?? []).map(({ start, end, severity, message }) => ({
      from: Math.min(start, length), to: Math.min(Math.max(end, start), length), severity, message,
    }));
  };

  /** What the name under the mouse means. */
  const describe = async (view, at) => {
    if (current === "python" || !isIdle()) return null;
    const word = view.state.wordAt(at);
    const { text } = word ? await ask("describe", { cell: view.state.doc.toString(), cursor: at }) : {};
    if (!text) return null;
    const dom = document.createElement("div");
    dom.className = "meaning";
    dom.textContent = text;
    return { pos: word.from, end: word.to, above: true, create: () => ({ dom }) };
  };

  const keys = keymap.of([
    { key: "Mod-Enter", run: () => { onRun(false); return true; } },
    { key: "Shift-Enter", run: () => { onRun(true); return true; } },
    ...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap,
    { key: "Escape", run: () => { onLeave(); return true; } },
  ]);
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        keys, history(), bracketMatching(), EditorView.lineWrapping, syntaxHighlighting(classHighlighter), language.of(languageOf(kind)),
        autocompletion({ override: [complete], icons: false }), linter(diagnose, { delay: PAUSE }), hoverTooltip(describe, { hoverTime: PAUSE }),
        placeholder("a formula, such as Ax,y x+y=y+x, or commands"),
        naming.of(EditorView.contentAttributes.of({ "aria-label": label })),
        EditorView.updateListener.of((update) => { if (update.docChanged) onChange(view.state.doc.toString()); }),
      ],
    }),
  });

  return {
    get text() { return view.state.doc.toString(); },
    set text(value) { view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } }); },
    focus() { view.focus(); },
    name(value) { view.dispatch({ effects: naming.reconfigure(EditorView.contentAttributes.of({ "aria-label": value })) }); },
    speak(what) { current = what; view.dispatch({ effects: language.reconfigure(languageOf(what)) }); },
    mark({ start, end, text: message }) {
      const length = view.state.doc.length;
      view.dispatch(setDiagnostics(view.state, [{ from: Math.min(start, length), to: Math.min(end, length), severity: "error", message }]));
    },
    close() { view.destroy(); },
  };
}
