// The cells that the browser keeps, which several tabs may change; `merged` does what merged in saved.py does.
const STORED = "fibprover-cells";

/** The cells that are kept, null if none are, or if something else is. */
export function stored() {
  try {
    const { cells } = JSON.parse(localStorage.getItem(STORED));
    return cells.every(isCell) ? cells.map(({ kind, text }) => ({ kind, text })) : null;
  } catch {
    return null;
  }
}

const isCell = (cell) => ["commands", "python"].includes(cell?.kind) && typeof cell.text === "string";

/**
 * Keep the cells of this tab, and promise those that are kept: what other tabs have kept since `before`, which this tab
 * has read or kept, is merged with them.  leaving: the page is being left, and cannot wait for another tab.
 */
export async function store(cells, before, leaving) {
  const change = () => {
    const theirs = stored();
    const found = theirs?.length ? merged(before, cells, theirs) : cells;
    if (!theirs?.length || !same(found, theirs)) localStorage.setItem(STORED, JSON.stringify({ cells: found }));
    return found;
  };
  return leaving || !navigator.locks ? change() : navigator.locks.request(STORED, change);
}

/** Why `store` has failed, for people. */
export function notStored(error) {
  return `the cells are not kept: ${error.name === "QuotaExceededError" ? "the browser has no room for them" : "the browser keeps nothing of this page"}`;
}

/** Call a function when another tab has kept cells. */
export function onStored(changed) {
  addEventListener("storage", (event) => { if (event.key === STORED && event.newValue) changed(); });
}

/**
 * Two versions of a list of cells as one; before: the list that both were made from.  Where one of them has changed
 * nothing, the change of the other is taken; where both have, the cells of both are kept, mine first.  A cell that one of
 * them removed and the other changed stays, and so does what both have.
 */
export function merged(before, mine, theirs) {
  if (same(mine, theirs) || same(before, theirs)) return [...mine];
  const found = [];
  for (const [own, other, old] of regions(before, mine, theirs)) {
    if (same(other, old) || same(other, own)) found.push(...own);
    else if (same(own, old)) found.push(...other);
    else {
      const [isOwn, isOther, isOld] = [own, other, old].map(has);
      found.push(...own.filter((cell) => isOther(cell) || !isOld(cell))); // others are removed or changed there
      found.push(...other.filter((cell) => !isOwn(cell) && !isOld(cell)));
    }
  }
  const isTheirs = has(theirs);
  let at = 0;
  for (const cell of mine) { // of equal cells each may have removed another one
    const place = found.findIndex((other) => key(other) === key(cell));
    if (place >= 0) at = place + 1;
    else if (isTheirs(cell)) found.splice(at++, 0, cell);
  }
  return found;
}

const key = ({ kind, text }) => `${kind} ${text}`;
const has = (cells) => { const keys = new Set(cells.map(key)); return (cell) => keys.has(key(cell)); };
const same = (one, other) => one.length === other.length && one.every((cell, i) => key(cell) === key(other[i]));

/** The lists in pieces, of mine, of theirs and of before, which are equal or between equal ones. */
function regions(before, mine, theirs) {
  const [here, there] = [places(before, mine), places(before, theirs)];
  const found = [];
  let [m, t, b] = [0, 0, 0];
  for (let n = 0; n <= before.length; n++) {
    const end = n === before.length ? [mine.length, theirs.length] : [here[n], there[n]];
    if (end.includes(-1)) continue;
    found.push([mine.slice(m, end[0]), theirs.slice(t, end[1]), before.slice(b, n)]);
    if (n < before.length) found.push([[before[n]], [before[n]], [before[n]]]);
    [m, t, b] = [end[0] + 1, end[1] + 1, n + 1];
  }
  return found;
}

/** The places of cells of an earlier version in a later one, -1 where they are not: those of a longest common subsequence. */
function places(before, after) {
  const [rows, columns] = [before.map(key), after.map(key)];
  const width = columns.length + 1, lengths = new Uint32Array((rows.length + 1) * width);
  for (let i = rows.length - 1; i >= 0; i--) {
    for (let j = columns.length - 1; j >= 0; j--) {
      lengths[i * width + j] = rows[i] === columns[j] ? 1 + lengths[(i + 1) * width + j + 1] : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const found = rows.map(() => -1);
  for (let i = 0, j = 0; i < rows.length && j < columns.length;) {
    if (rows[i] === columns[j]) found[i++] = j++;
    else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i++;
    else j++;
  }
  return found;
}
