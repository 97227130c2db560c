// An automaton as a drawing: circles, arrows and labels.

/** The largest automata that are drawn: with more states or arrows a drawing shows nothing. */
const MOST_DRAWN_STATES = 80, MOST_DRAWN_EDGES = 400;

const CHARACTER = 6.7, LINE = 14, AROUND = 12;

/** Why an automaton is not drawn, "" if it is. */
function notDrawn(a) {
  if (a === null) return "too large for this page";
  if (a.states > MOST_DRAWN_STATES) return `${plural(a.states, "state")}: not drawn`;
  return "";
}

const drawings = new Map();

/** A drawing as an SVG element; word: the outputs are letters, shown in the states. */
function graphElement(number, word, title) {
  const key = `${number}/${word}`;
  if (!drawings.has(key)) drawings.set(key, graphOf(automatonOf(number), word));
  const { parts, box, begin } = drawings.get(key);
  if (!parts) return make("p", { class: "none" }, box);
  const [left, top, width, height] = box;
  const svg = makeSvg("svg", {
    class: "graph", role: "img", viewBox: `${left} ${top} ${width} ${height}`, width, height, "aria-label": title, "data-begin": begin,
  });
  svg.append(...parts.map((part) => part.cloneNode(true)));
  return svg;
}

function graphOf(a, word) {
  const reason = notDrawn(a);
  if (reason) return { parts: null, box: reason };
  const edges = edgesOf(a).map((edge) => ({ ...edge, lines: wrappedLabels(edge.labels) }));
  if (edges.length > MOST_DRAWN_EDGES) return { parts: null, box: `${plural(edges.length, "arrow")}: not drawn` };
  const texts = Array.from({ length: a.states }, (_, state) => (word ? `${state}/${a.outputs[state]}` : String(state)));
  const radius = Math.max(15, 6 + (CHARACTER / 2) * Math.max(...texts.map((text) => text.length)));
  const loops = new Map(edges.filter((edge) => edge.source === edge.target).map((edge) => [edge.source, edge.lines]));
  const sizes = texts.map((_, state) => {
    const loop = loops.get(state);
    const width = loop ? Math.max(2 * radius, textWidth(loop)) : 2 * radius;
    return { width, above: radius + (loop ? 20 + LINE * loop.length : 0), below: radius };
  });
  const ends = edges.filter((edge) => edge.source !== edge.target);
  const layout = layered(sizes, ends.map((edge) => ({ ...edge, label: labelSize(edge.lines) })));
  const parts = [...arrows(layout, ends, radius)];
  layout.nodes.forEach(([x, y], state) => {
    parts.push(makeSvg("circle", { class: "state", cx: x, cy: y, r: radius }));
    if (a.outputs[state] && !word) parts.push(makeSvg("circle", { class: "state", cx: x, cy: y, r: radius - 3 }));
    parts.push(makeSvg("text", { x, y: y + 4 }, texts[state]));
    if (loops.has(state)) parts.push(...loopParts(loops.get(state), x, y, radius));
  });
  ends.forEach((edge, i) => parts.push(...labelParts(edge.lines, ...layout.labels[i])));
  return { parts, box: [-AROUND - 30, -AROUND, layout.width + 2 * AROUND + 30, layout.height + 2 * AROUND].map(Math.round), begin: Math.round(layout.nodes[0][1]) };
}

function textWidth(lines) {
  return CHARACTER * Math.max(...lines.map((line) => line.length));
}

function labelSize(lines) {
  const half = (LINE * lines.length) / 2;
  return { width: textWidth(lines) + 8, above: half, below: half };
}

/** The arrows between different states, and the one into the initial state. */
function* arrows(layout, ends, radius) {
  const [x, y] = layout.nodes[0];
  yield* arrow(`M${x - radius - 26} ${y}L${x - radius} ${y}`, [x - radius, y], 0, "forward");
  for (const [i, { source, target }] of ends.entries()) {
    const begin = layout.nodes[source], end = layout.nodes[target], route = layout.routes[i];
    const kind = begin[0] <= end[0] ? "forward" : "backward";
    if (begin[0] === end[0]) yield* bulge(begin, route[0], end, radius, kind);
    else yield* smooth([rim(begin, route[0], radius), ...route, rim(end, route[route.length - 1], radius)], begin, end, kind);
  }
}

/** A line with its head: at a point, coming in at an angle. */
function arrow(path, [x, y], angle, kind) {
  const degrees = (angle * 180) / Math.PI;
  return [
    makeSvg("path", { class: `wire ${kind}`, d: path }),
    makeSvg("path", { class: `head ${kind}`, d: "M0 0L-8 -3.6L-8 3.6z", transform: `translate(${fixed(x)} ${fixed(y)}) rotate(${fixed(degrees)})` }),
  ];
}

function fixed(value) {
  return Number(value.toFixed(1));
}

function at([x, y]) {
  return `${fixed(x)} ${fixed(y)}`;
}

/** The point of a circle that looks at another point. */
function rim([x, y], towards, radius) {
  const dx = towards[0] - x, dy = towards[1] - y, length = Math.hypot(dx, dy) || 1;
  return [x + (radius * dx) / length, y + (radius * dy) / length];
}

/** A curve through points whose abscissas run one way: horizontal inside, radial at both ends. */
function smooth(points, begin, end, kind) {
  const last = points.length - 1;
  const slope = (centre, point) => (point[0] === centre[0] ? 0 : Math.max(-1.5, Math.min(1.5, (point[1] - centre[1]) / (point[0] - centre[0]))));
  let path = `M${at(points[0])}`, angle = 0;
  for (let i = 0; i < last; i++) {
    const [from, to] = [points[i], points[i + 1]], pull = (to[0] - from[0]) / 2;
    const first = i === 0 ? slope(begin, from) : 0, second = i + 1 === last ? slope(end, to) : 0;
    path += `C${at([from[0] + pull, from[1] + first * pull])} ${at([to[0] - pull, to[1] - second * pull])} ${at(to)}`;
    angle = Math.atan2(second * pull, pull);
  }
  return arrow(path, points[last], angle, kind);
}

/** An arrow within a column: out to its label beside the column and back. */
function bulge(begin, label, end, radius, kind) {
  const from = rim(begin, label, radius), to = rim(end, label, radius), half = (a, b) => (a + b) / 2;
  const path = `M${at(from)}C${at([half(from[0], label[0]), half(from[1], label[1])])} ${at([label[0], half(from[1], label[1])])} ${at(label)}`
    + `C${at([label[0], half(label[1], to[1])])} ${at([half(label[0], to[0]), half(label[1], to[1])])} ${at(to)}`;
  return arrow(path, to, Math.atan2(to[1] - label[1], to[0] - label[0]), kind);
}

/** A loop above a state, its label on top. */
function loopParts(lines, x, y, radius) {
  const side = radius * 0.55, top = y - radius * 0.83;
  const path = `M${at([x - side, top])}C${at([x - side - 8, top - 22])} ${at([x + side + 8, top - 22])} ${at([x + side, top])}`;
  const centre = y - radius - 18 - (LINE * lines.length) / 2;
  return [...arrow(path, [x + side, top], Math.atan2(22, -8), "forward"), ...labelParts(lines, x, centre)];
}

/** Lines of text around a point, on a ground that lets the arrow fade. */
function labelParts(lines, x, y) {
  const { width, above } = labelSize(lines);
  const ground = makeSvg("rect", { class: "halo", x: fixed(x - width / 2 + 2), y: fixed(y - above), width: fixed(width - 4), height: LINE * lines.length });
  return [ground, ...lines.map((line, i) => makeSvg("text", { x: fixed(x), y: fixed(y - above + LINE * i + 10.5) }, line))];
}
