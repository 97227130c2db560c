// The engine that runs on this machine: the server of `fibprover web`, at addresses below that of the page.
// What an engine is, engine_in_browser.js says.
import { notStored, onStored, store, stored } from "./kept.js";

export function engine() {
  const root = new URL(".", document.baseURI);
  let before = []; // the cells as they were read or kept
  let copied = []; // those in the browser, where they are kept if the server does not
  let waiting = null; // ends the cell that has not begun, since the server computes for another page
  const send = (path, content, method = "POST", signal = undefined) => {
    const body = JSON.stringify(content);
    // What is kept when the page is left may outlive it; browsers allow that for bodies of at most 64 KiB.
    const keepalive = method === "PUT" && new Blob([body]).size < 60000;
    return fetch(new URL(path, root), { method, headers: { "content-type": "application/json" }, body, keepalive, signal });
  };
  const gone = { error: "fibprover web does not answer: it may have been ended" };

  const self = {
    link: false,
    trusted: false,
    place: "on this machine",
    onState: () => {},
    onKept: () => {},
    async begin() {
      self.onState("ready", "ready");
    },
    async run(kind, text, onEvent) {
      let result = gone;
      const mine = waiting = new AbortController();
      try {
        const answer = await send("run", { kind, text }, "POST", mine.signal);
        if (!answer.ok) { waiting = null; return { error: (await answer.text()).trim() }; }
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = "";
        for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
          const lines = (rest + piece.value).split("\n");
          rest = lines.pop();
          for (const event of lines.map((line) => JSON.parse(line))) {
            if (event.kind === "begun") waiting = null;
            else if (event.kind === "done") result = event;
            else onEvent(event);
          }
        }
      } catch { /* the server has gone, or Stop came before the cell had begun */ }
      waiting = null;
      return mine.signal.aborted ? { error: "stopped before it began" } : result;
    },
    async stop() {
      if (waiting) { waiting.abort(); return; } // the cell of the other page goes on
      try { await send("stop", {}); } catch { /* there is nothing to stop */ }
    },
    async ask(question, given = {}) {
      try {
        const answer = await send("ask", { question, arguments: given });
        return answer.ok ? await answer.json() : { error: (await answer.text()).trim() };
      } catch {
        return gone;
      }
    },
    async load(first) {
      let found = { error: gone.error };
      try { found = await (await fetch(new URL("cells", root))).json(); } catch { /* it is said below */ }
      if (found.error) self.onState("warning", found.error);
      copied = stored() ?? first;
      before = found.kept && found.cells.length ? found.cells : first;
      return found.kept ? before : copied;
    },
    async keep(cells, leaving) {
      let found;
      try {
        const answer = await send("cells", { cells, before }, "PUT");
        found = answer.ok ? await answer.json() : { error: (await answer.text()).trim() };
      } catch { return; } // what runs next says that the server has gone
      if (found.kept) return before = found.cells;
      if (found.error) self.onState("warning", `the cells are not kept: ${found.error}`);
      try {
        return copied = await store(cells, copied, leaving);
      } catch (error) {
        self.onState("warning", notStored(error));
      }
    },
  };
  onStored(() => self.onKept());
  // The server does not call the page when another one has kept cells.
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") self.onKept(); });
  return self;
}
