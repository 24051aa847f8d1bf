package view

import (
	"testing"

	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/printer"
)

func TestUser(t *testing.T) {
	t.Parallel()
	for source, from := range map[identity.Source]string{
		identity.SourceGit: "git's user.name", identity.SourceOS: "operating system user",
		identity.SourceHostname: "host name", identity.SourceDefault: "default",
	} {
		u := identity.User{Name: "ada", Raw: "Ada\n", Source: source, Warnings: []identity.Problem{{Code: "a", Detail: "b"}, {Code: "c"}}}
		want := "ada (" + from + ": Ada)\nwarning: b (a)\nwarning:  (c)\n"
		if got := printed(printer.Style{}, func(p *Printer) { p.User(u) }); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
