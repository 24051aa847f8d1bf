package self

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// loginTime is how long a login shell may take to say where gsd is. Its profile may be slow.
const loginTime = 5 * time.Second

// InLogin returns how a command in a login shell has to call this program if such a shell does not find it as gsd, else "": a profile
// may set another PATH, as Debian's does. shell is the user's, as in SHELL; unless it is zsh, bash is asked, in the environment of p and
// with no input. What is not known for certain counts as found: where there is no such shell, or it does not answer in time.
func (p Program) InLogin(ctx context.Context, shell string) string {
	if runtime.GOOS == "windows" {
		return ""
	}
	name := "bash"
	if filepath.Base(shell) == "zsh" {
		name = "zsh"
	}
	found, err := p.askLogin(ctx, p.lookPath(name))
	if err != nil {
		return ""
	}
	own, err := p.File()
	if err != nil || strings.ContainsAny(own, "\"$`\\\n") || filepath.IsAbs(found) && (sameFile(found, own) || p.isGSD(found)) {
		return ""
	}
	return ShellWord(own)
}

// askLogin returns what a login shell runs as gsd, "" if it finds nothing. The profile may print something before.
func (p Program) askLogin(ctx context.Context, shell string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, loginTime)
	defer cancel()
	const mark = "gsd is at "
	cmd := exec.CommandContext(ctx, shell, "-lc", `printf '\n`+mark+`%s\n' "$(command -v gsd)"`)
	cmd.Env, cmd.WaitDelay = p.Env, time.Second // what a profile starts may keep the output open
	out, err := cmd.Output()
	_, said, ok := strings.Cut(string(out), "\n"+mark)
	if !ok {
		return "", cmp.Or(err, errors.New("the login shell does not say where gsd is"))
	}
	said, _, _ = strings.Cut(said, "\n")
	return said, nil // whatever it did afterwards
}

// lookPath returns the program of that name that PATH leads to, "" if there is none.
func (p Program) lookPath(name string) string {
	for _, dir := range filepath.SplitList(p.Path) {
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil && filepath.IsAbs(dir) {
			return found
		}
	}
	return ""
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, failed := os.Stat(b)
	return err == nil && failed == nil && os.SameFile(x, y)
}
