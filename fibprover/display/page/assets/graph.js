// Paint the drawing of an automaton: fibprover has placed the states, the labels and the points an arrow passes.

const LINE = 14, MARGIN = 12, ENTRY = 26;

/** The number of drawings so far: each refers to arrow heads of its own, since those of hidden elements do not appear. */
let painted = 0;

/** A drawing of CONTENT.drawings (figures.py describes it) as an SVG element, or a paragraph with the reason. */
function graphElement(number, title) {
  const drawing = CONTENT.drawings[number];
  if (drawing.reason) return make("p", { class: "none" }, drawing.reason);
  const serial = painted++;
  const left = -MARGIN - 30, width = drawing.width + 2 * MARGIN + 30, height = drawing.height + 2 * MARGIN;
  const centre = (state) => [drawing.nodes[2 * state], drawing.nodes[2 * state + 1]];
  const edges = drawing.edges.map((edge) => placed(edge, centre, drawing.radius));
  const [x, y] = centre(0), entry = `M${x - drawing.radius - ENTRY} ${y}H${x - drawing.radius}`;
  const states = Array.from({ length: drawing.nodes.length / 2 }, (_, state) => state);
  return makeSvg("svg", {
    class: "graph", role: "img", viewBox: `${left} ${-MARGIN} ${width} ${height}`, width, height, "aria-label": title, "data-begin": y,
  },
  makeSvg("defs", {}, head("forward", serial), head("backward", serial)),
  wire(entry, "forward", serial), edges.map(({ path, kind }) => wire(path, kind, serial)),
  states.map((state) => stateParts(...centre(state), drawing.radius, drawing.doubled.includes(state), drawing.texts?.[state] ?? state)),
  edges.map(({ label, at }) => label.split("\n").map((line, i, lines) => makeSvg("text", { class: "label", x: at[0], y: fixed(at[1] + LINE * (i - lines.length / 2) + 10.5) }, line))));
}

/** The path of an edge [source, target, label, which of the points holds the label, x, y, x, y, ...]; a loop has no points. */
function placed([source, target, label, held, ...numbers], centre, radius) {
  const begin = centre(source), end = centre(target);
  if (source === target) return { ...loop(begin, radius, label), label, kind: "forward" };
  const route = numbers.flatMap((x, i) => (i % 2 ? [] : [[x, numbers[i + 1]]])), last = route.length - 1;
  const points = [rim(begin, route[0], radius), ...route, rim(end, route[last], radius)];
  const path = begin[0] === end[0] ? bulge(points) : smooth(points, begin, end);
  return { path, label, at: route[held], kind: begin[0] <= end[0] ? "forward" : "backward" };
}

function wire(path, kind, serial) {
  return makeSvg("path", { class: `wire ${kind}`, d: path, "marker-end": `url(#${kind}-${serial})` });
}

function head(kind, serial) {
  return makeSvg("marker", { id: `${kind}-${serial}`, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto" },
    makeSvg("path", { class: `head ${kind}`, d: "M0 1L10 5L0 9z" }));
}

function stateParts(x, y, radius, doubled, text) {
  return [radius, ...(doubled ? [radius - 3] : [])].map((r) => makeSvg("circle", { class: "state", cx: x, cy: y, r }))
    .concat(makeSvg("text", { x, y: y + 4 }, String(text)));
}

function fixed(value) {
  return Number(value.toFixed(1));
}

function at([x, y]) {
  return `${fixed(x)} ${fixed(y)}`;
}

/** The point of a circle that is nearest to another point. */
function rim([x, y], towards, radius) {
  const dx = towards[0] - x, dy = towards[1] - y, length = Math.hypot(dx, dy) || 1;
  return [x + (radius * dx) / length, y + (radius * dy) / length];
}

/** A curve through points whose abscissas run one way: horizontal inside, radial at both ends. */
function smooth(points, begin, end) {
  const last = points.length - 1;
  const slope = (centre, point) => (point[0] === centre[0] ? 0 : Math.max(-1.5, Math.min(1.5, (point[1] - centre[1]) / (point[0] - centre[0]))));
  let path = `M${at(points[0])}`;
  for (let i = 0; i < last; i++) {
    const [from, to] = [points[i], points[i + 1]], pull = (to[0] - from[0]) / 2;
    const first = i === 0 ? slope(begin, from) : 0, second = i + 1 === last ? slope(end, to) : 0;
    path += `C${at([from[0] + pull, from[1] + first * pull])} ${at([to[0] - pull, to[1] - second * pull])} ${at(to)}`;
  }
  return path;
}

/** An arrow within a column: out to its label beside the column and back. */
function bulge([from, [x, y], to]) {
  const half = (a, b) => (a + b) / 2;
  return `M${at(from)}C${at([half(from[0], x), half(from[1], y)])} ${at([x, half(from[1], y)])} ${at([x, y])}`
    + `C${at([x, half(y, to[1])])} ${at([half(x, to[0]), half(y, to[1])])} ${at(to)}`;
}

/** A loop above a state, its label on top. */
function loop([x, y], radius, label) {
  const side = radius * 0.55, top = y - radius * 0.83, lines = label.split("\n").length;
  const path = `M${at([x - side, top])}C${at([x - side - 8, top - 22])} ${at([x + side + 8, top - 22])} ${at([x + side, top])}`;
  return { path, at: [x, y - radius - 18 - (LINE * lines) / 2] };
}
