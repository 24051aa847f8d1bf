package roadmap

// summary.go: a plan is done when its summary exists, so taking another plan's summary for it would
// throw a live session away. The prefix is trusted only where one plan alone has it.

import (
	"path"
	"strings"
)

// Summary is the name of plan's summary among siblings, the names in its directory; plan may be a
// path. It is the one with the same stem (`03-01-auth-PLAN.md` and `03-01-auth-SUMMARY.md`), else the
// one with the same `NN-MM`, padded or not, slug or not (upstream phase.cjs:380; #3101), unless another
// plan has that stem or that `NN-MM`. `03-01` is neither `03-010` nor `03-01A`.
func Summary(plan string, siblings []string) (string, bool) {
	base := path.Base(plan)
	n, ok := parseName(base)
	if !ok || n.kind != planFile {
		return "", false
	}
	exact := n.summary()
	byID, alone := "", !n.plan.IsZero()
	for _, name := range siblings {
		if name == exact {
			return exact, true
		}
		if !alone || name == base {
			continue
		}
		s, ok := parseName(name)
		switch {
		case !ok || !sameID(n, s):
		case s.kind == planFile:
			alone = false
		case byID == "" || name < byID:
			byID = name
		}
	}
	if !alone || byID == "" {
		return "", false
	}
	return byID, true
}

// SummaryName is what the summary of plan is to be called, in the same directory; false where plan has no
// plan's name, and so no file could be known for its summary.
func SummaryName(plan string) (string, bool) {
	n, ok := parseName(path.Base(plan))
	return n.summary(), ok && n.kind == planFile
}

// summary is the name that belongs to the plan exactly.
func (n fileName) summary() string {
	return strings.TrimPrefix(n.stem+"-SUMMARY.md", "-")
}
