// Answers questions about projects with upstream's own compiled modules: node ask.cjs LIB. A question is a line of JSON
// on standard input, {dir, git, ids, summary, validate, complete, env}, and its answer one on standard output. One process answers them all, for a node
// takes longer to start than all the rest.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const lib = process.argv[2];
const use = (name) => require(path.join(lib, name));

// What a command prints is taken before it is printed. The modules copy these functions when they are loaded, so they
// are replaced first.
const io = use('io.cjs');
let printed;
io.output = (result) => { printed = result; };
io.error = (message) => { throw new Error(message); };
const shell = use('shell-command-projection.cjs');
const execGit = shell.execGit;
let git = false;
shell.execGit = (...args) => (git ? execGit(...args) : { exitCode: 128, stdout: '', stderr: 'not a git repository', error: null });
process.stderr.write = () => true; // warnings, one for each project

const scan = use('plan-scan.cjs');
const core = use('core-utils.cjs');
const ids = use('phase-id.cjs');
const locator = use('phase-locator.cjs');
const verification = use('verification.cjs');
const graph = use('plan-dependency-graph.cjs');
const phase = use('phase.cjs');
const roadmap = use('roadmap.cjs');
const roadmapParser = use('roadmap-parser.cjs');
const state = use('state.cjs');
const workspace = use('planning-workspace.cjs');
const inspect = use('planning-inspect.cjs');
const frontmatter = use('frontmatter.cjs');
const verify = use('verify.cjs');
const commands = use('commands.cjs');
const workstreams = use('active-workstream-store.cjs');

const command = (run) => {
  printed = null;
  try {
    run();
  } catch (err) {
    return { error: String(err && err.message) };
  }
  return printed;
};

const subdirs = (dir) => {
  try {
    return fs.readdirSync(dir, { withFileTypes: true }).filter((e) => e.isDirectory()).map((e) => e.name);
  } catch {
    return [];
  }
};

// directory is one phase's: its plans, and for each that is done its summary.
const directory = (root, rel, convention) => {
  const dir = path.join(root, rel);
  const found = scan.scanPhasePlans(dir);
  const counted = found.summaryFiles.filter((f) => !graph.isSummaryFileBlocked(path.join(dir, f)));
  const open = new Set(core.findUnsummarizedPlans(found.planFiles, counted));
  return {
    dir: rel,
    key: ids.phaseKeyFromDir(path.basename(rel), convention),
    token: ids.extractPhaseToken(path.basename(rel), convention),
    plans: found.planFiles,
    superseded: found.allPlanFiles.filter((f) => !found.planFiles.includes(f)),
    summaries: found.summaryFiles,
    blocked: found.summaryFiles.filter((f) => graph.isSummaryFileBlocked(path.join(dir, f))),
    closed: found.planFiles.filter((f) => !open.has(f)),
    canonical: Object.fromEntries(found.planFiles.map((f) => [f, core.extractCanonicalPlanId(path.basename(f))])),
    verification: verification.readVerificationStatus(dir, { convention }).status,
  };
};

// judged is what upstream's own commands say about a summary.
const judged = (dir, summary) => ({
  valid: command(() => frontmatter.cmdFrontmatterValidate(dir, summary, 'summary', false)),
  verified: command(() => verify.cmdVerifySummary(dir, summary, 1000, false)),
  extracted: command(() => commands.cmdSummaryExtract(dir, summary, null, false)),
});

// validated is what upstream's checks say about STATE.md: the codes of its findings, and how many commits it is behind.
const validated = (dir) => {
  const of = command(() => state.cmdStateValidate(dir, false)) || {};
  const head = state.readStateHeadFreshness(dir, String(frontmatter.extractFrontmatter(fs.readFileSync(workspace.planningPaths(dir).state, 'utf-8')).state_head || ''));
  return { error: of.error || '', codes: (of.warnings || []).map((w) => w.code || String(w)), behind: head.commits_behind };
};

// sessionKey is upstream's name of the session in an environment.
const sessionKey = (env) => {
  const before = { ...process.env };
  for (const key of Object.keys(process.env)) delete process.env[key];
  Object.assign(process.env, env);
  workstreams._resetControllingTtyCacheForTests();
  const key = workstreams.getWorkstreamSessionKey();
  Object.assign(process.env, before);
  return key || '';
};

const answer = ({ dir, git: hasGit, ids: asked, summary, validate, complete, env }) => {
  git = hasGit;
  if (env) return { session: sessionKey(env) };
  if (complete) command(() => phase.cmdPhaseComplete(dir, complete, false));
  if (validate) return { validated: validated(dir) };
  const convention = workspace.resolvePhaseIdConvention(dir);
  const planning = workspace.planningDir(dir);
  const rel = (p) => path.relative(dir, p).split(path.sep).join('/');
  const live = subdirs(path.join(planning, 'phases')).sort();
  const a = {
    live: live.map((name) => directory(dir, rel(path.join(planning, 'phases', name)), convention)),
    archived: locator.getArchivedPhaseDirs(dir).map((d) => directory(dir, rel(d.fullPath), convention)),
    index: {},
    analyze: command(() => roadmap.cmdRoadmapAnalyze(dir, false)),
    milestone: roadmapParser.getMilestoneInfo(dir),
    window: locator.listMilestonePhaseDirs(path.join(planning, 'phases'), { cwd: dir, phaseIdConvention: convention }),
    state: command(() => state.cmdStateJson(dir, false)),
    found: {},
    tasks: {},
    judged: summary ? judged(dir, summary) : null,
  };
  for (const d of a.live) {
    const i = command(() => phase.cmdPhasePlanIndex(dir, d.token, false));
    a.index[d.dir] = i && { error: i.error || '', plans: i.plans || [], runnable: i.runnable || [], warnings: i.warnings || [] };
  }
  const seen = command(() => { printed = inspect.buildPlanningInspect(dir); });
  for (const p of (seen && seen.phases) || []) {
    for (const plan of p.plans) {
      const at = path.posix.join(rel(path.join(planning, 'phases', p.dir)), plan.file);
      a.tasks[at] = plan.tasks.map((t) => t.name || '');
    }
  }
  const phases = (a.analyze && a.analyze.phases) || [];
  for (const id of new Set([...(asked || []), ...phases.map((p) => p.number)])) {
    const f = command(() => phase.cmdFindPhase(dir, id, false));
    a.found[id] = { found: !!f.found, directory: f.directory || '', ambiguous: f.ambiguous_matches || [] };
  }
  return a;
};

require('node:readline').createInterface({ input: process.stdin, terminal: false }).on('line', (line) => {
  let out;
  try {
    out = answer(JSON.parse(line));
  } catch (err) {
    out = { failed: String((err && err.stack) || err) };
  }
  const text = Buffer.from(JSON.stringify(out) + '\n');
  for (let at = 0; at < text.length;) at += fs.writeSync(1, text, at);
});
