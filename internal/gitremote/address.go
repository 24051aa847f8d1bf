package gitremote

// address.go: what is taken of a repository's configuration, which may have come with the repository: where its remote is. git takes
// some addresses for the name of a program, so only kinds that git itself knows are let through.

import (
	"context"
	"errors"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/text"
)

// An entry is a value of git's configuration.
type entry struct {
	key, value string
	own        bool // the user configured it for themselves, not the repository
}

// ownScopes are the scopes of git's configuration that a repository does not bring.
var ownScopes = []string{"system", "global", "command"}

// configuration returns what is configured for the repository. git config --list runs nothing.
func (r *Repo) configuration(ctx context.Context) ([]entry, error) {
	if r.config == nil {
		out, err := r.ask(ctx, listing...)
		if err != nil {
			return nil, err
		}
		r.config = parseConfig(string(out))
	}
	return r.config, nil
}

var listing = []string{"config", "--null", "--show-scope", "--list"}

func parseConfig(out string) (entries []entry) {
	for fields := strings.Split(out, "\x00"); len(fields) > 1; fields = fields[2:] {
		key, value, ok := strings.Cut(fields[1], "\n")
		if !ok { // as git takes a variable without a value
			value = "true"
		}
		entries = append(entries, entry{key, value, slices.Contains(ownScopes, fields[0])})
	}
	return entries
}

// conditional returns the variables of the environment with which git has, in the repository of our own, what the user configured for
// repositories like theirs (includeIf), such as an ssh key for those of work.
func (r *Repo) conditional(ctx context.Context) ([]string, error) {
	entries, err := r.configuration(ctx)
	isConditional := func(e entry) bool { return e.own && strings.HasPrefix(e.key, "includeif.") }
	if err != nil || r.personal != nil || !slices.ContainsFunc(entries, isConditional) {
		return r.personal, err
	}
	inOwn, err := r.answer(ctx, nil, r.asking(listing...))
	if err != nil {
		return nil, err
	}
	known := map[entry]int{}
	for _, e := range parseConfig(string(inOwn)) {
		known[e]++
	}
	count, _ := strconv.Atoi(r.getenv("GIT_CONFIG_COUNT"))
	for _, e := range entries {
		if known[e]--; e.own && known[e] < 0 {
			n := strconv.Itoa(count)
			r.personal = append(r.personal, "GIT_CONFIG_KEY_"+n+"="+e.key, "GIT_CONFIG_VALUE_"+n+"="+e.value)
			count++
		}
	}
	r.personal = append(r.personal, "GIT_CONFIG_COUNT="+strconv.Itoa(count))
	return r.personal, nil
}

// asking asks git something about the repository of our own.
func (r *Repo) asking(args ...string) func(ctx context.Context) *exec.Cmd {
	return func(ctx context.Context) *exec.Cmd { return r.inOwn(ctx, nil, nil, args...) }
}

// schemes are the kinds of URL that git knows by itself. For any other, it runs the program git-remote-SCHEME.
var schemes = []string{"https", "http", "ssh", "git+ssh", "ssh+git", "git", "file"}

// checkAddress returns an address in the form that git is given, a path on this machine absolute. local reports whether it is one. The error says
// what is wrong with an address that is not used, as a predicate.
func (r *Repo) checkAddress(address string) (forGit string, local bool, err error) {
	if address == "" || strings.HasPrefix(address, "-") || strings.ContainsFunc(address, unicode.IsControl) {
		return "", false, errors.New("is none: it is empty, begins with a hyphen, or has control characters")
	}
	word := strings.TrimLeftFunc(address, func(c rune) bool {
		return c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("+-.", c))
	})
	scheme := address[:len(address)-len(word)]
	if strings.HasPrefix(word, "::") {
		return "", false, errors.New("names the program git-remote-" + clean(scheme, 40) + ", which gsd does not run for a repository; a person can rewrite the address with url.URL.insteadOf in a configuration of their own")
	}
	rest, isURL := strings.CutPrefix(word, "://")
	if isURL {
		if !slices.Contains(schemes, scheme) {
			return "", false, errors.New("names the program git-remote-" + clean(scheme, 40) + ", which gsd does not run for a repository; use https, ssh, git, file or a path")
		}
		if scheme == "file" {
			return address, true, nil
		}
		host, _, _ := strings.Cut(rest, "/")
		return address, false, checkHost(host)
	}
	before, path, isSSH := strings.Cut(address, ":")
	if isSSH && !strings.Contains(before, "/") && !isDrive(address) {
		if strings.HasPrefix(path, "-") {
			return "", false, errOption
		}
		return address, false, checkHost(before)
	}
	if !filepath.IsAbs(address) {
		top, _, _ := gitlog.Find(r.dir).Worktrees(0)
		address = filepath.Join(top, address)
	}
	return address, true, nil
}

var errOption = errors.New("would be taken for an option of ssh")

// checkHost refuses a host, with or without a user, that ssh or a proxy would take for an option.
func checkHost(host string) error {
	if decoded, err := url.PathUnescape(host); err == nil {
		host = decoded
	}
	name := host[strings.LastIndexByte(host, '@')+1:]
	if strings.HasPrefix(host, "-") || strings.HasPrefix(strings.TrimLeft(name, "["), "-") || name == "" {
		return errOption
	}
	return nil
}

// isDrive reports whether a path begins with a drive of Windows, on Windows.
func isDrive(path string) bool { return filepath.VolumeName(path) != "" }

// service returns the command that git runs for a repository on this machine. That may have come with the user's one, so nothing that
// its configuration names is run, nor its hooks: git decides by itself what to accept.
func (r *Repo) service(name string) string {
	command := "GIT_NO_LAZY_FETCH=1 GIT_ALLOW_PROTOCOL=none " + text.ShellWord(filepath.ToSlash(r.git))
	for _, setting := range []string{
		"core.hooksPath=/dev/null", "core.fsmonitor=false", "core.alternateRefsCommand=true", "receive.autogc=false",
		"receive.denyCurrentBranch=refuse", // or files of it would be written, through filters
	} {
		command += " -c " + setting
	}
	return command + " " + name
}
