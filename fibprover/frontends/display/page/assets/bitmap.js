// Sets of positions as pictures: one set, or two and what they share, at every size.

/** Flags of a position; the pictures of smaller sizes join those of several positions. */
const FIRST = 1, SECOND = 2, COMMON = 4, TERMINAL = 8;

/** Kinds of positions in the order in which they are listed, with the colour of the style sheet and their flag. */
const ALONE_COLOURS = { [FIRST]: "alone", [TERMINAL]: "terminal" };
const PAIR_COLOURS = { [FIRST]: "first", [SECOND]: "second", [COMMON]: "common", [TERMINAL]: "terminal" };

/** The flags of a board: bytes of a set, of a second one or null, and of the terminal positions or null. */
function flagsOf(one, other = null, terminal = null) {
  const flags = new Uint8Array(one.length);
  for (let i = 0; i < one.length; i++) {
    if (one[i]) flags[i] = other && other[i] ? COMMON : terminal && terminal[i] ? TERMINAL : FIRST;
    else if (other && other[i]) flags[i] = SECOND;
  }
  return flags;
}

/** The bytes of a set that is given by its positions: gaps between their places. */
function bytesOf(gaps) {
  const bytes = new Uint8Array(SIDE * SIDE);
  let place = 0;
  for (const gap of gaps) {
    place += gap;
    bytes[place] = 1;
  }
  return bytes;
}

/** Flags with pictures of them; bytes are column by column, pictures have (0,0) at the lower left. */
class Bitmap {
  constructor(flags, colours) {
    this.levels = [{ size: SIDE, flags }];
    this.colours = colours;
    this.pictures = [];
  }

  /** Flags of squares of 2^level positions a side, joined. */
  level(number) {
    while (this.levels.length <= number) {
      const fine = this.levels[this.levels.length - 1], size = Math.ceil(fine.size / 2), flags = new Uint8Array(size * size);
      for (let x = 0; x < fine.size; x++) {
        for (let y = 0; y < fine.size; y++) flags[(x >> 1) * size + (y >> 1)] |= fine.flags[x * fine.size + y];
      }
      this.levels.push({ size, flags });
    }
    return this.levels[number];
  }

  /** The picture of a level, made when it is first needed. */
  picture(number) {
    if (!this.pictures[number]) this.pictures[number] = this.painted(this.level(number));
    return this.pictures[number];
  }

  painted({ size, flags }) {
    const canvas = make("canvas", { width: size, height: size }), context = canvas.getContext("2d");
    const image = context.createImageData(size, size), pixels = new Uint32Array(image.data.buffer);
    const inks = Object.fromEntries(Object.entries(this.colours).map(([flag, name]) => [flag, packedColour(colour(name))]));
    for (let x = 0; x < size; x++) {
      for (let y = 0; y < size; y++) {
        const flag = flags[x * size + y];
        if (flag) pixels[(size - 1 - y) * size + x] = inks[shownFlag(flag, x + y)];
      }
    }
    context.putImageData(image, 0, 0);
    return canvas;
  }

  /** The colours have changed. */
  repaint() {
    this.pictures = [];
  }
}

/** The flag that is shown for a square with several flags; two sets without a common position in it alternate. */
function shownFlag(flag, place) {
  if (flag & COMMON) return COMMON;
  if ((flag & FIRST) && (flag & SECOND)) return place % 2 ? FIRST : SECOND;
  return flag & FIRST || flag & SECOND || TERMINAL;
}

/** #rrggbb as a pixel. */
function packedColour(text) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
