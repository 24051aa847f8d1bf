package host

import (
	"bytes"
	"testing"
)

// FuzzSettingsLaw: a file is refused, or the law of settings.go holds for it.
func FuzzSettingsLaw(f *testing.F) {
	for i, src := range settingsSeeds() {
		f.Add([]byte(src), byte(i))
	}
	f.Fuzz(func(t *testing.T, src []byte, pick byte) {
		if src == nil {
			src = []byte{}
		}
		want := wants()[int(pick)%len(wants())]
		if d, err := parse(src, testKind); err != nil || len(d.ours()) > 0 {
			return
		}
		if _, err := insertEntries(src, want); err == nil {
			holdLaw(t, src, want)
		}
	})
}

// FuzzSettingsRemove: out of any file that can be read, ours goes and nothing else; and what was brought up to date is.
func FuzzSettingsRemove(f *testing.F) {
	for i, src := range settingsSeeds() {
		f.Add([]byte(src), byte(i))
		out, _ := insertEntries([]byte(src), wants()[i%len(wants())])
		f.Add(out, byte(i+1))
		f.Add(bytes.ReplaceAll(out, []byte(`"matcher":""`), []byte(`"matcher":"startup"`)), byte(i))
	}
	f.Fuzz(func(t *testing.T, src []byte, pick byte) {
		if src == nil {
			src = []byte{}
		}
		if _, err := parse(src, testKind); err != nil {
			return
		}
		checkRemoval(t, src)
		want := wants()[int(pick)%len(wants())]
		out, err := insertEntries(src, want)
		if err != nil {
			return
		}
		sameBytes(t, "a second insertion", mustInsert(t, out, want...), out)
		runsOnce(t, out, want)
		checkRemoval(t, out)
		pruned := mustPrune(t, out, want)
		if strays := mustParse(t, pruned).strays(want); len(strays) > 0 || !isSubsequence(pruned, out) {
			t.Fatalf("pruned: %v\n%s\n%s", strays, out, pruned)
		}
		sameBytes(t, "an insertion into what was pruned", mustInsert(t, pruned, want...), pruned)
	})
}
