// Bars: how large, how long, how much memory, on scales that all rows share.

/** The share of the way from least to most, by ratios: 10 is as far from 1 as 100 is from 10. */
function byRatio(value, least, most) {
  if (value <= least || most <= least) return 0;
  return Math.min(1, Math.log(value / least) / Math.log(most / least));
}

/** A bar with what it stands for; share: of its full length. */
function bar(kind, share, text, title) {
  const filled = make("span", { class: "filled" });
  filled.style.width = `${(100 * Math.max(0.012, share)).toFixed(1)}%`;
  return make("span", { class: `bar ${kind}`, title }, make("span", { class: "rail", "aria-hidden": "true" }, filled), make("span", { class: "amount" }, text));
}

const LEAST_SECONDS = 1e-4;

const most = (key) => CONTENT.items.reduce((largest, item) => Math.max(largest, item[key] ?? 0), 0);
const MOST_SECONDS = most("seconds"), MOST_BYTES = most("peak_bytes");
const MOST_STATES = Math.max(most("states_built"), most("states_textbook"), most("states_paper"));

function timeBar(item) {
  return bar("time", byRatio(item.seconds, LEAST_SECONDS, MOST_SECONDS), duration(item.seconds), "time of the verdict");
}

function memoryBar(item) {
  return bar("memory", item.peak_bytes / MOST_BYTES, megabytes(item.peak_bytes), "peak memory of the process");
}

/** Published, textbook and built sizes, one below the other. */
function sizesTable(item) {
  const rows = [
    ["states_paper", "published", "states that the paper reports"],
    ["states_textbook", "textbook plan", item.textbook],
    ["states_built", "largest built", "largest automaton of the plan in use"],
  ].filter(([key]) => item[key] !== null && item[key] !== undefined);
  if (!rows.length) return null;
  return make("dl", { class: "sizes" }, rows.map(([key, name, remark]) => [
    make("dt", {}, name),
    make("dd", { "data-size": key }, bar(key, byRatio(item[key], 0.7, MOST_STATES), grouped(item[key]), remark),
      key === "states_textbook" && item.textbook ? make("span", { class: "remark" }, item.textbook) : null),
  ]));
}
