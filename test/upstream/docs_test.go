package upstream

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What docs/gsd-core.md shows is what the two programs print, one after the other in one project.
func TestPage(t *testing.T) {
	core := os.Getenv("GSD_CORE")
	if core == "" {
		t.Skip("GSD_CORE is not set to the directory in which test/upstream/install.sh installed upstream")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the page is for a POSIX shell")
	}
	page, err := os.ReadFile("../../docs/gsd-core.md")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	at := filepath.Join(root, "notes")
	bin := filepath.Join(root, "bin")
	must(t, os.CopyFS(at, os.DirFS("../../testdata/sample")))
	must(t, os.MkdirAll(bin, 0o777))
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "gsd"), "../../cmd/gsd").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	lib := filepath.Join(core, "node_modules", "@opengsd", "gsd-core", "gsd-core")
	tools := fmt.Sprintf("#!/bin/sh\nexec node '%s/bin/gsd-tools.cjs' \"$@\"\n", lib)
	must(t, os.WriteFile(filepath.Join(bin, "gsd-tools"), []byte(tools), 0o777)) //nolint:gosec // it is run
	run := func(line string) string {
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = at
		cmd.Env = []string{
			"HOME=" + filepath.Join(root, "home"), "PATH=" + bin + ":" + os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=" + filepath.Join(root, "gitconfig"), "GIT_CONFIG_NOSYSTEM=1",
		}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("$ %s\n%s%v", line, out, err)
		}
		return string(out)
	}
	run("git config --global user.name 'Ada Lovelace' && git config --global user.email ada@example.org && git init -q && git add -A && git commit -qm 'docs: plan'")
	before, ran := "", 0
	for i, part := range strings.Split(string(page), "```") {
		block, isSession := strings.CutPrefix(part, "sh-session\n")
		if i%2 == 0 || !isSession {
			before = part
			continue
		}
		if strings.HasSuffix(before, "<!-- pause-work -->\n") {
			pause(t, lib, at)
		}
		for example := range strings.SplitSeq("\n"+strings.TrimSuffix(block, "\n"), "\n$ ") {
			line, shown, _ := strings.Cut(example, "\n")
			if line == "" {
				continue
			}
			ran++
			if printed := run(line); !shows(shown, printed) {
				t.Errorf("$ %s\nshown:\n%s\nprinted:\n%s", line, shown, printed)
			}
		}
	}
	if ran < 10 {
		t.Errorf("only %d examples were found", ran)
	}
}

// pause writes the HANDOFF.json of upstream's pause-work as its instructions have it, with the placeholders filled in.
func pause(t *testing.T, lib, at string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(lib, "workflows", "pause-work.md"))
	must(t, err)
	_, form, _ := strings.Cut(string(text), "```json\n")
	form, _, _ = strings.Cut(form, "```")
	filled := strings.NewReplacer(
		"{timestamp}", "", "{phase_number}", "1", "{current_plan_number}", "2", "{current_task_number}", "2", "{total_task_count}", "3",
		"{phase_dir}", ".planning/phases/01-notes", "{specific first action when resuming}", "Run the tests of list.go",
	).Replace(form)
	filled = regexp.MustCompile(`(?m)  # .*$`).ReplaceAllString(filled, "")
	if !json.Valid([]byte(filled)) {
		t.Fatalf("upstream's form has changed:\n%s", filled)
	}
	must(t, os.WriteFile(filepath.Join(at, ".planning", "HANDOFF.json"), []byte(filled), 0o666)) //nolint:gosec // as others would
}

// updateDocs makes TestExecutorKilled and TestFifty write their tables: GSD_CORE=… go test ./test/upstream -run Fifty -args -update-docs
var updateDocs = flag.Bool("update-docs", false, "write the tables in docs that the tests of this directory check")

// compareDoc compares a page with what was found, but for times, or writes it.
func compareDoc(t *testing.T, name, page, found string) {
	t.Helper()
	timeless := func(text string) string { return regexp.MustCompile(`\d+ ms`).ReplaceAllString(text, "N ms") }
	switch {
	case *updateDocs:
		must(t, os.WriteFile(name, []byte(found), 0o666)) //nolint:gosec // as git does
	case timeless(found) != timeless(page):
		t.Errorf("%s is not what was found (-documented +found); with -args -update-docs this test writes it\n%s", name, cmp.Diff(timeless(page), timeless(found)))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// differs finds what is different whenever it is printed: times, and the names of commits.
var differs = regexp.MustCompile(`\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?(Z| UTC)?|\b[0-9a-f]{7,40}\b|\b\d+ (minute|hour|day)s? ago|just now`)

// shows reports whether a text is what was printed, but for values that change, for what "..." stands for, and for where lines break:
// that depends on the width of the terminal.
func shows(shown, printed string) bool {
	form := "^ "
	for line := range strings.Lines(shown) {
		switch rest, cut := strings.CutSuffix(strings.TrimSpace(line), "..."); {
		case cut && rest == "":
			form += `(.* )?`
		case cut:
			form += regexp.QuoteMeta(strings.TrimSpace(unbroken(rest))) + `.* `
		default:
			form += regexp.QuoteMeta(unbroken(line))
		}
	}
	return regexp.MustCompile(form + "$").MatchString(" " + unbroken(printed))
}

// unbroken returns the words of a text, each with a space after it, with VALUE for what changes.
func unbroken(printed string) string {
	words := strings.Join(strings.Fields(differs.ReplaceAllString(printed, "VALUE")), " ")
	if words == "" {
		return ""
	}
	return words + " "
}

func TestShows(t *testing.T) {
	const printed = ".planning/STATE.md was updated:\n  line 10, state_head: \"1f2e3d4c\" -> \"5b6a7988\"\n  line 30, Plan: \"1 of 2\"\n"
	for shown, want := range map[string]bool{
		printed: true,
		".planning/STATE.md was updated:\n  line 10, state_head: ...\n  line 30,\n  Plan: \"1 of 2\"\n": true,
		"...\nline 30, Plan: \"1 of...\n":                 true,
		"...\n":                                           true,
		"...\nline 31, Plan: \"1 of 2\"\n":                false,
		".planning/STATE.md was updated:\n":               false,
		"STATE.md was updated:\n...\n":                    false,
		".planning/STATE.md was updated:\n  line 10...\n": true,
	} {
		if shows(shown, printed) != want {
			t.Errorf("%q: %t", shown, !want)
		}
	}
}
