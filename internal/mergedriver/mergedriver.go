// Package mergedriver merges STATE.md and ROADMAP.md for git.
//
// Packages statefile and roadmap merge the values that they know, one by one, and put the results into all three versions, so that git
// merge-file has only the rest to merge. Of two values that both sides changed, the one that is further on wins. Counts are never added
// up: whether two sides finished the same plan, only the merged tree says, where git lets it be known (sides.go). There are never more
// conflicts than without the driver, except with git merge -X, of which git tells it nothing.
package mergedriver

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitexec"
	"github.com/gsd-cli/gsd/internal/overview"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/internal/statefile"
)

// Options is what git tells a merge driver (gitattributes(5), "Defining a custom merge driver").
type Options struct {
	Dir string   // the top of the working tree, where git runs a driver
	Env []string // as in os.Environ

	Base, Ours, Theirs string // %O, %A, %B: files with the three versions. The result goes to Ours.
	Path               string // %P: the file's path in the repository
	MarkerSize         int    // %L; 0 for git's default
	// The names of the three versions for conflict markers, %S, %X and %Y, which git has since 2.44; empty if unknown.
	BaseName, OurName, TheirName string
}

// mergeTime is how long the facts of the merged tree may take; a merge without them is better than none.
const mergeTime = 30 * time.Second

// A person makes gsd git's driver with Command as merge.gsd.driver in a clone's configuration, and Attributes in the project's .gitattributes.
// git takes a driver that fails for a conflict and leaves our version of the file without markers, so the command runs git's own merge if
// gsd is missing or fails. gsd ends with 0 without and with 1 with conflicts.
const (
	Command = "gsd state merge %O %A %B %P %L %S %X %Y; case $? in 0) ;; 1) exit 1;; *) " +
		"git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B;; esac"
	Attributes = ".planning/**/STATE.md merge=gsd\n.planning/**/ROADMAP.md merge=gsd\n"
)

// Merge merges a STATE.md or ROADMAP.md as git's merge driver, and reports whether conflicts are left; they have git's markers.
// Known values are merged one by one; what both sides together amount to is computed from the merged tree if git says enough
// about it. Everything else is left to git merge-file. If Merge fails, it has not changed Ours.
func Merge(ctx context.Context, o Options) (conflicts bool, err error) {
	var texts [3][]byte
	budget := durable.NewBudget(int64(len(texts)) * project.DefaultLimit)
	for i, name := range []string{o.Base, o.Ours, o.Theirs} {
		if texts[i], err = budget.ReadAt(o.at(name), project.DefaultLimit); err != nil {
			return false, &problem.Error{Kind: problem.IO, Text: err.Error(), Hint: "git runs this command; `gsd state merge --help` says how to set it up", Err: err}
		}
	}
	m := &merger{o: o, ctx: ctx, repo: gitexec.Git{Dir: o.Dir, Env: o.Env}}
	if m.temp, err = os.MkdirTemp("", "gsd-merge-"); err == nil {
		defer os.RemoveAll(m.temp)
		conflicts, err = m.merge(texts)
	}
	if err != nil {
		return false, &problem.Error{Kind: problem.IO, Text: "cannot merge: " + err.Error(), Hint: "git merge-file does it without gsd", Err: err}
	}
	return conflicts, nil
}

func (o Options) at(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(o.Dir, name)
}

// merger is one run of Merge.
type merger struct {
	o    Options
	ctx  context.Context
	repo gitexec.Git // where the driver runs
	temp string      // a directory of its own
}

// merged is a text merged from three, and what is to be computed from the merged tree.
type merged struct {
	text      []byte
	conflicts bool
	position  bool            // of a STATE.md: both sides changed values of the position
	phases    map[string]bool // of a ROADMAP.md: whose progress both sides changed
}

// merge merges the texts and replaces our side's file.
func (m *merger) merge(texts [3][]byte) (conflicts bool, err error) {
	is, err := m.combine(m.o.Path, texts)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(m.ctx, mergeTime)
	defer cancel()
	switch {
	case is.conflicts && m.o.TheirName == "" && m.findNames(ctx, texts):
		if is, err = m.combine(m.o.Path, texts); err != nil {
			return false, err
		}
	case !is.conflicts && (is.position || len(is.phases) > 0):
		if text, err := m.derive(ctx, texts, is); err == nil { // otherwise the values stay as they were merged one by one
			is.text = text
		}
	}
	return is.conflicts, m.replace(is.text)
}

// replace writes the result, as a whole or not at all.
func (m *merger) replace(text []byte) error {
	dir, name := filepath.Split(m.o.at(m.o.Ours))
	root, err := durable.OpenRootAt(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	durable.SweepTempsIf(root, ".", gitexec.IsMerged, time.Now().Add(-durable.TempLife), false) // of killed drivers
	was, err := durable.StampOf(root, name)
	if err != nil {
		return err
	}
	err = durable.Writer{}.Replace(root, name, [][]byte{text}, 0o644, was)
	if errors.Is(err, durable.ErrUnsynced) { // git has all three versions
		err = nil
	}
	return err
}

// combine merges three versions of the file at a path. The result never has more conflicts than git's own.
func (m *merger) combine(name string, texts [3][]byte) (is merged, err error) {
	reduced, known := texts, true
	for _, text := range texts { // what is larger or no text is left to git
		known = known && len(text) <= statefile.MaxSize && utf8.Valid(text) && bytes.IndexByte(text, 0) < 0
	}
	switch {
	case known && path.Base(name) == "STATE.md":
		reduced[0], reduced[1], reduced[2], is.position = statefile.Reduce(texts[0], texts[1], texts[2])
	case known && path.Base(name) == roadmap.FileName:
		reduced[0], reduced[1], reduced[2], is.phases = roadmap.Reduce(texts[0], texts[1], texts[2])
	}
	text, left, err := m.mergeFile(reduced)
	if err == nil && left > 0 && known {
		var plain []byte
		var without int
		if plain, without, err = m.mergeFile(texts); without < left {
			text, left = plain, without
		}
	}
	is.text, is.conflicts = text, left > 0
	return is, err
}

// mergeFile runs git merge-file, and returns its output and the number of conflicts.
func (m *merger) mergeFile(texts [3][]byte) (text []byte, conflicts int, err error) {
	var files [3]string
	for i, name := range []string{"base", "ours", "theirs"} {
		files[i] = filepath.Join(m.temp, name)
		if err := os.WriteFile(files[i], texts[i], 0o600); err != nil {
			return nil, 0, err
		}
	}
	args := []string{"merge-file", "-p"}
	if m.o.MarkerSize > 0 {
		args = append(args, "--marker-size="+strconv.Itoa(m.o.MarkerSize))
	}
	args = append(args, "-L", cmp.Or(m.o.OurName, "ours"), "-L", cmp.Or(m.o.BaseName, "base"), "-L", cmp.Or(m.o.TheirName, "theirs"))
	out, err := m.repo.Run(m.ctx, "", append(args, files[1], files[0], files[2])...)
	if code := exitCode(err); 0 < code && code < 128 {
		return []byte(out), code, nil
	}
	return []byte(out), 0, err
}

// exitCode returns the exit code that is why a program failed; -1 if it failed for another reason, or did not fail.
func exitCode(err error) int {
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

// derive computes, from the merged tree, what both sides together amount to.
func (m *merger) derive(ctx context.Context, texts [3][]byte, is merged) ([]byte, error) {
	at := strings.LastIndex("/"+m.o.Path, "/"+planref.Planning+"/")
	if at < 0 || !fs.ValidPath(m.o.Path) {
		return nil, &fs.PathError{Op: "merge", Path: m.o.Path, Err: fs.ErrInvalid}
	}
	s, err := m.findSides(ctx, texts)
	if err != nil {
		return nil, err
	}
	tree, err := m.checkOut(ctx, s)
	if err != nil {
		return nil, err
	}
	above, below := m.o.Path[:at], m.o.Path[at:]
	dir, root := filepath.Join(tree, filepath.FromSlash(above)), path.Dir(below)
	write := func(name string, text []byte) error {
		return os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), text, 0o600)
	}
	if err := write(below, is.text); err != nil {
		return nil, err
	}
	if path.Base(below) == roadmap.FileName {
		return setRoadmapCounts(dir, root, is)
	}
	name := path.Join(root, roadmap.FileName)
	plan, err := m.mergeRoadmap(ctx, s, above+name)
	if err == nil && plan.text != nil {
		err = write(name, plan.text)
	}
	if err == nil && len(plan.phases) > 0 {
		if plan.text, err = setRoadmapCounts(dir, root, plan); err == nil {
			err = write(name, plan.text)
		}
	}
	if err != nil {
		return nil, err
	}
	return setPosition(dir, root, is.text)
}

// survey opens the project in dir and reads a root of it. It must be closed.
func survey(dir, root string) (*project.Project, *project.Survey, error) {
	if _, err := os.Stat(filepath.Join(dir, planref.Planning)); err != nil {
		return nil, nil, err // or Open would find a project above it
	}
	p, err := project.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	p.Allow(project.DefaultLimit, project.CommandFiles)
	return p, p.Survey(p.Phases(root), nil), nil
}

// setPosition sets the position in a merged STATE.md of a root of the project in dir, as gsd state would.
func setPosition(dir, root string, text []byte) ([]byte, error) {
	p, s, err := survey(dir, root)
	if err != nil {
		return nil, err
	}
	defer p.Close() // it was only read
	text, _, _ = statefile.Update(text, overview.Of(s, nil, nil, nil).StatePosition())
	return text, nil
}

// mergeRoadmap merges the roadmap at a path in the repository; it has no text if only one side changed it.
func (m *merger) mergeRoadmap(ctx context.Context, s sides, name string) (merged, error) {
	var texts [3][]byte
	for i, commit := range []string{s.base, s.ours, s.theirs} {
		text, err := m.repo.Run(ctx, "", "cat-file", "blob", commit+":"+name)
		if err != nil {
			return merged{}, nil // there is none on one side
		}
		texts[i] = []byte(text)
	}
	if bytes.Equal(texts[0], texts[1]) || bytes.Equal(texts[0], texts[2]) || bytes.Equal(texts[1], texts[2]) {
		return merged{}, nil
	}
	is, err := m.combine(name, texts)
	if err == nil && is.conflicts {
		err = errors.New("the roadmap has conflicts")
	}
	return is, err
}

// setRoadmapCounts sets the progress of the phases of a merged roadmap that both sides worked on, in a root of the project in dir.
func setRoadmapCounts(dir, root string, is merged) ([]byte, error) {
	p, v, err := survey(dir, root)
	if err != nil {
		return nil, err
	}
	defer p.Close() // it was only read
	done, dirs := map[string]roadmap.Done{}, map[string]int{}
	for i := range v.Disk.Phases {
		dir := &v.Disk.Phases[i]
		key := dir.Number.Key()
		if dirs[key]++; is.phases[key] && dirs[key] == 1 {
			done[key] = roadmap.Done{Done: dir.Done(), Total: len(dir.Plans)}
		} else {
			delete(done, key) // two directories have one number
		}
	}
	when := v.Evidence.By.When
	if when.IsZero() {
		return is.text, nil
	}
	return roadmap.SetCounts(is.text, done, when.Format(time.DateOnly)), nil
}
