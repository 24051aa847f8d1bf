package hydrate

// doctor_plans.go: what is wrong with the plans that are still to be carried out: open ones in phases that are not over. What
// nobody will carry out may be as it is. A finding has a fix only if that was tried on the text in memory and mends it.

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gsd-cli/gsd/internal/planref"
	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/roadmap"
)

// The codes of findings about plans, besides those of planfile.Problems.
const (
	PlanWithoutTask   = "plan-without-task"
	PlanRepeated      = "plan-id-repeated"
	DependencyUnknown = "dependency-unknown"
	FrontMatterUnread = "front-matter-unreadable"
)

// checkPlans checks the plans of all roots.
func (d *doctor) checkPlans() {
	for _, root := range d.roots() {
		disk := d.phases(root)
		name, parsed, err := d.nearestRoadmap(path.Join(root, "x"))
		d.noteUnread(name, err) // it may also be no text
		if parsed == nil {
			parsed = &roadmap.Roadmap{}
		}
		meta := func(p *roadmap.Plan) roadmap.Meta { return d.meta(p.Path) }
		dangling := map[string][]roadmap.Dependency{} // by path, because Read moves the plans
		for plan, on := range disk.Dangling(d.names, meta) {
			dangling[plan.Path] = on
		}
		disk.Read(d.meta, parsed)
		conflicts := map[string]roadmap.WaveConflict{} // the latest wave that each plan depends on
		for c := range disk.WaveConflicts(meta) {
			if was, ok := conflicts[c.Plan.Path]; !ok || was.OnWave < c.OnWave {
				conflicts[c.Plan.Path] = c
			}
		}
		ids := map[string][]*roadmap.Plan{}
		for i := range disk.Phases {
			for j := range disk.Phases[i].Plans {
				if plan := &disk.Phases[i].Plans[j]; plan.ID != "" {
					ids[plan.ID] = append(ids[plan.ID], plan)
				}
			}
		}
		for _, e := range roadmap.Join(disk, parsed) {
			if e.Dir == nil || e.Dir.Milestone != "" || e.Status == roadmap.Complete || e.Status == roadmap.Deferred {
				continue
			}
			for i := range e.Dir.Plans {
				plan := &e.Dir.Plans[i]
				if plan.Done() {
					continue
				}
				d.Plans++
				d.checkID(plan, ids)
				d.checkPlan(plan, dangling[plan.Path], conflicts)
			}
		}
	}
}

// checkID finds another plan with the id of an open one. Of all with that id, one keeps it: a done one, else the first. A done
// one in another directory does not count: projects number their phases again from 1 with each milestone.
func (d *doctor) checkID(plan *roadmap.Plan, ids map[string][]*roadmap.Plan) {
	same := slices.DeleteFunc(slices.Clone(ids[plan.ID]), func(other *roadmap.Plan) bool {
		return other.Done() && path.Dir(other.Path) != path.Dir(plan.Path)
	})
	if len(same) < 2 {
		return
	}
	keeps := same[max(0, slices.IndexFunc(same, (*roadmap.Plan).Done))]
	if keeps.Path == plan.Path {
		return
	}
	f := Finding{Code: PlanRepeated, Path: plan.Path, Detail: plan.ID + " is also the id of " + keeps.Path}
	name := freeName(plan, ids)
	for name != "" && d.summaryOf(name) != "" { // it would be done
		name = freeName(plan, ids)
	}
	if name != "" {
		f.Fix = &Command{[]string{"mv", "-n", d.at(plan.Path), d.at(name)}, "gives it the next free number"}
	}
	d.found(f)
}

// freeName returns a path for a plan with the next number of its phase, "" if its name has no number to replace.
func freeName(plan *roadmap.Plan, ids map[string][]*roadmap.Plan) string {
	free, number := "", ""
	for n := 1; n < 1000 && free == ""; n++ {
		number = fmt.Sprintf("%02d", n)
		if id := plan.Phase.Padded() + "-" + number; len(ids[id]) == 0 {
			free = id
		}
	}
	dir, base := path.Split(plan.Path)
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' }
	for end := len(base); end > 0; {
		end = strings.LastIndexFunc(base[:end], isDigit) + 1
		start := strings.LastIndexFunc(base[:end], func(r rune) bool { return !isDigit(r) }) + 1
		name := dir + base[:start] + number + base[end:]
		if id, ok := planref.PlanID(name); ok && id == free {
			ids[free] = append(ids[free], plan) // it is taken now
			return name
		}
		end = start
	}
	return ""
}

// checkPlan checks one open plan: what depends_on says of nothing, its wave, and its tasks.
func (d *doctor) checkPlan(plan *roadmap.Plan, dangling []roadmap.Dependency, conflicts map[string]roadmap.WaveConflict) {
	src, err := d.read(plan.Path)
	if err != nil {
		return // see checkUnread
	}
	if err := planfile.Check(src); err != nil {
		f := Finding{Code: PlanWithoutTask, Path: plan.Path, Detail: cause("it has no task that anybody could carry out", err)}
		f.Fix = d.checkout(plan.Path, planfile.Check)
		switch {
		case f.Fix != nil:
		case errors.Is(err, planfile.ErrEmpty):
			f.Fix = &Command{[]string{"rm", d.at(plan.Path)}, "removes it, until it is written"}
		case errors.Is(err, planfile.ErrBinary):
			f.Detail += "; save it as UTF-8, or give it the name of something else if it is no plan"
		}
		d.found(f)
		return
	}
	for _, fault := range roadmap.MetaFaults(src) {
		f := Finding{Code: FrontMatterUnread, Path: plan.Path, Line: fault.Line, Detail: fault.Detail}
		f.Fix = d.edit(plan.Path, src, lineEdit{line: f.Line, text: fault.Close}, "closes it", func(now []byte) bool {
			return len(roadmap.MetaFaults(now)) < len(roadmap.MetaFaults(src))
		})
		d.found(f)
	}
	for _, dep := range dangling {
		f := Finding{
			Code: DependencyUnknown, Path: plan.Path, Line: roadmap.MetaLine(src, "depends_on"),
			Detail: "it depends on " + dep.Text + ", but there is no such plan",
		}
		f.Fix = d.edit(plan.Path, src, dropItem(src, f.Line, dep.Text), "drops it from the list, unless you know which plan was meant",
			func(now []byte) bool {
				return len(roadmap.ReadMeta(now).DependsOn) == len(roadmap.ReadMeta(src).DependsOn)-1
			})
		d.found(f)
	}
	if c, ok := conflicts[plan.Path]; ok {
		f := Finding{Code: WaveContradicted, Path: plan.Path, Line: roadmap.MetaLine(src, "wave"), Detail: c.String()}
		later := lineEdit{line: f.Line, old: strconv.Itoa(c.Wave), text: strconv.Itoa(c.OnWave + 1)}
		f.Fix = d.edit(plan.Path, src, later, fmt.Sprintf("moves it to wave %d", c.OnWave+1),
			func(now []byte) bool { m := roadmap.ReadMeta(now); return m.HasWave && m.Wave == c.OnWave+1 })
		d.found(f)
	}
	d.checkTasks(plan.Path, src)
}

// checkTasks checks the tasks of a plan or of a session file.
func (d *doctor) checkTasks(name string, src []byte) {
	file := planfile.Parse(src)
	inSession := name == d.session(d.o.User.Name).File()
	for _, p := range append(file.UnclosedParts(), file.Problems()...) {
		f := Finding{Code: p.Code, Path: name, Line: p.Line, Detail: p.Detail}
		n := p.Task
		isMended := func(now []byte) bool {
			after := planfile.Parse(now)
			return len(after.Tasks) == len(file.Tasks) && len(after.Problems())+len(after.UnclosedParts()) < len(file.Problems())+len(file.UnclosedParts())
		}
		switch {
		case p.Tag != "":
			closing := lineEdit{line: p.End, text: "</" + p.Tag + ">"}
			f.Fix = d.edit(name, src, closing, fmt.Sprintf("closes it at the end of line %d", p.End), isMended)
		case p.Code == "status-missing" && !inSession: // as in every plan
			continue
		case inSession && p.Code != "status-duplicate":
			f.Fix = &Command{[]string{"gsd", "mark", strconv.Itoa(n), string(planfile.Pending)}, "sets it back, so that it is done again"}
		case p.Code == "status-unknown":
			was := `"` + string(file.Tasks[n-1].Status) + `"`
			f.Fix = d.edit(name, src, lineEdit{line: p.Line, old: was, text: `"pending"`}, "calls it pending", isMended)
		}
		d.found(f)
	}
}

// A lineEdit changes one line of a file: it puts text in the place of old, where the line has it first, or if old is empty, at
// the end of the line. It neither adds nor removes lines, so that several fixes can be run one after the other.
type lineEdit struct {
	line      int
	old, text string
}

// apply returns the text with the edit, nil if that changes nothing.
func (e lineEdit) apply(src []byte) []byte {
	lines := bytes.SplitAfter(src, []byte("\n"))
	if e.line < 1 || e.line > len(lines) || e == (lineEdit{line: e.line}) {
		return nil
	}
	line := lines[e.line-1]
	body := bytes.TrimRight(line, "\r\n")
	switch at := bytes.Index(body, []byte(e.old)); {
	case at < 0:
		return nil
	case e.old == "":
		line = append(append(bytes.Clone(body), e.text...), line[len(body):]...)
	default:
		line = bytes.Replace(line, []byte(e.old), []byte(e.text), 1)
	}
	lines[e.line-1] = line
	return bytes.Join(lines, nil)
}

// sed returns the arguments with which sed makes the edit, nil if a text has characters that could mean something else.
func (e lineEdit) sed(src []byte) []string {
	odd := func(r rune) bool { return r == '|' || r == '\\' || !unicode.IsPrint(r) }
	if strings.ContainsFunc(e.old+e.text, odd) {
		return nil
	}
	at := strconv.Itoa(e.line)
	text := strings.ReplaceAll(e.text, "&", `\&`)
	if e.old != "" {
		old := strings.NewReplacer(".", `\.`, "*", `\*`, "[", `\[`, "]", `\]`, "^", `\^`, "$", `\$`).Replace(e.old)
		return []string{"-e", at + "s|" + old + "|" + text + "|"}
	}
	parts := []string{text}
	if rest, isTag := strings.CutPrefix(text, "<"); isTag { // in two parts, because output has no tags (host.Defang)
		parts = []string{"<", rest}
	}
	end, again := "$", ""
	if lines := bytes.SplitN(src, []byte("\n"), e.line+1); bytes.HasSuffix(lines[e.line-1], []byte("\r")) {
		end, again = ".$", "&"
	}
	var args []string
	for _, part := range parts {
		args = append(args, "-e", at+"s|"+end+"|"+part+again+"|")
	}
	return args
}

// edit returns the command that makes an edit of a file, nil if that does not mend it. The file before it stays beside it.
func (d *doctor) edit(name string, src []byte, e lineEdit, does string, mends func(now []byte) bool) *Command {
	now := e.apply(src)
	if now == nil || !mends(now) {
		return nil
	}
	args := e.sed(src)
	if args == nil {
		return nil
	}
	return &Command{append(append([]string{"sed", "-i.bak"}, args...), d.at(name)), does}
}

// at returns the absolute path of a file of the project: a command may be run in any directory.
func (d *doctor) at(name string) string { return filepath.Join(d.Dir, filepath.FromSlash(name)) }

// dropItem removes an item from the list of a key: from the line of the key, or a line of its own below it.
func dropItem(src []byte, line int, item string) lineEdit {
	lines := strings.Split(string(src), "\n")
	if line < 1 || line > len(lines) {
		return lineEdit{}
	}
	const quotes = `"'`
	if text := strings.TrimRight(lines[line-1], "\r"); strings.Contains(text, item) {
		from := strings.Index(text, item)
		to := from + len(item)
		if from > 0 && to < len(text) && strings.IndexByte(quotes, text[from-1]) >= 0 && text[to] == text[from-1] {
			from, to = from-1, to+1
		}
		if rest := text[to:]; strings.HasPrefix(rest, ",") {
			to = len(text) - len(strings.TrimLeft(rest[1:], " "))
		} else if before := strings.TrimRight(text[:from], " "); strings.HasSuffix(before, ",") {
			from = len(before) - 1
		}
		return lineEdit{line: line, old: text[from:to]}
	}
	for i := line; i < len(lines); i++ {
		text := strings.TrimSpace(lines[i])
		value, isItem := strings.CutPrefix(text, "- ")
		switch {
		case isItem && strings.Trim(strings.TrimSpace(value), quotes) == item:
			return lineEdit{line: i + 1, old: text} // the line stays, so that the numbers of others do
		case !isItem && text != "":
			return lineEdit{}
		}
	}
	return lineEdit{}
}
