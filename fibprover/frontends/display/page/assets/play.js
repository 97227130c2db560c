// A game on a small board: the moves from a position, the Sprague-Grundy values, and play against the page at any size.

/** Units of a square, and of the space for numbers at the left and below. */
const SQUARE = 20, EDGE = 22;

/** Colours that all readers can tell (Okabe and Ito 2008), each with the ink that is legible on it; for a value modulo 8. */
const VALUE_COLOURS = [
  ["#000000", "#ffffff"], ["#e69f00", "#000000"], ["#56b4e9", "#000000"], ["#009e73", "#ffffff"],
  ["#f0e442", "#000000"], ["#0072b2", "#ffffff"], ["#d55e00", "#ffffff"], ["#cc79a7", "#000000"],
];

/** Patterns, one for each eight values: paths in a square of 6 units; the first eight have none. */
const PATTERNS = ["", "M0 6L6 0", "M2 3h2", "M0 0h6v6", "M0 0L6 6M0 6L6 0"];

class GameTable {
  constructor(given, name) {
    this.rules = new Rules(given);
    this.at = [0n, 0n];
    this.mode = "moves";
    this.game = null;
    this.svg = makeSvg("svg", {
      class: "table", viewBox: `0 0 ${EDGE + SMALL * SQUARE} ${EDGE + SMALL * SQUARE}`, tabindex: 0, role: "application",
      "aria-label": `Positions of ${name}. Arrow keys move the cross, Enter chooses the position.`,
      onclick: (event) => this.choose(event.target.closest("[data-place]")), onkeydown: (event) => this.key(event),
    });
    this.readout = make("p", { class: "said", "aria-live": "polite" });
    this.modes = { moves: "Moves", ...(this.rules.hasValues ? { values: "Values" } : {}), play: "Play" };
    this.buttons = Object.entries(this.modes).map(([mode, label]) => make("button", {
      type: "button", "data-mode": mode, onclick: () => this.turnTo(mode),
    }, label));
    this.controls = make("div", { class: "controls" });
    this.log = make("ol", { class: "log", "aria-label": "Moves" });
    this.cross = [0, 0];
    this.element = make("section", { class: "play", "aria-label": `Play ${name}` },
      make("div", { class: "tools", role: "group", "aria-label": "What the board shows" }, this.buttons),
      this.readout, make("div", { class: "table-box" }, this.svg, make("div", { class: "side" }, this.controls, this.log)));
    this.turnTo("moves");
  }

  turnTo(mode) {
    this.mode = mode;
    this.buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.mode === mode)));
    this.controls.replaceChildren(...(mode === "play" ? this.playControls() : [this.caption()]));
    this.log.replaceChildren();
    this.game = null;
    this.show();
  }

  show() {
    this.draw();
    this.say();
  }

  caption() {
    return make("p", { class: "caption" }, this.mode === "values"
      ? "A colour is a value modulo 8; there is no pattern for 0 to 7, stripes for 8 to 15, dots for 16 to 23, a grid for 24 to 31, and crossed stripes from 32 on."
      : "A disc is a P-position, from which the player to move loses. A move leads from the chosen position to a shaded one; a thick frame is a move to a P-position.");
  }

  // -- what is said -----------------------------------------------------------------------------------------------------

  say() {
    if (this.mode === "play") {
      this.readout.textContent = this.game ? [this.game.said, this.game.hints ? this.hint() : ""].filter(Boolean).join(" ") : "Choose the piles and who begins.";
      return;
    }
    const found = this.rules.small(this.at), place = positionText(this.at);
    if (this.mode === "values") {
      this.readout.textContent = `${place} has the Sprague-Grundy value ${found.value}.`;
      return;
    }
    const into = found.options.filter((to) => this.rules.solved(to).lost);
    const kind = found.ended ? "Play has ended at" : "From";
    const lost = found.lost ? "a P-position" : "an N-position";
    const led = into.length ? `: ${into.slice(0, 12).map(positionText).join(", ")}${into.length > 12 ? ", ..." : ""}` : "";
    this.readout.textContent = found.ended ? `${kind} ${place}, ${lost}.`
      : `${kind} ${place}, ${lost}, there ${found.options.length === 1 ? "is" : "are"} ${plural(found.options.length, "move")}, ${into.length} to P-positions${led}.`;
  }

  /** A sentence for a player who wants hints. */
  hint() {
    const { at, over, turn, forbidden } = this.game;
    if (over || turn !== "you") return "";
    const [to] = this.rules.options(at, { winning: true, except: forbidden });
    return to ? `A move to ${positionText(to)} leaves a P-position.` : "No move leaves a P-position.";
  }

  // -- the board --------------------------------------------------------------------------------------------------------

  /** The place of a square: its upper left corner. */
  corner([a, b]) { return [EDGE + Number(a) * SQUARE, (SMALL - 1 - Number(b)) * SQUARE]; }

  draw() {
    const options = this.shownOptions();
    const squares = [];
    for (let a = 0; a < SMALL; a++) for (let b = 0; b < SMALL; b++) squares.push(this.square([a, b], options));
    const numbers = [];
    for (let n = 0; n < SMALL; n += 4) {
      numbers.push(makeSvg("text", { class: "axis", x: EDGE + (n + 0.5) * SQUARE, y: SMALL * SQUARE + 15 }, String(n)));
      numbers.push(makeSvg("text", { class: "axis", x: EDGE / 2, y: (SMALL - n - 0.5) * SQUARE + 4 }, String(n)));
    }
    const [x, y] = this.corner(this.cross);
    this.svg.replaceChildren(patternsOfValues(), ...squares, ...numbers, makeSvg("rect", { class: "cross", x: x + 1.5, y: y + 1.5, width: SQUARE - 3, height: SQUARE - 3 }));
  }

  /** The positions that the board marks as options, with whether they are P-positions; hidden from a player. */
  shownOptions() {
    const at = this.mode === "play" ? this.game?.at : this.at;
    const found = at && this.mode !== "values" ? this.rules.small(at) : undefined;
    return new Set((found && !found.ended ? found.options : []).map(String));
  }

  square(place, options) {
    const [x, y] = this.corner(place), found = this.rules.small(place), name = String(place);
    const hidden = this.mode === "play" && !this.game?.hints;
    const at = this.mode === "play" ? this.game?.at : this.at;
    const lost = found.lost && !hidden, option = options.has(name);
    const kinds = ["square", lost ? "lost" : "", option ? "option" : "", at && String(at) === name ? "here" : ""];
    const parts = [makeSvg("rect", { x: x + 0.5, y: y + 0.5, width: SQUARE - 1, height: SQUARE - 1, fill: this.mode === "values" ? VALUE_COLOURS[found.value % 8][0] : null })];
    const middle = { x: x + SQUARE / 2, y: y + SQUARE / 2 };
    if (this.mode === "values") {
      const pattern = Math.min(PATTERNS.length - 1, Math.floor(found.value / 8)), ink = VALUE_COLOURS[found.value % 8][1];
      if (pattern) parts.push(makeSvg("rect", { x, y, width: SQUARE, height: SQUARE, fill: `url(#values-${pattern}-${ink.slice(1)})` }));
      parts.push(makeSvg("text", { class: "value", x: middle.x, y: middle.y + 3.5, fill: ink, stroke: VALUE_COLOURS[found.value % 8][0] }, String(found.value)));
    } else if (lost) {
      parts.push(makeSvg("circle", { cx: middle.x, cy: middle.y, r: 5 }));
    }
    if (this.game?.forbidden.some((other) => String(other) === name)) parts.push(makeSvg("path", { class: "forbidden", d: `M${x + 4} ${y + 4}l12 12m0-12l-12 12` }));
    return makeSvg("g", { class: kinds.filter(Boolean).join(" "), "data-place": name }, parts);
  }

  choose(square) {
    if (!square) return;
    this.cross = square.dataset.place.split(",").map(Number);
    const place = this.cross.map(BigInt);
    if (this.mode === "play") this.take(place);
    else this.at = place;
    this.show();
  }

  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (step) {
      this.cross = this.cross.map((n, i) => Math.max(0, Math.min(SMALL - 1, n + step[i])));
      if (this.mode !== "play") this.at = this.cross.map(BigInt);
      this.show();
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(this.svg.querySelector(`[data-place="${this.cross}"]`));
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // -- play -------------------------------------------------------------------------------------------------------------

  playControls() {
    const field = (name, value) => make("input", { name, value, inputmode: "numeric", autocomplete: "off", spellcheck: "false", "aria-label": name });
    const first = make("select", { name: "first", "aria-label": "Who begins" }, make("option", { value: "you" }, "you begin"), make("option", { value: "page" }, "the page begins"));
    const hints = make("input", { type: "checkbox", name: "hints", onchange: () => { if (this.game) { this.game.hints = hints.checked; this.say(); } this.draw(); } });
    const from = make("form", { class: "from", onsubmit: (event) => { event.preventDefault(); this.begin(event.target.elements); } },
      "From ( ", field("a", "17"), ", ", field("b", "21"), " ) ", first, " ", make("button", { type: "submit" }, "Start"));
    const to = make("form", { class: "to", onsubmit: (event) => { event.preventDefault(); this.take(["r", "s"].map((name) => readNumber(event.target.elements[name].value))); this.show(); } },
      "Move to ( ", field("r", ""), ", ", field("s", ""), " ) ", make("button", { type: "submit" }, this.rules.blocked ? "Move or forbid" : "Move"));
    const done = this.rules.blocked ? make("button", { type: "button", class: "done", onclick: () => { this.answer(); this.show(); } }, "Forbid no more") : "";
    const limit = this.rules.large ? "Piles may have up to 36 digits." : `Piles below ${SMALL}.`;
    return [from, to, done, make("label", {}, hints, " hints"), make("p", { class: "caption" }, `Click a shaded square, or type the piles that you leave. ${limit}`)];
  }

  begin(elements) {
    const at = [elements.a, elements.b].map((field) => readNumber(field.value));
    this.log.replaceChildren();
    this.game = { at, turn: elements.first.value, forbidden: [], hints: this.controls.querySelector("[name=hints]").checked, over: false, said: "" };
    const tooLarge = at.some((number) => number === null || (this.rules.large && number >= 10n ** 36n) || (!this.rules.large && number >= BigInt(SMALL)));
    if (tooLarge) {
      this.game = null;
      this.draw();
      this.readout.textContent = this.rules.large ? "A pile is a number of at most 36 digits." : `The page knows the piles below ${SMALL}.`;
      return;
    }
    this.note(positionText(at));
    this.next();
    this.show();
  }

  note(text) {
    this.log.append(make("li", {}, text));
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** Begin a turn: play has ended, or somebody forbids options, or moves. */
  next() {
    const game = this.game, rules = this.rules;
    game.forbidden = [];
    if (rules.hasEnded(game.at)) {
      this.end(rules.misere ? game.turn : opponent(game.turn), `Play has ended at ${positionText(game.at)}.`);
    } else if (game.turn === "page") {
      if (!rules.blocked) this.answer();
      else game.said = `The page is to move from ${positionText(game.at)}: forbid up to ${plural(rules.blocked, "option")}.`;
    } else {
      if (rules.blocked) game.forbidden = rules.options(game.at, { winning: true, most: rules.blocked });
      const forbidden = game.forbidden.length ? `; forbidden: ${game.forbidden.map(positionText).join(", ")}` : "";
      if (!rules.options(game.at, { except: game.forbidden }).length) this.end("page", `All moves from ${positionText(game.at)} are forbidden.`);
      else game.said = `You are to move from ${positionText(game.at)}${forbidden}.`;
    }
  }

  end(winner, why) {
    this.game.over = true;
    this.game.said = `${why} ${winner === "you" ? "You win." : "The page wins."}`;
    this.note(this.game.said);
  }

  /** The player moves to a position, or forbids the page to. */
  take(to) {
    const game = this.game;
    if (!game || game.over) return;
    const legal = to.every((number) => number !== null) && this.rules.isStep(game.at, to);
    const forbidden = game.forbidden.some((place) => String(place) === String(to));
    if (game.turn === "page") {
      if (forbidden) game.forbidden = game.forbidden.filter((place) => String(place) !== String(to));
      else if (legal && game.forbidden.length < this.rules.blocked) game.forbidden.push(to);
      return;
    }
    if (!legal || forbidden) {
      game.said = `There is no such move from ${positionText(game.at)}${forbidden ? ": it is forbidden" : ""}. You are to move.`;
      return;
    }
    this.move(to);
  }

  /** The page moves: to a P-position where it may. */
  answer() {
    const game = this.game;
    if (!game || game.over || game.turn !== "page") return;
    const except = game.forbidden;
    const [to] = [...this.rules.options(game.at, { winning: true, except }), ...this.rules.options(game.at, { except })];
    if (to) this.move(to);
    else this.end("you", `All moves from ${positionText(game.at)} are forbidden.`);
  }

  move(to) {
    const game = this.game;
    this.note(`${game.turn === "you" ? "You" : "The page"}: ${positionText(to)}`);
    game.at = to;
    game.turn = opponent(game.turn);
    this.next();
  }
}

function opponent(player) { return player === "you" ? "page" : "you"; }

/** A position as it is written. */
function positionText(place) { return `(${place.map(grouped).join(", ")})`; }

/** A natural number of any length, null for other texts. */
function readNumber(text) {
  const digits = text.replace(/[\s\u202f_]/g, "");
  return /^\d+$/.test(digits) ? BigInt(digits) : null;
}

/** The definitions of the patterns of values. */
function patternsOfValues() {
  const inks = [...new Set(VALUE_COLOURS.map(([, ink]) => ink))];
  return makeSvg("defs", {}, inks.flatMap((ink) => PATTERNS.map((path, i) => makeSvg("pattern", { id: `values-${i}-${ink.slice(1)}`, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
    makeSvg("path", { d: path, stroke: ink, "stroke-width": 1, "stroke-opacity": 0.55, fill: "none" })))));
}

/** A board on which a game is played, made when it is seen. */
function tableOf(given, name) {
  const holder = make("div", { class: "play-holder" });
  whenSeen(holder, () => holder.replaceChildren(new GameTable(given, name).element));
  return holder;
}
