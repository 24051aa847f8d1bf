package hydrate

// summary.go: the skeleton of a plan's summary, from what is known once its tasks are complete.

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/gitexec"
	"github.com/gsd-cli/gsd/internal/history"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/project"
	"github.com/gsd-cli/gsd/internal/team"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/verdict"
)

// SummaryOptions says whose plan to summarize.
type SummaryOptions struct {
	User string
	Env  []string // git's environment
	Now  time.Time
	Wait time.Duration // how long to wait for the guard
}

// Summarized is the answer of gsd done --summary.
type Summarized struct {
	User     string    `json:"user"`     // whose session it is: the name that gsd whoami prints
	Plan     string    `json:"plan"`     // the plan, relative to the project
	Summary  string    `json:"summary"`  // the file that was written, relative to the project
	Commits  int       `json:"commits"`  // how many commits it names
	Files    int       `json:"files"`    // how many files it names
	Warnings []Warning `json:"warnings"` // what a person should know
}

// maxSummaryFiles is how many changed files a skeleton names.
const maxSummaryFiles = 200

// Summarize writes the skeleton of the summary of the user's plan: its tasks with the commits that carried them out, as far as
// package evidence finds them, the files that those changed, and the front matter that gsd-core asks for. What only the author
// can say is left in brackets. The plan is done then. Errors are of kind MissingInput without a session, BadData if that is
// corrupt, Refused if a task is open, there is a summary, or the name of the plan determines none, and Busy if the session is changed
// meanwhile.
func (p *Project) Summarize(ctx context.Context, o SummaryOptions) (*Summarized, error) {
	r, err := p.Hydrate(o.User)
	switch {
	case err != nil:
		return nil, err
	case r.Session == nil:
		return nil, verdict.NoSession(r.Path)
	case r.Verdict == Corrupt:
		return nil, verdict.CorruptSession(r)
	case r.Plan.Summary != "":
		return nil, project.Fail(Refused, "edit it", "the plan has a summary: %s", r.Plan.Summary)
	case r.Resume != nil:
		return nil, project.Fail(Refused, "gsd done, once it is complete", "task %d is not complete", r.Resume.Number)
	case r.Verdict == Stale:
		return nil, project.Fail(Refused, "gsd hydrate says why, and what to do", "the session is stale")
	case r.Summary == "" || r.Plan.Path == "" || r.On != r.Plan.Path:
		return nil, project.Fail(Refused, "gsd hydrate says what is wrong with the session", "it is not known where the summary of this plan goes")
	}
	done := &Summarized{User: o.User, Plan: r.On, Summary: r.Summary}
	text := p.skeleton(ctx, r, o, done)
	err = p.Change(ctx, o.User, o.Wait, func(l *verdict.Locked) error {
		if its := l.Report.Session; its == nil || !bytes.Equal(its.Bytes(), r.Session.Bytes()) {
			return project.Fail(Busy, "nothing was written; run the command again", "the session was changed meanwhile")
		}
		switch err := p.WriteTracked(r.Summary, text, durable.Stamp{}); {
		case errors.Is(err, durable.ErrChanged):
			return project.Fail(Refused, "edit it", "%s exists", r.Summary)
		case err != nil:
			return verdict.WriteFailed(r.Summary, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	p.dropCrumb(o.User, r.Session)
	done.Warnings = p.Warnings(done.Warnings)
	return done, nil
}

// skeleton returns the text of the summary, and counts in done what it names.
func (p *Project) skeleton(ctx context.Context, r *Report, o SummaryOptions, done *Summarized) string {
	var commits map[int][]Evidence
	var ids, files []string
	var created map[string]bool
	partial := false
	if p.Planning.GitDir() != "" {
		found, err := history.CommitsOf(p.Project, r.On, r.Session)
		if err != nil {
			done.Warnings = append(done.Warnings, project.HistoryWarning(err))
		}
		partial = found.IsPartial()
		commits = map[int][]Evidence{}
		for _, t := range found.Tasks {
			commits[t.Number] = t.AtLeast(DefaultConfidence)
			for _, c := range commits[t.Number] {
				ids = append(ids, c.ID)
			}
		}
		done.Commits = len(ids)
		if files, created, err = changedFiles(ctx, gitexec.Git{Dir: p.Dir, Env: o.Env}, ids); err != nil {
			done.Warnings = append(done.Warnings, Warning{Code: project.HistoryUnreadable, Detail: "the files of the commits are missing: " + team.FirstLineOf(err)})
		}
	}
	more := len(files) - maxSummaryFiles
	files = files[:min(len(files), maxSummaryFiles)]
	done.Files = len(files)

	phase := path.Base(path.Dir(r.On))
	id, _ := planref.PlanID(r.On)
	plan := id[strings.LastIndexByte(id, '-')+1:]
	_, subject, _ := strings.Cut(phase, "-")
	var b strings.Builder
	fmt.Fprintf(&b, "---\nphase: %s\nplan: %s\nsubsystem: %s\ntags: []\n", yamlWord(phase), yamlWord(plan), yamlWord(subject))
	if len(files) > 0 {
		b.WriteString("key-files:\n")
	}
	for _, key := range []string{"created", "modified"} {
		heading := "  " + key + ":\n"
		for _, name := range files {
			if created[name] == (key == "created") {
				b.WriteString(heading + "    - " + yamlWord(name) + "\n")
				heading = ""
			}
		}
	}
	minutes := 0
	if started, ok := r.Session.Header.StartedAt(); ok {
		minutes = max(int(o.Now.Sub(started).Minutes()), 0)
	}
	fmt.Fprintf(&b, "duration: %dmin\ncompleted: %s\nstatus: complete\n---\n\n", minutes, o.Now.UTC().Format(time.DateOnly))
	fmt.Fprintf(&b, "# %s Summary\n\n**[One sentence: what there is now]**\n\n## Task Commits\n\n", markdown(cmp.Or(id, phase)))
	for i, t := range r.Session.Tasks {
		fmt.Fprintf(&b, "%d. **%s**", i+1, markdown(r.Session.Title(t.Number)))
		for _, c := range commits[t.Number] {
			fmt.Fprintf(&b, "\n   - `%.7s` %s", c.ID, markdown(c.Subject))
		}
		b.WriteByte('\n')
	}
	if partial {
		b.WriteString("\n[Not all of the history could be read: commits and files may be missing]\n")
	}
	if len(files) > 0 {
		b.WriteString("\n## Files Created/Modified\n\n")
		for _, name := range files {
			b.WriteString("- `" + strings.ReplaceAll(text.Cut(text.Line(name), maxSummaryLine), "`", "'") + "`\n")
		}
		if more > 0 {
			b.WriteString("- and " + strconv.Itoa(more) + " more\n")
		}
	}
	b.WriteString("\n## Deviations from Plan\n\n[What was done otherwise, and why]\n\n## Next\n\n[What the next plan should know]\n")
	return b.String()
}

// changedFiles returns the files that commits changed, in order, but not those of the planning directory, and which of them a
// commit created.
func changedFiles(ctx context.Context, git gitexec.Git, commits []string) (files []string, created map[string]bool, err error) {
	if len(commits) == 0 {
		return nil, nil, nil
	}
	out, err := git.Run(ctx, strings.Join(commits, "\n")+"\n", "diff-tree", "--stdin", "--root", "--no-commit-id", "--no-renames", "--name-status", "-r", "-z")
	created = map[string]bool{}
	for parts := strings.Split(out, "\x00"); err == nil && len(parts) > 1; parts = parts[2:] {
		name := parts[1]
		if strings.HasPrefix(name, project.Planning+"/") || strings.Contains(name, "/"+project.Planning+"/") {
			continue
		}
		files = append(files, name)
		created[name] = created[name] || parts[0] == "A"
	}
	slices.Sort(files)
	return slices.Compact(files), created, err
}

// maxSummaryLine is the length in characters at which names and subjects are cut.
const maxSummaryLine = 200

// markdown returns a text from a plan or a commit on one line, without what Markdown or HTML would make of it.
func markdown(s string) string {
	return strings.NewReplacer("`", "'", "<", "&lt;", "*", `\*`, "[", `\[`).Replace(text.Cut(text.Line(s), maxSummaryLine))
}

// yamlWord returns a text as a scalar of YAML.
func yamlWord(s string) string {
	isPlain := func(c rune) bool {
		return c < 0x80 && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_./-", c))
	}
	if s != "" && s[0] != '-' && !strings.ContainsFunc(s, func(c rune) bool { return !isPlain(c) }) {
		return s
	}
	return strconv.QuoteToASCII(text.Cut(text.Line(s), maxSummaryLine))
}
