package app

// draft.go: the draft of a plan's summary, from what is known once its tasks are complete or skipped.

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/gitexec"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/markdown"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/text"
	"github.com/gsd-cli/gsd/internal/verdict"
	"github.com/gsd-cli/gsd/planfile"
)

// FilesUnread warns that the files which commits changed could not be read.
const FilesUnread = "commit-files-unread"

// workDone is what the commits of a plan did.
type workDone struct {
	commits map[int][]evidence.Evidence // by the number of the task
	files   []string                    // that they changed
	more    int                         // how many more
	created map[string]bool             // those that they created
	partial bool                        // not all of the history could be read
	before  string                      // the commit before the first of the plan; empty if it is not known
	since   int                         // how many commits HEAD has since
}

// workOn finds the commits that carried out the tasks of a session, and counts in done what it finds.
func workOn(ctx context.Context, p *Project, r *answer.Report, env []string, done *Summarized) (w workDone) {
	found, err := p.CommitsOf(r.On, r.Session, verdict.MostCommits)
	if err != nil {
		done.Warnings = append(done.Warnings, problem.HistoryWarning(err))
	}
	w.partial, w.commits = found.IsPartial(), map[int][]evidence.Evidence{}
	var ids []string
	for _, t := range found.Tasks {
		w.commits[t.Number] = t.AtLeast(evidence.DefaultConfidence)
		for _, c := range w.commits[t.Number] {
			ids = append(ids, c.ID)
		}
	}
	if w.files, w.created, err = changedFiles(p, ids); err != nil && !(w.partial && errors.Is(err, gitlog.ErrTruncated)) { // which the draft says
		done.Warnings = append(done.Warnings, problem.Warning{Code: FilesUnread, Says: err.Error()})
	}
	w.more = max(0, len(w.files)-maxSummaryFiles)
	w.files = w.files[:len(w.files)-w.more]
	done.Commits, done.Files = len(ids), len(w.files)
	if git := (gitexec.Git{Dir: p.Dir, Env: env}); !w.partial && p.Planning.GitDir() != "" {
		w.before = headBefore(ctx, p, git, r.Session, found.Found)
		w.since, w.before = commitsSince(ctx, git, w.before)
	}
	return w
}

// headBefore returns the commit that was HEAD of the project's own repository before the first commit of a plan there: its parent. Without a
// commit of the plan, it is the commit that was the latest when the session was started. It is empty if there is none, or it is not known.
func headBefore(ctx context.Context, p *Project, git gitexec.Git, file *planfile.File, found evidence.Found) (before string) {
	log, _ := p.Planning.Log(p.Progress)
	if log == nil {
		return ""
	}
	isOwn := func(id string) bool {
		repository, _ := gitlog.CutID(id)
		return repository == ""
	}
	left := map[string]bool{}
	add := func(commits []evidence.Evidence) {
		for _, c := range commits {
			if isOwn(c.ID) {
				left[c.ID] = true
			}
		}
	}
	add(found.Unassigned)
	for _, t := range found.Tasks {
		add(t.Commits)
	}
	began, started := file.Header.StartedAt()
	hasOwn := len(left) > 0
	for c := range log.Commits() { // the newest first; what has been read is kept
		switch {
		case !isOwn(c.ID):
			continue
		case !hasOwn && started && !c.When.After(began):
			return c.ID
		case !hasOwn && !started:
			return ""
		}
		if delete(left, c.ID); hasOwn && len(left) == 0 {
			return git.Ask(ctx, "rev-parse", "--verify", "--quiet", c.ID+"^")
		}
	}
	return ""
}

// commitsSince counts HEAD's commits since another one as upstream's verify-work does, which holds a summary's claim against it. It
// returns no commit if that cannot be known.
func commitsSince(ctx context.Context, git gitexec.Git, before string) (int, string) {
	if before == "" {
		return 0, ""
	}
	n, err := strconv.Atoi(git.Ask(ctx, "rev-list", "--count", before+"..HEAD", "--"))
	if err != nil {
		return 0, ""
	}
	return n, before
}

// measured is what a draft says of the plan's commits in its front matter. Upstream's verify-work reads these lines in this very form.
var measured = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^commits: ([0-9]+)\r?\nplan_head_before: ([0-9a-f]{40,64})\r?$`)
})

// measuredAgain returns the text of a draft with the present number of commits, for its author may have committed since it was written.
func measuredAgain(ctx context.Context, git gitexec.Git, text []byte) []byte {
	block, _, closed := markdown.CutFrontMatter(text)
	at := measured().FindSubmatchIndex(block)
	if !closed || at == nil {
		return text
	}
	n, before := commitsSince(ctx, git, string(block[at[4]:at[5]]))
	if before == "" {
		return text
	}
	from := bytes.Index(text, block) + at[2]
	return slices.Concat(text[:from], []byte(strconv.Itoa(n)), text[from+at[3]-at[2]:])
}

// draftText returns the text of a draft, and counts in done what it names.
func draftText(ctx context.Context, p *Project, r *answer.Report, o SummaryOptions, done *Summarized) string {
	w := workOn(ctx, p, r, o.Env, done)
	phase := path.Base(path.Dir(r.On))
	id, _ := p.Planning.PlanID(r.On)
	var b strings.Builder
	b.WriteString("---\n" + frontMatter(p, r, &w, phase, id))
	if w.before != "" {
		fmt.Fprintf(&b, "commits: %d\nplan_head_before: %s\n", w.since, w.before)
	}
	duration := "unknown" // the key is required
	if d, known := took(p, r); known {
		duration = fmt.Sprintf("%dmin", int(d.Minutes()))
	}
	fmt.Fprintf(&b, "duration: %s\ncompleted: %s\nstatus: complete\n---\n\n", duration, p.Now.UTC().Format(time.DateOnly))
	fmt.Fprintf(&b, "# %s Summary\n\n**%s**\n\n## Task Commits\n\n", escapeMarkdown(cmp.Or(id, phase)), answer.DraftSentence)
	skipped := ""
	for _, t := range r.Session.Tasks {
		title := escapeMarkdown(r.Session.Title(t.Number))
		fmt.Fprintf(&b, "%d. **%s**", t.Number, title)
		if t.Status == planfile.Skipped {
			b.WriteString(" - skipped")
			skipped += "- **" + title + "** was skipped: " + answer.DraftSkipped + "\n"
		}
		for _, c := range w.commits[t.Number] {
			fmt.Fprintf(&b, "\n   - `%s` %s", escapeMarkdown(ShortID(c.ID)), escapeMarkdown(c.Subject))
		}
		b.WriteByte('\n')
	}
	if w.partial {
		b.WriteString("\n" + answer.DraftPartial + "\n")
	}
	b.WriteString(w.fileList())
	b.WriteString("\n## Deviations from Plan\n\n")
	if skipped != "" {
		if required := requirements(p, r); len(required) > 0 {
			skipped += "- " + answer.DraftRequirements + escapeMarkdown(strings.Join(required, ", ")) + "]\n"
		}
		b.WriteString(skipped + "\n")
	}
	b.WriteString(answer.DraftDeviations + "\n\n## Next Phase Readiness\n\n" + answer.DraftNext + "\n")
	return b.String()
}

// requirements returns the IDs of the requirements that a plan is to complete.
func requirements(p *Project, r *answer.Report) []string {
	src, _ := p.Planning.Read(r.On) // without it there is no summary to write
	return frontmatter.Items(src, "requirements")
}

// frontMatter returns what the front matter of a summary says of the plan and of what was done. Upstream's audit of a milestone takes
// the requirements that are complete from there.
func frontMatter(p *Project, r *answer.Report, w *workDone, phase, id string) string {
	_, subject, _ := strings.Cut(phase, "-")
	var b strings.Builder
	fmt.Fprintf(&b, "phase: %s\nplan: %s\nsubsystem: %s\ntags: []\n", yamlWord(phase), yamlWord(id[strings.LastIndexByte(id, '-')+1:]), yamlWord(subject))
	var required []string
	for _, requirement := range requirements(p, r) {
		if r.Skipped == 0 { // else its author says which are complete
			required = append(required, yamlWord(requirement))
		}
	}
	b.WriteString("requirements-completed: [" + strings.Join(required, ", ") + "]\n")
	if len(w.files) > 0 {
		b.WriteString("key-files:\n")
	}
	for _, key := range []string{"created", "modified"} {
		heading := "  " + key + ":\n"
		for _, name := range w.files {
			if w.created[name] == (key == "created") {
				b.WriteString(heading + "    - " + yamlWord(name) + "\n")
				heading = ""
			}
		}
	}
	return b.String()
}

// fileList returns the section of a summary that names the files.
func (w *workDone) fileList() string {
	if len(w.files) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n## Files Created/Modified\n\n")
	for _, name := range w.files {
		b.WriteString("- `" + strings.ReplaceAll(text.Cut(text.Line(name), maxSummaryLine), "`", "'") + "`\n")
	}
	if w.more > 0 {
		b.WriteString("- and " + strconv.Itoa(w.more) + " more\n")
	}
	return b.String()
}

// changedFiles returns the files that commits changed, in order, but not those of planning directories or those that the last of the
// commits about them deleted, and which of them a commit created.
func changedFiles(p *Project, commits []string) (files []string, created map[string]bool, err error) {
	changes, err := p.Planning.ChangesOf(commits)
	created = map[string]bool{}
	gone := map[string]bool{} // a later commit deleted it
	for _, change := range changes {
		name := change.Path
		if strings.Contains("/"+name, "/"+planref.Planning+"/") {
			continue
		}
		files = append(files, name)
		gone[name] = change.Kind == gitlog.Removed
		created[name] = created[name] || change.Kind == gitlog.Added
	}
	files = slices.DeleteFunc(files, func(name string) bool { return gone[name] })
	slices.Sort(files)
	return slices.Compact(files), created, err
}

// maxSummaryLine is the length in characters at which names and subjects are cut.
const maxSummaryLine = 200

// escapeMarkdown returns a text from a plan or a commit on one line, without what Markdown or HTML would make of it.
func escapeMarkdown(s string) string {
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
