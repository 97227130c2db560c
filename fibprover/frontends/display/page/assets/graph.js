// Paint the drawing of an automaton: fibprover has placed the states and the labels, and shaped the arrows.

const LINE = 14, MARGIN = 12;

/** The number of drawings so far: each refers to arrow heads of its own, since those of hidden elements do not appear. */
let painted = 0;

/** The drawing of this number on the page, as drawnGraph. */
function graphElement(number, title) {
  return drawnGraph(CONTENT.drawings[number], title);
}

/** A drawing (figures.py describes it) as an SVG element, or a paragraph with the reason why there is none. */
function drawnGraph(drawing, title) {
  if (drawing.reason) return make("p", { class: "none" }, drawing.reason);
  const serial = painted++;
  const left = -MARGIN - 30, width = drawing.width + 2 * MARGIN + 30, height = drawing.height + 2 * MARGIN;
  const centre = (state) => [drawing.nodes[2 * state], drawing.nodes[2 * state + 1]];
  const edges = drawing.edges.map(([forward, label, x, y, path, source, target]) => ({ kind: forward ? "forward" : "backward", label, x, y, path, ends: `${source}-${target}` }));
  const [first, begin] = centre(0), entry = `M${drawing.entry} ${begin}H${first - drawing.radius}`;
  const states = Array.from({ length: drawing.nodes.length / 2 }, (_, state) => state);
  return makeSvg("svg", {
    class: "graph", role: "img", viewBox: `${left} ${-MARGIN} ${width} ${height}`, width, height, "aria-label": title, "data-begin": begin,
  },
  makeSvg("defs", {}, head("forward", serial), head("backward", serial)),
  wire(entry, "forward", serial), edges.map(({ path, kind, ends }) => wire(path, kind, serial, ends)),
  states.map((state) => stateParts(state, ...centre(state), drawing.radius, drawing.doubled.includes(state), drawing.texts?.[state] ?? state)),
  edges.map(({ label, x, y, ends }) => label.split("\n").map((line, i, lines) => makeSvg("text", { class: "label", "data-edge": ends, x, y: y + LINE * (i - lines.length / 2) + 10.5 }, line))));
}

function wire(path, kind, serial, ends = null) {
  return makeSvg("path", { class: `wire ${kind}`, "data-edge": ends, d: path, "marker-end": `url(#${kind}-${serial})` });
}

function head(kind, serial) {
  return makeSvg("marker", { id: `${kind}-${serial}`, viewBox: "0 0 10 10", refX: 9, refY: 5, markerUnits: "userSpaceOnUse", markerWidth: 7.7, markerHeight: 7.7, orient: "auto" },
    makeSvg("path", { class: `head ${kind}`, d: "M0 1L10 5L0 9z" }));
}

function stateParts(state, x, y, radius, doubled, text) {
  return [radius, ...(doubled ? [radius - 3] : [])].map((r) => makeSvg("circle", { class: "state", "data-state": state, cx: x, cy: y, r }))
    .concat(makeSvg("text", { "data-state": state, x, y: y + 4 }, String(text)));
}
