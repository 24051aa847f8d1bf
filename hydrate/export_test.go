package hydrate

import (
	"context"
)

// For the tests, which are in a package of their own because they use packages that import this one.

const (
	MaxSummaryFiles = maxSummaryFiles
)

var (
	YAMLWord = yamlWord
	Markdown = markdown
)

func (p *Project) FromGit(ctx context.Context, name string, o RestoreOptions) (*Restored, error) {
	return p.fromGit(ctx, name, o)
}
