package evidence

// files.go: which of the files that a plan's tasks name a commit changed. A task names them as its author knew them: whole paths, or
// the ends of paths, with notes between them.

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// maxAlike limits the files of one name in a plan, in many directories or tasks.
const maxAlike = 50

// planning begins the paths of planning files.
const planning = ".planning/"

// fileSet holds the files that the tasks of a plan name.
type fileSet struct {
	byBase map[string][]namedFile
	count  []int // of files that each task names
	code   []int // and of those that are no tests
}

// namedFile is a file that a task names.
type namedFile struct {
	path string
	task int // index
}

// FileName returns the path of a file as a task names it, without what writers put around it, and with slashes, as commits have it.
func FileName(named string) string {
	return strings.TrimPrefix(strings.ReplaceAll(strings.Trim(named, "()[]\"'`*,;:"), `\`, "/"), "./")
}

// nameFiles collects the files of a plan's tasks.
func nameFiles(tasks []Task) fileSet {
	s := fileSet{byBase: map[string][]namedFile{}, count: make([]int, len(tasks)), code: make([]int, len(tasks))}
	for i, t := range tasks {
		for _, name := range t.Files {
			name = FileName(name)
			base := path.Base(name)
			if !strings.ContainsAny(name, "./") || slices.Contains(s.byBase[base], namedFile{name, i}) || len(s.byBase[base]) == maxAlike {
				continue // a note, such as (NEW)
			}
			s.byBase[base] = append(s.byBase[base], namedFile{name, i})
			s.count[i]++
			if !isTest(name) {
				s.code[i]++
			}
		}
	}
	return s
}

// touched says what a commit did to the files of the tasks.
type touched struct {
	changed int                 // files that the commit changed, except planning files that no task names
	named   int                 // those of them that a task names
	tasks   map[int]touchedTask // by index
}

// touchedTask says how many files of a task a commit changed.
type touchedTask struct {
	files int
	code  int // those of them that are no tests
}

// touchedBy returns what a commit that changed these files did.
func (s *fileSet) touchedBy(changed []string) *touched {
	t := &touched{tasks: map[int]touchedTask{}}
	for _, name := range changed {
		code, last := 1, -1 // a task may name a file by two ends of its path
		if isTest(name) {
			code = 0
		}
		for _, f := range s.byBase[path.Base(name)] {
			if f.task == last || !isSameFile(f.path, name) {
				continue
			}
			if last < 0 {
				t.named++
			}
			last = f.task
			of := t.tasks[last]
			t.tasks[last] = touchedTask{of.files + 1, of.code + code}
		}
		if last >= 0 || !strings.HasPrefix(name, planning) { // the project's state goes with any work
			t.changed++
		}
	}
	return t
}

// of returns what was done to the files of one task.
func (t *touched) of(task int) touchedTask {
	if t == nil {
		return touchedTask{}
	}
	return t.tasks[task]
}

// others reports whether the commit changed files of other tasks and none of this one.
func (t *touched) others(task int) bool {
	return t != nil && len(t.tasks) > 0 && t.of(task).files == 0
}

// isSameFile reports whether one of two paths is the end of the other.
func isSameFile(a, b string) bool {
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

// similarity returns how well what a commit changed fits a task's files, from 0 to 1, as similarity does for words.
func (s *fileSet) similarity(t *touched, task int) float64 {
	both := float64(t.of(task).files)
	if both == 0 {
		return 0
	}
	return min(1, both/float64(t.changed+s.count[task])+both/float64(max(2, min(t.changed, s.count[task])))/2)
}

// testWords are words in the names of files and directories that hold tests.
var testWords = []string{"conftest", "e2e", "fixture", "fixtures", "mock", "mocks", "spec", "specs", "test", "testdata", "testing", "tests"}

// isTest reports whether a file is a test, or belongs to tests, by the words of its path.
func isTest(name string) bool {
	return slices.ContainsFunc(wordsOfName(name), func(w string) bool { _, ok := slices.BinarySearch(testWords, w); return ok })
}

// wordsOfName returns the words of a path in lower case, those of camelCase apart.
func wordsOfName(name string) []string {
	var b strings.Builder
	all := []rune(name)
	for i, r := range all {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(all[i-1]) || i+1 < len(all) && unicode.IsLower(all[i+1])) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
