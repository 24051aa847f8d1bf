package agent

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/gitexec"
)

// Git is what gsd install git names: not a host, but it is installed, checked and removed in the same way. gsd becomes the
// merge driver of STATE.md and ROADMAP.md: lines in .gitattributes, which belong in git, say for which files, and the
// repository's own configuration says how. Where that is missing, git merges as it does without a driver.
//
// What is in effect is asked of git, which also knows other files with attributes and configuration than these two.
const Git = "git"

const afterGit = "commit .gitattributes; everybody else runs gsd install git once in their clone, or git merges as usual"

// gitLines are our lines in .gitattributes, for the files in every root of a project. The comment tells them from a person's own.
const gitLines = "# git merges these with gsd: gsd install git\n.planning/**/STATE.md merge=gsd\n.planning/**/ROADMAP.md merge=gsd\n"

// gitDriver is the key of the driver in git's configuration.
const gitDriver = "merge.gsd.driver"

// driverOf is the command of the driver. git takes a driver that fails for a conflict and leaves our version of the file without
// markers, so the command runs git's own merge if gsd is missing or fails. gsd ends with 0 without and with 1 with conflicts.
func driverOf(bin string) string {
	return bin + ` state merge %O %A %B %P %L %S %X %Y; case $? in 0) ;; 1) exit 1;; *) ` +
		`git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B;; esac`
}

// programOf returns how a driver that some version of gsd wrote calls gsd; empty for any other driver.
func programOf(driver string) string {
	bin, _, ok := strings.Cut(driver, " state merge %O ")
	name := path.Base(strings.ReplaceAll(strings.Trim(bin, `"'`), `\`, "/"))
	if !ok || strings.TrimSuffix(name, ".exe") != program {
		return ""
	}
	return bin
}

// checkGit returns an error where there is no repository of git to install into.
func (w Where) checkGit() error {
	usage := func(text, hint string) error { return &Error{Kind: Usage, Text: text, Hint: hint} }
	switch {
	case w.Scope != Project:
		return usage(w.Host+" has no scope "+string(w.Scope), "--scope project")
	case w.Project == "":
		return usage("not in a project", "run it in one, or name one with -C DIR")
	case w.GitDir == "":
		return usage("the project is not in a git repository", "git init")
	}
	return nil
}

// planGit plans the installation of the merge driver, or its removal.
func planGit(w Where, removal bool) (*Plan, error) {
	if err := w.checkGit(); err != nil {
		return nil, err
	}
	attributes := Change{Path: filepath.Join(w.Project, ".gitattributes"), dir: w.Project, name: ".gitattributes"}
	config := Change{Path: filepath.Join(w.GitDir, "config"), dir: w.GitDir, name: "config"}
	for _, c := range []*Change{&attributes, &config} {
		if err := c.read(); err != nil {
			return nil, w.failed("read", c.Path, err)
		}
	}
	p := &Plan{Where: w}
	plan := p.planDriver
	if removal {
		plan = p.planNoDriver
	}
	if err := plan(&attributes, &config); err != nil {
		return nil, err
	}
	p.add(attributes)
	p.add(config)
	return p, nil
}

// planDriver plans the installation.
func (p *Plan) planDriver(attributes, config *Change) error {
	other, err := p.Where.otherMerge()
	if err != nil {
		return err
	}
	scope, driver, err := p.Where.driver()
	if err != nil {
		return err
	}
	bin := programOf(driver)
	wanted := driverOf(cmp.Or(p.Where.Program, bin, program))
	attributes.After, config.After = attributes.Before, config.Before
	without := cutLines(attributes.Before)
	there := len(without) < len(attributes.Before)
	switch {
	case driver != "" && bin == "":
		p.State = Absent
		p.Refused = foreignDriver(scope)
		p.note("%s, so gsd install git does nothing", p.Refused.Text)
		return nil
	case driver == "" && other != "" && !there:
		p.State = Absent
	case driver == "" || other != "" && !there:
		p.State = Partly
	case driver != wanted || other != "":
		p.State = Outdated
	default:
		p.State = Complete
	}
	if other != "" {
		attributes.After = addLines(without) // at the end, where they override what comes before
		if there && bytes.Equal(attributes.After, attributes.Before) {
			p.State = Partly
			p.noteOverridden(other)
		}
		p.verify = func() { // other files with attributes, which override this one, are only known by what they do
			if other, err := p.Where.otherMerge(); err == nil && other != "" {
				p.noteOverridden(other)
			}
		}
	}
	if driver != wanted {
		config.After, err = p.Where.editConfig(config.Before, "--replace-all", gitDriver, wanted)
	}
	return err
}

func foreignDriver(scope string) *Error {
	return &Error{
		Kind: Refused, Text: fmt.Sprintf("git's %s configuration has another merge driver called gsd", scope),
		Hint: "git config --show-origin --get-all " + gitDriver + " shows it; if you don't need it, remove it there; nothing was changed",
	}
}

func (p *Plan) noteOverridden(other string) {
	p.note("git does not merge with gsd, because an attribute in .git/info/attributes or in a directory below overrides that in %s: %s",
		p.Where.show(filepath.Join(p.Where.Project, ".gitattributes")), other)
}

// planNoDriver plans the removal. Only what is as gsd writes it goes.
func (p *Plan) planNoDriver(attributes, config *Change) error {
	attributes.After, config.After = cutLines(attributes.Before), config.Before
	other, err := p.Where.otherMerge()
	if err != nil {
		return err
	}
	if other == "" && len(attributes.After) == len(attributes.Before) {
		p.Kept = true
		p.note("git's attributes have merge=gsd in lines that gsd did not write, which are left alone")
	}
	scope, driver, err := p.Where.driver()
	switch {
	case err != nil || driver == "":
		return err
	case programOf(driver) == "":
		p.Kept = true
		p.note("%s, which is left alone", foreignDriver(scope).Text)
		return nil
	case scope == "local":
		config.After, err = p.Where.editConfig(config.Before, "--unset", gitDriver)
	}
	if err == nil && bytes.Equal(config.After, config.Before) {
		p.Kept = true
		p.note("git's %s configuration has the merge driver where gsd did not put it, and it is left alone", scope)
	}
	return err
}

// otherMerge returns what git uses instead of our driver for a file of the project, as in `.planning/STATE.md: merge: union`;
// nothing if it uses our driver for all.
func (w Where) otherMerge() (string, error) {
	out, err := w.git("check-attr", "merge", "--", ".planning/STATE.md", ".planning/ROADMAP.md")
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); !strings.HasSuffix(line, ": merge: gsd") {
			return line, err
		}
	}
	return "", err
}

// driver returns the command of the driver called gsd that git uses, and whose configuration has it, such as global; nothing
// if there is none.
func (w Where) driver() (scope, command string, err error) {
	out, err := w.git("config", "-z", "--show-scope", "--get", gitDriver)
	scope, command, _ = strings.Cut(strings.TrimSuffix(out, "\x00"), "\x00")
	return scope, command, err
}

// editConfig returns a configuration as git config changes it: it does so in a copy, because a plan only reads.
func (w Where) editConfig(text []byte, edit ...string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "gsd-install-")
	if err != nil {
		return nil, w.failed("write", os.TempDir(), err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "config")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		return nil, w.failed("write", name, err)
	}
	if _, err := w.git(append([]string{"config", "--file", name}, edit...)...); err != nil {
		return nil, err
	}
	if text, err = os.ReadFile(name); err != nil {
		return nil, w.failed("read", name, err)
	}
	return text, nil
}

// git runs git in the project and returns its output. It is empty if git config has no such key (it ends with 1), or not
// exactly one to unset (5).
func (w Where) git(args ...string) (string, error) {
	env := slices.DeleteFunc(slices.Clone(w.Env), func(pair string) bool { // which would be about another repository
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_CONFIG"}, name)
	})
	out, err := gitexec.Git{Dir: w.Project, Env: env}.Run(context.Background(), "", args...)
	if err == nil {
		return out, nil
	}
	e := &Error{Kind: Failed, Text: "cannot run git: " + err.Error(), Hint: nothingElse, Err: err}
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		if code := exit.ExitCode(); code == 1 || code == 5 {
			return "", nil
		}
		says, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
		e.Text = fmt.Sprintf("git %s failed: %s", args[0], says)
	}
	return "", e
}

// addLines adds our lines at the end of a .gitattributes, with its line ends. If the file has no line end at its end, neither has
// the result, so that cutLines restores it; an empty file has none.
func addLines(text []byte) []byte {
	lines, end := gitLines, "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		lines, end = strings.ReplaceAll(lines, "\n", "\r\n"), "\r\n"
	}
	if text != nil && !bytes.HasSuffix(text, []byte("\n")) {
		lines = end + strings.TrimSuffix(lines, end)
	}
	return append(bytes.Clone(text), lines...)
}

// cutLines removes our lines from a .gitattributes. It returns nil if nothing else is there: the file was created for them.
func cutLines(text []byte) []byte {
	for _, end := range []string{"\n", "\r\n"} {
		lines := strings.ReplaceAll(gitLines, "\n", end)
		if before, ok := bytes.CutSuffix(text, []byte(end+strings.TrimSuffix(lines, end))); ok {
			return before
		}
		if at := bytes.LastIndex(text, []byte(lines)); at == 0 || at > 0 && text[at-1] == '\n' {
			if len(text) == len(lines) {
				return nil
			}
			return slices.Concat(text[:at], text[at+len(lines):])
		}
	}
	return text
}
