package hydrate

import (
	"context"
	"time"
)

// For the tests, which are in a package of their own because they use packages that import this one.

const (
	ContinueHere    = continueHere
	HandOffJSON     = handOffJSON
	MaxWorkItems    = maxWorkItems
	MaxSummaryFiles = maxSummaryFiles
)

var (
	YAMLWord = yamlWord
	Markdown = markdown
	WorkHead = workHead
)

func (p *Project) NotesBeside(plan string) []string { return p.notesBeside(plan) }

func (p *Project) Committed(names []string) time.Time { return p.committed(names) }

func (p *Project) FromGit(ctx context.Context, name string, o RestoreOptions) (*Restored, error) {
	return p.fromGit(ctx, name, o)
}
