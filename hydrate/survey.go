package hydrate

import (
	"fmt"
	"path"

	"github.com/gsd-cli/gsd/roadmap"
)

// survey is what is known about a root and its history, independent of the user.
type survey struct {
	roadmap.Question
	unread   bool // there is a roadmap, but it cannot be read
	warnings []Warning
}

// survey reads the roadmap of a root whose directories were listed, the front matter of its plans and summaries, and the
// commits about them.
func (p *Project) survey(disk *roadmap.Disk) *survey {
	name, parsed, err := p.nearestRoadmap(path.Join(disk.Root, "x"))
	s := &survey{unread: err != nil}
	if err != nil {
		s.warnings = append(s.warnings, Warning{RoadmapUnreadable, readFailed(name, p.Limit, err).Text})
	}
	if parsed == nil {
		parsed = &roadmap.Roadmap{}
	}
	disk.Read(p.meta, parsed)
	ev, err := p.gather(disk)
	if err != nil {
		s.warnings = append(s.warnings, p.historyWarning(err))
	}
	s.Question = roadmap.Question{
		Disk: disk, Roadmap: parsed, Entries: roadmap.Join(disk, parsed), Path: name, Evidence: ev,
		Meta: p.planMeta, Tasks: p.planTasks, Jobs: p.jobs(disk),
	}
	return s
}

// nearestRoadmap reads the roadmap that a plan belongs to. It returns "" and nil if there is none.
func (p *Project) nearestRoadmap(plan string) (name string, parsed *roadmap.Roadmap, err error) {
	name, ok := roadmap.Nearest(p.exists, plan)
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
	src, err := p.read(name)
	if err == nil {
		err = roadmap.Check(src)
	}
	if err != nil {
		return nil, err
	}
	parsed := roadmap.Parse(src, p.namedMilestone(path.Dir(name)))
	if parsed.Cut > 0 {
		p.warn(RoadmapCut, fmt.Sprintf("%s: only the first %d lines are read", name, parsed.Cut))
	}
	return memo(&p.roadmaps, name, func() *roadmap.Roadmap { return parsed }), nil
}

// memo returns the known value of a key, or finds and stores it.
func memo[K comparable, V any](known *map[K]V, key K, find func() V) V {
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
