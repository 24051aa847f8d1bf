package hydrate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gsd-cli/gsd/planfile"
	"github.com/gsd-cli/gsd/testdata"
)

// TestMain keeps the tests and the examples from the user's own state and configuration: they are ada.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "gsd-home")
	if err == nil {
		err = os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\n\tname = Ada\n"), 0o600)
	}
	for name, value := range map[string]string{"HOME": home, "USERPROFILE": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home, "GIT_CONFIG_NOSYSTEM": "1"} {
		err = errors.Join(err, os.Setenv(name, value))
	}
	if err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(home)
	os.Exit(code)
}

// as returns the environment in which git names a user.
func as(user string) []string {
	return append(os.Environ(), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0="+user)
}

// sampleOf opens the sample project for a user.
func sampleOf(t *testing.T, user string) *Project {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, testdata.Sample()); err != nil {
		t.Fatal(err)
	}
	return openAt(t, dir, user)
}

func openAt(t *testing.T, dir, user string) *Project {
	t.Helper()
	p, err := Open(t.Context(), dir, &Options{Env: as(user)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestOpenNil: without options, the user is whom git names, the clock is the system's, and an empty name is the working directory.
func TestOpenNil(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\n\tname = Ada Lovelace\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"HOME": home, "USERPROFILE": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home, "GIT_CONFIG_NOSYSTEM": "1", "GSD_WORKSTREAM": "", "GSD_PROJECT": "",
	} {
		t.Setenv(name, value)
	}
	if err := os.CopyFS(dir, testdata.Sample()); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(dir, ".planning", "phases"))
	p, err := Open(t.Context(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	if p.User() != "ada-lovelace" || p.Dir() != real {
		t.Errorf("user %q, directory %q; want ada-lovelace in %s", p.User(), p.Dir(), real)
	}
	before := time.Now().Truncate(time.Second)
	s, err := p.Start(t.Context(), "", &StartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Started.Before(before) || s.User != "ada-lovelace" || s.Verdict != Resume {
		t.Errorf("the session of %s was started at %v, not after %v; %s", s.User, s.Started, before, s.Verdict)
	}
	if _, err := os.Stat(filepath.Join(home, "gsd")); err != nil {
		t.Errorf("the state is not where XDG_STATE_HOME says: %v", err)
	}
}

// TestEnv: an environment that is given stands in for that of the process, for whom git names, too.
func TestEnv(t *testing.T) {
	p := sampleOf(t, "ada")
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\n\tname = Grace\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=" + home, "USERPROFILE=" + home, "XDG_STATE_HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GSD_WORKSTREAM=api", "PATH=" + os.Getenv("PATH")}
	at := time.Date(2031, 2, 3, 4, 5, 6, 0, time.UTC)
	other, err := Open(t.Context(), p.Dir(), &Options{Env: env, Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	s, err := other.Start(t.Context(), "01-02", nil)
	if err != nil {
		t.Fatal(err)
	}
	if other.User() != "grace" || !s.Started.Equal(at) {
		t.Errorf("%s has started at %v", other.User(), s.Started)
	}
	n, err := other.Next()
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(n.Warnings, func(w Warning) bool { return w.Code == "workstream-unknown" }); i < 0 {
		t.Errorf("nothing says that there is no workstream api: %+v", n.Warnings)
	}
}

// TestErrors: every error is an *Error whose kind is the exit code of the command, and has its cause.
func TestErrors(t *testing.T) {
	p := sampleOf(t, "ada")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	gone := sampleOf(t, "ada")
	if err := os.RemoveAll(gone.Dir()); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Start(t.Context(), "", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Mark(t.Context(), 1, planfile.InProgress); err != nil {
		t.Fatal(err)
	}
	other := openAt(t, p.Dir(), "grace")
	for _, test := range []struct {
		name string
		do   func() error
		want Kind
		is   error
	}{
		{"no project", func() error { _, err := Open(t.Context(), t.TempDir(), nil); return err }, NoProject, nil},
		{"no directory", func() error { _, err := Open(t.Context(), "no such", nil); return err }, MissingInput, fs.ErrNotExist},
		{"a limit that is none", func() error {
			_, err := Open(t.Context(), p.Dir(), &Options{Env: []string{"GSD_MAX_FILE_MIB=x"}})
			return err
		}, Usage, nil},
		{"git fails to say who it is", func() error {
			nobody, err := Open(t.Context(), p.Dir(), &Options{Env: append(os.Environ(), "GIT_CONFIG_COUNT=many")})
			if err != nil {
				return err
			}
			if _, err := nobody.Report(); err != nil {
				return err
			}
			_, err = nobody.Start(t.Context(), "", nil)
			return err
		}, Refused, nil},
		{"it went away", func() error { _, err := gone.Report(); return err }, MissingInput, fs.ErrNotExist},
		{"no plan", func() error { _, err := p.Tasks("09-09"); return err }, MissingInput, nil},
		{"no session", func() error { _, err := other.Mark(t.Context(), 1, planfile.Complete); return err }, MissingInput, nil},
		{"no task", func() error { _, err := p.Mark(t.Context(), 9, planfile.Complete); return err }, MissingInput, nil},
		{"no status", func() error { _, err := p.Mark(t.Context(), 1, "finished"); return err }, Usage, nil},
		{"no number", func() error { _, err := p.Done(t.Context(), -1); return err }, Usage, nil},
		{"a plan that is done", func() error { _, err := p.Start(t.Context(), "01-01", nil); return err }, Refused, nil},
		{"no time", func() error { _, err := p.Mark(ended, 1, planfile.Complete); return err }, 0, context.Canceled},
	} {
		err := test.do()
		failed, ok := errors.AsType[*Error](err)
		if !ok || test.want != 0 && failed.Kind != test.want || failed.Message == "" || failed.Error() != failed.Message || test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s: %+v, want kind %d and %v", test.name, err, test.want, test.is)
		}
	}
}

// TestBusy: while somebody else is writing, a mark waits, but not for ever.
func TestBusy(t *testing.T) {
	p := sampleOf(t, "ada")
	if _, err := p.Start(t.Context(), "", nil); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		at, err := p.env.Open(p.at, p.env.World(p.now()))
		if err != nil {
			t.Fatal(err)
		}
		defer at.Close()
		guard, err := at.Session("ada").Lock(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		_, err = p.Mark(t.Context(), 1, planfile.Complete)
		failed, ok := errors.AsType[*Error](err)
		if waited := time.Since(began); !ok || failed.Kind != Busy || waited < time.Second || waited > time.Minute {
			t.Errorf("after %v: %v", waited, err)
		}
		if err := guard.Unlock(); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Mark(t.Context(), 1, planfile.Complete); err != nil {
			t.Error(err)
		}
	})
}

// TestDay: each method does what its command does, and a second Project sees it at once.
func TestDay(t *testing.T) {
	ctx, p := t.Context(), sampleOf(t, "ada")
	other := openAt(t, p.Dir(), "ada")
	next, err := p.Next()
	if err != nil || next.Next.ID != "01-02" || next.Next.HasSession || len(next.Do) == 0 {
		t.Fatalf("%+v, %v", next, err)
	}
	if _, err := p.Start(ctx, next.Next.ID, nil); err != nil {
		t.Fatal(err)
	}
	m, err := p.Mark(ctx, 1, planfile.InProgress)
	if err != nil || m.Task.Previous != planfile.Pending || m.Task.Status != planfile.InProgress || m.Resume.Number != 1 {
		t.Fatalf("%+v, %v", m, err)
	}
	if m, err = other.Done(ctx, 0); err != nil || m.Task.Number != 1 || m.Done != 1 || len(m.Tasks) != 3 || m.Tasks[0].Set.IsZero() {
		t.Fatalf("%+v, %v", m, err)
	}
	if m, err = p.Done(ctx, 3); err != nil || m.Task.Number != 3 || m.Resume.Number != 2 {
		t.Fatalf("%+v, %v", m, err)
	}
	list, err := p.Task("", 2)
	if err != nil || len(list.Tasks) != 1 || !strings.Contains(list.Tasks[0].Text, "<task") || !list.OfSession || list.Tasks[0].Line == 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err = p.Tasks("01-02"); err != nil || len(list.Tasks) != 3 || list.Tasks[0].Status != planfile.Complete || list.OfSession {
		t.Errorf("%+v, %v", list, err)
	}
	st, err := other.Status()
	if err != nil || len(st.Sessions) != 1 || st.Sessions[0].Done != 2 || st.Position.Percent == nil || len(st.Phases[0].Plans) != 2 {
		t.Errorf("%+v, %v", st, err)
	}
	put, err := p.Archive(ctx)
	if err != nil || put.Done != 2 || len(put.Do) == 0 {
		t.Fatalf("%+v, %v", put, err)
	}
	if r, err := other.Report(); err != nil || r.Verdict != None || r.Next == nil {
		t.Errorf("%+v, %v", r, err)
	}
	s, err := p.Start(ctx, "01-02", nil)
	if err != nil || s.Kept || len(s.Carried) != 2 || s.Resume.Number != 2 {
		t.Fatalf("%+v, %v", s, err)
	}
	if err := os.Remove(filepath.Join(p.Dir(), s.Session)); err != nil {
		t.Fatal(err)
	}
	back, err := p.Restore(ctx, "")
	if err != nil || back.Project != p.Dir() || len(back.Tasks) != 3 || back.Tasks[2].Status != planfile.Complete {
		t.Fatalf("%+v, %v", back, err)
	}
	if s, err := p.Start(ctx, "01-02", &StartOptions{Fresh: true}); err != nil || s.Done != 0 || s.Archived == "" || s.Was != Resume {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestRestoreElsewhere: a lost session of another project comes back there, and what can be run next is to be run there.
func TestRestoreElsewhere(t *testing.T) {
	env := append(as("ada"), "XDG_STATE_HOME="+t.TempDir())
	var all [2]*Project
	for i := range all {
		var err error
		if all[i], err = Open(t.Context(), sampleOf(t, "ada").Dir(), &Options{Env: env}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := all[0].Start(t.Context(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := all[0].Done(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(all[0].Dir(), s.Session)); err != nil {
		t.Fatal(err)
	}
	r, err := all[0].Report()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(r.Do, func(a Action) bool { return a.Kind == "restore" })
	if i < 0 {
		t.Fatalf("nothing brings it back: %+v", r.Do)
	}
	back, err := all[1].Restore(t.Context(), r.Do[i].ID)
	if err != nil || back.Project != all[0].Dir() {
		t.Fatalf("%+v, %v", back, err)
	}
	for _, do := range back.Do {
		if do.Argv[len(do.Argv)-1] != all[0].Dir() {
			t.Errorf("%q does not run there", do.Argv)
		}
	}
}

// TestConcurrent: one Project is used by many at once, and no mark is lost.
func TestConcurrent(t *testing.T) {
	p := sampleOf(t, "ada")
	if _, err := p.Start(t.Context(), "01-02", nil); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for n := 1; n <= 3; n++ {
		for range 4 {
			all.Go(func() {
				if _, err := p.Mark(t.Context(), n, planfile.Complete); err != nil {
					t.Error(err)
				}
			})
			all.Go(func() {
				if r, err := p.Report(); err != nil || r.Total != 3 {
					t.Error(r, err)
				}
			})
		}
		all.Go(func() {
			if _, err := p.Status(); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			if _, err := p.Next(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if r, err := p.Report(); err != nil || r.Verdict != Complete || r.Done != 3 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestWatch: it tells each answer once, an error is not its end, and it ends with its context.
func TestWatch(t *testing.T) {
	p := sampleOf(t, "ada")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		began := time.Now()
		var told []string
		for r, err := range p.Watch(ctx) {
			var says string
			var failed error
			switch {
			case err != nil:
				says, failed = "an error", os.Rename(p.dir+"/away", p.dir+"/.planning")
			case r.Verdict == None && len(told) == 0:
				says = string(r.Verdict)
				_, failed = p.Start(ctx, "", nil)
			case len(told) == 1:
				says, failed = string(r.Verdict), os.Rename(p.dir+"/.planning", p.dir+"/away")
			default:
				says = string(r.Verdict)
				time.AfterFunc(time.Minute, cancel)
			}
			if told = append(told, says); failed != nil {
				t.Fatal(failed)
			}
		}
		if want := []string{"none", "resume", "an error", "resume"}; !slices.Equal(told, want) || time.Since(began) < time.Minute {
			t.Errorf("told %q in %v, want %q in more than a minute", told, time.Since(began), want)
		}
	})
}

// TestPrint: a Project that is printed shows its directory, and nothing of the environment.
func TestPrint(t *testing.T) {
	p := sampleOf(t, "ada")
	p.env = append(p.env, "TOKEN=secret")
	for _, verb := range []string{"%v", "%+v", "%s", "%#v"} {
		for _, value := range []any{p, *p} {
			if text := fmt.Sprintf(verb, value); !strings.Contains(text, filepath.Base(p.Dir())) || strings.Contains(text, "secret") {
				t.Errorf("%s of a %T: %s", verb, value, text)
			}
		}
	}
}

// TestPart: a part of an answer has no time that nobody knows.
func TestPart(t *testing.T) {
	for _, part := range []any{Task{}, Run{}, Session{}} {
		if text, err := json.Marshal(part); err != nil || strings.Contains(string(text), "0001-01-01") {
			t.Errorf("%s, %v", text, err)
		}
	}
}

// TestMarshal: an answer that comes from nowhere has no JSON, rather than a wrong one.
func TestMarshal(t *testing.T) {
	if text, err := json.Marshal(Report{Verdict: Resume}); err == nil {
		t.Errorf("it is %s", text)
	}
}

// TestView: what has a field here is in schema.json, under that name and with a type that can be decoded.
func TestView(t *testing.T) {
	text, err := os.ReadFile("../schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var whole struct {
		Defs map[string]*schema `json:"$defs"`
	}
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	v := comparison{defs: whole.Defs, in: map[string][]string{}, seen: map[string]bool{}}
	for _, test := range []struct {
		def string
		as  any
	}{
		{"hydrate", Report{}},
		{"status", Status{}},
		{"tasks", TaskList{}},
		{"nextPlan", NextPlan{}},
		{"bootstrap", Started{}},
		{"mark", Marked{}},
		{"archive", Archived{}},
		{"restore", Restored{}},
		{"error", Error{}},
	} {
		v.compare(t, test.def, reflect.TypeOf(test.as))
	}
	for name, defs := range v.in { // a type may stand for several: each field is in one of them
		if defs[0] == "" {
			t.Errorf("%s is in no answer", name)
		}
	}
}

// A schema is as much of one as is compared.
type schema struct {
	Ref        string             `json:"$ref"`
	Type       any                `json:"type"`
	Enum       []any              `json:"enum"`
	Format     string             `json:"format"`
	AnyOf      []*schema          `json:"anyOf"`
	AllOf      []*schema          `json:"allOf"`
	Items      *schema            `json:"items"`
	Properties map[string]*schema `json:"properties"`
}

// A comparison compares types with schemas.
type comparison struct {
	defs map[string]*schema
	in   map[string][]string // in which schemas a field is, by the name of its type and its own
	seen map[string]bool
}

func (v *comparison) compare(t *testing.T, def string, typ reflect.Type) {
	t.Helper()
	if v.defs[def] == nil {
		t.Fatalf("there is no %s in schema.json", def)
	}
	if key := def + typ.Name(); v.seen[key] {
		return
	} else {
		v.seen[key] = true
	}
	for field := range typ.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && field.IsExported():
			v.compare(t, def, field.Type)
			continue
		case !field.IsExported():
			continue
		}
		key := typ.Name() + "." + field.Name
		schema := v.defs[def].Properties[name]
		if schema == nil {
			if v.in[key] == nil {
				v.in[key] = []string{""}
			}
			continue
		}
		if v.in[key] == nil || v.in[key][0] == "" {
			v.in[key] = []string{def}
		}
		v.kind(t, def+"."+name, schema, field.Type)
	}
}

// kind compares the type of a field with a schema.
func (v *comparison) kind(t *testing.T, name string, s *schema, typ reflect.Type) {
	t.Helper()
	types, null := s.types()
	ref := s.Ref
	for _, one := range slices.Concat(s.AnyOf, s.AllOf) {
		if one.Ref != "" {
			ref = one.Ref
		} else if one.Type == "null" {
			null = true
		}
	}
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	} else if null && typ.Kind() == reflect.Bool {
		t.Errorf("%s may be null", name)
	}
	want := "string"
	switch {
	case ref != "":
		if typ.Kind() != reflect.Struct {
			t.Errorf("%s is a %s", name, ref)
			return
		}
		v.compare(t, strings.TrimPrefix(ref, "#/$defs/"), typ)
		return
	case typ == reflect.TypeFor[time.Time]():
		if s.Format != "date-time" {
			t.Errorf("%s is no time", name)
		}
		return
	case typ.Kind() == reflect.Slice:
		want = "array"
		v.kind(t, name, s.Items, typ.Elem())
	case typ.Kind() == reflect.Int:
		want = "integer"
	case typ.Kind() == reflect.Bool:
		want = "boolean"
	}
	if !slices.Equal(types, []string{want}) {
		t.Errorf("%s is %q, and %v here", name, types, typ)
	}
}

// types returns the types of a schema but for null, and whether it may be null.
func (s *schema) types() (types []string, null bool) {
	all, isList := s.Type.([]any)
	switch {
	case isList:
	case s.Type != nil:
		all = []any{s.Type}
	case s.Enum != nil: // of words
		all = []any{"string"}
		null = slices.Contains(s.Enum, nil)
	}
	for _, one := range all {
		if one == "null" {
			null = true
			continue
		}
		types = append(types, fmt.Sprint(one))
	}
	return types, null
}
