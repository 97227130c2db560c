// The page of the playground: one cell, examples, and links that hold a cell in their fragment.
const root = document.getElementById("cell");
const place = new URL(".", import.meta.url);
const [form, text, language, run, stop, share, examples, status, output] = [
  "form", "textarea", "select[name=language]", "[name=run]", "[name=stop]", "[name=share]", "select[name=example]",
  "[role=status]", ".output",
].map((selector) => root.querySelector(selector));

let worker = null;
let ready = false;
let cell = 0;
let waiting = null;

function start() {
  ready = false;
  status.textContent = "loading Python";
  worker = new Worker(new URL("worker.js", place), { type: "module" });
  worker.onmessage = ({ data }) => receive(data);
  worker.onerror = (event) => receive({ kind: "broken", text: event.message || "the prover could not be loaded" });
}

function receive(data) {
  if (data.kind === "loading") {
    status.textContent = data.text;
  } else if (data.kind === "ready") {
    ready = true;
    status.textContent = `ready after ${data.seconds.toFixed(1)} s`;
    root.dataset.state = "ready";
    run.disabled = false;
    if (waiting) send(waiting);
  } else if (data.kind === "broken") {
    root.dataset.state = "broken";
    status.textContent = data.text;
  } else if (data.cell === cell && data.kind === "answer") {
    const answer = document.createElement("div");
    answer.innerHTML = data.answer.html;
    if (data.answer.error) answer.className = "failed";
    output.append(answer);
  } else if (data.cell === cell && data.kind === "done") {
    finished(`${data.seconds.toFixed(2)} s`, data.good ? "done" : "failed");
  }
}

function finished(said, state) {
  status.textContent = said;
  root.dataset.state = state;
  run.disabled = false;
  stop.disabled = true;
}

function send(asked) {
  waiting = null;
  cell += 1;
  output.replaceChildren();
  status.textContent = "computing";
  root.dataset.state = "running";
  run.disabled = true;
  stop.disabled = false;
  worker.postMessage({ ...asked, cell });
}

function ask() {
  const asked = { text: text.value, language: language.value };
  history.replaceState(null, "", link());
  if (ready) send(asked);
  else waiting = asked;
}

function link() {
  return `#${new URLSearchParams({ language: language.value, cell: text.value })}`;
}

// A cell of commands cannot do harm, and is answered at once; Python waits for a click.
function fromLink() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!given.has("cell")) return false;
  text.value = given.get("cell");
  language.value = given.get("language") === "python" ? "python" : "commands";
  waiting = null;
  if (language.value === "commands") ask();
  return true;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey || event.shiftKey)) {
    event.preventDefault();
    if (!run.disabled) ask();
  }
});
stop.addEventListener("click", () => {
  worker.terminate();
  cell += 1;
  finished("stopped; definitions are gone", "stopped");
  run.disabled = true;
  start();
});
share.addEventListener("click", async () => {
  history.replaceState(null, "", link());
  try {
    await navigator.clipboard.writeText(location.href);
    status.textContent = "the link is copied";
  } catch {
    status.textContent = "the link is in the address bar";
  }
});
examples.addEventListener("change", () => {
  const chosen = examples.selectedOptions[0];
  text.value = chosen.value;
  language.value = chosen.dataset.language || "commands";
  ask();
});
window.addEventListener("hashchange", fromLink);

start();
fromLink();
