//go:build linux

package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsd-cli/gsd/internal/layout"
)

// isData finds the commands whose answer is for programs or agents, or is a file, so that its lines are as long as they are.
var isData = lazyRegexp(`--(json|inline|porcelain|format)|^(hook|install|completion|sync --dry-run)`)

// holdWidth holds what people read to 80 columns. Wider may be what cannot be broken, and what a plan says.
func (r *trial) holdWidth(command string, answer result) {
	r.t.Helper()
	if isData().MatchString(command) {
		return
	}
	for line := range strings.Lines(colours().ReplaceAllString(answer.out+answer.err, "")) {
		line = strings.TrimSuffix(line, "\n")
		if layout.Columns(line) > 80 && layout.Wrap(line, 80) != line && !r.quotes(line) {
			r.t.Errorf("%s: gsd %s: %d columns: %s", r.name, command, layout.Columns(line), line)
		}
	}
}

// quotes reports whether the end of a line is in a file of the project.
func (r *trial) quotes(line string) bool {
	const enough = 40
	end := []byte(line[max(0, len(line)-enough):])
	found := false
	_ = filepath.WalkDir(r.at("")+"/", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			text, _ := os.ReadFile(name) // what cannot be read is quoted by nobody
			found = found || bytes.Contains(text, end)
		}
		return nil
	})
	return found
}

// holdBreaks holds an answer to what it is where lines are not broken: the same words, the same commands. Columns follow the width.
func (r *trial) holdBreaks(command string, terminal bool, answer result) {
	r.t.Helper()
	if isData().MatchString(command) || strings.HasPrefix(command, "status") || strings.HasPrefix(command, "run list") {
		return
	}
	former := r.env
	r.env = append(slices.Clone(r.env), anyWidth)
	whole := r.answer(command, terminal)
	r.env = former
	if got, want := strings.Fields(answer.out+answer.err), strings.Fields(whole.out+whole.err); !slices.Equal(got, want) {
		r.t.Errorf("%s: gsd %s: in 80 columns %q, else %q", r.name, command, got, want)
	}
	commands := func(r result) (all []string) {
		for _, p := range allPrinted(r.out + r.err) {
			all = append(all, p.line)
		}
		return all
	}
	if got, want := commands(answer), commands(whole); !slices.Equal(got, want) && !strings.Contains(command, "help") {
		r.t.Errorf("%s: gsd %s: in 80 columns it prints the commands %q, else %q", r.name, command, got, want)
	}
}

// TestHelpFits: no line of a help text is wider than 80 columns.
func TestHelpFits(t *testing.T) { // not in parallel: the library's help flag is a shared variable
	a, _ := ada(t, stateNow)
	a.env = slices.DeleteFunc(a.env, func(variable string) bool { return variable == anyWidth })
	lines := [][]string{{"--help"}, {"help", "exit-status"}}
	for _, line := range everyCommand(a) {
		lines = append(lines, append(line, "--help"))
	}
	for _, command := range lines {
		for line := range strings.Lines(do(t, a, command...)) {
			if line = strings.TrimSuffix(line, "\n"); layout.Columns(line) > 80 {
				t.Errorf("gsd %q: %d columns: %s", command, layout.Columns(line), line)
			}
		}
	}
}

// everyCommand lists every command and every command below one, as they are typed.
func everyCommand(a *program) (all [][]string) {
	for _, m := range commands() {
		if m.name == "help" || m.name == stateMerge {
			continue
		}
		all = append(all, []string{m.name})
		for _, sub := range m.make(&invocation{program: a}).Subcommands {
			all = append(all, []string{m.name, sub.Name})
		}
	}
	return all
}
