package agent

import (
	"path/filepath"
	"strings"
)

// Sync is what gsd install --sync installs: a setting in the configuration of the repository, with which gsd claims plans and
// exchanges sessions by itself.
const Sync = "sync"

const afterSync = "gsd claims plans when a session starts, and syncs after marks and at the end of conversations"

const syncKey, syncAuto = "gsd.sync", "auto"

// planSync plans to make the setting, or to remove it.
func planSync(w Where, removal bool) (*Plan, error) {
	if err := w.checkGit(); err != nil {
		return nil, err
	}
	config := Change{Path: filepath.Join(w.GitDir, "config"), dir: w.GitDir, name: "config"}
	if err := config.read(); err != nil {
		return nil, w.failed("read", config.Path, err)
	}
	config.After = config.Before
	p := &Plan{Where: w, State: Absent}
	set, err := w.git("config", "--get", syncKey)
	if err != nil {
		return nil, err
	}
	is := strings.EqualFold(strings.TrimSpace(set), syncAuto) // as package gitremote reads it
	if is {
		p.State = Complete
	}
	switch {
	case removal && is:
		config.After, err = w.editConfig(config.Before, "--unset-all", syncKey)
	case !removal && !is:
		config.After, err = w.editConfig(config.Before, "--replace-all", syncKey, syncAuto)
	}
	if err != nil {
		return nil, err
	}
	p.add(config)
	if removal && is && len(p.Changes) == 0 {
		p.Kept = true
		p.note("gsd.sync is set elsewhere: git config --show-origin --get gsd.sync")
	}
	if remotes, err := w.git("remote"); err == nil && remotes == "" && !removal {
		p.note("there is no git remote yet to sync with")
	}
	return p, nil
}
