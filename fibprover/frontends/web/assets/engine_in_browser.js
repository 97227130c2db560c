// The engine that runs in the browser: Pyodide in a worker, whose folder is that of this file.
//
// An engine has `run(kind, text, onEvent)`, which promises {good} or {error, lost}; `stop()`; `ask(question, arguments)`, which
// promises an answer, {error} at worst; `load(first)` and `keep(cells, leaving)` for cells that stay, both of which promise those
// that are kept, or `first` if none are; `link`, whether a link to the page can be given away; `trusted`, whether cells of commands from a link may run at
// once; and `onState(state, text)` and `onKept()`, when another page has kept cells, which are set by the page.
import { notStored, onStored, store, stored } from "./kept.js";

export function engine() {
  let worker = null, ready = null, number = 0, waiting = new Map();
  let before = []; // the cells as they were read or kept

  const self = {
    link: true,
    trusted: true,
    place: "in this browser",
    onState: () => {},
    onKept: () => {},
    run(kind, text, onEvent) {
      return asked({ language: kind, text }, onEvent);
    },
    ask(question, given = {}) {
      return asked({ question, arguments: given });
    },
    stop() {
      worker.terminate();
      for (const { done } of waiting.values()) done({ error: "stopped; names that cells have defined are gone: run these cells again", lost: true });
      start();
    },
    async load(first) {
      return before = stored() ?? first;
    },
    async keep(cells, leaving) {
      try {
        return before = await store(cells, before, leaving);
      } catch (error) {
        self.onState("warning", notStored(error));
      }
    },
  };

  async function asked(what, onEvent = () => {}) {
    await ready;
    number += 1;
    const mine = number;
    return new Promise((done) => {
      waiting.set(mine, { onEvent, done: (result) => { waiting.delete(mine); done(result); } });
      worker.postMessage({ ...what, number: mine });
    });
  }

  function start() {
    waiting = new Map();
    self.onState("loading", "loading Python");
    worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    ready = new Promise((resolve) => {
      worker.onmessage = ({ data }) => {
        if (data.kind === "loading") self.onState("loading", data.text);
        else if (data.kind === "ready") { self.onState("ready", `ready after ${data.seconds.toFixed(1)} s`); resolve(); }
        else if (data.kind === "broken") broken(data.text);
        else if (data.kind === "event") waiting.get(data.number)?.onEvent(data.event);
        else waiting.get(data.number)?.done(data.kind === "done" ? data.result : data.answer);
      };
    });
    worker.onerror = (event) => broken(event.message || "the prover could not be loaded");
  }

  function broken(text) {
    self.onState("broken", text);
    for (const { done } of [...waiting.values()]) done({ error: text, lost: true });
  }

  onStored(() => self.onKept());
  self.begin = () => { start(); return ready; };
  return self;
}
