// Elements from plain values.  Texts become text nodes and nothing else, whatever they contain.

const SVG = "http://www.w3.org/2000/svg";

/** Give an element its attributes, handlers ({onclick: f}) and children (elements, texts, null for nothing). */
function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

function make(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

function makeSvg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

/** The present value of a colour of the style sheet. */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** A number of things: "1 state", "27 states". */
function plural(count, thing) {
  return `${grouped(count)} ${thing}${count === 1 ? "" : "s"}`;
}

/** 116141 as 116 141, with spaces that do not break. */
function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/** Seconds as a rounded text. */
function duration(seconds) {
  if (seconds < 0.0995) return `${(1000 * seconds).toFixed(seconds < 0.00995 ? 1 : 0)} ms`;
  return seconds < 99.5 ? `${seconds.toFixed(seconds < 9.95 ? 2 : 1)} s` : `${Math.round(seconds)} s`;
}

function megabytes(bytes) {
  return `${Math.round(bytes / 1e6)} MB`;
}

/** Call a function when an element comes into view, or is about to. */
function whenSeen(element, call) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    call();
  }, { rootMargin: "200px" });
  observer.observe(element);
}
