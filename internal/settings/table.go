package settings

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/gitremote"
)

// An entry is a setting and what is known of its values.
type entry struct {
	Setting
	check func(value string) string // why a value does not count; nil if any does
	show  func(value string) string // how a value is shown; nil for as it is
}

// table returns all settings, in the order in which they are listed. A line of text is 80 columns wide at most, which leaves 74 for a use.
func table() []entry {
	entries := []entry{
		git("user.name", "whose sessions are yours; `gsd whoami` says more", "the operating system's user"),
		git("user.email", "with the name, who you are in `gsd sync`", "none: the name alone counts"),
		git("gsd.remote", "the remote of `gsd sync`, by its name or URL", "that of the branch, origin or the only one").showing(gitremote.Shown),
		git("gsd.refPrefix", "prefix of its refs; with the value gsd they are branches, refs/heads/gsd/", gitremote.DefaultPrefix).checking(failing(gitremote.Prefix)),
		git("gsd.shareAs", "who you are in `gsd sync`, where your name or address differs", "user.name and user.email"),
		git("gsd.sharePrivate", "true: `gsd sync` also shares the progress on plans that git ignores", "false").checking(noSwitch),
		git("gsd.claimTTL", "how long a claim counts that is not renewed", "72h").checking(failing(gitremote.ParseTTL)),
		env("GSD_MAX_FILE_MIB", "the largest plan or session that is read, in MiB", "16").checking(wrongSize),
		env("GSD_WORKSTREAM", "the workstream to act in, with sessions of its own; `--ws` comes before it", "that in active-workstream"),
		env("GSD_PROJECT", "the sub-project to look at; GSD_WORKSTREAM is then a workstream of it", "none"),
		env("GSD_RUN", "the run that a command belongs to; `gsd exec` sets it", "none"),
		env("GSD_OFF", "any value: the hooks of agents do nothing; commands work as ever", "hooks tell and record"),
		env("GSD_SESSION_KEY", "name of your session in GSD, so that its claim on a phase is your own", "the host's or the terminal's"),
		env("XDG_STATE_HOME", "directory of gsd/ with breadcrumbs, outside of projects", stateHome()).checking(mustBeAbsolute),
		env("XDG_CONFIG_HOME", "directory of the settings of git and opencode", "~/.config").checking(mustBeAbsolute),
	}
	for _, home := range agent.Homes() {
		entries = append(entries, env(home.Variable, "where "+home.Host+" keeps the settings that are for you in every project", home.Default).checking(mustBeAbsolute))
	}
	return append(entries,
		env("NO_COLOR", "any value: no colour", "colour on a terminal"),
		env("FORCE_COLOR", "anything but 0: colour and bars anywhere", "only on a terminal"),
		env("TERM", "dumb: no colour and no bars", "none"),
		env("COLUMNS", "how wide text may be where there is no terminal to ask", "80").checking(noWidth),
	)
}

func git(name, use, without string) entry {
	return entry{Setting: Setting{Name: name, Kind: Git, Use: use, Default: without}}
}

func env(name, use, without string) entry {
	return entry{Setting: Setting{Name: name, Kind: Environment, Use: use, Default: without}}
}

func (e entry) checking(check func(string) string) entry {
	e.check = check
	return e
}

func (e entry) showing(show func(string) string) entry {
	e.show = show
	return e
}

func stateHome() string {
	if runtime.GOOS == "windows" {
		return "%LocalAppData%"
	}
	return "~/.local/state"
}

func mustBeAbsolute(value string) string {
	if filepath.IsAbs(value) {
		return ""
	}
	return "ignored, because it is not an absolute path"
}

// failing makes a check of a function that parses.
func failing[T any](parse func(string) (T, error)) func(string) string {
	return func(value string) string {
		if _, err := parse(value); err != nil {
			return err.Error()
		}
		return ""
	}
}

func wrongSize(value string) string {
	if _, err := MaxFile(value); err != nil {
		return fmt.Sprintf("refused: it has to be %v", err)
	}
	return ""
}

func noWidth(value string) string {
	if _, err := Columns(value); err != nil {
		return fmt.Sprintf("ignored, because it is not %v", err)
	}
	return ""
}

// noSwitch says what a value counts as that is no word for true or false.
func noSwitch(value string) string {
	if gitremote.IsTrue(value) || isOff(value) {
		return ""
	}
	return "counts as false; the value that turns it on is true"
}

func isOff(value string) bool {
	return slices.Contains([]string{"off", "false", "no", "0"}, strings.ToLower(value))
}
