//go:build linux

package main

import (
	"strings"
	"testing"
)

// unwritable are the ways in which a session cannot be written, and the code by which hydrate and doctor name each.
var unwritable = []struct {
	name, code string
	build      func(p *patient)
}{
	{"the guard is a directory", "session-unwritable", func(p *patient) {
		p.shell("rm " + ownDir + ".guard")
		p.write(ownDir+".guard/x", "")
	}},
	{"the sessions are a file", "session-unwritable", func(p *patient) { p.shell("rm -r .planning/sessions ../home/.local && echo x > .planning/sessions") }},
	{"the user's directory is a file", "session-unwritable", func(p *patient) {
		p.shell("rm -r " + ownDir + " ../home/.local && echo x > " + strings.TrimSuffix(ownDir, "/"))
	}},
	{"the session is a link to nothing", "session-unwritable", func(p *patient) {
		p.shell("rm -r ../home/.local " + ownDir + "current-plan.md && ln -s nowhere " + ownDir + "current-plan.md")
	}},
	{"the user's directory is a link to nothing", "session-unwritable", func(p *patient) {
		p.shell("rm -r ../home/.local " + ownDir + " && ln -s nowhere " + strings.TrimSuffix(ownDir, "/"))
	}},
	{"no state directory can be made", "state-unwritable", func(p *patient) { p.setenv("XDG_STATE_HOME=/proc/nope") }},
}

// TestUnwritable: doctor names what is in the way in one finding, hydrate says the same and prints no command that would fail.
func TestUnwritable(t *testing.T) { // not beside others: the library's help flag is a shared variable
	if testing.Short() {
		t.Skip("starts gsd many times")
	}
	for _, test := range unwritable {
		t.Run(test.name, func(t *testing.T) {
			p := newPatient(t)
			p.sound()
			test.build(p)
			text, _ := p.try("doctor")
			if _, codes := p.codes(); len(codes) != 1 || codes[0] != test.code || fixes().MatchString(text) {
				t.Errorf("doctor finds %q:\n%s", codes, text)
			}
			out, code := p.try("hydrate")
			if code != 0 {
				t.Errorf("hydrate exits with %d:\n%s", code, out)
			}
			want := test.code
			if want == "state-unwritable" {
				want = "crumb-unwritten" // as the hook says
			}
			if !strings.Contains(out, "("+want+")") {
				t.Errorf("hydrate does not say %s:\n%s", want, out)
			}
			next, _ := p.try("next")
			for line := range strings.Lines(out + next) {
				if printed, ok := strings.CutPrefix(line, "try: "); ok {
					command, _, _ := strings.Cut(strings.TrimSpace(printed), "   (")
					if out, err := p.command("sh", "-c", command).CombinedOutput(); err != nil {
						t.Errorf("%s: %v\n%s", command, err, out)
					}
				}
			}
		})
	}
}
