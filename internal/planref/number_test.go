package planref

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsd-cli/gsd/internal/testenv"
)

func num(t testing.TB, s string) Number {
	t.Helper()
	n, ok := ParseNumber(s)
	if !ok {
		t.Fatalf("%q is not a number", s)
	}
	return n
}

func TestParseNumber(t *testing.T) {
	for in, want := range map[string]string{
		"3": "3", "03": "3", "000": "0", "02.1": "2.1", "2.01": "2.1", "2.10": "2.10", "12A": "12A", "12a.1": "12a.1",
		"ABC-03": "3", "ABC-02.1": "2.1", "ABCDEFG-3": "3", "APP2-03": "3", "B7": "B7", "B07.1": "B7.1", "999.60": "999.60",
		"123456789012345678901234567890": "123456789012345678901234567890",
	} {
		if got, ok := ParseNumber(in); !ok || got.String() != want {
			t.Errorf("ParseNumber(%q) = %q, %v, want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "x", "3.", ".3", "3..1", "3-1", "2nd", "12AB", "v1", "abc-3", "ABC-", " 3", strings.Repeat("1", 65), "3 ", "-3", "3.x", "３"} {
		if got, ok := ParseNumber(in); ok {
			t.Errorf("ParseNumber(%q) = %q, want none", in, got)
		}
	}
}

// want is "number|rest", or "none" if no number is found.
func TestCut(t *testing.T) {
	for name, test := range map[string]struct {
		cut  func(string) (Number, string, bool)
		want map[string]string
	}{
		"CutNumber": {CutNumber, map[string]string{
			"2": "2|", "2-3": "2|-3", "2. x": "2|. x", "2.": "2|.", "2 x": "2| x", "A1": "A1|", "Z1": "Z1|", "2a": "2a|", "2z": "2z|", "2Z.1z x": "2Z.1z| x",
			"@1": "none", "[1": "none", "a1": "none", "A": "none", "2.x": "none", "2ab": "none", "2_": "none", "2._": "none", "-2": "none",
			"AB-2-1": "2|-1", "AB_2-2": "2|", "AB-B7-1": "B7|-1", "AB@-2": "none", "AB[-2": "none", "AB-": "none", "AB-x": "none", "AB-b7": "none", "AB-BC": "none",
			"A_2-2": "none", // one letter is not a project code

			strings.Repeat("9", 64):        strings.Repeat("9", 64) + "|",
			strings.Repeat("9", 65):        "none",
			strings.Repeat("A", 31) + "-2": "2|",
			strings.Repeat("A", 32) + "-2": "none",
		}},
		"CutCustom": {CutCustom, map[string]string{
			"AUTH": "AUTH|", "AUTH: x": "AUTH|: x", "AUTH-x": "AUTH|-x", "WEB_2-x": "WEB_2|-x", "A2": "none", "A": "none", "AZ": "AZ|",
			"AUTH-01": "none", "AUTH-B7": "none", "AUTH x": "none", "Auth": "none", "2A": "none", "A-x": "none", "AUTH.x": "none", "": "none",
			strings.Repeat("A", 31): strings.Repeat("A", 31) + "|", strings.Repeat("A", 32): "none",
		}},
		"CutPhase": {CutPhase, map[string]string{
			"2": "2|", "2-02: Core": "2-2|: Core", "2-10": "2|-10", "2-2": "2|-2", "2-002": "2|-002", "2-0": "2|-0", "2-02x y": "2-2x| y", "2-020": "2|-020", "x": "none",
		}},
	} {
		for s, want := range test.want {
			n, rest, ok := test.cut(s)
			got := n.String() + "|" + rest
			if !ok {
				got = "none"
			}
			if got != want {
				t.Errorf("%s of %q: %s, want %s", name, s, got, want)
			}
		}
	}
}

// want is the padded form of the number, after "sentinel" if it is one.
func TestNumberKinds(t *testing.T) {
	for s, want := range map[string]string{
		"0": "sentinel 00", "0.1": "sentinel 00.1", "999": "sentinel 999", "999.2": "sentinel 999.2",
		"1": "01", "10.1": "10.1", "99": "99", "9990": "9990", "3A": "03A", "12b.1": "12b.1", "B7": "B7",
	} {
		n := num(t, s)
		got := n.Padded()
		if n.IsSentinel() {
			got = "sentinel " + got
		}
		if got != want {
			t.Errorf("%s: %s, want %s", s, got, want)
		}
	}
}

func TestCompareOrder(t *testing.T) {
	for _, order := range []string{
		"12 12.1 12A 12A.1 12B 13", // upstream's
		"1 2 2.1 3 B1 B2 B10 C1",
		"1 2 02.1 2.2 2.10 2.10.1 3 3A 3a.1 10 999.6 999.60 1000 1009 1009A 99999999999999999999 100000000000000000000",
	} {
		names := strings.Fields(order)
		for i, a := range names {
			for j, b := range names {
				if got, want := Compare(num(t, a), num(t, b)), cmp.Compare(i, j); got != want {
					t.Errorf("Compare(%s, %s) = %d, want %d", a, b, got, want)
				}
			}
		}
	}
	if Compare(num(t, "3a"), num(t, "3A")) != 0 || num(t, "3a").Key() != num(t, "03A").Key() {
		t.Error("3a is not 3A")
	}
	if Compare(Number{}, num(t, "0")) >= 0 {
		t.Error("the zero Number does not come first")
	}
}

func genNumber() *rapid.Generator[string] {
	return rapid.StringMatching(`[0-9]{1,4}[A-Ca-c]?(\.[0-9]{1,3}){0,2}`)
}

// The order is antisymmetric and transitive, and numbers are equal if and only if their keys are.
func TestOrderLaws(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		var ns []Number
		for range 3 {
			n, ok := ParseNumber(genNumber().Draw(t, "n"))
			if !ok {
				t.Fatal("not parsed")
			}
			ns = append(ns, n)
		}
		for _, a := range ns {
			for _, b := range ns {
				if Compare(a, b) != -Compare(b, a) {
					t.Fatalf("%s and %s are not antisymmetric", a, b)
				}
				if (Compare(a, b) == 0) != (a.Key() == b.Key()) {
					t.Fatalf("%s and %s: order and key differ", a, b)
				}
			}
		}
		slices.SortFunc(ns, Compare)
		if Compare(ns[0], ns[1]) > 0 || Compare(ns[1], ns[2]) > 0 || Compare(ns[0], ns[2]) > 0 {
			t.Fatalf("%v is not in order", ns)
		}
	})
}

// Padding and project codes change nothing, and a number's text parses as that number.
func TestPaddingLaw(t *testing.T) {
	rapid.Check(testenv.Laws(t), func(t *rapid.T) {
		text := genNumber().Draw(t, "n")
		pad := rapid.StringMatching(`([A-Z]{1,6}-)?0{0,5}`).Draw(t, "pad")
		a, _ := ParseNumber(text)
		b, ok := ParseNumber(pad + text)
		if !ok || a != b {
			t.Fatalf("%s%s is %v, want %v", pad, text, b, a)
		}
		for _, s := range []string{a.String(), a.Padded()} {
			if c, ok := ParseNumber(s); !ok || c != a {
				t.Fatalf("%s became %v", s, c)
			}
		}
	})
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"3", "02.1", "12A.1", "ABC-7", "9999999999999999999999", "3.", "é", "1é"} {
		f.Add(s, "2.10")
	}
	f.Fuzz(func(t *testing.T, s, other string) {
		a, ok := ParseNumber(s)
		if ok == a.IsZero() {
			t.Fatalf("%q: %q, %v", s, a, ok)
		}
		b, _ := ParseNumber(other)
		if Compare(a, a) != 0 || Compare(a, b) != -Compare(b, a) {
			t.Fatalf("%q and %q have no order", s, other)
		}
		if again, ok2 := ParseNumber(a.Padded()); ok && (!ok2 || again != a) {
			t.Fatalf("%q: %q is %q", s, a.Padded(), again)
		}
		PhaseOfPlan(s)
		PlanID(s)
		if name, ok := SummaryOf(s, []string{other}); ok && name != other {
			t.Fatalf("the summary %q is not among the names", name)
		}
	})
}
