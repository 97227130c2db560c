// Formulas: their tokens, and how they are shown, as typed or in the notation of mathematics.

const TOKENS = new RegExp([
  /(?<space>\s+)/, /(?<system>\?\w+)/, /(?<call>\$[a-zA-Z]\w*)/, /(?<macro>#[a-zA-Z]\w*)/,
  /(?<letter>@\s*[+-]?\s*\d+)/, /(?<word>\.[a-zA-Z]\w*|[a-zB-DF-HJ-Z]\w*(?=\s*\[))/, /(?<quantifier>[AEI])/,
  /(?<variable>[a-zB-DF-HJ-Z]\w*)/, /(?<number>\d+)/, /(?<connective><=>|=>|[&|^~`])/,
  /(?<relation>!=|>=|<=|[=<>])/, /(?<operation>[-+*\/_])/, /(?<bracket>[()[\]])/, /(?<comma>,)/, /(?<other>[^])/,
].map((part) => part.source).join("|"), "g");

const SIGNS = {
  A: "∀", E: "∃", I: "∃", "&": "∧", "|": "∨", "^": "⊕", "~": "¬", "`": "`", "=>": "⇒", "<=>": "⇔", "!=": "≠",
  "<=": "≤", ">=": "≥", "*": "·", "-": "−", _: "−", "->": "→",
};

/** The tokens of a formula, [{kind, text, start}], which together are its text. */
function tokensOf(text) {
  const found = [];
  for (const match of text.matchAll(TOKENS)) {
    const [kind] = Object.entries(match.groups).find(([, part]) => part !== undefined);
    found.push({ kind, text: match[0], start: match.index });
  }
  // A counting quantifier is E, a relation and a number.
  const dense = found.filter((token) => token.kind !== "space");
  dense.forEach((token, place) => {
    const [relation, number] = dense.slice(place + 1, place + 3);
    if (token.kind === "quantifier" && relation?.kind === "relation" && number?.kind === "number") {
      relation.kind = number.kind = "count";
    }
  });
  return found;
}

let notation = "math";

/**
 * A formula as an element.
 *
 * calls: names that can be looked at, {"$P": entry, "W": entry}; look: called with the entry of one that is
 * clicked; marks: places of parts that do not matter, [{start, end, grade}].
 */
function formulaElement(text, { calls = {}, look = null, marks = [] } = {}) {
  const element = make("code", { class: "formula", "data-text": text });
  element.redraw = () => {
    element.replaceChildren(...formulaParts(text, calls, look, marks));
    element.classList.toggle("math", notation === "math");
  };
  element.redraw();
  return element;
}

function formulaParts(text, calls, look, marks) {
  const inMath = notation === "math";
  const tokens = tokensOf(text).filter((token) => !inMath || token.kind !== "space");
  const top = { parts: [], end: text.length };
  // Parts of a formula are one in another or apart, so that marks are a tree.
  const open = [top], waiting = [...marks].sort((one, two) => one.start - two.start || two.end - one.end);
  tokens.forEach((token, place) => {
    const after = tokens[place + 1];
    while (waiting.length && waiting[0].start <= token.start) {
      const { grade, end } = waiting.shift();
      open.push({ grade, end, parts: [] });
    }
    const { parts } = open[open.length - 1];
    const element = tokenElement(token, inMath, calls, look);
    element.classList.toggle("bound", inMath && endsBinding(token, after));
    parts.push(element);
    while (open.length > 1 && (!after || open[open.length - 1].end <= after.start)) {
      const { grade, parts: marked } = open.pop();
      open[open.length - 1].parts.push(make("mark", { class: grade }, marked));
    }
    if (inMath && breakable(token, after)) open[open.length - 1].parts.push(" ");
  });
  return top.parts;
}

function tokenElement(token, inMath, calls, look) {
  const shown = inMath ? inNotation(token) : [token.text];
  const entry = calls[token.text.replace(/^\./, "")];
  if (entry === undefined || !look) return make(inMath && token.kind === "count" ? "sup" : "span", { class: `t-${token.kind}` }, shown);
  return make("button", { type: "button", class: `t-${token.kind} name`, "aria-label": `${token.text}: what it means`, onclick: () => look(entry) }, shown);
}

/** The form of a token in mathematical notation. */
function inNotation(token) {
  switch (token.kind) {
    case "call": return [token.text.slice(1)];
    case "word": return [token.text.replace(/^\./, "")];
    case "system": return [token.text.slice(1)];
    case "letter": return [token.text.replace(/[@\s]/g, "").replace("-", "−")];
    case "comma": return [","];
    case "quantifier": return token.text === "I" ? [SIGNS.I, make("sup", {}, "∞")] : [SIGNS[token.text]];
    default: return [SIGNS[token.text] ?? token.text];
  }
}

/** Whether a line may be broken after a token; there is a space then. */
function breakable(token, after) {
  if (!after) return false;
  if (token.kind === "comma" || token.kind === "system") return true;
  if (token.kind === "connective") return !PREFIXES.includes(token.text);
  if (after.kind === "connective" && !PREFIXES.includes(after.text)) return true;
  return endsBinding(token, after);
}

const PREFIXES = ["~", "`", "_"];

/** Whether the variables of a quantifier end here: elsewhere a sign, a comma or a closing bracket follows a variable. */
function endsBinding(token, after) {
  if (token.kind !== "variable" || !after) return false;
  if (PREFIXES.includes(after.text)) return true;
  return !["connective", "relation", "operation", "comma", "other"].includes(after.kind) && !["]", ")"].includes(after.text);
}

const PROSE = /(?<golden>\(1\+sqrt\(5\)\)\/2)|(?<call>(?<!\w)(?:floor|sqrt)\()|(?<greek>(?<![A-Za-z_])(?:phi|lambda)(?![A-Za-z_]))|(?<=(?<![A-Za-z0-9_])[A-Za-z0-9]+|\))\^(?<above>\d+(?:\.\d+)?|[a-z]\b)|(?<=(?<![A-Za-z0-9_])[A-Za-z])_(?<below>[a-z](?![A-Za-z0-9_])|\d+(?![A-Za-z0-9_])|\([^()]*\))|(?<sign><=|>=|!=|->)|(?<times> \* |(?<=\d)\*(?=[a-z(]))/g;

const GREEK = { phi: "φ", lambda: "λ" };

/** The place of the bracket that closes one before `begin`; the end of the text if none does. */
function closingPlace(text, begin) {
  let depth = 1;
  for (let place = begin; place < text.length; place++) {
    depth += { "(": 1, ")": -1 }[text[place]] ?? 0;
    if (!depth) return place;
  }
  return text.length;
}

/** A sentence as texts and elements: K^2, a_n, floor(n phi) and <= as a printer would set them (language/sentences.py does the same). */
function proseParts(text) {
  const parts = [];
  let done = 0;
  for (const match of text.matchAll(PROSE)) {
    if (match.index < done) continue; // within a floor
    const { golden, call, greek, above, below, sign } = match.groups;
    parts.push(text.slice(done, match.index));
    done = match.index + match[0].length;
    if (call) {
      const end = closingPlace(text, done), inside = text.slice(done, end);
      parts.push(...(call === "floor(" ? ["⌊", ...proseParts(inside), "⌋"] : /^\d+$/.test(inside) ? ["√", inside] : ["√(", ...proseParts(inside), ")"]));
      done = Math.min(end + 1, text.length);
    } else {
      parts.push(golden ? "φ" : greek ? GREEK[greek] : above ? make("sup", {}, above) : below ? make("sub", {}, below.replace(/[()]/g, "")) : sign ? SIGNS[sign] : "\u202f");
    }
  }
  return [...parts, text.slice(done)];
}

/** A sentence as an element, set as a printer would, unless all is to be as typed. */
function proseElement(tag, attributes, text) {
  const element = make(tag, { ...attributes, "data-prose": true });
  element.redraw = () => element.replaceChildren(...(notation === "math" ? proseParts(text) : [text]));
  element.redraw();
  return element;
}

/** Change between the two notations on the whole page. */
function switchNotation() {
  notation = notation === "math" ? "typed" : "math";
  for (const element of document.querySelectorAll(".formula, [data-prose]")) element.redraw?.();
  return notation;
}
