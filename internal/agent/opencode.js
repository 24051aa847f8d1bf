// gsd for OpenCode: `gsd install opencode` writes this file, and with --remove takes it away.
//
// One file for both plugin loaders: OpenCode 1.x calls `server`, 2.x calls
// `setup`. It imports nothing that is not part of Node and Bun, prints nothing,
// and never throws: in both versions an exception in a hook fails the request.

import { spawn, spawnSync } from "node:child_process"
import os from "node:os"
import path from "node:path"

const PROGRAM = "gsd"
const HYDRATE_MS = 5000
const NOTIFY_MS = 3000
const EXIT_MS = 1000
// gsd stays below 9,000 bytes; more than this is not gsd. The prompt of another
// agent comes back whole, and may be as long as gsd accepts.
const MAX_BYTES = 64 * 1024
const MAX_PROMPT = 2 * 1024 * 1024

// Shared by every copy of this file in the process (a user and a project
// install load twice, and so does each directory that a server has open), so
// that a session is hydrated and ended once.
const KEY = Symbol.for("gsd.opencode.1")

/** @returns {{sessions: Map<string, any>, onExit: boolean}} */
function shared() {
  return (globalThis[KEY] ??= { sessions: new Map(), onExit: false })
}

// Runs gsd with an argument array (no shell) and resolves with its standard
// output: "" on any failure, on a nonzero exit and after ms milliseconds. It
// is not run in the project's directory, where Windows would look for a program
// of that name first; the payload says where the project is.
function gsd(args, payload, ms, most = MAX_BYTES) {
  return new Promise((resolve) => {
    let child
    let timer
    let done = false
    let size = 0
    const chunks = []
    const finish = (text) => {
      if (done) return
      done = true
      clearTimeout(timer)
      resolve(text)
    }
    try {
      child = spawn(PROGRAM, args, {
        cwd: os.homedir(),
        stdio: ["pipe", "pipe", "ignore"],
        shell: false,
        windowsHide: true,
      })
      timer = setTimeout(() => {
        finish("")
        try {
          child.kill("SIGKILL")
          // A grandchild may still hold the pipe; do not wait for it.
          child.stdout?.destroy()
          child.unref?.()
        } catch {}
      }, ms)
      child.on("error", () => finish(""))
      child.on("close", (code) => finish(code === 0 ? Buffer.concat(chunks).toString("utf8") : ""))
      child.stdout.on("error", () => {})
      child.stdout.on("data", (chunk) => {
        size += chunk.length
        if (size <= most) chunks.push(chunk)
        else finish("")
      })
      // gsd may exit without reading: EPIPE is not our problem.
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(payload))
    } catch {
      finish("")
    }
  })
}

function entry(id) {
  const all = shared().sessions
  let s = all.get(id)
  if (!s) {
    s = { id, text: undefined, shown: undefined, parent: undefined, cwd: undefined, owner: undefined, child: false, started: false, busy: undefined, compacted: false, skip: false, compacting: false }
    all.set(id, s)
  }
  return s
}

// The session's text for its system prompt, from one run of gsd however many requests ask at once. It is made once, and again only after
// a compaction: the model's host has everything up to the first byte that changes in its cache. lookup resolves with {directory, parentID} or
// undefined; show shows the person one line.
function hydrate(id, lookup, fallback, show) {
  const s = entry(id)
  s.text ??= (async () => {
    let info
    try {
      info = await within(lookup(id), 1000)
    } catch {}
    // A subagent's session is part of its parent's.
    if (info?.parentID) {
      s.child = true
      s.parent = info.parentID
      const payload = { hook_event_name: "SubagentStart", session_id: s.parent, agent_id: id, cwd: directory(info.directory) ?? directory(fallback) }
      return (await gsd(["hook", "agent", "--host", "opencode", `--pid=${process.pid}`], payload, HYDRATE_MS)).trim()
    }
    s.cwd = directory(info?.directory) ?? directory(fallback)
    if (!s.cwd) return ""
    await leave(s)
    s.started = true
    const { text, notice } = await brief(s, "SessionStart", s.compacted ? "compact" : "startup")
    tell(show, notice)
    return text
  })().catch(() => "")
  return s.text
}

// In a terminal, a person has one session in front of them. Another one that is idle was left for it, by /new or in the list of sessions:
// nobody is at work on it. If somebody returns to it, it begins again. A server may have many clients, each with a session of its own;
// only the worker of a terminal has none but its own.
async function leave(s) {
  if (!/[\\/]tui[\\/]worker\.[jt]s$/.test(process.argv[1] ?? "")) return
  const left = [...shared().sessions.values()].filter((o) => o !== s && o.started && o.busy === false && o.cwd === s.cwd)
  await Promise.all(
    left.map(async (o) => {
      o.started = false
      await gsd(["hook", "end", "--host", "opencode", `--pid=${process.pid}`], { ...endPayload(o), reason: "clear" }, NOTIFY_MS)
    }),
  )
}

function busy(id, is) {
  const s = shared().sessions.get(id)
  if (s && typeof is === "boolean") s.busy = is
}

// Adds to the prompt of another agent, which a tool is about to start, how far the plan is that it is sent to carry out.
async function delegate(call, args, dir) {
  const prompt = args?.prompt
  // A second copy of this file finds it there.
  if (call?.tool !== "task" || typeof prompt !== "string" || prompt.includes("\n\n## gsd: how far ")) return
  const out = await gsd(
    ["hook", "agent", "--host", "opencode", `--pid=${process.pid}`],
    { hook_event_name: "PreToolUse", session_id: call.sessionID, cwd: dir, tool_name: "task", tool_input: args },
    HYDRATE_MS,
    MAX_PROMPT,
  )
  const extended = out && JSON.parse(out).hookSpecificOutput?.updatedInput?.prompt
  if (typeof extended === "string" && extended.startsWith(prompt.trimEnd())) args.prompt = extended
}

// What has changed since the session last saw it, "" if nothing has: it goes to the end of the conversation, with the person's prompt,
// and leaves what the model's host has in its cache. A session that was left begins again.
async function news(s, show) {
  // After a compaction everything is shown again: a prompt that was typed meanwhile comes before the event that says it has ended.
  if (!s?.text || s.child || s.compacting) return ""
  const was = s.shown ?? (await s.text)
  if (!s.cwd) return ""
  const again = !s.started
  if (again) await leave(s)
  s.started = true
  const { text, notice } = await brief(s, again ? "SessionStart" : "SystemTransform", again ? "startup" : undefined)
  if (again) tell(show, notice)
  if (!text || timeless(text) === timeless(was)) return ""
  s.shown = text
  return text
}

// Shows the person one line.
function tell(show, notice) {
  try {
    if (notice) Promise.resolve(show?.(notice)).catch(() => {})
  } catch {}
}

function timeless(text) {
  return text.replace(/^State of [-0-9: ]+ UTC/m, "")
}

// What gsd says: the text for the model, and perhaps one line for the person. Only then it is an object.
async function brief(s, event, source) {
  const out = await gsd(
    ["hook", "start", "--host", "opencode", `--pid=${process.pid}`],
    { hook_event_name: event, session_id: s.id, cwd: s.cwd, source },
    HYDRATE_MS,
  )
  if (out.startsWith("{")) {
    try {
      const { additionalContext, systemMessage } = JSON.parse(out)
      return { text: String(additionalContext ?? "").trim(), notice: systemMessage ? String(systemMessage) : "" }
    } catch {}
  }
  return { text: out.trim(), notice: "" }
}

function directory(value) {
  return typeof value === "string" && path.isAbsolute(value) ? value : undefined
}

function within(promise, ms) {
  let timer
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

function compacted(id) {
  const s = shared().sessions.get(id)
  if (!s) return
  s.skip = s.compacting = false
  if (s.child) return
  s.compacted = true
  s.text = s.shown = undefined
}

function endPayload(s) {
  return { hook_event_name: "SessionEnd", session_id: s.id, cwd: s.cwd }
}

async function end(id) {
  const all = shared().sessions
  const s = all.get(id)
  if (!s) return
  all.delete(id)
  // Never the end before the start.
  await s.text
  if (!s.started) return
  await gsd(["hook", "end", "--host", "opencode", `--pid=${process.pid}`], endPayload(s), NOTIFY_MS)
}

// Ends every session of one directory: the loader disposes of one instance per
// directory, while other directories of the same server go on.
async function endAll(dir) {
  const ids = [...shared().sessions.values()].filter((s) => s.owner === dir).map((s) => s.id)
  await Promise.all(ids.map(end))
}

// The last chance when nothing is disposed of: only synchronous work counts.
function onExit() {
  const g = shared()
  if (g.onExit) return
  g.onExit = true
  process.on("exit", () => {
    const until = Date.now() + 2 * EXIT_MS
    for (const s of g.sessions.values()) {
      if (!s.started || Date.now() > until) continue
      try {
        spawnSync(PROGRAM, ["hook", "end", "--host", "opencode", `--pid=${process.pid}`], {
          cwd: os.homedir(),
          input: JSON.stringify(endPayload(s)),
          stdio: ["pipe", "ignore", "ignore"],
          timeout: EXIT_MS,
          windowsHide: true,
        })
      } catch {}
    }
    g.sessions.clear()
  })
}

// OpenCode 1.x.
async function server(input) {
  try {
    onExit()
  } catch {}
  const dir = input?.directory
  const lookup = async (id) => (await input.client.session.get({ path: { id } }))?.data
  const show = (message) => input.client.tui?.showToast({ body: { message, variant: "warning" } })

  return {
    "experimental.chat.system.transform": async (request, output) => {
      try {
        const id = request?.sessionID
        if (!id || !Array.isArray(output?.system)) return
        // The request that names the session carries the session's id too; its
        // answer is a title, which must not be made of this text.
        if (/^You are a title generator/.test(output.system[0] ?? "")) return
        const s = entry(id)
        s.owner ??= dir
        s.busy = true
        if (s.skip) {
          s.skip = false
          return
        }
        s.compacting = false // if it failed
        const text = await hydrate(id, lookup, dir, show)
        // The system prompt is rebuilt for every request, so the same bytes
        // go into each; a second copy of this file finds them there.
        if (text && !output.system.includes(text)) output.system.push(text)
      } catch {}
    },
    "chat.message": async (message, output) => {
      try {
        const last = output?.parts?.at(-1)
        if (!message?.sessionID || typeof last?.id !== "string") return
        const text = await news(shared().sessions.get(message.sessionID), show)
        // Parts are in the order of their ids.
        const { id, sessionID, messageID } = last
        if (text) output.parts.push({ id: id + "gsd", sessionID, messageID, type: "text", synthetic: true, text })
      } catch {}
    },
    "tool.execute.before": async (call, output) => {
      try {
        await delegate(call, output?.args, shared().sessions.get(call?.sessionID)?.cwd ?? directory(dir))
      } catch {}
    },
    // The next request of this session writes the summary: it must not record
    // a state that is read afresh afterwards.
    "experimental.session.compacting": async (request) => {
      try {
        if (request?.sessionID) Object.assign(entry(request.sessionID), { skip: true, compacting: true })
      } catch {}
    },
    event: async (input) => {
      try {
        const event = input?.event
        const p = event?.properties ?? {}
        if (event?.type === "session.compacted") compacted(p.sessionID)
        else if (event?.type === "session.status") busy(p.sessionID, p.status?.type !== "idle")
        else if (event?.type === "session.deleted") await end(p.info?.id ?? p.sessionID)
      } catch {}
    },
    dispose: async () => {
      try {
        await endAll(dir)
      } catch {}
    },
  }
}

// OpenCode 2.x. The 1.x binaries also load this entrypoint, with a context that
// knows no sessions: there `server` does the work.
async function setup(ctx) {
  try {
    if (typeof ctx?.session?.hook !== "function") return
    onExit()
    const dir = ctx.location?.directory
    const lookup = async (id) => {
      const got = await ctx.session.get({ sessionID: id })
      const info = got?.data ?? got
      return info && { parentID: info.parentID, directory: info.location?.directory }
    }
    // "context" is asked for the agent's own requests only, not for titles and
    // summaries.
    await ctx.session.hook("context", async (event) => {
      try {
        const id = event?.sessionID
        if (!id || !Array.isArray(event.system)) return
        entry(id).owner ??= dir
        const text = await hydrate(id, lookup, dir)
        if (text && !event.system.some((part) => part?.text === text)) event.system.push({ type: "text", text })
      } catch {}
    })

    const stop = new AbortController()
    void (async () => {
      for await (const event of ctx.event.subscribe({ signal: stop.signal })) {
        const id = event?.data?.sessionID
        if (event?.type === "session.compaction.ended") compacted(id)
        else if (event?.type === "session.deleted") await end(id)
      }
    })().catch(() => {})
    return async () => {
      try {
        stop.abort()
        await endAll(dir)
      } catch {}
    }
  } catch {}
}

export default { id: "gsd", server, setup }
