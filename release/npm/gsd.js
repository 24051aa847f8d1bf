#!/usr/bin/env node
// Runs the gsd program of this platform: same arguments, streams and exit status, and a signal goes on to it.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const platform = `${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`@gsd-cli/${platform}/bin/gsd${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`gsd: the package @gsd-cli/${platform} is not installed`);
  console.error("hint: install gsd-cli again, without --omit=optional; or see https://github.com/gsd-cli/gsd for other ways");
  process.exit(69);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) {
  // What is typed at a terminal reaches the program by itself.
  process.on(signal, () => (process.stdin.isTTY && signal !== "SIGTERM") || child.kill(signal));
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (err) => {
  console.error(`gsd: cannot run ${program}: ${err.message}`);
  process.exit(74);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(128 + constants.signals[signal]), 1000); // it did not end by the signal
});
