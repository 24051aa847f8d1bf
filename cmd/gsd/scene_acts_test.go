//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/session"
)

type act func(*scene)

// gsd run list command lines that must succeed, ten minutes apart.
func gsd(lines ...string) act {
	return func(s *scene) {
		for _, line := range lines {
			if section, code := s.gsd(line, false); code != 0 {
				s.t.Fatalf("%s: gsd %s: %s", s.name, line, section)
			}
			s.now = s.now.Add(10 * time.Minute)
		}
	}
}

// expiring makes a run live so long whose process cannot be checked.
func expiring(d time.Duration) act { return func(s *scene) { s.lifetime = d } }

func later(d time.Duration) act { return func(s *scene) { s.now = s.now.Add(d) } }

func file(name, text string) act { return func(s *scene) { s.write(name, text) } }

// phaseClaim is the claim of another session of upstream's, so long before everybody looks.
func phaseClaim(phase string, before time.Duration) act {
	return file("milestone.lock", fmt.Sprintf(`{"phase": %q, "session": "codex-thread-id-1f2e", "pid": 4711, "updated_at": %d}`, phase, stateNow.Add(-before).UnixMilli()))
}

func added(name, text string) act {
	return func(s *scene) { s.write(name, s.read(name)+text) }
}

// edited replaces in a file what must be there.
func edited(name, from, to string) act {
	return func(s *scene) {
		text := s.read(name)
		if !strings.Contains(text, from) {
			s.t.Fatalf("%s: no %q in %s", s.name, from, name)
		}
		s.write(name, strings.ReplaceAll(text, from, to))
	}
}

// free takes the lease from the run that has it.
func free(s *scene) {
	s.write(adaRuns, regexp.MustCompile(`"holder":"[^"]*"`).ReplaceAllString(s.read(adaRuns), `"holder":""`))
}

func gone(name string) act { return func(s *scene) { s.check(os.RemoveAll(s.at(name))) } }

func moved(from, to string) act {
	return func(s *scene) {
		s.check(os.MkdirAll(filepath.Dir(s.at(to)), 0o755))
		s.check(os.Rename(s.at(from), s.at(to)))
	}
}

// changed makes a file younger than all others.
func changed(name string) act { return func(s *scene) { s.young = append(s.young, s.at(name)) } }

// noted is a file of git's directory, which keeps the time of the scene.
func noted(name, text string) act {
	return func(s *scene) {
		s.write(name, text)
		s.check(os.Chtimes(s.at(name), s.now, s.now))
	}
}

// syncFailed writes a file of a clone's in gsd's state directory.
func syncFailed(name, text string) act {
	return func(s *scene) {
		common, _, _ := gitlog.Find(s.dir).Shared()
		store, err := filepath.Rel(s.at("~/"), session.StateDir(s.at("~/.local/state/gsd")).Clone(common))
		s.check(err)
		noted("~/"+store+"/"+name, text)(s)
	}
}

func copied(from, to string) act { return func(s *scene) { s.write(to, s.read(from)) } }

// kept does an act and puts a file back to what it was before: a crash came between.
func kept(name string, do act) act {
	return func(s *scene) {
		text := s.read(name)
		do(s)
		s.write(name, text)
	}
}

// withCrumb does an act and puts the breadcrumbs back to what they were before: a crash came between.
func withCrumb(do act) act {
	return func(s *scene) {
		dir := s.at("~/.local/state/gsd/crumbs")
		saved := map[string][]byte{}
		for _, id := range s.lost() {
			text, err := os.ReadFile(filepath.Join(dir, id+".crumb.json"))
			s.check(err)
			saved[id] = text
		}
		do(s)
		s.check(os.RemoveAll(dir))
		s.check(os.Mkdir(dir, 0o700))
		for id, text := range saved {
			s.check(os.WriteFile(filepath.Join(dir, id+".crumb.json"), text, 0o600))
		}
	}
}

// as lets another user do a act.
func as(user string, do ...act) act {
	return func(s *scene) {
		config := s.read("~/.gitconfig")
		s.write("~/.gitconfig", strings.Replace(config, "Ada Lovelace", user, 1))
		for _, act := range do {
			act(s)
		}
		s.write("~/.gitconfig", config)
	}
}

func with(env ...string) act { return func(s *scene) { s.env = append(s.env, env...) } }

// within is where in the directory of the scene all commands are run from now on.
func within(dir string) act {
	return func(s *scene) {
		s.dir = filepath.Join(s.root, dir)
		s.check(os.MkdirAll(s.dir, 0o755))
	}
}

// only has these commands run and no others; also has them run beside the others.
func only(lines string) act { return func(s *scene) { s.lines, s.alone = lines, true } }
func also(lines string) act { return func(s *scene) { s.lines += lines } }

// golden says that the state has a golden file, and which commands are in it besides the default ones.
func golden(lines string) act {
	if lines != "" {
		lines = "; " + lines
	}
	return onlyGolden(defaultGolden + lines)
}

// onlyGolden says that the state has a golden file with these commands, which "; " or ends of lines separate.
func onlyGolden(lines string) act {
	return func(s *scene) {
		s.golden = strings.Split(strings.ReplaceAll(strings.TrimSpace(lines), "\n", "; "), "; ")
	}
}

var processOf = lazyRegexp(`("pid": ?)1(,\s*"start_time": ?")\d+"`)

// runFiles are the files that name the processes of runs.
func (s *scene) runFiles() []string {
	names := []string{adaRuns}
	crumbs, err := filepath.Glob(s.at("~/.local/state/gsd/crumbs/*.json"))
	s.check(err)
	for _, name := range crumbs {
		names = append(names, "~/.local/state/gsd/crumbs/"+filepath.Base(name))
	}
	return names
}

// died makes every run of process 1 one of a process that is gone: the number came to another.
func died(s *scene) {
	for _, name := range s.runFiles() {
		if text, err := os.ReadFile(s.at(name)); err == nil {
			s.write(name, processOf().ReplaceAllString(string(text), `${1}1${2}7"`))
		}
	}
}

// elsewhere makes every run one of another machine, so it is unknown whether it is alive.
func elsewhere(s *scene) {
	boot := regexp.MustCompile(`"(boot_id|machine|host_name)": ?"[^"]*"`)
	for _, name := range s.runFiles() {
		if text, err := os.ReadFile(s.at(name)); err == nil {
			s.write(name, boot.ReplaceAllString(string(text), `"$1":"far"`))
		}
	}
}

// begins starts a run of a process that lives and is neither this one nor above it.
func begins(line string) act {
	return func(s *scene) {
		cmd, kill, err := startAgent()
		s.check(err)
		s.t.Cleanup(kill)
		s.agent = strconv.Itoa(cmd.Process.Pid)
		gsd(line + " --pid " + s.agent)(s)
	}
}

// commit commits everything that is there, but sessions, under a subject, an hour after the one before.
func commit(subject string, files ...string) act { return commitIn("", subject, files...) }

// commitIn is commit for a repository below the project.
func commitIn(below, subject string, files ...string) act {
	return func(s *scene) {
		dir := filepath.Join(s.root, "notes", below)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			s.t.Fatal(err)
		}
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err != nil {
			s.git(below, "init", "-q", "-b", "main", "--template=")
		}
		for _, name := range files {
			s.write("./"+path.Join(below, name), fmt.Sprintf("package notes // %d %s\n", s.commits, subject))
		}
		s.git(below, "add", "-A")
		s.git(below, "commit", "-q", "--allow-empty", "-m", subject)
		s.commits++
	}
}

// git runs git in a directory below the project.
func (s *scene) git(below string, args ...string) {
	s.t.Helper()
	cmd := exec.Command("git", args...)
	at := stateFrom.Add(time.Duration(s.commits-10) * time.Hour).Format(time.RFC3339)
	cmd.Dir, cmd.Env = filepath.Join(s.root, "notes", below), append(slices.Clone(s.env), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("%s: git %q: %v\n%s", s.name, args, err, out)
	}
}

// linked makes .planning a link to a directory elsewhere, which git does not track.
func linked(s *scene) {
	commit("docs: begin")(s)
	s.write("./.git/info/exclude", ".planning\n")
	s.git("", "rm", "-q", "-r", "--cached", ".planning")
	s.git("", "commit", "-q", "-m", "chore: keep the plans elsewhere")
	moved("./.planning", "./../plans/.planning")(s)
	s.check(os.Symlink("../plans/.planning", s.at("./.planning")))
}

// asSubmodule makes .planning a submodule that is checked out.
func asSubmodule(s *scene) {
	moved("./.planning", "./../plans")(s)
	commitIn("../plans", "docs: plan the notes")(s)
	s.git("", "init", "-q", "-b", "main", "--template=")
	s.git("", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../plans", ".planning")
	commit("docs: the plans")(s)
}

// lateCommits makes the next commits come after the session was started.
func lateCommits(s *scene) { s.commits = 11 }

func inTurn(all ...act) act {
	return func(s *scene) {
		for _, act := range all {
			act(s)
		}
	}
}
