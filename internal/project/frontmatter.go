package project

// frontmatter.go: reading the front matter of files. The text of plans is not kept, because a project may have thousands.

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/markdown"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/roadmap"
	"github.com/gsd-cli/gsd/planfile"
)

// frontMatter reads the part of a file that may be front matter. Nearly all of it ends in the first 4 KiB.
func (t *tree) frontMatter(name string) ([]byte, error) {
	const first = 4 << 10
	head, err := t.Head(name, first)
	if err != nil || len(head) < first {
		return head, err
	}
	if block, _, closed := markdown.CutFrontMatter(head); closed || block == nil {
		return head, nil
	}
	return t.Head(name, frontmatter.MaxSize)
}

// checkFront returns a *planfile.ConflictError for a file whose front matter, or what stands in its place, has conflict markers. head is
// what frontMatter has read of it.
func (t *tree) checkFront(name string, head []byte) error {
	return frontmatter.Conflict(head, func() []byte {
		src, _ := t.Read(name) // else its front matter is what is known
		return src
	})
}

const maxFrontMatters = 5000

// Meta returns the front matter of a plan or a summary, which is read once.
func (p *Project) Meta(name string) frontmatter.Meta {
	if _, ok := p.metas[name]; !ok && len(p.metas) >= maxFrontMatters {
		p.Warn(problem.Warning{Code: problem.TooManyFiles, Count: maxFrontMatters})
		return frontmatter.Meta{}
	}
	return Memo(&p.metas, name, func() frontmatter.Meta {
		head, err := p.frontMatter(name)
		m := frontmatter.Read(head)
		conflict := p.checkFront(name, head)
		switch {
		case conflict != nil:
			m = frontmatter.Meta{Status: frontmatter.Unmerged, Unusable: conflict.Error()}
			p.Warn(problem.UnreadWarning(problem.ConflictMarkers, name, p.Limit, conflict))
		case p.OverBudget(err, name):
		case errors.Is(err, durable.ErrNotRegular), errors.Is(err, fs.ErrNotExist):
			m.Unusable = "is not a file"
		case err == nil && len(head) == 0:
			m.Unusable = "is empty"
		case (planfile.Header{Plan: name}).Check() != nil:
			m.Unusable = "has a name that cannot be written to a session"
		}
		return m
	})
}

// StatusOf returns the status in the front matter of a file, which is read once.
func (p *Project) StatusOf(name string) string { return p.Meta(name).Status }

// planMeta is Meta for a plan, and warns if the plan cannot be offered.
func (p *Project) planMeta(plan *roadmap.Plan) frontmatter.Meta {
	m := p.Meta(plan.Path)
	switch {
	case m.Status == frontmatter.Unmerged: // Meta warns
	case plan.Unmerged != "":
		m.Unusable = "has a summary with conflict markers" // nobody knows whether it is done
	case m.Unusable != "":
		p.Warn(problem.Warning{Code: problem.PlanUnusable, Path: plan.Path, Says: m.Unusable})
	}
	return m
}

// planTasks returns how many tasks a plan has, 0 if it cannot be read or they cannot be distinguished.
func (p *Project) planTasks(plan *roadmap.Plan) int {
	src := p.readBounded(plan.Path)
	if planfile.Check(src) != nil {
		return 0
	}
	f := planfile.Parse(src)
	if !slices.Contains(f.Indistinct(), false) {
		return 0
	}
	return len(f.Tasks)
}

// readBounded returns a file's bytes, none if it cannot be read.
func (t *tree) readBounded(name string) []byte {
	src, err := t.Read(name)
	t.OverBudget(err, name)
	return src
}

// stateHead is how much of a STATE.md is read; of 25 real ones one is longer.
const stateHead = 64 << 10

// namedMilestone returns the milestone that the STATE.md in dir names, or "".
func (t *tree) namedMilestone(dir string) string {
	name := path.Join(dir, "STATE.md")
	head, err := t.Head(name, stateHead)
	t.OverBudget(err, name)
	if err := t.checkFront(name, head); err != nil {
		t.Warn(problem.UnreadWarning(problem.ConflictMarkers, name, t.Limit, err))
		return ""
	}
	if t.state == nil {
		t.state = map[string][]byte{}
	}
	t.state[name] = head
	if len(head) == stateHead { // without the line that was cut
		t.state[name] = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	return roadmap.NamedMilestone(head)
}

// StateRead returns the first lines of a STATE.md, each whole, if the milestone that it names was asked for; it does not read it itself.
func (t *tree) StateRead(name string) []byte { return t.state[name] }
