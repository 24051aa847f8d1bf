package verdict

// draft.go: the draft of a plan's summary, which gsd done --summary writes. It closes nothing, until nothing in it is left to write.

import (
	"path"
	"strings"

	"github.com/gsd-cli/gsd/internal/answer"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/planfile"
)

// ReadDraft reads the draft of a summary. It returns nil if there is none.
func ReadDraft(p *Project, summary string) (*answer.Draft, []byte) {
	d := &answer.Draft{Path: path.Join(path.Dir(summary), planref.DraftName(path.Base(summary)))}
	src, err := p.Planning.Read(d.Path)
	switch {
	case problem.IsMissing(err):
		return nil, nil
	case err != nil:
		d.Problem = problem.ReadFailed(d.Path, p.Planning.Limit, err).Text
	case strings.TrimSpace(string(src)) == "":
		d.Problem = d.Path + " is empty"
	case !planfile.IsText(src):
		d.Problem = d.Path + " is no text in UTF-8"
	default:
		d.Left = answer.Placeholders(src)
	}
	return d, src
}
