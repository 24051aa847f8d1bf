package gitremote

// auto.go: what has to be known without a run of git, because every mark asks for it.

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"

	"github.com/gsd-cli/gsd/internal/durable"
)

// Store is the directory of this package in the repository, which all worktrees share. It may be missing, and it may be deleted
// at any time.
func (r *Repo) Store() string { return r.store }

// Auto reports whether git config gsd.sync is auto. Only if the configuration of the repository or of the user has a section
// gsd, git is asked.
func (r *Repo) Auto(ctx context.Context) bool {
	files := []string{filepath.Join(filepath.Dir(r.store), "config")}
	if file := r.getenv("GIT_CONFIG_GLOBAL"); file != "" {
		files = append(files, file)
	} else {
		home, xdg := r.getenv("HOME"), r.getenv("XDG_CONFIG_HOME")
		if xdg == "" && home != "" {
			xdg = filepath.Join(home, ".config")
		}
		if home != "" {
			files = append(files, filepath.Join(home, ".gitconfig"))
		}
		if xdg != "" {
			files = append(files, filepath.Join(xdg, "git", "config"))
		}
	}
	for _, file := range files {
		text, err := (*durable.Budget)(nil).ReadAt(file, maxConfig)
		if err != nil || !bytes.Contains(bytes.ToLower(text), []byte("[gsd")) {
			continue
		}
		value, err := r.ask(ctx, "config", "--get", "gsd.sync")
		return err == nil && strings.EqualFold(strings.TrimSpace(string(value)), "auto")
	}
	return false
}

const maxConfig = 1 << 20
