package main

import (
	"path/filepath"

	"github.com/gsd-cli/gsd/internal/app"
)

// startedBelow returns the directory of the project if the conversation was started below it, where its host does not read the
// project's settings with our hooks, so that nothing but a command tells it of the plan. It is empty if the hooks run, or that is not
// known.
func (h *hook) startedBelow(p *app.Project) string {
	host, id := h.caller.Host, h.caller.Conversation
	if !h.inline || h.in != "" || id == "" || p.StateDir.Conversation(host, id).Briefed() {
		return ""
	}
	dir, err := filepath.EvalSymlinks(h.dir)
	if err != nil {
		return ""
	}
	w := h.hosts()
	w.Host = host
	if w.Project, err = filepath.EvalSymlinks(p.Planning.Seen()); err != nil || dir == w.Project || !w.StartedBelow(id, dir) {
		return ""
	}
	return p.Planning.Seen()
}
