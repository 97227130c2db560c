// The cards of the atlas whose games can be played: a button opens a board.

const dialog = make("dialog", { class: "viewer", "aria-labelledby": "viewer-title", onclose: () => dialog.replaceChildren() });
document.body.append(dialog);

function openTable(card) {
  const name = card.querySelector("h3").textContent;
  dialog.replaceChildren(
    make("header", {}, make("h2", { id: "viewer-title" }, name), make("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => dialog.close() }, "×")),
    new GameTable(CONTENT.play[card.id], name).element);
  dialog.showModal();
}

for (const id of Object.keys(CONTENT.play)) {
  const card = document.getElementById(id);
  card.querySelector(".status").append(make("button", { type: "button", class: "open-play", onclick: () => openTable(card) }, "Play"));
}
document.documentElement.dataset.ready = "true";
