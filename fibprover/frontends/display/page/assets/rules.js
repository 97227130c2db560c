// The rules of a game: which moves there are, a small board solved by them, and moves at any size by automata.

/** The piles of the small board are below this. */
const SMALL = 24;

/** Whether numbers satisfy all rows of a region, {equations, bounds}: sums that are 0, or at least 0. */
function inRegion({ equations, bounds }, numbers) {
  const sum = (row) => numbers.reduce((all, number, i) => all + row[i] * number, row[numbers.length]);
  // A sum may be 0n, which is not === 0.
  return equations.every((row) => !sum(row)) && bounds.every((row) => sum(row) >= 0);
}

/** A condition as a function of numbers, by regions or by an automaton in base 2; big: whether they are of type BigInt. */
function conditionOf({ regions, automaton }, big) {
  if (regions) {
    const rows = (given) => (big ? given.map((row) => row.map(BigInt)) : given);
    const wanted = regions.map(([equations, bounds]) => ({ equations: rows(equations), bounds: rows(bounds) }));
    return (...numbers) => wanted.some((region) => inRegion(region, numbers));
  }
  const a = automatonOf(automaton);
  return (...numbers) => {
    const words = numbers.map((number) => number.toString(2));
    const length = Math.max(...words.map((word) => word.length));
    const state = stateAfter(a, words.map((word) => Array.from(word.padStart(length, "0"), Number)));
    return state >= 0 && a.outputs[state] !== 0;
  };
}

/** The rules of a game, from an object of play.py. */
class Rules {
  constructor({ steps, terminal, blocked, misere, large }) {
    this.blocked = blocked;
    this.misere = misere;
    this.large = large ?? null;
    this.tests = [false, true].map((big) => ({ step: conditionOf(steps, big), terminal: conditionOf(terminal, big) }));
    if (this.large) {
      const decodedOnes = (numbers) => numbers.map(automatonOf);
      this.automata = { steps: decodedOnes(this.large.steps), winning: decodedOnes(this.large.winning) };
      this.weights = this.large.weights.map(BigInt);
      // The largest automata of a page are left out.
      if ([...this.automata.steps, ...this.automata.winning].includes(null)) this.large = null;
    }
    this.solve();
  }

  isStep(at, to) { return this.tests[1].step(...at, ...to); }

  isTerminal(at) { return this.tests[1].terminal(...at); }

  // -- the small board ------------------------------------------------------------------------------------------------

  /** Outcomes and Sprague-Grundy values of all positions whose sum can be reached from the small board, by sums. */
  solve() {
    const { step, terminal } = this.tests[0], most = 2 * SMALL - 1;
    const key = (a, b) => a * most + b;
    this.known = new Map();
    for (let sum = 0; sum < most; sum++) {
      for (let a = 0; a <= sum; a++) {
        const at = [a, sum - a], options = [];
        for (let to = sum - 1; to >= 0; to--) {
          for (let r = 0; r <= to; r++) if (step(...at, r, to - r)) options.push([r, to - r]);
        }
        const found = options.map(([r, s]) => this.known.get(key(r, s)));
        const last = terminal(...at), ended = last || !options.length;
        const lost = ended ? !this.misere : found.filter((option) => option.lost).length <= this.blocked;
        const values = new Set(found.map((option) => option.value));
        let value = 0;
        while (!last && values.has(value)) value++;
        this.known.set(key(...at), { options, ended, lost, value });
      }
    }
    this.key = key;
  }

  /** What is known of a position whose sum is that of one of the small board. */
  solved([a, b]) { return this.known.get(this.key(a, b)); }

  /** What is known of a position of the small board: {options, ended, lost, value}; undefined for others. */
  small([a, b]) {
    return a < SMALL && b < SMALL ? this.solved([Number(a), Number(b)]) : undefined;
  }

  get hasValues() { return !this.blocked && !this.misere; }

  // -- any size -------------------------------------------------------------------------------------------------------

  /** The greedy representation of a number, with leading zeros. */
  word(number, length) {
    const digits = [];
    for (let place = length - 1; place >= 0; place--) {
      const digit = number / this.weights[place];
      digits.push(Number(digit));
      number -= digit * this.weights[place];
    }
    return digits;
  }

  /** Up to `most` options of a position, which are no exceptions: in the set of P-positions if `winning`. */
  options(at, { winning = false, most = 1, except = [] } = {}) {
    const refused = new Set(except.map(String));
    const small = this.small(at);
    if (small) {
      const those = small.options.filter((to) => !winning || this.solved(to).lost);
      return shuffled(those.map((to) => to.map(BigInt)).filter((to) => !refused.has(String(to)))).slice(0, most);
    }
    const found = [];
    for (const a of shuffled(this.automata[winning ? "winning" : "steps"])) {
      if (found.length < most) this.search(a, at, most - found.length, refused, found);
    }
    return found;
  }

  /** Add options that an automaton of (p,q,r,s) accepts with (p,q): along the digits, by the states that can still accept. */
  search(a, at, most, refused, found) {
    const sum = at[0] + at[1];
    const length = this.weights.findIndex((weight) => weight > sum);
    const [p, q] = at.map((number) => this.word(number, length));
    const arrows = (state, place) => {
      const those = [];
      for (let i = a.offsets[state]; i < a.offsets[state + 1]; i++) {
        const digits = a.digits.map((list, track) => list[digitAt(a, a.codes[i], track)]);
        if (digits[0] === p[place] && digits[1] === q[place]) those.push([a.targets[i], digits[2], digits[3]]);
      }
      return those;
    };
    const reached = [new Set([0])];
    for (let place = 0; place < length; place++) {
      reached.push(new Set([...reached[place]].flatMap((state) => arrows(state, place).map(([target]) => target))));
    }
    const alive = new Array(length + 1);
    alive[length] = new Set([...reached[length]].filter((state) => a.outputs[state]));
    for (let place = length - 1; place >= 0; place--) {
      alive[place] = new Set([...reached[place]].filter((state) => arrows(state, place).some(([target]) => alive[place + 1].has(target))));
    }
    if (!alive[0].has(0)) return;
    let wanted = most;
    const walk = (state, place, r, s) => {
      if (!wanted) return;
      if (place === length) {
        if (refused.has(String([r, s]))) return;
        found.push([r, s]);
        wanted--;
        return;
      }
      const weight = this.weights[length - 1 - place];
      for (const [target, x, y] of shuffled(arrows(state, place))) {
        if (alive[place + 1].has(target)) walk(target, place + 1, r + BigInt(x) * weight, s + BigInt(y) * weight);
      }
    };
    walk(0, 0, 0n, 0n);
  }

  /** Whether play has ended: the position is terminal, or has no option. */
  hasEnded(at) { return this.isTerminal(at) || !this.options(at).length; }
}

/** A list in a random order. */
function shuffled(list) {
  const found = [...list];
  for (let i = found.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [found[i], found[j]] = [found[j], found[i]];
  }
  return found;
}
