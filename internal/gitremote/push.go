package gitremote

// push.go: compare-and-swap of refs.

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// MaxUpdates limits the updates of one [Repo.Push], because a command line has a limit.
const MaxUpdates = 100

// Update replaces a ref, if it still names Old. An empty Old creates it, an empty New deletes it.
type Update struct{ Ref, Old, New string }

// Outcome is what became of an update.
type Outcome int

// The outcomes.
const (
	Done     Outcome = iota + 1 // the ref names New, perhaps because somebody else pushed the very same
	Lost                        // it no longer named Old: somebody else was faster
	Rejected                    // the server does not want it
)

// Result is the outcome of one update.
type Result struct {
	Ref     string
	Outcome Outcome
	Reason  string // for a person, if Rejected
	Hint    string // what to do about that
}

// Push makes updates in one connection. Each succeeds or fails by itself; the results are in the order of the updates. After an
// error nobody knows what was done: list the refs again.
func (r *Repo) Push(ctx context.Context, rm *Remote, updates []Update) ([]Result, error) {
	if len(updates) == 0 {
		return nil, nil
	}
	if len(updates) > MaxUpdates {
		return nil, fmt.Errorf("%d updates of refs at once are too many", len(updates))
	}
	args := []string{
		"push", "--porcelain", "--no-progress", "--no-verify", "--no-follow-tags", "--no-signed", "--no-recurse-submodules", "--no-atomic",
	}
	var specs []string
	for _, u := range updates {
		if !strings.HasPrefix(u.Ref, rm.Prefix) || !validRef(u.Ref) || u.Old != "" && !validID(u.Old) || u.New != "" && !validID(u.New) {
			return nil, fmt.Errorf("cannot update ref %q", u.Ref)
		}
		args = append(args, "--force-with-lease="+u.Ref+":"+u.Old)
		specs = append(specs, u.New+":"+u.Ref)
	}
	args = append(append(args, alias), specs...)
	out, err := r.remote(ctx, rm, nil, nil, 1<<20, args...)
	if failure := new(Error); err != nil && (!errors.As(err, &failure) || failure.Kind == TimedOut) {
		return nil, err
	}
	results := make([]Result, len(updates))
	lines := parsePorcelain(string(out.stdout))
	for i, u := range updates {
		line, ok := lines[u.Ref]
		if !ok {
			if err == nil {
				err = &Error{Kind: Other, Remote: rm.String(), Sentence: fmt.Sprintf("%s did not say what became of %s", rm, u.Ref)}
			}
			return nil, err
		}
		results[i] = line.result(rm, u.Ref, out.stderr)
		if results[i].Outcome == Rejected && strings.Contains(line.summary, "unpacker error") { // that is not about refs
			return nil, classify(rm, errUnpack, out.stderr, true)
		}
	}
	return results, nil
}

// pushed is one line of git push --porcelain.
type pushed struct {
	flag    byte
	summary string
}

// parsePorcelain returns the lines "flag TAB from:to TAB summary (reason)" by the name of the ref.
func parsePorcelain(out string) map[string]pushed {
	lines := map[string]pushed{}
	for line := range strings.Lines(out) {
		flag, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		spec, summary, ok2 := strings.Cut(rest, "\t")
		_, ref, ok3 := strings.Cut(spec, ":")
		if ok && ok2 && ok3 && len(flag) == 1 {
			lines[ref] = pushed{flag[0], summary}
		}
	}
	return lines
}

// lost are git's reasons when a ref was not what we, or the server a moment ago, thought. The server's also has them for a ref
// that it cannot write, and then its message says so.
var lost = []string{
	"stale info", "fetch first", "failed to update ref", "failed to lock", "cannot lock ref", "incorrect old value", "already exists",
	"failed to delete", "remote ref does not exist", "reference does not exist",
}

func (p pushed) result(rm *Remote, ref, stderr string) Result {
	if p.flag != '!' {
		return Result{Ref: ref, Outcome: Done}
	}
	hopeless := containsAny(stderr, "Permission denied", "Read-only file system", "exists; cannot create", "No space left")
	if containsAny(p.summary, lost...) && !hopeless {
		return Result{Ref: ref, Outcome: Lost}
	}
	reason, hint := rejection(rm, ref, p.summary, stderr)
	return Result{Ref: ref, Outcome: Rejected, Reason: reason, Hint: hint}
}

// rejection says why, and what to do.
func rejection(rm *Remote, ref, summary, stderr string) (text, hint string) {
	_, reason, ok := strings.Cut(summary, "] ")
	if reason = strings.Trim(reason, "()"); !ok {
		reason = summary
	}
	said := clean(reason, 100)
	if words := remoteWords(stderr); words != "" {
		said = words
	}
	text = fmt.Sprintf("%s does not take %s (%s)", rm, ref, said)
	if !strings.HasPrefix(rm.Prefix, "refs/heads/") {
		return text, "ask for refs below " + rm.Prefix + ", or share through branches: git config gsd.refPrefix gsd"
	}
	return text, "it has to allow forced pushes to branches " + strings.TrimPrefix(rm.Prefix, "refs/heads/") + "*"
}

func containsAny(s string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}
