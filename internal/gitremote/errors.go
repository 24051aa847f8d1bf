package gitremote

// errors.go: what git says, in plain words. Git runs with LC_ALL=C, so its words are known.

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"sync"

	"github.com/gsd-cli/gsd/internal/text"
)

// Kind is why a remote could not be used.
type Kind int

// The kinds.
const (
	Other       Kind = iota
	NoRemote         // none is configured
	Unreachable      // nobody answers, or there is no repository
	TimedOut         // it did not answer in time
	Auth             // it does not know who we are, or ssh does not know it
	ReadOnly         // it does not let us push
	Moved            // a commit that it had is gone
	Unusable         // it has a commit that is too large, or of which something is missing
	Slow             // it has a commit that takes too long to be received
	BadAddress       // its address names a program, or is invalid
)

// Error is a remote that cannot be used. Its text is one sentence that says what to do.
type Error struct {
	Kind     Kind
	Remote   string // as a person may see it
	Sentence string
	Said     string // what git or the remote said about it, cleaned
}

func (e *Error) Error() string {
	if e.Said == "" {
		return e.Sentence
	}
	return e.Sentence + " (" + e.Said + ")"
}

var (
	errTimedOut = errors.New("timed out")
	errUnpack   = errors.New("objects rejected")
)

// String returns the remote's name without a password.
func (rm *Remote) String() string { return clean(rm.Name, 100) }

// Shown returns a remote's name or URL as it may be shown: without a password, and cleaned.
func Shown(name string) string { return clean(name, longestName) }

// longestName is how much of a remote's name or URL is shown.
const longestName = 200

// password matches the part of a URL that may have one. It is compiled at first use: most runs of gsd show no URL.
var password = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`://[^/@\s']*@`) })

// clean returns a text of git or a remote as one line that is safe to show.
func clean(s string, most int) string {
	return text.Cut(text.Line(password().ReplaceAllString(text.Clean(s), "://")), most)
}

// The words of git, ssh, curl, and well-known servers, the first that fit count. Those of a server come in lines of its own
// ("remote: "), but not over ssh.
var phrases = []struct {
	kind  Kind
	words []string
}{
	{Unusable, []string{"attempting to allocate", "possible repository corruption", "did not send all necessary objects"}},
	{Auth, []string{
		"FATAL: R any", // gitolite
		"Authentication failed", "could not read Username", "could not read Password", "Permission denied (", "Host key verification failed",
		"returned error: 401",
		"terminal prompts disabled", "Too many authentication failures",
	}},
	{ReadOnly, []string{
		"returned error: 403", "service not enabled", "access denied or repository not exported", "insufficient permission", "Write access to repository not granted",
		"unable to create temporary object directory", "Permission to ", "not allowed to push", "DENIED by", "read-only", "Read-only file system", "Permission denied",
		"write access", "unable to write",
	}},
	{Moved, []string{"not our ref", "unadvertised object", "Server does not allow request", "couldn't find remote ref", "want not valid"}},
	{Unreachable, []string{
		"does not appear to be a git repository", "Could not resolve", "Couldn't connect", "Failed to connect", "unable to connect", "unable to look up",
		"Connection refused", "Connection reset", "Connection timed out", "Connection closed", "Network is unreachable", "No route to host", "Operation timed out",
		"returned error:", "not found", "No such file or directory", "hung up", "early EOF", "Could not read from remote repository", "unexpected disconnect", "Operation too slow",
		"not valid: is this a git repository", "unable to access", "repository not exported", "Empty reply",
	}},
}

// classify returns the error for a run of git that pushed or not. rm is nil if it was without a remote.
func classify(rm *Remote, err error, stderr string, pushed bool) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	e := &Error{Said: said(stderr)}
	if errors.Is(err, exec.ErrNotFound) || !errors.As(err, new(*exec.ExitError)) && rm == nil {
		e.Sentence, e.Said = "git cannot be run", clean(err.Error(), 200)
		return e
	}
	if rm == nil {
		e.Sentence = "git failed"
		return e
	}
	e.Remote = rm.String()
	if errors.Is(err, errTimedOut) || errors.Is(err, context.DeadlineExceeded) {
		e.Kind, e.Sentence = TimedOut, fmt.Sprintf("%s did not answer in time, the next sync tries again", rm)
		return e
	}
	if errors.Is(err, errTooMuch) {
		e.Sentence = fmt.Sprintf("%s sends more than gsd reads", rm)
		return e
	}
	for _, p := range phrases {
		if containsAny(stderr, p.words...) {
			e.Kind = p.kind
			break
		}
	}
	if e.Kind == ReadOnly && !pushed { // git daemon says the same when there is no repository
		e.Kind = Auth
		if strings.Contains(stderr, "repository not exported") {
			e.Kind = Unreachable
		}
	}
	switch e.Kind {
	case Auth:
		e.Sentence = fmt.Sprintf("%s does not let git in: make git ls-remote %s work without a prompt, by a key in ssh-agent or a credential helper", rm, rm)
	case ReadOnly:
		e.Sentence = fmt.Sprintf("%s does not let you push: share through another remote with git config gsd.remote NAME", rm)
	case Moved:
		e.Sentence = fmt.Sprintf("%s changed meanwhile, the next sync tries again", rm)
	case Unusable:
		e.Sentence = fmt.Sprintf("%s sends what is too large, or damaged", rm)
	case Unreachable:
		e.Sentence = fmt.Sprintf("%s cannot be reached, the next sync tries again", rm)
	default:
		e.Sentence = fmt.Sprintf("git cannot use %s", rm)
	}
	return e
}

// said returns the most telling words of standard error: what the remote said, or else git's last fatal line, or the first.
func said(stderr string) string {
	if words := remoteWords(stderr); words != "" {
		return words
	}
	var fatal, first string
	for line := range strings.Lines(strings.ReplaceAll(stderr, "\r", "\n")) {
		line = strings.TrimSpace(line)
		if text, ok := strings.CutPrefix(line, "fatal: "); ok && (fatal == "" || !strings.HasPrefix(text, "Could not read from remote")) {
			fatal = text
		}
		if first == "" && line != "" && !strings.HasPrefix(line, "warning:") && !strings.HasPrefix(line, "Warning:") {
			first = line
		}
	}
	if fatal != "" && !strings.HasPrefix(fatal, "Could not read from remote") {
		first = fatal
	}
	return clean(strings.TrimPrefix(first, "error: "), longestSaid)
}

// longestSaid limits what is shown of others' messages, in characters.
const longestSaid = 200

// remoteWords returns the first lines that the remote printed.
func remoteWords(stderr string) string {
	var words []string
	for line := range strings.Lines(strings.ReplaceAll(stderr, "\r", "\n")) {
		if text, ok := strings.CutPrefix(line, "remote:"); ok && strings.TrimSpace(text) != "" && len(words) < 3 {
			words = append(words, strings.TrimSpace(text))
		}
	}
	return clean(strings.Join(words, "; "), longestSaid)
}
