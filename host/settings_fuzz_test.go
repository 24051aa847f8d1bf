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
		if ours, err := findEntries(src, testKind); err != nil || len(ours) > 0 {
			return
		}
		if _, err := insertEntries(src, want, testKind); err == nil {
			holdLaw(t, src, want)
		}
	})
}

// FuzzSettingsRemove: out of any file that can be read, ours goes and nothing else; and what was brought up to date is.
func FuzzSettingsRemove(f *testing.F) {
	for i, src := range settingsSeeds() {
		f.Add([]byte(src), byte(i))
		out, _ := insertEntries([]byte(src), wants()[i%len(wants())], testKind)
		f.Add(out, byte(i+1))
		f.Add(bytes.ReplaceAll(out, []byte(`"matcher":""`), []byte(`"matcher":"startup"`)), byte(i))
	}
	f.Fuzz(func(t *testing.T, src []byte, pick byte) {
		if src == nil {
			src = []byte{}
		}
		if _, err := findEntries(src, testKind); err != nil {
			return
		}
		checkRemoval(t, src)
		want := wants()[int(pick)%len(wants())]
		out, err := insertEntries(src, want, testKind)
		if err != nil {
			return
		}
		sameBytes(t, "a second insertion", mustInsert(t, out, want...), out)
		runsOnce(t, out, want)
		checkRemoval(t, out)
		pruned, err := pruneEntries(out, want, testKind)
		if strays, _ := findStrays(pruned, want, testKind); err != nil || len(strays) > 0 || !isSubsequence(pruned, out) {
			t.Fatalf("pruned: %v, %v\n%s\n%s", err, strays, out, pruned)
		}
		sameBytes(t, "an insertion into what was pruned", mustInsert(t, pruned, want...), pruned)
		if _, err := findTheirs(pruned); err != nil {
			t.Fatal(err)
		}
	})
}
