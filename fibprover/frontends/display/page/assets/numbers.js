// The first numbers of a numeration system as a tree of their digits, which automata are run along.

const CONTENT = JSON.parse(document.getElementById("content").textContent);

/** How many numbers a board has in each direction. */
const SIDE = CONTENT.side;

const known = new Map();

/** The words of a system: {first, words}, all of one length, digits as small integers; null if they are not known. */
function wordsOf(system) {
  if (!known.has(system)) {
    const packed = CONTENT.systems[system];
    known.set(system, packed ? { first: packed.first, words: unpackedWords(packed.words, packed.length) } : null);
  }
  return known.get(system);
}

/** Unpack words; each part of the text is the difference from the previous word. */
function unpackedWords(text, length) {
  let word = new Array(length).fill(0);
  return text.split(" ").map((part) => {
    word = [...word.slice(0, length - part.length), ...Array.from(part, (sign) => sign.charCodeAt(0) - 48)];
    return word;
  });
}

/** A number as it is written, without leading zeros; digits of several figures in brackets. */
function written(system, number) {
  const found = wordsOf(system);
  const digits = found ? found.words[number - found.first] : null;
  if (!digits) return "";
  const begin = digits.findIndex((digit) => digit !== 0);
  const shown = begin < 0 ? [0] : digits.slice(begin);
  if (system.startsWith("lsd_")) shown.reverse();
  return shown.map((digit) => (digit > 9 ? `(${digit})` : digit)).join("");
}

/**
 * The tree of the words of a system, brought to one length by zeros: {root, children, number}.
 *
 * children[node][digit] is a node; number[node] is that of the word which ends there.
 */
function treeOf(system, length) {
  const key = `${system}/${length}`;
  if (!known.has(key)) known.set(key, plantedTree(wordsOf(system), length));
  return known.get(key);
}

function plantedTree(system, length) {
  const children = [[]], number = [0];
  system.words.forEach((word, place) => {
    const padded = [...new Array(length - word.length).fill(0), ...word];
    let node = 0;
    for (const digit of padded) {
      if (children[node][digit] === undefined) {
        children[node][digit] = children.length;
        children.push([]);
        number.push(0);
      }
      node = children[node][digit];
    }
    number[node] = place;
  });
  return { root: 0, children, number };
}
