package project

// sides.go: the commits that are not here, but on other branches and in other worktrees.

import (
	"context"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/gsd-cli/gsd/internal/evidence"
	"github.com/gsd-cli/gsd/internal/gitlog"
	"github.com/gsd-cli/gsd/internal/planref"
)

// A Side is a branch that has commits which are not in HEAD's history.
type Side struct {
	gitlog.Beside
	Repo *gitlog.Repo // to ask what needs more of it; Close closes it

	commits  []*evidence.Commit
	subjects []planref.Subject
	here     *evidence.Log
}

// Limits of Sides: an agent waits for the answer.
const (
	mostSides  = 10  // branches besides those of worktrees
	mostBeside = 300 // commits, as many as are read of HEAD's history to see how far a plan is
	mostLed    = 4   // commits of a branch of which the first that names a plan or a phase says what it is about
)

// agentBranches are how branches begin that agents' hosts and upstream make: Claude's for an agent and for a workflow in a worktree, and
// upstream's branching_strategy.
var agentBranches = []string{"worktree-agent-", "worktree-wf_", "agent-", "gsd/"}

func isAgents(name string) bool {
	return slices.ContainsFunc(agentBranches, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// tip is a branch whose latest commits are about some phases.
type tip struct {
	gitlog.Branch
	repo   *gitlog.Repo
	phases []string // their keys
}

// Sides returns the branches with commits that are not in HEAD's history and of which the latest are about the phase with that key, as far as a
// bounded look goes: those of other worktrees and of agents first, then the user's own; and after those of the project's repository, those of
// the ones below it.
func (p *Project) Sides(phase string) []*Side {
	if p.tips == nil {
		p.tips = new(p.findTips())
	}
	branches := map[*gitlog.Repo][]gitlog.Branch{}
	for _, t := range *p.tips {
		if slices.Contains(t.phases, phase) {
			branches[t.repo] = append(branches[t.repo], t.Branch)
		}
	}
	if len(branches) == 0 {
		return nil
	}
	return Memo(&p.sides, phase, func() (all []*Side) {
		for _, repo := range p.repos {
			if found := branches[repo]; len(found) > 0 {
				all = append(all, p.findSides(repo, found)...)
			}
		}
		return all
	})
}

// PlanOn returns the plan that another worktree of the repository, in which dir is, is about: the one that its commits name which are not in HEAD's
// history, else the one whose id is in its branch's name, as in gsd/01-02. It is "" unless that is one alone.
func (p *Project) PlanOn(dir string) string {
	own := p.own()
	if own == nil {
		return ""
	}
	var tree []gitlog.Branch // the worktree with the longest path, as one may be in another
	for _, b := range own.Branches(isAgents, mostSides) {
		if in := b.Worktree; in != "" && (in == dir || isBelow(dir, in)) && (tree == nil || len(in) > len(tree[0].Worktree)) {
			tree = []gitlog.Branch{b}
		}
	}
	var ids []string
	for _, beside := range own.Beside(context.Background(), tree, mostBeside) {
		for _, c := range beside.Commits {
			for _, ref := range planref.ParseSubject(c.Subject, nil).Plans {
				ids = append(ids, ref.String())
			}
		}
		if ids == nil {
			ids = strings.FieldsFunc(beside.Name, func(r rune) bool { return r == '/' })
		}
	}
	var plans []string
	for _, id := range ids {
		if plan, err := p.ResolvePlan(p.Dir, id); err == nil && !slices.Contains(plans, plan) {
			plans = append(plans, plan)
		}
	}
	return only(plans)
}

// findTips returns the branches that have another commit than HEAD of their repository, and what they are about.
func (p *Project) findTips() (all []tip) {
	if log, _ := p.Log(nil); log == nil {
		return nil
	}
	for i, repo := range p.repos {
		left := max(0, mostSides-len(all))
		if i > 0 && left == 0 {
			break
		}
		branches := repo.Branches(isAgents, left)
		for i := range branches {
			if phases := isAbout(repo, &branches[i]); len(phases) > 0 {
				all = append(all, tip{branches[i], repo, phases})
			}
		}
	}
	return all
}

// isAbout returns the keys of the phases that the latest commits of a branch are about.
func isAbout(repo *gitlog.Repo, b *gitlog.Branch) (phases []string) {
	c, err := repo.Tip(b)
	for range mostLed {
		if c == nil || err != nil {
			return nil
		}
		s := planref.ParseSubject(c.Subject, nil) // which plans there are is not asked: the phase is enough
		for _, ref := range s.Plans {
			phases = append(phases, ref.PhaseKey())
		}
		if !s.Phase.IsZero() {
			phases = append(phases, s.Phase.Key())
		}
		if len(phases) > 0 {
			return phases
		}
		c, err = c.Parent()
	}
	return nil
}

func (p *Project) findSides(repo *gitlog.Repo, branches []gitlog.Branch) (all []*Side) {
	for _, beside := range repo.Beside(context.Background(), branches, mostBeside) {
		s := &Side{Beside: beside, Repo: repo, here: p.log}
		log := evidence.Read(func(yield func(*gitlog.Commit, error) bool) {
			for _, c := range beside.Commits {
				if !yield(c, nil) {
					return
				}
			}
		})
		for c := range log.Commits() {
			s.commits, s.subjects = append(s.commits, c), append(s.subjects, planref.ParseSubject(c.Subject, nil))
		}
		log.Close()
		all = append(all, s)
	}
	return all
}

// Names reports whether a commit of the side names a plan, or else the plan's phase. named are the plans beside it that are named by words.
func (s *Side) Names(id string, named planref.Named) bool {
	ref, phase := planref.ParseID(id)
	subjects := s.subjects
	if len(named) > 0 { // which they were parsed without
		subjects = make([]planref.Subject, len(s.commits))
		for i, c := range s.commits {
			subjects[i] = planref.ParseSubject(c.Subject, named)
		}
	}
	return slices.ContainsFunc(subjects, func(subject planref.Subject) bool {
		return ref != planref.Ref{} && slices.Contains(subject.Plans, ref) || !phase.IsZero() && subject.Phase.Key() == phase.Key()
	})
}

// IsNameless reports whether no commit of the side names a plan or a phase.
func (s *Side) IsNameless() bool {
	return !slices.ContainsFunc(s.subjects, func(subject planref.Subject) bool { return len(subject.Plans) > 0 || !subject.Phase.IsZero() })
}

// History iterates over the commits of the side, the latest first, and then over those that it has in common with HEAD, as far as that is
// known, and that are wanted.
func (s *Side) History(wanted map[string]bool) iter.Seq[*evidence.Commit] {
	return func(yield func(*evidence.Commit) bool) {
		left := len(wanted)
		for _, c := range s.commits {
			if !yield(c) {
				return
			}
		}
		for c := range s.here.Commits() {
			if left == 0 {
				return
			}
			if wanted[c.ID] {
				left--
			}
			if wanted[c.ID] && !s.OnlyHere[c.ID] && !yield(c) {
				return
			}
		}
	}
}

// SummaryOf returns the path of the summary of a plan that is there, "" if there is none.
func (s *Side) SummaryOf(plan string) string {
	dir := path.Dir(plan)
	names, _ := s.Beside.Commits[0].Names(dir)
	if name, ok := planref.SummaryOf(plan, names); ok {
		return path.Join(dir, name)
	}
	return ""
}
