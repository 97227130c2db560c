// A board on a canvas: drag, wheel, pinch and keys; a line below it describes the square under the cross.

/** Pixels of a square at most, and the space for numbers at the left and below. */
const LARGEST_SQUARE = 48, LEFT = 40, BELOW = 22;

class Board {
  /**
   * flags: see flagsOf; axes: the names of the two coordinates; systems: theirs, "" if they have none;
   * words: what a flag means, by flag; 0 stands for no position of a set; shy: it stands amid the page, so that
   * the wheel moves the page unless the board has been clicked.
   */
  constructor({ flags, colours, axes, systems, words, label, shy }) {
    this.shy = shy;
    this.bitmap = new Bitmap(flags, colours);
    this.axes = axes;
    this.systems = systems;
    this.words = words;
    this.firsts = systems.map((system) => (system && wordsOf(system) ? wordsOf(system).first : 0));
    this.cross = null;
    this.pointers = new Map();
    this.canvas = make("canvas", {
      class: "board", tabindex: 0, role: "application", "aria-label": `${label}. Arrow keys move the cross, plus and minus zoom, 0 shows the whole board.`,
      onpointerdown: (event) => this.press(event), onpointermove: (event) => this.move(event), onpointerup: (event) => this.release(event),
      onpointercancel: (event) => this.release(event), onpointerleave: () => this.pointers.size || this.point(null),
      onkeydown: (event) => this.key(event), ondblclick: (event) => this.zoom(2, ...this.place(event)),
    });
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.readout = make("p", { class: "readout", "aria-live": "polite" });
    const button = (sign, label, call) => make("button", { type: "button", "aria-label": label, title: label, onclick: call }, sign);
    this.element = make("div", { class: "board-box" }, this.canvas, make("div", { class: "board-foot" },
      this.readout, make("div", { class: "tools", role: "group", "aria-label": "Zoom" },
        button("−", "Zoom out", () => this.zoom(1 / 1.6)), button("+", "Zoom in", () => this.zoom(1.6)),
        button("corner", "Go to the corner (0,0)", () => this.corner()), button("all", "Show all of the board", () => this.whole()))));
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.canvas);
    this.repaint = () => { this.bitmap.repaint(); this.draw(); };
    document.addEventListener("themechange", this.repaint);
    this.say();
  }

  /** Disconnect the observers that would keep the board in memory. */
  close() {
    this.observer.disconnect();
    document.removeEventListener("themechange", this.repaint);
  }

  // -- the view: scale is pixels of a square, (x, y) the place at the lower left ------------------------------------

  get width() { return Math.max(1, this.canvas.clientWidth - LEFT); }

  get height() { return Math.max(1, this.canvas.clientHeight - BELOW); }

  get least() { return Math.min(this.width, this.height) / SIDE; }

  /** The pixels that squares fill of the plot, which may be wider or higher than all of them. */
  get filled() { return [Math.min(this.width, (SIDE - this.x) * this.scale), Math.min(this.height, (SIDE - this.y) * this.scale)]; }

  resized() {
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.canvas.clientWidth * ratio);
    this.canvas.height = Math.round(this.canvas.clientHeight * ratio);
    if (this.scale === undefined) this.corner();
    else this.look(this.x, this.y, this.scale);
  }

  /** Show the squares to the right of a place and above it. */
  look(x, y, scale) {
    this.scale = Math.min(LARGEST_SQUARE, Math.max(this.least, scale));
    this.x = Math.max(0, Math.min(x, SIDE - this.width / this.scale));
    this.y = Math.max(0, Math.min(y, SIDE - this.height / this.scale));
    this.canvas.dataset.view = [this.x, this.y, this.scale].map((part) => part.toFixed(3)).join(" ");
    this.later();
  }

  /** Sixty or so columns and rows from (0,0) on. */
  corner() {
    const scale = Math.max(6, Math.min(this.width, this.height) / 60);
    // If the numbers are integers, the squares around (0,0).
    const begin = (i, extent) => (this.firsts[i] ? -this.firsts[i] - extent / scale / 2 : 0);
    this.look(begin(0, this.width), begin(1, this.height), scale);
  }

  whole() { this.look(0, 0, this.least); }

  /** Zoom about a pixel of the plot, its middle unless given. */
  zoom(factor, across = this.width / 2, up = this.height / 2) {
    const scale = Math.min(LARGEST_SQUARE, Math.max(this.least, this.scale * factor));
    this.look(this.x + across / this.scale - across / scale, this.y + up / this.scale - up / scale, scale);
  }

  // -- pointers and keys --------------------------------------------------------------------------------------------

  /** Where an event is: pixels right and above of the lower left corner of the plot. */
  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left - LEFT, box.bottom - BELOW - event.clientY];
  }

  wheel(event) {
    if (this.shy && !event.ctrlKey && document.activeElement !== this.canvas) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    this.zoom(Math.exp((-event.deltaY * lines) / 400), ...this.place(event));
  }

  press(event) {
    try { this.canvas.setPointerCapture(event.pointerId); } catch { /* a pointer that has gone already */ }
    this.pointers.set(event.pointerId, this.place(event));
  }

  move(event) {
    const now = this.place(event), before = this.pointers.get(event.pointerId);
    if (before) {
      const other = [...this.pointers].find(([id]) => id !== event.pointerId);
      this.look(this.x - (now[0] - before[0]) / (other ? 2 : 1) / this.scale, this.y - (now[1] - before[1]) / (other ? 2 : 1) / this.scale, this.scale);
      if (other) {
        const far = (place) => Math.hypot(place[0] - other[1][0], place[1] - other[1][1]) || 1;
        this.zoom(far(now) / far(before), (now[0] + other[1][0]) / 2, (now[1] + other[1][1]) / 2);
      }
      this.pointers.set(event.pointerId, now);
    }
    this.point([Math.floor(this.x + now[0] / this.scale), Math.floor(this.y + now[1] / this.scale)]);
  }

  release(event) { this.pointers.delete(event.pointerId); }

  /** Put the cross on a square, or remove it. */
  point(square) {
    const inside = square && square.every((part) => part >= 0 && part < SIDE);
    this.cross = inside ? square : null;
    this.say();
    this.later();
  }

  key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (steps[event.key]) this.step(steps[event.key].map((part) => part * (event.shiftKey ? 10 : 1)));
    else if (event.key === "+" || event.key === "=") this.zoom(1.6);
    else if (event.key === "-") this.zoom(1 / 1.6);
    else if (event.key === "0") this.whole();
    else if (event.key === "Home") this.corner();
    else return;
    event.preventDefault();
  }

  /** Move the cross, and the view with it. */
  step([right, up]) {
    const from = this.cross ?? [Math.ceil(this.x), Math.ceil(this.y)].map((part, i) => part - [right, up][i]);
    const clamped = (value) => Math.max(0, Math.min(SIDE - 1, value));
    const [x, y] = [clamped(from[0] + right), clamped(from[1] + up)];
    this.point([x, y]);
    const into = (begin, value, extent) => Math.min(Math.max(begin, value + 1 - extent), value);
    this.look(into(this.x, x, this.width / this.scale), into(this.y, y, this.height / this.scale), this.scale);
  }

  say() {
    if (!this.cross) {
      this.readout.textContent = this.shy ? "Drag or pinch; click, then wheel or arrow keys." : "Drag, wheel, pinch, or arrow keys.";
      return;
    }
    const [x, y] = this.cross, values = [x + this.firsts[0], y + this.firsts[1]];
    const flag = this.bitmap.levels[0].flags[x * SIDE + y];
    const written_ = this.systems.map((system, i) => (system ? written(system, values[i]) : ""));
    this.readout.replaceChildren(
      make("span", { class: "place" }, `(${this.axes.join(", ")}) = (${values.join(", ")})`),
      make("strong", {}, this.words[flag]), written_.every(Boolean) ? make("span", { class: "digits" }, written_.join("  ")) : "",
    );
  }

  // -- drawing ------------------------------------------------------------------------------------------------------

  /** Draw once before the next frame, for any number of calls; until then the canvas does not say that it is drawn. */
  later() {
    delete this.canvas.dataset.drawn;
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  }

  draw() {
    if (this.scale === undefined || !this.canvas.width) return;
    const ratio = window.devicePixelRatio || 1, context = this.canvas.getContext("2d");
    const { height, scale } = this, [wide, high] = this.filled;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    context.save();
    context.beginPath();
    context.rect(LEFT, height - high, wide, high);
    context.clip();
    context.fillStyle = colour("board");
    context.fillRect(LEFT, height - high, wide, high);
    // (0,0) at the origin, y upwards, a unit a square.
    context.translate(LEFT, height);
    context.scale(scale, -scale);
    context.translate(-this.x, -this.y);
    this.grid(context);
    this.squares(context, ratio);
    if (this.cross) {
      context.strokeStyle = colour("accent");
      context.lineWidth = Math.max(2 / scale, 0.1);
      const around = Math.max(0, 3 / scale - 0.5);
      context.strokeRect(this.cross[0] - around, this.cross[1] - around, 1 + 2 * around, 1 + 2 * around);
    }
    context.restore();
    this.numbers(context);
    this.canvas.dataset.drawn = "";
  }

  /** The part of the picture that is seen, of the size at which a square is no less than a pixel. */
  squares(context, ratio) {
    const level = Math.max(0, Math.ceil(Math.log2(1.4 / (this.scale * ratio)))), side = 2 ** level;
    const picture = this.bitmap.picture(level), size = picture.width;
    const left = Math.floor(this.x / side), right = Math.min(size, Math.ceil((this.x + this.width / this.scale) / side));
    const low = Math.floor(this.y / side), high = Math.min(size, Math.ceil((this.y + this.height / this.scale) / side));
    context.imageSmoothingEnabled = false;
    context.save();
    context.scale(1, -1); // pictures have their first row at the top
    context.drawImage(picture, left, size - high, right - left, high - low, left * side, -high * side, (right - left) * side, (high - low) * side);
    context.restore();
  }

  grid(context) {
    const lines = (step, ink) => {
      context.strokeStyle = colour(ink);
      context.lineWidth = 1 / this.scale;
      context.beginPath();
      for (let x = Math.ceil(this.x / step) * step; x <= Math.min(SIDE, this.x + this.width / this.scale); x += step) {
        context.moveTo(x, this.y);
        context.lineTo(x, Math.min(SIDE, this.y + this.height / this.scale));
      }
      for (let y = Math.ceil(this.y / step) * step; y <= Math.min(SIDE, this.y + this.height / this.scale); y += step) {
        context.moveTo(this.x, y);
        context.lineTo(Math.min(SIDE, this.x + this.width / this.scale), y);
      }
      context.stroke();
    };
    if (this.scale >= 6) lines(1, "grid");
    if (this.scale >= 1.5) lines(10, "grid-tens");
    else lines(100, "grid-tens");
  }

  /** The numbers of columns and rows, as many as there is room for. */
  numbers(context) {
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => step * this.scale >= 46) ?? 500;
    const [wide, high] = this.filled;
    context.fillStyle = colour("soft");
    context.font = `italic 13px ${colour("serif")}`;
    // The names of the axes stand at their ends; a number that would touch them, or the edge, is left out.
    const ends = [LEFT + wide - 10 - context.measureText(this.axes[0]).width, this.height - high + 24];
    context.font = `11px ${colour("mono") || "monospace"}`;
    context.textBaseline = "middle";
    context.textAlign = "center";
    for (let x = Math.ceil(this.x / step) * step; x < Math.min(SIDE, this.x + this.width / this.scale); x += step) {
      const text = String(x + this.firsts[0]), place = LEFT + (x + 0.5 - this.x) * this.scale;
      if (place + context.measureText(text).width / 2 <= ends[0]) context.fillText(text, place, this.height + 12);
    }
    context.textAlign = "right";
    for (let y = Math.ceil(this.y / step) * step; y < Math.min(SIDE, this.y + this.height / this.scale); y += step) {
      const place = this.height - (y + 0.5 - this.y) * this.scale;
      if (place >= ends[1]) context.fillText(y + this.firsts[1], LEFT - 6, place);
    }
    context.font = `italic 13px ${colour("serif")}`;
    context.fillText(this.axes[0], LEFT + wide - 2, this.height + 12);
    context.fillText(this.axes[1], LEFT - 6, this.height - high + 8);
    context.strokeStyle = colour("rule");
    context.lineWidth = 1;
    context.strokeRect(LEFT - 0.5, this.height - high - 0.5, wide + 1, high + 1);
  }
}

/** A small picture of a board: the squares near (0,0); firsts: the numbers of the first column and row. */
function thumbnail(bytes, firsts, side = 60, square = 3) {
  const [left, low] = firsts.map((first) => (first ? -first - side / 2 : 0));

  const canvas = make("canvas", { class: "thumbnail", width: side * square, height: side * square, "aria-hidden": "true" });
  const draw = () => {
    const context = canvas.getContext("2d");
    context.fillStyle = colour("board");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = colour("alone");
    for (let x = 0; x < side; x++) {
      for (let y = 0; y < side; y++) if (bytes[(left + x) * SIDE + low + y]) context.fillRect(x * square, (side - 1 - y) * square, square, square);
    }
  };
  draw();
  repainted.push(new WeakRef(Object.assign(canvas, { draw })));
  return canvas;
}

const repainted = [];
document.addEventListener("themechange", () => { for (const reference of repainted) reference.deref()?.draw(); });
