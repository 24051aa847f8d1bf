package agent

import (
	_ "embed"
	"encoding/json"
	"strings"
	"time"
)

// OpenCode is the name of OpenCode.
const OpenCode = "opencode"

func openCode() Host {
	return Host{
		identity: identity{
			name:         OpenCode,
			resume:       []string{"opencode", "--session"},
			afterInstall: "opencode picks it up at its next start",
			precedence:   6,
			// OPENCODE=1 and OPENCODE_PID, the process's own, are set when it starts (anomalyco/opencode,
			// packages/opencode/src/index.ts; vercel/vercel#15834). It names no conversation: OPENCODE_SESSION_ID was
			// proposed repeatedly and not accepted (anomalyco/opencode#12158, #28185, #50006).
			flags:         []string{"OPENCODE", "OPENCODE_PID"},
			pid:           "OPENCODE_PID",
			sharesProcess: true, // its server has every session
		},
		settings: settings{
			homeVariable: "OPENCODE_CONFIG_DIR",
			xdg:          "opencode",
		},
		hooks: hooks{
			endDeadline: 800 * time.Millisecond, // our plugin waits one second
			envelope:    openCodeEnvelope,
		},
		commands: commands{
			plugin:      openCodeFile,
			programIn:   programIn,
			asksNothing: true, // by default (1.18.33)
		},
	}
}

// openCodeEnvelope returns the text alone if there is nothing for the person: our plugin takes anything that is not an object for
// the text, and shows what is for the person.
func openCodeEnvelope(_, text, notice string) []byte {
	if notice == "" {
		return plain(text)
	}
	return encode(struct {
		Text   string `json:"additionalContext"`
		Notice string `json:"systemMessage"`
	}{text, notice})
}

// openCodePlugin calls us from OpenCode, which has no hooks that run programs.
//
//go:embed opencode.js
var openCodePlugin string

// openCodeFile is the plugin, which calls us as bin.
func openCodeFile(bin string) file {
	bin = strings.Trim(bin, `"`) // no shell removes the quotes
	return file{path: "plugins/gsd.js", text: strings.Replace(openCodePlugin, pluginProgram+`"gsd"`, pluginProgram+quoted(bin), 1)}
}

// pluginProgram begins the line of the plugin that says how we are called.
const pluginProgram = "\nconst PROGRAM = "

// programIn returns how a file calls us, as a hook would write it; "" unless it is the plugin as we wrote it.
func programIn(text []byte) string {
	_, rest, ok := strings.Cut(string(unix(text)), pluginProgram)
	line, _, _ := strings.Cut(rest, "\n")
	var name string
	if !ok || !signed(text) || json.Unmarshal([]byte(line), &name) != nil {
		return ""
	}
	if strings.Trim(name, letters+"0123456789._-/+:,@%") == "" { // a word in any shell
		return name
	}
	return `"` + name + `"`
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
