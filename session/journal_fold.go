package session

import "strings"

// A fold pairs starts with ends, line by line. The rules:
//
//   - The order of runs is that of their starts' lines, whatever the clocks said.
//   - A run is its start's id. An id that is started again is the same run; its first line counts.
//   - An end closes the run that it names, and no other. Before its start, or without one, it counts for nothing.
//   - The first end counts, and what follows changes nothing. Only an end that somebody saw replaces one that was
//     concluded ([Cause.Concluded]): the run may have lived.
//
// The zero value is an empty journal.
type fold struct {
	// brief is for those who ask only for the lasting runs: of the others nothing is kept but that they were there.
	brief bool
	keep  string // the id of a run that is kept all the same

	runs []folded
	at   map[string]int // where in runs an id is, past for one that is not kept
	bad  int
	rec  record // the last line; here so that it is not made anew for each
}

const past = -1

// A folded run is a Run that also knows its lines.
type folded struct {
	Start
	ended              bool
	end                End // once it has ended
	startLine, endLine string
}

// text adds the lines of a text.
func (f *fold) text(text string) {
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		f.add(line)
	}
}

// add takes the next line.
func (f *fold) add(line string) {
	if len(line) > maxLine {
		f.bad++
		return
	}
	r := &f.rec
	r.parse(line)
	switch r.kind {
	case badRecord:
		f.bad++
	case startRecord:
		f.start(&r.start, line)
	case endRecord:
		f.end(&r.end, line)
	case otherRecord:
	}
}

func (f *fold) start(s *Start, line string) {
	if _, ok := f.at[s.ID]; ok {
		return
	}
	if f.at == nil {
		f.at = make(map[string]int)
	}
	if last := len(f.runs) - 1; f.brief && last >= 0 && f.runs[last].ended && f.runs[last].ID != f.keep {
		f.at[f.runs[last].ID] = past
		f.runs = f.runs[:last]
	}
	f.at[s.ID] = len(f.runs)
	f.runs = append(f.runs, folded{Start: *s, startLine: line})
}

func (f *fold) end(e *End, line string) {
	i, ok := f.at[e.Of]
	if !ok || i == past {
		return
	}
	run := &f.runs[i]
	if !run.ended || run.end.Cause.Concluded() && e.Cause.seen() {
		run.ended, run.end, run.endLine = true, *e, line
	}
}

// lasting gives the runs that matter from here on: those that are open, the latest with its end, and keep.
func (f *fold) lasting() []folded {
	var runs []folded
	for i := range f.runs {
		if !f.runs[i].ended || i == len(f.runs)-1 || f.runs[i].ID == f.keep {
			runs = append(runs, f.runs[i])
		}
	}
	return runs
}

// toRuns gives runs as others see them.
func toRuns(from []folded) []Run {
	if len(from) == 0 {
		return nil
	}
	runs := make([]Run, len(from))
	ends := make([]End, len(from)) // of all at once: there may be a hundred thousand
	for i := range from {
		runs[i].Start = from[i].Start
		if from[i].ended {
			ends[i] = from[i].end
			runs[i].End = &ends[i]
		}
	}
	return runs
}
