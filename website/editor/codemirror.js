// What the page uses of CodeMirror; `make editor` makes fibprover/frontends/web/assets/codemirror.js of it.
export { EditorState, Compartment } from "@codemirror/state";
export { EditorView, hoverTooltip, keymap, placeholder } from "@codemirror/view";
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
export { autocompletion, completionKeymap } from "@codemirror/autocomplete";
export { forceLinting, linter, lintKeymap, setDiagnostics } from "@codemirror/lint";
export { classHighlighter } from "@lezer/highlight";
