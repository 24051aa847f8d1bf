// Package self finds out how others can call this program: by its name, if that leads to it, or by its path.
package self

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/agent"
	"github.com/gsd-cli/gsd/internal/text"
)

// A Program is this program.
type Program struct {
	Called string   // how it was called, as in os.Args[0]; empty for gsd
	Path   string   // the variable PATH
	Env    []string // as in os.Environ, for a program that is asked what it is
	// Login is set if who is to call it runs commands in a login shell, where PATH may lead elsewhere: a caller that called it by
	// its path then gets that path.
	Login bool
}

// File returns the path of this program, as found in PATH if possible: package managers put links there that survive an
// upgrade, into directories that do not.
func (p Program) File() (string, error) {
	own, err := os.Executable()
	if err != nil {
		return "", err
	}
	is, err := os.Stat(own)
	if err != nil {
		return "", err
	}
	for _, dir := range filepath.SplitList(p.Path) {
		name := filepath.Join(dir, filepath.Base(own))
		if found, err := os.Stat(name); filepath.IsAbs(dir) && err == nil && os.SameFile(found, is) {
			return name, nil
		}
	}
	return own, nil
}

// Name returns how an agent can call this program: gsd, or if a shell would not find it under that name, its whole path,
// quoted. A script named gsd counts as well, because version managers put such scripts into PATH to start the program that they
// have chosen.
func (p Program) Name() string { return p.nameIf(isScript) }

// Instead returns how hooks have to call this program if they can't call it gsd, else "". It runs what PATH leads to, if that
// is another file.
func (p Program) Instead() string {
	if name := p.nameIf(p.isGSD); name != "gsd" {
		return name
	}
	return ""
}

// nameIf returns gsd, or the whole path of this program, quoted. A caller that used the name has found it. Otherwise, what PATH
// leads to has to be this file, or another one that leads to it. A path that has no place in double quotes is not returned.
func (p Program) nameIf(leadsToIt func(path string) bool) string {
	const name = "gsd"
	if !strings.ContainsAny(p.Called, `/\`) {
		return name
	}
	own := p.Called
	if !filepath.IsAbs(own) {
		path, err := os.Executable()
		if err != nil {
			return name
		}
		own = path
	}
	is, err := os.Stat(own)
	if err != nil {
		return name
	}
	for _, dir := range filepath.SplitList(p.Path) {
		found := filepath.Join(dir, name)
		if p.Login && filepath.IsAbs(p.Called) {
			break
		}
		if runtime.GOOS == "windows" {
			found += ".exe"
		}
		info, err := os.Stat(found)
		if !filepath.IsAbs(dir) || err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
			continue
		}
		if strings.HasSuffix(filepath.ToSlash(dir), "node_modules/.bin") { // it is in PATH only while npm or npx runs
			continue
		}
		if os.SameFile(info, is) || leadsToIt(found) {
			return name
		}
		break // another program
	}
	if own = filepath.ToSlash(own); strings.ContainsAny(own, "\"$`\\\n") {
		return name
	}
	return ShellWord(own)
}

// isGSD reports whether a program says that it is a version of this one. Others have the same name.
func (p Program) isGSD(path string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, path, "--version")
	command.Env, command.WaitDelay = p.Env, time.Second
	out, err := command.Output()
	return err == nil && agent.IsVersion(string(out))
}

// isScript reports whether a file begins as a script does.
func isScript(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close() // it was only read
	head := make([]byte, 2)
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == "#!"
}

// ShellWord quotes a path for the shells that run hooks, which all understand double quotes.
func ShellWord(s string) string {
	if text.IsWord(s) {
		return s
	}
	return `"` + s + `"`
}
