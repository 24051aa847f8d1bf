package gitremote

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Settings are what a user has configured about sharing, and where his working tree is.
type Settings struct {
	Email        string        // user.email
	ShareAs      string        // gsd.shareAs
	SharePrivate bool          // gsd.sharePrivate
	ClaimTTL     time.Duration // gsd.claimTTL; 0 for the default
	Ignored      bool          // git ignores one of the paths that were asked about
	Branch, Head string        // the branch and the commit that are checked out; empty for none
}

// Settings returns what git says about the user and the working tree. paths are relative to the directory that was opened.
func (r *Repo) Settings(ctx context.Context, paths ...string) (settings Settings, err error) {
	// These take as long as the start of a process each, and none needs another's answer.
	var all sync.WaitGroup
	var config []entry
	var ignored []byte
	var noConfig, noIgnored error
	all.Go(func() { config, noConfig = r.configuration(ctx) })
	all.Go(func() { ignored, noIgnored = r.ask(ctx, append([]string{"check-ignore", "--"}, paths...)...) })
	all.Go(func() { // it fails where there is no commit yet
		if out, err := r.ask(ctx, "rev-parse", "HEAD", "--symbolic-full-name", "HEAD"); err == nil {
			head, branch, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
			settings.Head = head
			settings.Branch, _ = strings.CutPrefix(branch, "refs/heads/")
		}
	})
	all.Wait()
	if err := cmp.Or(noConfig, noIgnored); err != nil {
		return settings, err
	}
	settings.Ignored = len(ignored) > 0
	for _, e := range config {
		switch value := e.value; e.key {
		case "user.email":
			settings.Email = value
		case "gsd.shareas":
			settings.ShareAs = value
		case "gsd.claimttl":
			if settings.ClaimTTL, err = ParseTTL(value); err != nil {
				return settings, err
			}
		case "gsd.shareprivate":
			settings.SharePrivate = IsTrue(value)
		}
	}
	return settings, nil
}

// Ignored returns those of paths, relative to the directory that was opened, that git ignores.
func (r *Repo) Ignored(ctx context.Context, paths []string) ([]string, error) {
	out, err := r.askOf(ctx, []byte(strings.Join(paths, "\x00")+"\x00"), "check-ignore", "-z", "--stdin")
	return strings.FieldsFunc(string(out), func(c rune) bool { return c == 0 }), err
}

// IsTrue reports whether a value of git's configuration means true, as git has it.
func IsTrue(value string) bool {
	return strings.EqualFold(value, "true") || value == "1" || strings.EqualFold(value, "yes") || strings.EqualFold(value, "on")
}

// ParseTTL parses a value of gsd.claimTTL: a number of hours, or a duration such as 90m.
func ParseTTL(value string) (time.Duration, error) {
	ttl, err := time.ParseDuration(value)
	if hours, failed := strconv.ParseUint(value, 10, 16); failed == nil {
		ttl, err = time.Duration(hours)*time.Hour, nil
	}
	if err != nil || ttl < time.Minute || ttl > 365*24*time.Hour {
		return 0, &Error{Kind: Other, Sentence: fmt.Sprintf("gsd.claimTTL cannot be %q: use a time such as 72h", clean(value, 40))}
	}
	return ttl, nil
}
