// Downloads: what the viewer shows as files, drawings in the colours of paper whatever the page has.

/** The attributes of the parts of a drawing in a file, where no style sheet is. */
const PRINTED = {
  text: { "font-family": "Menlo,Consolas,'DejaVu Sans Mono',monospace", "font-size": "11", "text-anchor": "middle", fill: "#111" },
  label: { stroke: "#fff", "stroke-opacity": ".95", "stroke-width": "6", "stroke-linejoin": "round", "paint-order": "stroke" },
  state: { fill: "#fff", stroke: "#111", "stroke-width": "1.3" },
  "wire forward": { fill: "none", stroke: "#222", "stroke-width": "1.1" }, "wire backward": { fill: "none", stroke: "#2f6fb0", "stroke-width": "1.1" },
  "head forward": { fill: "#222" }, "head backward": { fill: "#2f6fb0" },
};

/** Buttons for files: [format, what the file holds, () => its blob, or a promise of it]. */
function downloadButtons(title, files) {
  const name = title.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_|_$/g, "") || "fibprover";
  return make("p", { class: "downloads" }, "Download ", files.map(([label, remark, fill]) => make("button", {
    type: "button", "data-file": label, title: remark, onclick: async () => {
      const link = make("a", { download: `${name}.${label === "TikZ" ? "tex" : label.toLowerCase()}`, href: URL.createObjectURL(await fill()) });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    },
  }, label)));
}

function blobOf(text, type) {
  return new Blob([text], { type: `${type};charset=utf-8` });
}

/** Rows as CSV; a cell with a comma, a quote or a line break is quoted. */
function csvOf(rows) {
  const cell = (value) => (/[",\n\r]/.test(value) ? `"${String(value).replace(/"/g, '""')}"` : String(value));
  return blobOf(rows.map((row) => `${row.map(cell).join(",")}\r\n`).join(""), "text/csv");
}

// -- automata ---------------------------------------------------------------------------------------------------------

/** A drawing as the text of an SVG file. */
function svgOf(graph, title) {
  const copy = graph.cloneNode(true), [left, top, width, height] = graph.getAttribute("viewBox").split(" ").map(Number);
  furnish(copy, { xmlns: SVG, width, height }, []);
  for (const part of copy.querySelectorAll("text, path, circle")) {
    furnish(part, { ...(part.tagName === "text" ? PRINTED.text : {}), ...(PRINTED[part.getAttribute("class")?.replace(/ (passed|here|near)/g, "")] ?? {}) }, []);
  }
  copy.prepend(makeSvg("title", {}, title), makeSvg("rect", { x: left, y: top, width, height, fill: "#fff" }));
  return new XMLSerializer().serializeToString(copy);
}

/** A drawing as the blob of a PNG file, with two pixels for each of its own. */
async function pngOf(graph, title) {
  const [, , width, height] = graph.getAttribute("viewBox").split(" ").map(Number);
  const image = make("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgOf(graph, title))}` });
  await image.decode();
  // A canvas has at most some thousand pixels a side.
  const scale = Math.min(2, 8000 / Math.max(width, height)), canvas = make("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}

/** A drawing as a TikZ picture along the same curves. */
function tikzOf(drawing, title) {
  const scale = Math.min(0.025, 500 / Math.max(drawing.width, drawing.height)), cm = (value) => String(Number((value * scale).toFixed(2)));
  const at = (x, y) => `(${cm(x)},${cm(-y)})`;
  const escaped = (text) => text.replace(/[\\{}$&#^_%~]/g, (sign) => ({ "\\": "\\textbackslash{}", "^": "\\^{}", "~": "\\~{}" }[sign] ?? `\\${sign}`));
  const states = Array.from({ length: drawing.nodes.length / 2 }, (_, state) => {
    const kind = ["state", ...(state ? [] : ["initial"]), ...(drawing.doubled.includes(state) ? ["accepting"] : [])].join(", ");
    return `  \\node[${kind}] (q${state}) at ${at(drawing.nodes[2 * state], drawing.nodes[2 * state + 1])} {${escaped(String(drawing.texts?.[state] ?? state))}};`;
  });
  const curves = drawing.edges.map(([, , , , path]) => {
    const [from, ...curves] = path.slice(1).split("c").map((part) => part.match(/-?\d+/g).map(Number));
    let [x, y] = from, text = `  \\draw[->] ${at(x, y)}`;
    for (const [x1, y1, x2, y2, x3, y3] of curves) {
      text += ` .. controls ${at(x + x1, y + y1)} and ${at(x + x2, y + y2)} .. ${at(x + x3, y + y3)}`;
      [x, y] = [x + x3, y + y3];
    }
    return `${text};`;
  });
  const labels = drawing.edges.filter(([, label]) => label).map(([, label, x, y]) => `  \\node[fill=white, inner sep=1pt] at ${at(x, y)} {${label.split("\n").map(escaped).join("\\\\")}};`);
  return [
    `% ${title.replace(/\s+/g, " ")}`, "% needs \\usepackage{tikz} \\usetikzlibrary{automata,arrows.meta}",
    "\\begin{tikzpicture}[>=Stealth, initial text={}, font=\\footnotesize,",
    `    every state/.style={minimum size=${cm(2 * drawing.radius)}cm, inner sep=1pt}, every node/.style={align=center}]`,
    ...states, ...curves, ...labels, "\\end{tikzpicture}", "",
  ].join("\n");
}

/** The transitions of an automaton, a row each; a state without any has a row without digits. */
function transitionsOf(entry) {
  const a = automatonOf(entry.automaton), rows = [["state", "output", ...entry.variables, "target"]];
  for (let state = 0; state < a.states; state++) {
    for (let i = a.offsets[state]; i < a.offsets[state + 1]; i++) {
      rows.push([state, a.outputs[state], ...a.digits.map((digits, track) => digits[digitAt(a, a.codes[i], track)]), a.targets[i]]);
    }
    if (a.offsets[state] === a.offsets[state + 1]) rows.push([state, a.outputs[state], ...entry.variables.map(() => ""), ""]);
  }
  return rows;
}

function graphDownloads(entry, graph) {
  const title = headOf(entry), drawing = CONTENT.drawings[entry.drawn];
  return downloadButtons(entry.name, [
    ...(drawing.reason ? [] : [
      ["SVG", "the drawing", () => blobOf(svgOf(graph, title), "image/svg+xml")],
      ["PNG", "the drawing in pixels", () => pngOf(graph, title)],
      ["TikZ", "the drawing for LaTeX", () => blobOf(tikzOf(drawing, title), "text/x-tex")],
    ]),
    ...(automatonOf(entry.automaton) ? [["CSV", "the transitions, most significant digit first", () => csvOf(transitionsOf(entry))]] : []),
  ]);
}

// -- members and boards -----------------------------------------------------------------------------------------------

/** How many members a file has at most. */
const MOST_SAVED = 100000;

function memberDownloads(entry) {
  const a = runnable(entry);
  if (entry.kind === "word" && a.systems.length === 1) {
    const first = wordsOf(a.systems[0]).first;
    return downloadButtons(entry.name, [["CSV", `the letters at the first ${SIDE} numbers`, () => csvOf([[...entry.variables, "letter"], ...outputsOf(a).map((letter, n) => [n + first, letter ?? ""])])]]);
  }
  return downloadButtons(entry.name, [["CSV", `the members among the first ${SIDE} numbers`, () => csvOf([entry.variables, ...membersOf(a, MOST_SAVED)])]]);
}

/** Buttons for what is on a board: the part that is seen, and all its positions. */
function boardDownloads(board, name) {
  const positions = () => {
    const rows = [[...board.axes, "set"]], { flags } = board.bitmap.levels[0];
    flags.forEach((flag, i) => { if (flag) rows.push([Math.floor(i / SIDE) + board.firsts[0], (i % SIDE) + board.firsts[1], board.words[flag]]); });
    return csvOf(rows);
  };
  const picture = () => {
    const canvas = make("canvas", { width: board.canvas.width, height: board.canvas.height }), context = canvas.getContext("2d");
    context.fillStyle = colour("paper");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(board.canvas, 0, 0);
    return new Promise((done) => { canvas.toBlob(done, "image/png"); });
  };
  return downloadButtons(name, [["PNG", "the part that is seen", picture], ["CSV", `the positions below ${SIDE}`, () => positions()]]);
}
