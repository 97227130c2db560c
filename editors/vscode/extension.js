// Starts the language server `fibprover lsp`; all else is answered by it.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function activate() {
  const [command, ...args] = vscode.workspace.getConfiguration("fibprover").get("command");
  const documentSelector = [{ language: "fibprover" }, { language: "python" }];
  client = new LanguageClient("fibprover", "fibprover", { command, args }, { documentSelector });
  try {
    await client.start();
  } catch (problem) {
    const way = "pip install 'fibprover[lsp]', and set fibprover.command if the program is not on the PATH";
    vscode.window.showErrorMessage(`The language server ${command} does not start: ${problem.message}. ${way}.`);
  }
}

async function deactivate() {
  if (client !== undefined) {
    await client.stop();
  }
}

module.exports = { activate, deactivate };
