package statefile

// new.go: a new STATE.md, in the form of upstream's template and within its limit of 100 lines.

import (
	"cmp"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/text"
)

// Extras is what a new STATE.md contains besides the position.
type Extras struct {
	Title     string    // the project's; may be empty
	CoreValue string    // the line of that name in PROJECT.md
	Updated   time.Time // when PROJECT.md was updated
	Root      string    // the directory of the file, `.planning` if empty
	Todos     int       // number of files in todos/pending below Root
	Resume    string    // the path of a .continue-here file
}

// blank is a STATE.md that Update fills in. Unknown values of the position stay as in the template.
//
//go:embed template.md
var blank string

// New returns a STATE.md. Updating it with the same position changes nothing.
func New(p Position, x Extras) []byte {
	p = p.clean()
	root := cmp.Or(text.OneLine(x.Root), ".planning")
	focus, todos := "none", "None yet."
	if !p.Phase.IsZero() {
		focus = "Phase " + p.Phase.String() + with(": %s", p.PhaseName)
	}
	if x.Todos > 0 {
		todos = fmt.Sprintf("%d in %s/todos/pending/", x.Todos, root)
	}
	page := strings.NewReplacer(
		"{milestone}", with("milestone: %q\n", p.Milestone)+with("milestone_name: %q\n", p.MilestoneName),
		"{title}", with(": %s", text.OneLine(x.Title)),
		"{root}", root,
		"{updated}", with(" (updated %s)", stamp(x.Updated, time.DateOnly)),
		"{value}", with("**Core value:** %s\n", text.OneLine(x.CoreValue)),
		"{focus}", focus,
		"{plans}", strconv.Itoa(p.DonePlans),
		"{todos}", todos,
		"{last}", cmp.Or(stamp(p.LastActivity, "2006-01-02 15:04"), "unknown"),
		"{stopped}", cmp.Or(p.LastWhat, "unknown"),
		"{resume}", cmp.Or(text.OneLine(x.Resume), "None"),
	).Replace(blank)
	text, _, _ := Update([]byte(page), p)
	return text
}

// with formats a text, unless it is empty.
func with(format, text string) string {
	if text == "" {
		return ""
	}
	return fmt.Sprintf(format, text)
}

// stamp formats a time, unless it is zero.
func stamp(t time.Time, layout string) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(layout)
}
