// Does what OpenCode does, and prints what came of it. node runs it, with the plugin's copies beside it.
import plugin, * as all from "./gsd.mjs"
import copy from "./copy.mjs"
import hasty from "./hasty.mjs"

const dir = process.env.PROJECT, other = process.env.OTHER, PATH = process.env.PATH
const report = { exports: Object.keys(all), id: plugin.id, keys: Object.keys(plugin), types: [typeof plugin.server, typeof plugin.setup] }
process.on("unhandledRejection", (e) => { report.thrown = String(e) })
const mode = (m) => { process.env.STUB_MODE = m }
const known = { nested: { directory: dir, parentID: "s1" }, elsewhere: { directory: other } }
report.toasts = []
const client = { tui: { showToast: async (toast) => { report.toasts.push(toast); throw new Error("no terminal") } }, session: { get: async ({ path: { id } }) => {
	if (id === "unknown") throw new Error("no such session")
	return { data: known[id] ?? { directory: dir } }
} } }
const hooks = await plugin.server({ directory: dir, client })
const hooks2 = await copy.server({ directory: dir, client })
report.hooks = Object.keys(hooks).sort()
const ask = async (id, first = "You are an agent.", h = [hooks]) => {
	const output = { system: [first] }
	for (const one of h) await one["experimental.chat.system.transform"]({ sessionID: id }, output)
	return output.system
}
const tell = (type, properties) => hooks.event({ event: { type, properties } })

const startedNow = () => [...globalThis[Symbol.for("gsd.opencode.1")].sessions.values()].filter((s) => s.started).map((s) => s.id.slice(0, 20))

mode("one")
report.title = await ask("s1", "You are a title generator. You output ONLY a thread title.")
report.first = await ask("s1")
mode("two") // a session's text stays the same until something may have changed it
report.second = await ask("s1")
report.copies = await ask("s1", "x", [hooks, hooks2])
report.atOnce = await Promise.all([ask("many"), ask("many"), ask("many", "x", [hooks2])])
report.nested = await ask("nested")
report.elsewhere = await ask("elsewhere")
report.unknown = await ask("unknown")

// The system prompt of a session stays the same, whatever changes. That is told with the person's next prompt, once.
let parts = 0
const prompt = async (sessionID, h = [hooks, hooks2]) => {
	const output = { message: {}, parts: [{ id: `prt_${parts++}`, messageID: "m", sessionID, type: "text", text: "go on" }] }
	for (const one of h) await one["chat.message"]({ sessionID, messageID: "m" }, output)
	return output.parts.slice(1)
}
report.tenMarks = []
for (let i = 0; i < 10; i++) {
	mode("mark" + i)
	report.tenMarks.push([await prompt("s1"), (await ask("s1"))[1]])
}
report.unchanged = await prompt("s1")
mode("fail")
report.silent = await prompt("s1")
mode("two")
report.never = await prompt("never seen")
report.bySubagent = await prompt("nested")
mode("timed1")
report.timed = await prompt("s1")
mode("timed2") // only the time is another one
report.later = await prompt("s1")
report.stays = await ask("s1")
mode("notice")
report.notice = await ask("told")
report.toldOnce = await prompt("told")
await tell("session.deleted", { sessionID: "told" })

await hooks["experimental.session.compacting"]({ sessionID: "s1" }, {})
report.summary = await ask("s1")
mode("three")
report.typedMeanwhile = await prompt("s1")
await tell("session.compacted", { sessionID: "s1" })
report.compacted = [await prompt("s1"), await ask("s1"), await prompt("s1")]

// Another agent's prompt gets how far its plan is, once, and nothing else changes.
const send = async (args, h = [hooks, hooks2]) => {
	for (const one of h) await one["tool.execute.before"]({ tool: "task", sessionID: "s1", callID: "c" }, { args })
	return args
}
mode("agent"); report.sent = await send({ prompt: "Execute plan 01-02.\n", subagent_type: "general" })
report.long = (await send({ prompt: "x".repeat(1 << 18) })).prompt.length
mode("other"); report.notTheSame = await send({ prompt: "Execute plan 01-02." })
mode("notJSON"); report.notJSON = await send({ prompt: "Execute plan 01-02." })
const ls = { command: "ls" }
await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s1", callID: "c" }, { args: ls })

// A session that a person left in a terminal ends, if it is idle, and begins again with the next request; a server's does not.
mode("one")
await ask("left"), await ask("busy")
await tell("session.status", { sessionID: "left", status: { type: "idle" } })
await tell("session.status", { sessionID: "busy", status: { type: "idle" } })
await tell("session.status", { sessionID: "busy", status: { type: "busy" } })
await tell("session.status", { sessionID: "never seen", status: { type: "idle" } })
await ask("by a server")
report.served = startedNow()
const script = process.argv[1]
process.argv[1] = "/$bunfs/root/src/cli/tui/worker.js"
await ask("new")
report.newOne = startedNow()
await tell("session.status", { sessionID: "new", status: { type: "idle" } })
mode("two")
report.returned = [await prompt("left"), await ask("left")]
mode("one")
report.again = startedNow()
process.argv[1] = script
for (const id of ["left", "busy", "by a server", "new"]) await tell("session.deleted", { sessionID: id })

mode("fail"); report.fail = await ask("fail")
mode("big"); report.big = await ask("big")
const log = process.env.STUB_LOG
process.env.STUB_LOG = "/dev/null" // who knows how far it gets
mode("stuck"); report.stuck = await ask("stuck", "x", [await hasty.server({ directory: dir, client })])
process.env.STUB_LOG = log

mode("deaf"); report.deaf = await ask("deaf" + "x".repeat(1 << 18))
mode("one")
process.env.PATH = "/nonexistent"; report.missing = await ask("missing"); process.env.PATH = PATH

// Hostile words reach no command line.
const evil = "x\"; touch pwned; $(touch pwned) 'y' `touch pwned`"
await ask(evil)
await tell("session.deleted", { info: { id: evil } })
await tell("session.deleted", { info: { id: evil } })
await tell("session.deleted", { sessionID: "never seen" })
await tell("session.deleted", { sessionID: "nested" })

// What makes no sense.
for (const h of Object.values(hooks).filter((h) => h !== hooks.dispose)) {
	for (const args of [[], [undefined, undefined], [{}, {}], [{ sessionID: 7 }, { system: "x" }], [{ sessionID: "s1" }, undefined], [{ event: null }], [{ event: { type: 5, properties: null } }]]) {
		await h(...args)
	}
}
await plugin.server(undefined)
report.setupOfV1 = (await plugin.setup(undefined), await plugin.setup({ session: {} })) ?? "nothing"

// OpenCode 2.x.
let context, go, gone
const begun = new Promise((resolve) => { go = resolve }), drained = new Promise((resolve) => { gone = resolve })
async function* events() {
	await begun
	yield undefined
	yield { type: "session.deleted", data: { sessionID: "v2" } }
	gone()
}
const done = await plugin.setup({
	location: { directory: other },
	session: { hook: async (name, f) => { if (name === "context") context = f }, get: async () => ({ data: { location: { directory: other } } }) },
	event: { subscribe: events },
})
const second = async () => { const e = { sessionID: "v2", system: [{ type: "text", text: "x" }] }; await context(e); return e.system }
report.v2 = [await second(), await second()]
await context(undefined)
await context({ sessionID: "v2", system: 5 })
go()
await drained
await done()

await tell("session.deleted", { sessionID: "many" })
report.left = startedNow()
process.env.STUB_EACH = "1" // all at once, each into a file of its own
await hooks.dispose()
process.env.STUB_MODE = "last"
known.last = { directory: dir }
await ask("last") // and then the process ends
console.log(JSON.stringify(report))
