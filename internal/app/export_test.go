package app

// For the tests, which are in a package of their own because they use packages that import this one.

import (
	"context"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/run"
	"github.com/gsd-cli/gsd/internal/verdict"
)

const (
	MaxSummaryFiles = maxSummaryFiles
)

// DraftText is the draft of the summary of a session that is not judged.
func DraftText(ctx context.Context, p *Project, r *answer.Report) string {
	return draftText(ctx, p, r, SummaryOptions{}, &Summarized{})
}

var (
	YAMLWord = yamlWord
	Markdown = escapeMarkdown
)

func (p *Project) Reset(c *verdict.RunChange, tasks []int) ([]int, error) { return p.reset(c, tasks) }

func (s *Swept) Decide(a *run.Assessment, r *answer.Report, o SweepOptions) {
	s.decide(a, r, o)
}
