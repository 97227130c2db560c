// Few labels for the letters of an edge: a box is a set of digits a track, such as [0,*] or [01,1].

/** The edges of an automaton, parallel transitions in one: [{source, target, labels}]. */
function edgesOf(a) {
  const edges = new Map(), texts = new Map();
  for (let source = 0; source < a.states; source++) {
    for (let i = a.offsets[source]; i < a.offsets[source + 1]; i++) {
      const key = source * a.states + a.targets[i];
      if (!edges.has(key)) edges.set(key, { source, target: a.targets[i], codes: [] });
      edges.get(key).codes.push(a.codes[i]);
    }
  }
  return [...edges.values()].map(({ source, target, codes }) => {
    // Few sets of letters occur on many edges.
    const key = codes.join(" ");
    if (!texts.has(key)) texts.set(key, boxesOf(a, codes).map((box) => boxText(a, box)));
    return { source, target, labels: texts.get(key) };
  });
}

/** Disjoint boxes that hold exactly the letters with these codes: [[digits of the first track, ...], ...]. */
function boxesOf(a, codes) {
  const tracks = a.digits.length;
  if (!tracks) return [[]];
  const points = codes.map((code) => a.digits.map((digits, track) => [digits[digitAt(a, code, track)]]));
  let best = null;
  for (const order of ordersOf(tracks)) {
    const boxes = mergedIn(points, order);
    if (!best || boxes.length < best.length) best = boxes;
  }
  return best;
}

/** All orders of up to three tracks, else each track once as the first. */
function ordersOf(count) {
  if (count > 3) return Array.from({ length: count }, (_, first) => Array.from({ length: count }, (_, step) => (first + step) % count));
  if (count < 2) return [[0]];
  const insert = (order, item) => Array.from({ length: order.length + 1 }, (_, at) => [...order.slice(0, at), item, ...order.slice(at)]);
  return ordersOf(count - 1).flatMap((order) => insert(order, count - 1));
}

/** Merges boxes that differ in one track only, for each track in order, until none is left. */
function mergedIn(boxes, order) {
  for (let before = -1; before !== boxes.length;) {
    before = boxes.length;
    for (const track of order) {
      const groups = new Map();
      for (const box of boxes) {
        const key = box.map((digits, other) => (other === track ? "" : digits.join("."))).join(";");
        if (!groups.has(key)) groups.set(key, { box, digits: [] });
        groups.get(key).digits.push(...box[track]);
      }
      boxes = [...groups.values()].map(({ box, digits }) => box.map((own, other) => (other === track ? digits.sort((x, y) => x - y) : own)));
    }
  }
  return boxes;
}

function boxText(a, box) {
  if (box.length === 1) return box[0].length === a.digits[0].length && box[0].length > 4 ? "*" : spans(box[0]).join(",");
  const parts = box.map((digits, track) => {
    if (digits.length === a.digits[track].length && digits.length > 1) return "*";
    return digits.every((digit) => digit >= 0 && digit <= 9) && digits.length < 4 ? digits.join("") : spans(digits).join("|");
  });
  return `[${parts.join(",")}]`;
}

/** Digits as texts; four and more in a row as one: 2–9. */
function spans(digits) {
  const runs = [];
  for (const digit of digits) {
    const last = runs[runs.length - 1];
    if (last && digit === last[1] + 1) last[1] = digit;
    else runs.push([digit, digit]);
  }
  return runs.flatMap(([begin, end]) => (end - begin < 3 ? Array.from({ length: end - begin + 1 }, (_, i) => String(begin + i)) : [`${begin}–${end}`]));
}

/** Labels joined by blanks into lines of about this many characters. */
function wrappedLabels(labels, width = 24) {
  const lines = [];
  for (const label of labels) {
    const last = lines.length - 1;
    if (last >= 0 && lines[last].length + 1 + label.length <= width) lines[last] += ` ${label}`;
    else lines.push(label);
  }
  return lines;
}
