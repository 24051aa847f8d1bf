package hydrate

// frontmatter.go: reading the front matter of files. The text of plans is not kept, because a project may have thousands.

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// frontMatter reads the part of a file that may be front matter. Nearly all of it ends in the first 4 KiB.
func (p *Project) frontMatter(name string) ([]byte, error) {
	const first = 4 << 10
	head, err := p.head(name, first)
	if err != nil || len(head) < first {
		return head, err
	}
	if block, _, closed := planfile.CutFrontMatter(head); closed || block == nil {
		return head, nil
	}
	return p.head(name, roadmap.MaxFrontMatter)
}

const maxFrontMatters = 5000

// meta returns the front matter of a plan or a summary, which is read once.
func (p *Project) meta(name string) roadmap.Meta {
	if _, ok := p.metas[name]; !ok && len(p.metas) >= maxFrontMatters {
		p.warn(TooMany, fmt.Sprintf("only the front matter of the first %d files is read", maxFrontMatters))
		return roadmap.Meta{}
	}
	return memo(&p.metas, name, func() roadmap.Meta {
		head, err := p.frontMatter(name)
		m := roadmap.ReadMeta(head)
		switch {
		case p.overBudget(err, name):
		case errors.Is(err, durable.ErrNotRegular), errors.Is(err, fs.ErrNotExist):
			m.Unusable = "is not a file"
		case err == nil && len(head) == 0:
			m.Unusable = "is empty"
		case planfile.CheckHeaderValue(name) != nil:
			m.Unusable = "has a name that cannot be written to a session"
		}
		return m
	})
}

// planMeta is meta for a plan, and warns if the plan cannot be offered.
func (p *Project) planMeta(plan *roadmap.Plan) roadmap.Meta {
	m := p.meta(plan.Path)
	if m.Unusable != "" {
		p.warn(PlanUnreadable, plan.Path+" "+m.Unusable+"; it does not count")
	}
	return m
}

// planTasks returns how many tasks a plan has, 0 if it cannot be read.
func (p *Project) planTasks(plan *roadmap.Plan) int {
	src := p.readBounded(plan.Path)
	if planfile.Check(src) != nil {
		return 0
	}
	return len(planfile.Parse(src).Tasks)
}

// readBounded returns a file's bytes, none if it cannot be read.
func (p *Project) readBounded(name string) []byte {
	src, err := p.read(name)
	p.overBudget(err, name)
	return src
}

// namedMilestone returns the milestone that the front matter of the STATE.md in dir names, or "".
func (p *Project) namedMilestone(dir string) string {
	name := path.Join(dir, "STATE.md")
	head, err := p.frontMatter(name)
	p.overBudget(err, name)
	return roadmap.ReadMeta(head).Milestone
}
