#!/usr/bin/env node
// The engine in a terminal: UCI commands from the standard input, or commands from the command line. `page` and
// `single` write files instead.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { isFile, printable, write } from "./files.mjs";
import skewer from "./skewer-chess.js";

const words = process.argv.slice(2);
let engine;

process.stdout.on("error", error => {
  // A reader that has read enough closes its pipe, which is no failure.
  if (error.code !== "EPIPE") fail(`standard output: ${error.message}`);
  engine?.quit();
});

// The process goes on, so that an error of the standard output is still heard.
function fail(reason) {
  console.error(`error: ${printable(reason)}`);
  process.exitCode = 1;
}

function version() {
  const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
  console.log(`Skewer ${version}`);
}

function writeFile() {
  try {
    if (words.length > 2) throw new Error(`usage: skewer-chess ${words[0]} [FILE]`);
    console.log(printable(write(words[0], words[1])));
  } catch (error) {
    fail(error.message);
  }
}

function help() {
  console.log(`skewer-chess                  UCI commands from the standard input
skewer-chess COMMAND...       one UCI command, such as: bench 10
skewer-chess "COMMAND"...     several: "position startpos moves e2e4" "go movetime 500"
skewer-chess page [FILE]      write the page that analyses games, skewer.html
skewer-chess single [FILE]    write the engine as one script, skewer-chess-single.js
`);
}

// As in the program: the arguments are the words of one command or, if the first one contains a blank, one command
// each. The exit status says whether a command has failed.
function commands() {
  if (words[0] === "--help" || words[0] === "-h") return ["help"];
  const each = /\s/.test(words[0].trim()) ? words : [words.join(" ")];
  return each.map(command => command.replace(/\s+/g, " "));
}

async function run() {
  // SKEWER_VECTORS=no runs the program without vector instructions, for comparisons.
  engine = await skewer.start(process.env.SKEWER_VECTORS === "no" ? { vectors: false } : {});
  engine.listen(line => { if (line !== null) process.stdout.write(`${line}\n`); });
  if (words.length) {
    for (const command of commands()) {
      engine.send(command);
      await engine.idle();
    }
    if (engine.failed) process.exitCode = 1;
  } else {
    let task = "";
    for await (const line of createInterface({ input: process.stdin })) {
      engine.send(line);
      if (/^\s*(go|bench|perft|genfens)\b/.test(line)) task = line;
      if (engine.ended || line.trim() === "quit") break;
    }
    // Let a job such as bench finish. Stop a search, because without limits it would never end.
    if (/^\s*go\b(?!.*\bperft\b)/.test(task)) engine.stop();
    await engine.idle();
  }
  engine.quit();
}

if (words[0] === "--version" || words[0] === "-V") {
  version();
} else if (isFile(words[0])) {
  writeFile();
} else if (words[0] === "play") {
  fail("this package has no `play`; the program `skewer` of a release has it");
} else {
  if (["--help", "-h", "help"].includes(words[0])) help();
  await run();
}
