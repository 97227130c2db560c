// Plots of sequences, sets and greatest numbers as SVG, in the colours of the style sheet.

const PLOT_WIDTH = 640, PLOT_HEIGHT = 220, PLOT_LEFT = 46, PLOT_BOTTOM = 30, PLOT_TOP = 12;

/** Numbers for the ticks of an axis from 0 to a number: some three to seven, at round distances. */
function ticksTo(last) {
  const rough = Math.max(1, last / 5), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough);
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step);
}

/** The same between two numbers, of which the first one is not above 0. */
function ticksBetween(least, most) {
  const [, step = 1] = ticksTo(most - least);
  return Array.from({ length: Math.floor(most / step) - Math.ceil(least / step) + 1 }, (_, i) => (Math.ceil(least / step) + i) * step);
}

/** The least and the greatest value of points, or 0 and 1 if these are beyond. */
function rangeOf(points) {
  const values = points.map(([, value]) => value);
  return [Math.min(0, ...values), Math.max(1, ...values)];
}

/** The points of a fluctuation, {first, last, terms: [[n, value]]}, in a box: n by its logarithm, values from the least to the greatest. */
function fluctuationPoints(plot, left, top, width, height) {
  const values = plot.terms.map(([, value]) => value), least = Math.min(...values), most = Math.max(...values);
  const whole = Math.log(plot.last / plot.first);
  const points = plot.terms.map(([n, value]) => [n, value,
    left + (width * Math.log(n / plot.first)) / whole, top + (height * (most - value)) / (most - least || 1)]);
  return { least, most, points };
}

/** A plot of a(n)/n^e with axes. */
function fluctuationElement(plot) {
  const floor = PLOT_HEIGHT - PLOT_BOTTOM, right = PLOT_WIDTH - 10, left = PLOT_LEFT + 20;
  const { least, most, points } = fluctuationPoints(plot, left, PLOT_TOP + 10, right - left, floor - PLOT_TOP - 10);
  const tick = (x, y, anchor, text) => makeSvg("text", { class: "tick", x, y, "text-anchor": anchor }, text);
  return makeSvg("svg", { class: "plot", role: "img", viewBox: `0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}`, "aria-label": plot.title },
    makeSvg("title", {}, plot.title),
    makeSvg("path", { class: "axis", d: `M${left} ${PLOT_TOP + 6}V${floor}H${right}` }),
    tick(left - 6, PLOT_TOP + 14, "end", most.toPrecision(4)), tick(left - 6, floor, "end", least.toPrecision(4)),
    tick(left, floor + 16, "middle", String(plot.first)), tick(right, floor + 16, "end", String(plot.last)),
    makeSvg("text", { class: "tick axis-name", x: left + 6, y: PLOT_TOP + 2 }, plot.y),
    makeSvg("text", { class: "tick axis-name", x: (left + right) / 2, y: floor + 20, "text-anchor": "middle" }, plot.x),
    points.map(([n, value, x, y]) => makeSvg("circle", { class: "mark", cx: x.toFixed(1), cy: y.toFixed(1), r: 1.4 }, makeSvg("title", {}, `${plot.x} = ${n}: ${value}`))));
}

/** A plot with axes: {kind, terms, last, x, y, title}, as fibprover/frontends/display/page/sheet.py makes it. */
function plotElement(plot) {
  if (plot.kind === "fluctuation") return fluctuationElement(plot);
  const isSet = plot.kind === "set";
  const height = isSet ? 64 : PLOT_HEIGHT;
  const points = isSet ? plot.terms.map((n) => [n, 0]) : plot.terms.map((value, n) => [n, value]).filter(([, value]) => value !== null);
  const [least, most] = rangeOf(points);
  const x = (n) => PLOT_LEFT + ((n + 0.5) * (PLOT_WIDTH - PLOT_LEFT - 10)) / (plot.last + 1);
  const y = (value) => height - PLOT_BOTTOM - ((value - least) * (height - PLOT_BOTTOM - PLOT_TOP)) / (most - least);
  const floor = height - PLOT_BOTTOM;
  const said = points.slice(0, 12).map(([n, value]) => (isSet ? n : `${n}: ${value}`)).join(", ");
  return makeSvg("svg", { class: "plot", role: "img", viewBox: `0 0 ${PLOT_WIDTH} ${height}`, "aria-label": plot.title },
    makeSvg("title", {}, plot.title), makeSvg("desc", {}, said + (points.length > 12 ? ", …" : "")),
    makeSvg("path", { class: "axis", d: `M${PLOT_LEFT} ${isSet ? floor : PLOT_TOP - 4}V${floor}H${PLOT_WIDTH - 4}` }),
    ticksTo(plot.last).map((n) => [
      makeSvg("path", { class: "axis", d: `M${x(n).toFixed(1)} ${floor}v4` }),
      makeSvg("text", { class: "tick", x: x(n).toFixed(1), y: floor + 16, "text-anchor": "middle" }, String(n)),
    ]),
    makeSvg("text", { class: "tick axis-name", x: PLOT_WIDTH - 4, y: floor + 28, "text-anchor": "end" }, plot.x),
    isSet ? null : ticksBetween(least, most).map((value) => [
      value ? makeSvg("path", { class: "grid", d: `M${PLOT_LEFT} ${y(value).toFixed(1)}H${PLOT_WIDTH - 4}` }) : null,
      makeSvg("text", { class: "tick", x: PLOT_LEFT - 6, y: (y(value) + 4).toFixed(1), "text-anchor": "end" }, grouped(value)),
    ]),
    plot.y ? makeSvg("text", { class: "tick axis-name", x: 6, y: PLOT_TOP + 2 }, plot.y) : null,
    plotMarks(plot, points, x, y, floor));
}

/** What is in a plot: bars of a set, else dots, which are joined where every number has a value. */
function plotMarks(plot, points, x, y, floor) {
  const hint = ([n, value]) => makeSvg("title", {}, plot.kind === "set" ? String(n) : `${plot.x} = ${n}: ${value}`);
  if (plot.kind === "set") {
    const width = Math.max(2, (PLOT_WIDTH - PLOT_LEFT - 10) / (plot.last + 1) - 1.5);
    return points.map((point) => makeSvg("rect", { class: "mark", x: (x(point[0]) - width / 2).toFixed(1), y: floor - 22, width: width.toFixed(1), height: 22 }, hint(point)));
  }
  const line = points.map(([n, value], i) => `${i && points[i - 1][0] === n - 1 ? "L" : "M"}${x(n).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  return [makeSvg("path", { class: "line", d: line }),
    points.map((point) => makeSvg("circle", { class: "mark", cx: x(point[0]).toFixed(1), cy: y(point[1]).toFixed(1), r: 2.6 }, hint(point)))];
}

/** The same without axes, for a row. */
function sparkElement(plot) {
  const width = 120, height = 30, isSet = plot.kind === "set";
  if (plot.kind === "fluctuation") {
    const path = fluctuationPoints(plot, 0, 2, width, height - 4).points.map(([, , x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    return makeSvg("svg", { class: "spark fluctuation", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" }, makeSvg("path", { d: path }));
  }
  const points = isSet ? plot.terms.map((n) => [n, 0]) : plot.terms.map((value, n) => [n, value]).filter(([, value]) => value !== null);
  const [least, most] = rangeOf(points);
  const x = (n) => ((n + 0.5) * width) / (plot.last + 1), y = (value) => height - 2 - ((value - least) * (height - 4)) / (most - least);
  const path = isSet
    ? points.map(([n]) => `M${x(n).toFixed(1)} 9V21`).join("")
    : points.map(([n, value], i) => `${i && points[i - 1][0] === n - 1 ? "L" : "M"}${x(n).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  return makeSvg("svg", { class: `spark ${plot.kind}`, viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" }, makeSvg("path", { class: "base", d: `M0 ${isSet ? 21 : height - 1}H${width}` }), makeSvg("path", { d: path }));
}
