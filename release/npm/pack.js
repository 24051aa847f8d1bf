// Makes the packages for npm out of dist/: gsd-cli, which is gsd.js and a README, and for each platform one that is the program.
// gsd-cli names all of these as optional dependencies, and npm installs the one whose os and cpu are those of the machine. So nothing
// is downloaded by a script.
"use strict";

const { execFileSync } = require("node:child_process");
const { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const path = require("node:path");

const top = path.join(__dirname, "..", "..");
const dist = path.join(top, "dist");
const out = path.join(dist, "npm");
const read = (name) => JSON.parse(readFileSync(path.join(dist, name), "utf8"));
const { version } = read("metadata.json");
const common = {
  version,
  description: "Shows a coding agent where it left off in a plan",
  homepage: "https://github.com/gsd-cli/gsd",
  repository: { type: "git", url: "git+https://github.com/gsd-cli/gsd.git" },
  license: "MIT",
};

// pack writes a package and its archive: package.json, the LICENSE, and other files by their names in the package.
function pack(manifest, files) {
  const dir = path.join(out, "packages", manifest.name);
  for (const [name, source] of Object.entries({ LICENSE: path.join(top, "LICENSE"), ...files })) {
    const target = path.join(dir, name);
    mkdirSync(path.dirname(target), { recursive: true });
    copyFileSync(source, target);
    chmodSync(target, name.startsWith("bin/") ? 0o755 : 0o644);
  }
  writeFileSync(path.join(dir, "package.json"), JSON.stringify(manifest, null, 2) + "\n");
  execFileSync("npm", ["pack", "--silent", "--pack-destination", out, dir], { shell: process.platform === "win32" });
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const optionalDependencies = {};
const programs = read("artifacts.json").filter(({ type }) => type === "Binary"); // in the order in which they were ready
for (const { path: program, goos, goarch } of programs.sort((a, b) => (a.path < b.path ? -1 : 1))) {
  const os = goos === "windows" ? "win32" : goos;
  const cpu = goarch === "amd64" ? "x64" : goarch;
  const name = `@gsd-cli/${os}-${cpu}`;
  optionalDependencies[name] = version;
  const bin = goos === "windows" ? "bin/gsd.exe" : "bin/gsd";
  pack({ name, ...common, os: [os], cpu: [cpu], preferUnplugged: true }, { [bin]: path.join(top, program) });
}
pack(
  { name: "gsd-cli", ...common, bin: { gsd: "bin/gsd.js" }, engines: { node: ">=18" }, optionalDependencies },
  { "bin/gsd.js": path.join(__dirname, "gsd.js"), "README.md": path.join(top, "README.md") },
);
