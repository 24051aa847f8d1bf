// Package gitremote carries small sets of files to and from a git remote that people already have. A set is the tree of a
// commit without parents, which one ref below refs/gsd/ names; to change it is to replace the ref.
//
// All that reaches the network is the program git, so that credentials, ssh and proxies work as they do for its user: as they have
// configured them for themselves, not as the repository has it, which may be somebody else's. So git runs in a bare repository of our
// own, and of the user's repository only the address of the remote is taken, if it names no program. Git is never asked for a password,
// runs no hook, touches no branch, no tag, no index and no file of the working tree, and is killed with all that it has started once
// its time is over. The repository of our own is a cache, and may be deleted at any time. Git 2.31 or later is needed, and SHA-1.
//
// Every clone has a ref of its own: of 50 who replace one ref at the same instant, some lose five times, while 200 of 200 replace
// their own at once. A push leaves the commit before to the server's gc, four objects of some 200 bytes.
//
// What comes from a remote is hostile: refs, objects and messages are bounded, and messages are cleaned.
package gitremote

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gsd-cli/gsd/internal/gitlog"
)

// DefaultTimeout is how long a remote may take to answer.
const DefaultTimeout = 5 * time.Second

// DefaultPrefix begins the names of all refs. A remote shows them to nobody who does not ask for them.
const DefaultPrefix = "refs/gsd/"

// Repo is a user's repository, and the one of our own from which its remote is reached.
type Repo struct {
	dir, git string
	env      []string
	own      string   // the repository of our own; may be empty, and need not exist
	borrowed string   // see Borrow
	config   []entry  // see configuration; read once
	personal []string // see conditional; found once

	Progress func(doing string) // is called before each connection with what it is for; may be nil
}

// Open opens the repository around dir, an absolute path. own is the directory for the bare repository of our own, which is made when it
// is needed and may be deleted at any time; it is empty if there is none, and then only a [Repo.Borrow] makes it possible to reach a
// remote. git is the program and env its environment. The error is that of [gitlog.Place.Err].
func Open(dir, own, git string, env []string) (*Repo, error) {
	if err := gitlog.Find(dir).Err(); err != nil {
		return nil, err
	}
	return &Repo{dir: dir, git: git, env: env, own: own}, nil
}

// Remote is a place to share with.
type Remote struct {
	Name    string        // of the remote, or a URL
	Prefix  string        // of all refs, with a slash at its end
	Timeout time.Duration // of each connection

	addresses  []string // that of the remote, and if pushes go elsewhere, that, too
	sshCommand string   // core.sshCommand
	config     []string // of alias
}

// Address is where the remote is: what has to be the same for a sync that nobody asked for.
func (rm *Remote) Address() string { return strings.Join(rm.addresses, " ") }

// alias is what git calls the remote, which it knows from the command line only.
const alias = "gsd-share"

// ownVariables are the variables of a remote that the alias has, too, if the user configured them for themselves. Some name programs.
var ownVariables = []string{"proxy", "proxyauthmethod", "uploadpack", "receivepack"}

// Remote returns the remote that the repository's configuration chooses: gsd.remote, which may be a URL, the remote of the
// branch's upstream, origin, or the only one. gsd.refPrefix replaces the prefix; unless it begins with refs/, it is below
// refs/heads/. The error is of kind NoRemote if there is none, and BadAddress if its address is of a kind that names a program.
func (r *Repo) Remote(ctx context.Context) (*Remote, error) {
	entries, err := r.configuration(ctx)
	if err != nil {
		return nil, err
	}
	config, own := map[string]string{}, map[string]string{}
	var names []string
	for _, e := range entries {
		if rest, ok := strings.CutPrefix(e.key, "remote."); ok && strings.Contains(rest, ".") {
			name, variable := rest[:strings.LastIndexByte(rest, '.')], rest[strings.LastIndexByte(rest, '.')+1:]
			if _, known := config[e.key]; known && strings.HasSuffix(variable, "url") { // the first of several
				continue
			}
			if variable == "url" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if config[e.key] = e.value; e.own {
			own[e.key] = e.value
		}
	}
	rm := &Remote{Name: config["gsd.remote"], Timeout: DefaultTimeout, sshCommand: own["core.sshcommand"]}
	if rm.Name == "" && len(names) > 1 {
		head, err := r.ask(ctx, "symbolic-ref", "-q", "HEAD") // fails if no branch is checked out
		if branch, ok := strings.CutPrefix(strings.TrimSpace(string(head)), "refs/heads/"); ok && err == nil {
			rm.Name = config["branch."+branch+".remote"]
		}
		if rm.Name == "." || rm.Name == "" { // a branch may follow another of the same repository
			rm.Name = "origin"
			if !slices.Contains(names, rm.Name) {
				return nil, &Error{Kind: NoRemote, Sentence: "there are several git remotes and none is origin: choose with git config gsd.remote NAME"}
			}
		}
	}
	if rm.Name == "" && len(names) == 1 {
		rm.Name = names[0]
	}
	if rm.Name == "" {
		return nil, &Error{Kind: NoRemote, Sentence: "there is no git remote: add one with git remote add origin URL"}
	}
	if strings.HasPrefix(rm.Name, "-") {
		return nil, &Error{Kind: NoRemote, Sentence: "gsd.remote must not begin with a hyphen"}
	}
	isName := slices.Contains(names, rm.Name)
	if !isName && !strings.ContainsAny(rm.Name, ":/\\") { // neither a URL nor a path
		return nil, &Error{Kind: NoRemote, Sentence: "there is no git remote " + rm.String() + ": choose one with git config gsd.remote NAME"}
	}
	if err := r.locate(rm, config, own, isName); err != nil {
		return nil, err
	}
	rm.Prefix, err = Prefix(config["gsd.refprefix"])
	return rm, err
}

// locate finds the address of a remote, and makes what git is given for it. isName reports whether its name is one, or else the address.
func (r *Repo) locate(rm *Remote, config, own map[string]string, isName bool) error {
	variable := func(of map[string]string, name string) string { return of["remote."+rm.Name+"."+name] }
	where := map[string]string{"url": rm.Name}
	if isName {
		where = map[string]string{"url": variable(config, "url"), "pushurl": variable(config, "pushurl")}
	}
	set := func(name, value string) {
		if value != "" {
			rm.config = append(rm.config, "remote."+alias+"."+name+"="+value)
		}
	}
	for _, name := range []string{"url", "pushurl"} {
		address, ok := where[name]
		if !ok || address == "" && name == "pushurl" {
			continue
		}
		address, local, err := r.checkAddress(address)
		if err != nil {
			return &Error{Kind: BadAddress, Remote: rm.String(), Sentence: fmt.Sprintf("the address of %s %v", rm, err)}
		}
		set(name, address)
		rm.addresses = append(rm.addresses, address)
		if local && name == "url" {
			set("uploadpack", r.service("upload-pack"))
		}
		if local && (name == "pushurl" || where["pushurl"] == "") {
			set("receivepack", r.service("receive-pack"))
		}
	}
	if isName {
		for _, name := range ownVariables {
			set(name, variable(own, name))
		}
	}
	return nil
}

// Prefix returns the prefix of all refs for a value of gsd.refPrefix, which may be empty.
func Prefix(value string) (string, error) {
	if value == "" {
		return DefaultPrefix, nil
	}
	name := strings.TrimRight(value, "/")
	if !strings.HasPrefix(name, "refs/") {
		name = "refs/heads/" + name
	}
	parts := strings.Split(name, "/")
	least := 2
	switch parts[1] {
	case "heads", "tags", "notes", "remotes":
		least = 3 // or all branches would be gsd's
	}
	if !validRef(name) || len(parts) < least || value == "refs/" {
		return "", &Error{Kind: Other, Sentence: fmt.Sprintf("gsd.refPrefix cannot be %q: use a name such as gsd, for branches gsd/…", value)}
	}
	return name + "/", nil
}

// validRef reports whether a full name may be a ref's according to git-check-ref-format. Names that are not printable are
// not for us either.
func validRef(name string) bool {
	if !strings.HasPrefix(name, "refs/") || len(name) > 500 || name[len(name)-1] == '.' {
		return false
	}
	last := byte('/') // there may be 100,000 names, so each is read only once if it is ASCII
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 0x80:
			if !utf8.ValidString(name) || strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) }) {
				return false
			}
		case c <= ' ', c == 0x7f, c == '~', c == '^', c == ':', c == '?', c == '*', c == '[', c == '\\':
			return false
		case c == '/' && last == '/', c == '.' && (last == '/' || last == '.'), c == '{' && last == '@':
			return false
		case c == '/' && strings.HasSuffix(name[:i], ".lock"):
			return false
		}
		last = c
	}
	return last != '/' && !strings.HasSuffix(name, ".lock")
}

// validID reports whether id is the name of an object. All zeros are not.
func validID(id string) bool {
	for i := range len(id) {
		if c := id[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(id) == 40 && id != zeros
}

const zeros = "0000000000000000000000000000000000000000"

// Ref is a ref of a remote and the commit that it names.
type Ref struct{ Name, ID string }

// Limits of what a remote may list. A real ref takes about 100 bytes.
const (
	maxRefs      = 100_000
	maxListBytes = 16 << 20
)

// List returns the refs of a remote below the prefix that match one of the patterns, sorted by name; all without patterns. A
// pattern has the prefix in front of it, and a * in it matches anything. It takes one connection. The remote sends all of its
// refs, unless the prefix is below refs/heads/ (then it sends branches): git ls-remote does not ask for less, because its
// patterns match the end of a name.
func (r *Repo) List(ctx context.Context, rm *Remote, patterns ...string) ([]Ref, error) {
	args := []string{"ls-remote", "--quiet", "--refs"}
	if strings.HasPrefix(rm.Prefix, "refs/heads/") {
		args = append(args, "--heads")
	}
	args = append(args, alias)
	if len(patterns) == 0 {
		patterns = []string{"*"}
	}
	for _, p := range patterns {
		args = append(args, rm.Prefix+p)
	}
	out, err := r.remote(ctx, rm, nil, nil, maxListBytes, args...)
	if err != nil {
		return nil, err
	}
	listed := string(out.stdout)
	refs := make([]Ref, 0, strings.Count(listed, "\n"))
	for line := range strings.Lines(listed) {
		id, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !validID(id) || !strings.HasPrefix(name, rm.Prefix) || !validRef(name) {
			continue
		}
		if len(refs) == maxRefs {
			return nil, &Error{Kind: Other, Remote: rm.String(), Sentence: fmt.Sprintf("%s has more than %d refs below %s", rm, maxRefs, rm.Prefix)}
		}
		refs = append(refs, Ref{name, id})
	}
	slices.SortFunc(refs, func(a, b Ref) int { return strings.Compare(a.Name, b.Name) }) // servers do so, git ls-remote perhaps not
	return slices.CompactFunc(refs, func(a, b Ref) bool { return a.Name == b.Name }), nil
}

// Remove deletes all refs that match one of the patterns, as [Repo.List] has them. A ref that changes meanwhile is not deleted,
// which its result says.
func (r *Repo) Remove(ctx context.Context, rm *Remote, patterns ...string) ([]Result, error) {
	refs, err := r.List(ctx, rm, patterns...)
	if err != nil {
		return nil, err
	}
	var results []Result
	for chunk := range slices.Chunk(refs, MaxUpdates) {
		var updates []Update
		for _, ref := range chunk {
			updates = append(updates, Update{Ref: ref.Name, Old: ref.ID})
		}
		done, err := r.Push(ctx, rm, updates)
		results = append(results, done...)
		if err != nil {
			return results, err
		}
	}
	return results, nil
}
