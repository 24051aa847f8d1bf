package hydrate

// For the tests, which are in a package of their own because they use packages that import this one.

import (
	"context"
	"time"
)

const (
	MaxSummaryFiles = maxSummaryFiles
)

// Skeleton is the draft of the summary of a session that is not judged.
func Skeleton(ctx context.Context, p *Project, r *Report) string {
	return skeleton(ctx, p, r, SummaryOptions{Now: time.Now()}, &Summarized{})
}

var (
	YAMLWord = yamlWord
	Markdown = markdown
)
