// Lets the search work in a page that was opened from the disk, where browsers allow no workers: the theme's worker
// is loaded into a frame, which gets its messages.  The index comes as a script, which sets `__index`.
"use strict";
if (location.protocol === "file:") {
  const root = new URL("../", document.currentScript.src);
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.onmessage = null;
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "search";
      const run = source => `<script src="${source}"><\/script>`;
      // The worker asks for further scripts by importScripts, and posts its answers to the page around it.
      frame.srcdoc = "<!doctype html><script>" +
        "window.importScripts = (...urls) => Promise.all(urls.map(url => new Promise((done, failed) => {" +
        "  const script = document.createElement('script');" +
        "  script.src = url; script.onload = done; script.onerror = failed; document.head.append(script); })));" +
        "window.postMessage = message => parent.dispatchEvent(" +
        "  new CustomEvent('searched', {detail: message}));<\/script>" +
        run(new URL("search/search_index.js", root)) + run(new URL(url, location.href));
      window.addEventListener("searched", event => this.answer(event.detail));
      frame.addEventListener("load", () => {
        this.frame = frame;
        this.waiting.splice(0).forEach(message => this.postMessage(message));
      });
      document.addEventListener("DOMContentLoaded", () => document.body.append(frame));
      if (document.body) document.body.append(frame);
    }
    answer(message) {
      const event = new MessageEvent("message", {data: message});
      this.dispatchEvent(event);
      if (this.onmessage) this.onmessage(event);
    }
    postMessage(message) {
      if (!this.frame) return void this.waiting.push(message);
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", {data: message}));
    }
    terminate() {
      if (this.frame) this.frame.remove();
    }
  };
}
