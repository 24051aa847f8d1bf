package view

import (
	"github.com/gsd-cli/gsd/identity"
	"github.com/gsd-cli/gsd/internal/problem"
)

// User prints the user's name, and where it comes from.
func (p *Printer) User(u identity.User) {
	from := sourceNames[u.Source]
	if u.Source != identity.SourceRun { // which has no other form of the name
		from += ": " + u.Raw
	}
	p.Printf("%s (%s)\n", u.Name, from)
	for _, w := range u.Warnings {
		p.Warnings([]problem.Warning{{Code: w.Code, Says: w.Detail}})
	}
}

var sourceNames = map[identity.Source]string{
	identity.SourceGit:      "git's user.name",
	identity.SourceOS:       "operating system user",
	identity.SourceHostname: "host name",
	identity.SourceDefault:  "default",
	identity.SourceRun:      "the run of this conversation, because git has no user.name here",
}
