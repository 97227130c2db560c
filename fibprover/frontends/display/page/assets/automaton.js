// Automata as arrays, and the sets of numbers that they accept.

const decoded = new Map();

/** The automaton of this number: arrays as in fibprover's Dfa; null if it is too large for the page. */
function automatonOf(number) {
  if (number === null || number === undefined) return null;
  if (!decoded.has(number)) {
    const packed = CONTENT.automata[number];
    decoded.set(number, packed ? unpackedAutomaton(packed) : null);
  }
  return decoded.get(number);
}

/** An automaton whose states have lists of codes in common (figures.py) as the arrays of fibprover's Dfa. */
function unpackedAutomaton(packed) {
  const offsets = [0], codes = packed.rows.flatMap((row) => packed.codes[row]);
  for (const row of packed.rows) offsets.push(offsets[offsets.length - 1] + packed.codes[row].length);
  const strides = packed.digits.map((_, track) => packed.digits.slice(track + 1).reduce((all, digits) => all * digits.length, 1));
  return { ...packed, codes, offsets, strides, states: packed.rows.length };
}

/** The place of a letter's digit on a track, among the digits of that track. */
function digitAt(a, code, track) {
  return Math.floor(code / a.strides[track]) % a.digits[track].length;
}

/** Whether all tracks hold numbers whose first words the page knows. */
function isNumeric(a) {
  return a.systems.length > 0 && a.systems.every((system) => system && wordsOf(system) !== null);
}

function commonLength(a) {
  return Math.max(...a.systems.map((system) => wordsOf(system).words[0].length));
}

/** The states on the way along a word of letters given as one word a track; the last is -1 where there is no transition. */
function pathOf(a, words) {
  const path = [0];
  let state = 0;
  for (let place = 0; place < words[0].length && state >= 0; place++) {
    const code = words.reduce((sum, word, track) => sum + a.digits[track].indexOf(word[place]) * a.strides[track], 0);
    let next = -1;
    for (let i = a.offsets[state]; i < a.offsets[state + 1]; i++) if (a.codes[i] === code) next = a.targets[i];
    state = next;
    path.push(state);
  }
  return path;
}

/** The state after such a word, -1 where the automaton has no transition. */
function stateAfter(a, words) {
  return pathOf(a, words).at(-1);
}

/** The outputs at the first numbers, one a number, for an automaton of one track; null where there is none. */
function outputsOf(a) {
  return wordsOf(a.systems[0]).words.map((word) => {
    const state = stateAfter(a, [word]);
    return state < 0 ? null : a.outputs[state];
  });
}

/** The set of pairs, a byte for each: row x, column y, 1 where the automaton's output is not 0. */
function pairsOf(a) {
  const length = commonLength(a), bytes = new Uint8Array(SIDE * SIDE);
  const [across, up] = a.systems.map((system) => treeOf(system, length));
  const radix = a.strides[0];
  // Along both trees and the automaton at once: only pairs that can still be in the set are visited.
  const walk = (depth, state, x, y) => {
    if (depth === length) {
      if (a.outputs[state]) bytes[across.number[x] * SIDE + up.number[y]] = 1;
      return;
    }
    for (let i = a.offsets[state]; i < a.offsets[state + 1]; i++) {
      const nextX = across.children[x][Math.floor(a.codes[i] / radix)];
      if (nextX === undefined) continue;
      const nextY = up.children[y][a.codes[i] % radix];
      if (nextY !== undefined) walk(depth + 1, a.targets[i], nextX, nextY);
    }
  };
  walk(0, 0, across.root, up.root);
  return bytes;
}

/** How many steps a list of members may take, so that no automaton, however sparse its set, holds up the page. */
const PATIENCE = 300000;

/** The first members of a relation among the known numbers: by the longest word, then letter by letter. */
function membersOf(a, most) {
  const length = commonLength(a), trees = a.systems.map((system) => treeOf(system, length));
  const firsts = a.systems.map((system) => wordsOf(system).first);
  const found = [];
  let steps = 0;
  const walk = (depth, state, nodes, leading) => {
    if (found.length >= most || steps++ > PATIENCE) return;
    if (depth === length) {
      if (a.outputs[state]) found.push(nodes.map((node, track) => trees[track].number[node] + firsts[track]));
      return;
    }
    for (let i = a.offsets[state]; i < a.offsets[state + 1]; i++) {
      const code = a.codes[i];
      if (leading && code === 0) continue;
      const next = nodes.map((node, track) => trees[track].children[node][digitAt(a, code, track)]);
      if (next.every((node) => node !== undefined)) walk(depth + 1, a.targets[i], next, false);
    }
  };
  // Words without leading zeros, the short ones first: this many leading zeros are skipped.
  const starts = [trees.map((tree) => tree.root)];
  for (let depth = 0; depth < length; depth++) starts.push(starts[depth].map((node, track) => trees[track].children[node][0]));
  for (let depth = length; depth >= 0; depth--) walk(depth, 0, starts[depth], depth < length);
  return found;
}
