// Runs the prover in a thread of its own: Pyodide, and the wheels that build.json names, all from this folder.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const place = new URL(".", import.meta.url);
const begun = performance.now();

async function load() {
  const [python, build] = await Promise.all([
    loadPyodide({ indexURL: new URL("pyodide/", place).href }),
    fetch(new URL("build.json", place)).then((answer) => answer.json()),
  ]);
  self.postMessage({ kind: "loading", text: "unpacking the prover" });
  const wheels = await Promise.all(
    build.wheels.map((name) => fetch(new URL(name, place)).then((answer) => answer.arrayBuffer())),
  );
  for (const wheel of wheels) python.unpackArchive(wheel, "wheel", { extractDir: "/wheels" });
  python.runPython('import sys; sys.path.insert(0, "/wheels")');
  const cells = python.runPython("from fibprover.frontends.web.cells import Cells; Cells()");
  self.postMessage({ kind: "ready", seconds: (performance.now() - begun) / 1000 });
  return cells;
}

const loaded = load();
loaded.catch((error) => self.postMessage({ kind: "broken", text: String(error.message ?? error) }));

self.onmessage = async ({ data }) => {
  const cells = await loaded;
  try {
    if (data.question) {
      const answer = cells.ask(data.question, JSON.stringify(data.arguments));
      self.postMessage({ kind: "answered", number: data.number, answer: JSON.parse(answer) });
      return;
    }
    const show = (event) => self.postMessage({ kind: "event", number: data.number, event: JSON.parse(event) });
    const good = cells.run(data.language, data.text, show);
    self.postMessage({ kind: "done", number: data.number, result: { good } });
  } catch (error) {
    // No memory, or no stack: Pyodide cannot go on after that.
    self.postMessage({ kind: "broken", text: `Python broke down, and Stop starts it anew: ${error.message ?? error}` });
  }
};
