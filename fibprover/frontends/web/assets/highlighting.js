// The colours of cells: tokens of formulas, of commands and of Python, line by line.
import { StreamLanguage } from "./codemirror.js";

const PYTHON = /^(?:and|as|assert|break|class|continue|def|del|elif|else|except|finally|for|from|if|import|in|is|lambda|None|not|or|pass|raise|return|True|False|try|while|with|yield)\b/;

/** The language of formulas and commands; commands: their words, which begin a command at the beginning of a statement. */
export function commandLanguage(commands) {
  const words = new Set(commands);
  return StreamLanguage.define({
    name: "fibprover",
    startState: () => ({ begins: true, quoted: false }),
    copyState: (state) => ({ ...state }),
    token(stream, state) {
      const begins = state.begins && !state.quoted;
      if (stream.sol() && !state.quoted && stream.match(/^\s*%\w*.*/)) return "meta";
      if (stream.eatSpace()) return null;
      if (begins && stream.match(/^(?:#(?![a-zA-Z]\w*\s*\()|\/\/).*/)) return "comment";
      state.begins = false;
      if (stream.match('"')) { state.quoted = !state.quoted; return "punctuation"; }
      if (!state.quoted && stream.match(/^(?:::|[;:])/)) { state.begins = true; return "punctuation"; }
      if (stream.match(/^\?\w+/)) return "typeName";
      if (stream.match(/^\$[a-zA-Z]\w*/) || stream.match(/^#[a-zA-Z]\w*/)) return "variableName.function";
      if (begins) {
        const word = stream.match(/^[a-z_]\w*/, false);
        if (word && words.has(word[0]) && stream.match(/^\w+(?=\s+[\w"$]|\s*[;:]|\s*$)/)) return "keyword";
      }
      if (!state.quoted && stream.match(/^[ml]sd_\w+/)) return "typeName";
      if (stream.match(/^@\s*[+-]?\s*\d+/) || stream.match(/^%?\d+/)) return "number";
      if (stream.match(/^[a-zA-Z]\w*(?=\s*\[)/)) return "typeName";
      if (stream.match(/^[AEI]/)) return "keyword";
      if (stream.match(/^[a-zA-Z]\w*/)) return "variableName";
      if (stream.match(/^(?:<=>|=>|!=|<=|>=|[=<>&|^~`+*/_.-])/)) return "operator";
      stream.next();
      return "punctuation";
    },
  });
}

export const pythonLanguage = StreamLanguage.define({
  name: "python",
  startState: () => ({ closing: null }),
  token(stream, state) {
    if (state.closing) {
      if (stream.skipTo(state.closing)) { stream.match(state.closing); state.closing = null; } else stream.skipToEnd();
      return "string";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    const long = stream.match(/^[rbf]*("""|''')/i);
    if (long) { state.closing = long[1]; return "string"; }
    if (stream.match(/^[rbf]*"(?:[^"\\]|\\.)*"?/i) || stream.match(/^[rbf]*'(?:[^'\\]|\\.)*'?/i)) return "string";
    if (stream.match(PYTHON)) return "keyword";
    if (stream.match(/^\d[\w.]*/)) return "number";
    if (stream.match(/^[a-zA-Z_]\w*/)) return "variableName";
    stream.next();
    return "operator";
  },
});
