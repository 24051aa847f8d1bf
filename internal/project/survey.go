package project

import (
	"path"

	"github.com/gsd-cli/gsd/internal/durable"
	"github.com/gsd-cli/gsd/internal/next"
	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/internal/problem"
	"github.com/gsd-cli/gsd/internal/roadmap"
)

// Survey is what is known about a root and its history, independent of the user.
type Survey struct {
	next.Question
	Unread   bool // there is a roadmap, but it cannot be read, or no phase in it is recognised
	Warnings []problem.Warning
}

// Survey reads the roadmap of a root whose directories were listed, the front matter of its plans and summaries, and the
// commits about them. progress is called with what takes long; it may be nil.
func (p *Project) Survey(disk *roadmap.Disk, progress func(doing string)) *Survey {
	name, parsed, err := p.NearestRoadmap(path.Join(disk.Root, "x"))
	s := &Survey{Unread: err != nil}
	if err != nil {
		s.Warnings = append(s.Warnings, problem.UnreadWarning(problem.RoadmapUnreadable, name, p.Limit, err))
	}
	if parsed == nil {
		parsed = &roadmap.Roadmap{}
	} else if parsed.IsUnrecognized() {
		s.Unread = true
		s.Warnings = append(s.Warnings, problem.Warning{Code: problem.RoadmapUnrecognized, Path: name})
	}
	disk.Read(p.StatusOf, parsed)
	ev, err := p.gather(disk, progress)
	if err != nil {
		s.Warnings = append(s.Warnings, problem.HistoryWarning(err))
	}
	s.Question = next.Question{
		Disk: disk, Roadmap: parsed, Entries: roadmap.Join(disk, parsed), Path: name, Evidence: ev,
		Meta: p.planMeta, Tasks: p.planTasks,
	}
	return s
}

// Phases lists the phases of a root, once.
func (p *Project) Phases(root string) *roadmap.Disk {
	return Memo(&p.scanned, root, func() (disk *roadmap.Disk) {
		p.listed = map[durable.FileID]string{}
		p.listUntilStable(func() { disk = roadmap.ScanPhases(p.list, root) })
		if root == planref.Planning && len(disk.Phases) == 0 && p.isEmptySubmodule() {
			p.Warn(problem.Warning{Code: problem.SubmoduleEmpty, Path: planref.Planning})
		}
		if len(disk.Archived) == 0 {
			return disk
		}
		_, parsed, _ := p.NearestRoadmap(path.Join(root, "x")) // Survey reports the error
		if parsed == nil {
			parsed = roadmap.Parse(nil, p.namedMilestone(root))
		}
		disk.Activate(parsed)
		return disk
	})
}

// Listed returns the phases of a root that has been listed, else nil.
func (p *Project) Listed(root string) *roadmap.Disk { return p.scanned[root] }

// NearestRoadmap reads the roadmap that a plan belongs to. It returns "" and nil if there is none.
func (p *Project) NearestRoadmap(plan string) (name string, parsed *roadmap.Roadmap, err error) {
	name, ok := roadmap.Nearest(p.Exists, plan)
	if ok {
		parsed, err = p.parseRoadmap(name)
	}
	return name, parsed, err
}

// parseRoadmap reads a roadmap. Each is read once, because fifty sessions may ask about the same one.
func (p *Project) parseRoadmap(name string) (*roadmap.Roadmap, error) {
	if parsed, ok := p.roadmaps[name]; ok {
		return parsed, nil
	}
	src, err := p.Read(name)
	if err == nil {
		err = roadmap.Check(src)
	}
	if err != nil {
		return nil, err
	}
	parsed := roadmap.Parse(src, p.namedMilestone(path.Dir(name)))
	if parsed.Cut > 0 {
		p.Warn(problem.Warning{Code: problem.RoadmapCut, Path: name, Count: parsed.Cut})
	}
	return Memo(&p.roadmaps, name, func() *roadmap.Roadmap { return parsed }), nil
}

// Memo returns the known value of a key, or finds and stores it.
func Memo[K comparable, V any](known *map[K]V, key K, find func() V) V {
	v, ok := (*known)[key]
	if !ok {
		v = find()
		if *known == nil {
			*known = map[K]V{}
		}
		(*known)[key] = v
	}
	return v
}
