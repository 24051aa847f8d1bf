// Mutants measures what the tests are worth: it makes small changes to the program, one at a time, and says which of them no test
// notices.
//
//	go run ./test/mutants -seed 1 -n 150 >mutants.txt
//
// A change is a condition that is turned round, an operand of && or || that no longer counts, a statement that is left out, a < that
// becomes <=, or a bool that is returned the other way round. Which ones are tried follows from the seed and from the functions that they are
// in, so that most stay the same while the program changes. All of them are compiled into the tests at once, each behind a number,
// and the environment says which one is on ([switchSource]); so nothing is compiled twice. Each test program first runs without any,
// and tells which it reaches.
//
// With -again mutants.txt, only those are tried that survived in the run that printed that file, such as one before tests were written.
//
// A mutant that survives is a rule without a test, or makes no difference: read it before writing a test.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const module = "github.com/gsd-cli/gsd"

// switchSource is the package that the changed program imports. The number of the mutant is in GSD_MUTANT, in its own environment or, where a
// test gives its children another one, in that of a process above. With GSD_REACHED, a directory, it writes there which
// mutants are reached; the name of the file is that of the script whose HOME this is, or of the test program.
const switchSource = `package mutant

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

var (
	current = number()
	reached sync.Map
	log     = os.Getenv("GSD_REACHED")
)

func number() int {
	value, ok := os.LookupEnv("GSD_MUTANT")
	for pid := os.Getppid(); !ok && pid > 1; {
		environ, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
		for _, v := range bytes.Split(environ, []byte{0}) {
			if name, rest, _ := strings.Cut(string(v), "="); name == "GSD_MUTANT" {
				value, ok = rest, true
			} else if name == "GSD_REACHED" {
				log = rest
			}
		}
		stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) < 2 {
			break
		}
		pid, _ = strconv.Atoi(fields[1])
	}
	n, _ := strconv.Atoi(value)
	return n
}

// Is reports whether mutant n is on.
func Is(n int) bool {
	if log != "" {
		if _, known := reached.LoadOrStore(n, true); !known {
			write(n)
		}
	}
	return n == current
}

// Not returns b, or its opposite if mutant n is on.
func Not[B ~bool](n int, b B) B { return b != B(Is(n)) }

func write(n int) {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".test")
	if _, script, ok := strings.Cut(os.Getenv("HOME"), "/script-"); ok {
		name = "script-" + strings.SplitN(script, "/", 2)[0]
	}
	if f, err := os.OpenFile(filepath.Join(log, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666); err == nil {
		f.WriteString(strconv.Itoa(n) + "\n")
		f.Close()
	}
}
`

// A mutant is one change: text that is put before and after a part of a file.
type mutant struct {
	number        int
	file          string // below the module's root
	line          int
	where         string // its function, and which change of that kind in it
	start, end    int    // offsets
	before, after string // each with one %d
	source        string
	killer        string
}

func (m *mutant) pkg() string { return filepath.Dir(m.file) }

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.seed, "seed", "1", "choose by this `text`")
	flag.IntVar(&o.count, "n", 150, "how many")
	flag.StringVar(&o.in, "in", "", "only in packages that this `regexp` matches")
	flag.StringVar(&o.skip, "skip", "", "leave out the tests that this `regexp` matches")
	flag.StringVar(&o.again, "again", "", "only those that survived according to this `file`, which an earlier run printed")
	flag.BoolVar(&o.own, "own", false, "run only the tests of a mutant's own package")
	flag.IntVar(&o.jobs, "j", 2, "how many at once")
	flag.Parse()
	if err := o.run(); err != nil {
		log.Fatalf("mutants: %v", err)
	}
}

type options struct {
	seed, in, skip, again string
	count, jobs           int
	own                   bool
}

func (o options) run() error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	mutants, err := o.choose()
	if err != nil {
		return err
	}
	overlay, err := write(dir, mutants)
	if err != nil {
		return err
	}
	wanted := func(pkg string) bool {
		return !o.own || slices.ContainsFunc(mutants, func(m *mutant) bool { return m.pkg() == pkg })
	}
	programs, err := build(dir, overlay, wanted)
	if err != nil {
		return err
	}
	for _, p := range programs {
		if err := p.measure(o.skip); err != nil {
			return err
		}
	}
	slices.SortFunc(programs, func(a, b *program) int { return cmp.Compare(a.took, b.took) })
	var wg sync.WaitGroup
	next := make(chan *mutant)
	for range o.jobs {
		wg.Go(func() {
			for m := range next {
				o.try(m, programs)
				fmt.Printf("%s\t%s:%d\t%s\t%s\n", cmp.Or(m.killer, "SURVIVED"), m.file, m.line, m.where, m.source)
			}
		})
	}
	for _, m := range mutants {
		next <- m
	}
	close(next)
	wg.Wait()
	killed := 0
	for _, m := range mutants {
		if m.killer != "" {
			killed++
		}
	}
	fmt.Printf("%d of %d mutants were killed\n", killed, len(mutants))
	return nil
}

// choose returns at least two mutants of every package, and others until there are enough.
func (o options) choose() ([]*mutant, error) {
	in, err := regexp.Compile(o.in)
	if err != nil {
		return nil, err
	}
	out, err := exec.Command("go", "list", "-f", `{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`, "./...").Output()
	if err != nil {
		return nil, err
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var all []*mutant
	for name := range strings.FieldsSeq(string(out)) {
		file, err := filepath.Rel(root, name)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(file, "test/") || strings.Contains(file, "apptest") || !in.MatchString(filepath.Dir(file)) {
			continue
		}
		found, err := find(file)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	rank := func(m *mutant) string {
		sum := sha256.Sum256([]byte(o.seed + m.file + m.where))
		return string(sum[:])
	}
	slices.SortFunc(all, func(a, b *mutant) int { return strings.Compare(rank(a), rank(b)) })
	var chosen, others []*mutant
	have := map[string]int{}
	for _, m := range all {
		if have[m.pkg()]++; have[m.pkg()] <= 2 {
			chosen = append(chosen, m)
		} else {
			others = append(others, m)
		}
	}
	chosen = append(chosen, others...)
	chosen = chosen[:min(len(chosen), o.count)]
	if o.again != "" {
		survivors, err := os.ReadFile(o.again)
		if err != nil {
			return nil, err
		}
		chosen = slices.DeleteFunc(all, func(m *mutant) bool {
			line := regexp.MustCompile(`(?m)^SURVIVED\t` + regexp.QuoteMeta(m.file) + `:\d+\t` + regexp.QuoteMeta(m.where) + `\t`)
			return !line.Match(survivors)
		})
	}
	slices.SortFunc(chosen, func(a, b *mutant) int { return cmp.Or(strings.Compare(a.file, b.file), a.start-b.start, b.end-a.end) })
	for i, m := range chosen {
		m.number = i + 1
	}
	log.Printf("%d of %d places", len(chosen), len(all))
	return chosen, nil
}

// find returns all mutants of a file.
func find(file string) ([]*mutant, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, src, 0)
	if err != nil {
		return nil, err
	}
	var found []*mutant
	for _, decl := range parsed.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		name := fn.Name.Name
		if fn.Recv != nil {
			recv := fn.Recv.List[0].Type
			name = strings.TrimLeft(string(src[recv.Pos()-1:recv.End()-1]), "*") + "." + name
		}
		counts := map[string]int{}
		add := func(kind string, node ast.Node, before, after string) {
			counts[kind]++
			at := fset.Position(node.Pos())
			source := string(src[at.Offset:fset.Position(node.End()).Offset])
			source, _, _ = strings.Cut(source, "\n")
			found = append(found, &mutant{
				file: file, line: at.Line, where: fmt.Sprintf("%s %s %d", name, kind, counts[kind]), source: source,
				start: at.Offset, end: fset.Position(node.End()).Offset, before: before, after: after,
			})
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			visit(n, add)
			return true
		})
	}
	return found, nil
}

func visit(n ast.Node, add func(kind string, node ast.Node, before, after string)) {
	negate := func(cond ast.Expr) { add("not", cond, "mutant__.Not(%d, ", ")") }
	statements := func(list []ast.Stmt) {
		for _, s := range list {
			if removable(s) {
				add("without", s, "if !mutant__.Is(%d) { ", " }")
			}
		}
	}
	switch n := n.(type) {
	case *ast.IfStmt:
		negate(n.Cond)
	case *ast.SwitchStmt:
		if n.Tag == nil {
			for _, c := range n.Body.List {
				for _, cond := range c.(*ast.CaseClause).List {
					negate(cond)
				}
			}
		}
	case *ast.BlockStmt:
		statements(n.List)
	case *ast.CaseClause:
		statements(n.Body)
	case *ast.CommClause:
		statements(n.Body)
	case *ast.ReturnStmt:
		for _, r := range n.Results {
			if id, ok := r.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
				negate(r)
			}
		}
	case *ast.BinaryExpr:
		switch n.Op {
		case token.LAND, token.LOR:
			for _, x := range []ast.Expr{n.X, n.Y} {
				if b, ok := x.(*ast.BinaryExpr); ok && b.Op == n.Op {
					continue
				} else if n.Op == token.LAND {
					add("operand", x, "(mutant__.Is(%d) || (", "))")
				} else {
					add("operand", x, "(!mutant__.Is(%d) && (", "))")
				}
			}
		}
	}
}

func removable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return true
		}
		id, ok := call.Fun.(*ast.Ident)
		return !ok || id.Name != "panic"
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	case *ast.IncDecStmt:
		return true
	}
	return false
}

// write writes the changed files, and the list that tells go build where they are.
func write(dir string, mutants []*mutant) (string, error) {
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	put := func(file string, content []byte) error {
		changed := filepath.Join(dir, strings.ReplaceAll(file, "/", "__"))
		replace[filepath.Join(root, file)] = changed
		return os.WriteFile(changed, content, 0o644)
	}
	files := map[string][]*mutant{}
	for _, m := range mutants {
		files[m.file] = append(files[m.file], m)
	}
	for file, list := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if err := put(file, apply(src, list)); err != nil {
			return "", err
		}
	}
	if err := put("internal/mutant/mutant.go", []byte(switchSource)); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, list, 0o644)
}

var packageClause = regexp.MustCompile(`(?m)^package \w+`)

// apply puts the mutants' texts into src. Where two begin at one place, the larger part comes first; where two end, last.
func apply(src []byte, list []*mutant) []byte {
	type insertion struct {
		at, closes, span int
		text             string
	}
	var all []insertion
	for _, m := range list {
		all = append(all,
			insertion{m.start, 1, -(m.end - m.start), fmt.Sprintf(m.before, m.number)},
			insertion{m.end, 0, m.end - m.start, m.after})
	}
	end := packageClause.FindIndex(src)[1]
	all = append(all, insertion{end, 0, 0, `; import mutant__ "` + module + `/internal/mutant"`})
	slices.SortStableFunc(all, func(a, b insertion) int { return cmp.Or(a.at-b.at, a.closes-b.closes, a.span-b.span) })
	var b bytes.Buffer
	last := 0
	for _, i := range all {
		b.Write(src[last:i.at])
		b.WriteString(i.text)
		last = i.at
	}
	b.Write(src[last:])
	return b.Bytes()
}

// A program is the tests of one package.
type program struct {
	dir     string // of the package
	path    string
	scripts []string // if it has some
	skip    string
	took    time.Duration
	reaches map[int]bool
	script  map[string]map[int]bool // which mutants each script reaches
}

// build compiles the tests of the packages that are wanted.
func build(dir, overlay string, wanted func(pkg string) bool) ([]*program, error) {
	out, err := exec.Command("go", "list", "-f", `{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}`, "./...").Output()
	if err != nil {
		return nil, err
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var programs []*program
	for name := range strings.FieldsSeq(string(out)) {
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return nil, err
		}
		if !wanted(rel) {
			continue
		}
		p := &program{dir: rel, path: filepath.Join(dir, strings.ReplaceAll(rel, "/", "-")+".test")}
		cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", p.path, "./"+rel)
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("building the tests of %s: %w\n%s", rel, err, out)
		}
		if rel == "cmd/gsd" {
			p.scripts = []string{}
		}
		programs = append(programs, p)
	}
	return programs, nil
}

// run runs tests with a mutant, and returns what they printed if one failed.
func (p *program) run(number int, limit time.Duration, env []string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.path, append([]string{"-test.failfast", "-test.timeout", limit.String()}, args...)...)
	cmd.Dir = p.dir
	cmd.Env = append(append(os.Environ(), env...), "GSD_MUTANT="+strconv.Itoa(number))
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// measure runs the tests without a mutant. Tests that fail then are left out.
func (p *program) measure(skip string) error {
	reached, err := os.MkdirTemp(filepath.Dir(p.path), "reached")
	if err != nil {
		return err
	}
	p.skip = cmp.Or(skip, "^$")
	for range 5 {
		start := time.Now()
		out, err := p.run(0, 20*time.Minute, []string{"GSD_REACHED=" + reached}, "-test.skip", p.skip)
		p.took = time.Since(start)
		if err == nil {
			break
		}
		failed := failure(out)
		if failed == "" {
			return fmt.Errorf("the tests of %s fail: %s", p.dir, out)
		}
		log.Printf("%s: left out: %s", p.dir, failed)
		p.skip += "|^" + strings.SplitN(failed, "/", 2)[0] + "$"
	}
	p.reaches, p.script = map[int]bool{}, map[string]map[int]bool{}
	entries, err := os.ReadDir(reached)
	if err != nil {
		return err
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(reached, e.Name()))
		if err != nil {
			return err
		}
		set := p.reaches
		if script, ok := strings.CutPrefix(e.Name(), "script-"); ok {
			set = map[int]bool{}
			p.script[script] = set
		}
		for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
			n, err := strconv.Atoi(lines.Text())
			if err != nil {
				return err
			}
			set[n] = true
		}
	}
	log.Printf("%s: %.1f s, %d mutants, %d scripts", p.dir, p.took.Seconds(), len(p.reaches), len(p.script))
	return nil
}

var failedTest = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// failure returns the name of the innermost test that failed.
func failure(out string) string {
	name := ""
	for _, m := range failedTest.FindAllStringSubmatch(out, -1) {
		if name == "" || strings.HasPrefix(m[1], name+"/") {
			name = m[1]
		}
	}
	return name
}

// try runs the tests that reach a mutant, its own package's first, until one fails.
func (o options) try(m *mutant, programs []*program) {
	order := slices.Clone(programs)
	slices.SortStableFunc(order, func(a, b *program) int { return cmp.Compare(distance(a, m), distance(b, m)) })
	for _, p := range order {
		if o.own && p.dir != m.pkg() {
			continue
		}
		if p.reaches[m.number] && o.fails(m, p, "-test.skip", p.skip+"|^TestScript$") {
			return
		}
		if names := p.reaching(m.number); len(names) > 0 && o.fails(m, p, "-test.run", "^TestScript$/^("+strings.Join(names, "|")+")$") {
			return
		}
	}
}

func distance(p *program, m *mutant) int {
	if p.dir == m.pkg() {
		return 0
	}
	return 1
}

func (p *program) reaching(number int) []string {
	var names []string
	for name, set := range p.script {
		if set[number] {
			names = append(names, regexp.QuoteMeta(name))
		}
	}
	slices.Sort(names)
	return names
}

func (o options) fails(m *mutant, p *program, args ...string) bool {
	out, err := p.run(m.number, 3*p.took+20*time.Second, nil, args...)
	if err == nil {
		return false
	}
	m.killer = p.dir + " " + cmp.Or(failure(out), "ended")
	if errors.Is(err, context.DeadlineExceeded) || strings.Contains(out, "panic: test timed out") {
		m.killer = p.dir + " timeout"
	}
	return true
}
