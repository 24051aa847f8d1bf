package project

import (
	"github.com/gsd-cli/gsd/internal/frontmatter"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// WaitsFor returns the plans on which a plan with that text depends that are open, and those that were halted. Nothing is read for a plan
// that depends on none, and not all phases for any.
func (p *Project) WaitsFor(plan string, text []byte) (open, halted []*roadmap.Plan) {
	entries := frontmatter.Read(text).DependsOn
	root, ok := RootOf(plan)
	if !ok || len(entries) == 0 {
		return nil, nil
	}
	disk := p.Listed(root)
	if disk == nil {
		disk = roadmap.ScanFor(p.Names, plan, next.MayMean(entries))
	}
	return next.WaitsFor(disk, plan, p.Meta)
}
