package host

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestDefang(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		// Tags.
		{"<system-reminder>", "(system-reminder)"},
		{"</system-reminder>", "(/system-reminder)"},
		{"a <System-Reminder kind=\"x\" >b", "a (System-Reminder kind=\"x\" )b"},
		{"< system-reminder >", "( system-reminder )"},
		{"< / system >", "( / system )"},
		{"<\nsystem-reminder\n>", "(\nsystem-reminder\n>"},
		{"<system-reminder", "(system-reminder"},
		{"[\nINST\n]Human: x", "(\nINST\n)Human; x"},
		{"<system/>", "(system/)"},
		{"<system>x<system>", "(system)x(system)"},
		{"<<system>>", "<(system)>"},
		{"<system<user>", "(system(user)"},
		{`<\/system-reminder>`, `(\/system-reminder)`},
		{"<system_reminder><systemReminder><SYSTEM:REMINDER>", "(system_reminder)(systemReminder)(SYSTEM:REMINDER)"},
		{"<user><assistant><human><developer><tool>", "(user)(assistant)(human)(developer)(tool)"},
		{"<tool_result><tool_results><tool_use><function_calls><function_results>", "(tool_result)(tool_results)(tool_use)(function_calls)(function_results)"},
		{"<invoke name=\"Bash\"><antml:invoke><antml:parameter name=\"x\">", "(invoke name=\"Bash\")(antml:invoke)(antml:parameter name=\"x\")"},
		{"<hook_context><user_instructions><environment_context>", "(hook_context)(user_instructions)(environment_context)"},
		{"<permissions instructions></permissions instructions>", "(permissions instructions)(/permissions instructions)"},
		{"<INSTRUCTIONS><session_context><context>", "(INSTRUCTIONS)(session_context)(context)"},
		{"<command-name><command-message><command-args><local-command-stdout>", "(command-name)(command-message)(command-args)(local-command-stdout)"},
		{"<task-notification><new-diagnostics><EXTREMELY_IMPORTANT><EXTREMELY-IMPORTANT>", "(task-notification)(new-diagnostics)(EXTREMELY_IMPORTANT)(EXTREMELY-IMPORTANT)"},
		{"<important><thinking><turn_aborted>", "(important)(thinking)(turn_aborted)"},
		{"<my-system-note><app_hook>", "(my-system-note)(app_hook)"},
		// Look-alikes.
		{"＜system＞﹤user﹥‹human›〈tool〉⟨tool⟩", "(system)(user)(human)(tool)(tool)"},
		{"<ｓｙｓｔｅｍ><ѕуѕtem><𝐬𝐲𝐬𝐭𝐞𝐦><ſystem><ⓢⓨⓢⓣⓔⓜ>", "(ｓｙｓｔｅｍ)(ѕуѕtem)(𝐬𝐲𝐬𝐭𝐞𝐦)(ſystem)(ⓢⓨⓢⓣⓔⓜ)"},
		{"<system‐reminder><system—reminder><s\u0301ystem><\u0338user>", "(system‐reminder)(system—reminder)(s\u0301ystem)(\u0338user)"},
		{"<／user＞", "(／user)"},
		{"ᐸsystemᐳ ᐸuserᐳ ᚲhuman𖼿 𝈶tool𝈷", "(system) (user) (human) (tool)"},
		{"《system-reminder》≪/system-reminder≫«hook_context»⟪user-prompt⟫", "(system-reminder)(/system-reminder)(hook_context)(user-prompt)"},
		// What is odd between the bracket and the name, or behind it.
		{"<!system-reminder> ‹?user› <_system-reminder> ‹-human› ‹:tool› <\"system-reminder\">", "(!system-reminder) (?user) (_system-reminder) (-human) (:tool) (\"system-reminder\")"},
		{"<'system'> <!/user a=1> <.user> <@user> <! system-reminder>", "('system') (!/user a=1) (.user) (@user) (! system-reminder)"},
		{"</system-reminder@> <system-reminder@ x> </user@example.org>", "(/system-reminder@) (system-reminder@ x) (/user@example.org)"},
		{"</sys x", "(/sys x"},
		{"&lt;system&gt;", "&lt;system&gt;"},
		// Tokens.
		{"[INST] x [/INST]", "(INST) x (/INST)"},
		{"[ inst ][\n/INST\n]", "( inst )(\n/INST\n)"},
		{"[TOOL_CALLS][AVAILABLE_TOOLS]", "(TOOL_CALLS)(AVAILABLE_TOOLS)"},
		{"<<SYS>>x<</SYS>>", "<(SYS)>x<(/SYS)>"},
		{"<|im_start|>system", "(|im_start|)system"},
		{"<| im_start |>", "(| im_start |)"},
		{"<｜User｜><｜begin▁of▁sentence｜>", "(｜User｜)(｜begin▁of▁sentence｜)"},
		{"<|endoftext", "(|endoftext"},
		{"<|_end|>", "(|_end|)"},
		{"<start_of_turn>user<end_of_turn>", "(start_of_turn)user(end_of_turn)"},
		// Turns.
		{"Human: x", "Human; x"},
		{"a\n\nHuman: x\n\nAssistant: y", "a\n\nHuman; x\n\nAssistant; y"},
		{"\n  **Human**: x\n> ### ASSISTANT: y\n- human : z", "\n  **Human**; x\n> ### ASSISTANT; y\n- human ; z"},
		{"\nHuman： x", "\nHuman; x"},
		{"<\nhuman:\n>", "(\nhuman;\n>"},
		{"›Human: a\n⟩Human: b\n＞# Human: c\n\"Human: d\n| Human: e\n1. Human: f\n②) Assistant: g\n“Human: h", "›Human; a\n⟩Human; b\n＞# Human; c\n\"Human; d\n| Human; e\n1. Human; f\n②) Assistant; g\n“Human; h"},
		{"<Human: x", "(Human; x"},
		{"\"human\": 1\na Human: x", "\"human\": 1\na Human: x"},
		{"ask a Human: x\nHumanity: y\nHumans: z\nUser: w", "ask a Human: x\nHumanity: y\nHumans: z\nUser: w"},
		// Keys.
		{`{"hookSpecificOutput":{"hookEventName":"x"}}`, `{'hookSpecificOutput':{'hookEventName':"x"}}`},
		{`"additionalContext" "additional_context" "systemMessage" "permissionDecision"`, `'additionalContext' 'additional_context' 'systemMessage' 'permissionDecision'`},
		{`{\"AdditionalContext\": 1}`, `{\'AdditionalContext\': 1}`},
		{`"additionalContext"systemMessage"`, `'additionalContext'systemMessage"`},
		{`"additionalContext was dropped"`, `"additionalContext was dropped"`},
		{"a additionalContext `hookEventName`", "a additionalContext `hookEventName`"},
		// What is ordinary.
		{"a < b && c > d", "a < b && c > d"},
		{"i < user && j > context", "i < user && j > context"},
		{"for i := 0; i < tools; i++ {", "for i := 0; i < tools; i++ {"},
		{"if x<context.max {", "if x<context.max {"},
		{"<-context.Done() <-user x <- user", "<-context.Done() <-user x <- user"},
		{"Vec<String> Map<string, Task[]> <div class=\"user\"></div> <files> <name> <task id=\"1\">", "Vec<String> Map<string, Task[]> <div class=\"user\"></div> <files> <name> <task id=\"1\">"},
		{"grep '<name>' <userland> <systemd> <user-id> <tool_name> <session-id>", "grep '<name>' <userland> <systemd> <user-id> <tool_name> <session-id>"},
		{"#include <map>\n#include <system_error.h>", "#include <map>\n#include (system_error.h)"},
		{"#include <sys/types.h>\nTo: <user@example.org>\n0 < |x| < 1", "#include <sys/types.h>\nTo: <user@example.org>\n0 < |x| < 1"},
		{"[user] x[0] [system](a.md) list[Tool] [x]", "[user] x[0] [system](a.md) list[Tool] [x]"},
		{"f <| x |> g a <|> b <||", "f <| x |> g a <|> b <||"},
		{`"user" "context": "system"`, `"user" "context": "system"`},
		{"x <- context_df\ny = 3; n <= tools; a <-user; n if n < tools => m; T <: User", "x <- context_df\ny = 3; n <= tools; a <-user; n if n < tools => m; T <: User"},
		{"<!-- context --> <%= user %> 《user》 a ≪ system_size <system-admin@example.org>", "<!-- context --> <%= user %> 《user》 a ≪ system_size <system-admin@example.org>"},
		{"<größe> <système> «system» <пользователь>", "<größe> <système> «system» <пользователь>"},
		{"<", "<"},
		{"</", "</"},
		{"[", "["},
		{`"`, `"`},
		// What is not ordinary for us, though it is code: the name decides.
		{"Promise<User> cat <<SYSTEM a<|x|", "Promise(User) cat <(SYSTEM a(|x|"},
	} {
		if got := defang(test.text); got != test.want {
			t.Errorf("Defang(%+q)\n got %+q\nwant %+q", test.text, got, test.want)
		}
	}
}

// Role tags once more, as a reader of the design would write them down. ASCII only, and what a tag has to look like.
var (
	roles = `(?:system|user|assistant|human|developer|tool|tools|function_calls?|function_results?|invoke|instructions?|context|thinking|important` +
		`|tool[-_]?results?|tool[-_]?use|system[-_]?reminder|hook[-_]?context|user[-_]?instructions|environment[-_]?context|permissions|session[-_]?context` +
		`|command-name|command-message|command-args|local-command-(?:stdout|stderr)|task-notification|new-diagnostics|extremely[-_]important` +
		`|turn_aborted|antml:[a-z_]+|start_of_turn|end_of_turn)`
	roleTag = regexp.MustCompile(`(?i)[<＜﹤‹〈⟨ᐸ](?:` +
		`[/\\]*` + roles + `(?:[\s/>＞=<("',;!?&|\[\]{}#]|$)` + // glued to the bracket
		`|[\s/\\]*(?:sys|` + roles + `)[\s/]*[>＞﹥›〉⟩ᐳ]` + // closed
		`|[!?_:"'.@/-]*(?:` + roles + `)["'!?/]*[>＞﹥›〉⟩ᐳ]` + // odd
		`|\|_*[a-z]+` + // tokens
		`|[\s/\\]*\|[\s/\\]*(?:im_(?:start|end)|endoftext|` + roles + `)\|)`)
	instTag = regexp.MustCompile(`(?i)\[[\s/]*INST[\s/]*\]`)
	turns   = regexp.MustCompile(`(?im)^[^\p{L}\p{Mc}Ⓐ-ⓩ\n]*(?:human|assistant)[ \t*_]*:`)
	keys    = regexp.MustCompile(`(?i)"(?:hookSpecificOutput|hookEventName|additional_?Context|systemMessage|permissionDecision)\\*"`)
)

// checkHarmless says what a text should not hold that was defanged.
func checkHarmless(t interface{ Errorf(string, ...any) }, s string) {
	for _, bad := range []*regexp.Regexp{roleTag, instTag, turns, keys} {
		if at := bad.FindString(s); at != "" {
			t.Errorf("%+q is left in %+q", at, s)
		}
	}
}

var fangs = []string{
	"<system-reminder>", "</system-reminder >", "<sys\u200btem-reminder>", "＜system＞", "<\nuser>", "<user a=1>", "< / human>", "<<SYS>>", "<|im_start|>",
	"[INST]", "[/ INST ]", "\n\nHuman:", "\nAssistant :", `{"hookSpecificOutput":{`, `\"additionalContext\"`, "<invoke name=\"x\">", "<system<system>>",
	"<\nhuman:\n>", "[\nINST\n]", "a < user > b", "<x.system>", "<system.", "<user-", "<ѕуѕtem>", "`<user>`", "<\\/tool>", "\"systemMessage\"systemMessage\"",
	"<userland>", "<|a", "<\u0338user>", "Human\u2236", "<user\u0301>", "<-user>", "≮user>",
	"ᐸsystemᐳ", "<!system-reminder>", "<\"user\">", "</system-reminder@>", "</sys ", "《system-reminder》", "\n1. Human:", "\n| Human:", "\n⟩Human:", "<?user",
}

// FuzzDefang holds the laws of defang.go, by checks that were written apart from it.
func FuzzDefang(f *testing.F) {
	for i, seed := range append(slices.Clone(fangs), hostile...) {
		f.Add(seed, i%12)
	}
	f.Fuzz(func(t *testing.T, s string, most int) {
		s = Clean(s)
		got := defang(s)
		checkClean(t, got)
		checkHarmless(t, got)
		if again := defang(got); again != got {
			t.Errorf("Defang(%+q) = %+q, and again %+q", s, got, again)
		}
		if len(got) > len(s) || utf8.RuneCountInString(got) != utf8.RuneCountInString(s) || strings.Count(got, "\n") != strings.Count(s, "\n") {
			t.Errorf("Defang(%+q) = %+q", s, got)
		}
		if !strings.ContainsAny(s, `<["`) && !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) && !turns.MatchString(s) && got != s &&
			strings.ReplaceAll(got, ";", ":") != strings.ReplaceAll(s, ";", ":") {
			t.Errorf("Defang(%+q) = %+q", s, got)
		}
		most = min(max(most, 0), 300)
		checkShapes(t, s, most)
	})
}

// checkShapes holds what Line, Code and Quote promise of any text, clean or not.
func checkShapes(t interface{ Errorf(string, ...any) }, s string, most int) {
	one := Line(s, most)
	checkClean(t, one)
	checkHarmless(t, one)
	if n := utf8.RuneCountInString(one); n > most || strings.ContainsAny(one, "\n\t\r") || strings.TrimSpace(one) != one {
		t.Errorf("Line(%+q, %d) = %+q", s, most, one)
	}
	if again := Line(one, most); again != one {
		t.Errorf("Line(%+q, %d) = %+q, and again %+q", s, most, one, again)
	}
	code := Code(s, most)
	checkHarmless(t, code)
	if inner, rest, ok := readCodeSpan(code); one == "" && code != "" || one != "" && (!ok || rest != "" || inner != one) {
		t.Errorf("Code(%+q, %d) = %+q, which is code %+q and text %+q", s, most, code, inner, rest)
	}
	quote := Quote(s, most, most)
	checkClean(t, strings.Join(quote, "\n"))
	checkHarmless(t, strings.Join(quote, "\n"))
	bare := make([]string, len(quote))
	for i, line := range quote {
		if line != ">" && !strings.HasPrefix(line, "> ") || strings.Contains(line, "\n") || i < most && utf8.RuneCountInString(line) > max(most, len("(n more line)"))+20 {
			t.Errorf("Quote(%+q, %d, %d) has %+q", s, most, most, line)
		}
		bare[i] = strings.TrimPrefix(strings.TrimPrefix(line, ">"), " ")
	}
	checkHarmless(t, strings.Join(bare, "\n"))
	if len(quote) > most+1 || len(quote) > 0 && quote[0] == ">" && most > 0 && strings.TrimSpace(strings.Join(bare, "")) == "" {
		t.Errorf("Quote(%+q, %d, %d) = %+q", s, most, most, quote)
	}
}

// readCodeSpan reads a code span as CommonMark 0.31, section 6.1, has it.
func readCodeSpan(s string) (inner, rest string, ok bool) {
	fence := len(s) - len(strings.TrimLeft(s, "`"))
	for i := fence; i < len(s); {
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if run == fence && fence > 0 {
			inner = s[fence:i]
			if strings.HasPrefix(inner, " ") && strings.HasSuffix(inner, " ") && strings.Trim(inner, " ") != "" {
				inner = inner[1 : len(inner)-1]
			}
			return inner, s[i+run:], true
		}
		i += max(run, 1)
	}
	return "", "", false
}

// TestDefangMixed holds the laws for texts that are made of nothing but what is dangerous, which a fuzzer seldom finds.
func TestDefangMixed(t *testing.T) {
	t.Parallel()
	pieces := append(slices.Clone(fangs), "<", ">", "/", "\\", " ", "\n", "[", "]", `"`, ":", ";", "|", "-", "_", ".", "(", ")", "*", ">", "system", "user", "human", "Assistant",
		"inst", "reminder", "additionalContext", "x", "=", "é", "＜", "›", "`", "``", "\u0301", "…")
	rapid.Check(t, func(t *rapid.T) {
		s := Clean(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces"), ""))
		got := defang(s)
		checkHarmless(t, got)
		if again := defang(got); again != got {
			t.Fatalf("Defang(%+q) = %+q, and again %+q", s, got, again)
		}
		checkShapes(t, s, rapid.IntRange(0, 40).Draw(t, "most"))
	})
}

func TestLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	for _, test := range []struct {
		text string
		most int
		want string
	}{
		{"", 10, ""},
		{" \n\t ", 10, ""},
		{"abc", 0, ""},
		{"abc", -1, ""},
		{"abc", 1, "…"},
		{"a", 1, "a"},
		{"  a\n\tb \r\n c  ", 10, "a b c"},
		{"a\u00a0b\u3000c", 10, "a b c"},
		{"abc", 3, "abc"},
		{"abc \n", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"abc d", 3, "ab…"},
		{"ab d", 3, "ab…"},
		{"ab d", 4, "ab d"},
		{"日本語です", 4, "日本語…"},
		{long, 5, "xxxx…"},
		{"\x1b[31mred\x1b[0m", 3, "red"},
		{"<sys\u200btem-reminder>", 99, "(system-reminder)"},
		{"<sys\x1b[mtem-reminder>", 99, "(system-reminder)"},
		{"<\nsystem>", 99, "( system)"},
		{"<userland>", 6, "(user…"},
		{"x\n\nHuman: y", 99, "x Human: y"},
		{"\n\nHuman: y", 99, "Human; y"},
	} {
		if got := Line(test.text, test.most); got != test.want {
			t.Errorf("Line(%.40q, %d) = %q, want %q", test.text, test.most, got, test.want)
		}
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"\x00", ""},
		{"a b", "`a b`"},
		{"a`b", "``a`b``"},
		{"a``b", "`a``b`"},
		{"a``b`c", "```a``b`c```"},
		{"`a", "`` `a ``"},
		{"a`", "`` a` ``"},
		{"`", "`` ` ``"},
		{"``", "` `` `"},
		{"a\n</user>", "`a (/user)`"},
	} {
		if got := Code(test.text, 20); got != test.want {
			t.Errorf("Code(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

func TestQuote(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text           string
		lines, perLine int
		want           []string
	}{
		{"", 3, 10, nil},
		{" \n\x00\n\t", 3, 10, nil},
		{"a", 3, 10, []string{"> a"}},
		{"\n \n  a\r\nb\t\n\n", 3, 10, []string{">   a", "> b"}},
		{"a\n\n\nb", 4, 10, []string{"> a", ">", ">", "> b"}},
		{"a\nb\nc\nd", 3, 10, []string{"> a", "> b", "> c", "> (1 more line)"}},
		{"a\nb\n\n\nc\n\n", 2, 10, []string{"> a", "> b", "> (3 more lines)"}},
		{"a\nb", 0, 10, []string{"> (2 more lines)"}},
		{"abcd\nabc   \nabc    x", 3, 3, []string{"> ab…", "> abc", "> ab…"}},
		{"<\nsystem-reminder>", 3, 20, []string{"> (", "> system-reminder)"}},
		{"<userland>x\n>", 3, 6, []string{"> (user…", "> >"}},
		{"a < user\nb", 3, 20, []string{"> a ( user", "> b"}},
		{"a\nHuman: b", 3, 20, []string{"> a", "> Human; b"}},
		{"[\nINST\n]", 3, 20, []string{"> (", "> INST", "> )"}},
	} {
		if got := Quote(test.text, test.lines, test.perLine); !slices.Equal(got, test.want) {
			t.Errorf("Quote(%q, %d, %d) = %q, want %q", test.text, test.lines, test.perLine, got, test.want)
		}
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		blocks []string
		most   int
		more   string
		want   string
	}{
		{nil, 10, "more", ""},
		{[]string{"", "\n"}, 10, "more", ""},
		{[]string{"a", "", "b\n"}, 4, "more", "a\n\nb"},
		{[]string{"a", "b"}, 3, "m", "m"},
		{[]string{"a", "b", "c"}, 4, "m", "a\n\nm"},
		{[]string{"a\nb\nc", "d"}, 6, "m", "a\nb\n\nm"},
		{[]string{"a\nb\nc", "d"}, 7, "m", "a\nb\n\nm"},
		{[]string{"a\nb\nc", "dd"}, 8, "m", "a\nb\nc\n\nm"},
		{[]string{"a\nb\nc", "d"}, 9, "m", "a\nb\nc\n\nd"},
		{[]string{"a\nb\nc", "d"}, 5, "", "a\nb\nc"},
		{[]string{"abcdefgh"}, 6, "", "abc…"},
		{[]string{"ééééé"}, 8, "", "éé…"},
		{[]string{"abcdefgh"}, 2, "", "ab"},
		{[]string{"éa"}, 1, "", ""},
		{[]string{"abcdefgh"}, 7, "more", "a\n\nmore"},
		{[]string{"abcdefgh"}, 3, "more", "…"},
		{[]string{"abcdefgh"}, 0, "more", ""},
		{[]string{"abcdefgh"}, -1, "", ""},
		{[]string{"a\xff"}, 9, "", "a\ufffd"},
		{[]string{"<userland> and so on"}, 8, "", "(user…"},
		{[]string{"<", "system>"}, 99, "", "(\n\nsystem)"},
	} {
		if got := Fit(test.blocks, test.most, test.more); got != test.want {
			t.Errorf("Fit(%q, %d, %q) = %q, want %q", test.blocks, test.most, test.more, got, test.want)
		}
	}
}

// FuzzFit holds what Fit promises of any blocks: three here, cut from one text.
func FuzzFit(f *testing.F) {
	f.Add("a\nb\n\fc\fd", 5, "more")
	f.Add("<userland>\f<\fsystem>", 6, "")
	f.Add("éé\xff\f\n\nx", 7, "mö\xffre")
	f.Add(strings.Repeat("line of text\n", 20)+"\fHuman: x", 100, "the rest is in the plan")
	f.Fuzz(func(t *testing.T, s string, most int, more string) {
		most = min(most, 2*len(s)+20)
		checkFit(t, strings.Split(s, "\f"), most, more)
	})
}

func checkFit(t interface{ Errorf(string, ...any) }, blocks []string, most int, more string) {
	got := Fit(blocks, most, more)
	if len(got) > max(most, 0) || !utf8.ValidString(got) || got != Fit(blocks, most, more) {
		t.Errorf("Fit(%+q, %d, %+q) = %+q", blocks, most, more, got)
	}
	checkHarmless(t, got)
	all := Fit(blocks, 1<<30, more)
	if len(all) <= most && got != all {
		t.Errorf("Fit(%+q, %d, %+q) = %+q, though all of it fits", blocks, most, more, got)
	}
	if more = strings.ToValidUTF8(more, "\ufffd"); len(all) > most && len(more) <= most && !strings.HasSuffix(got, defang(more)) &&
		defang("x\n"+more) == "x\n"+more {
		t.Errorf("Fit(%+q, %d, %+q) = %+q, without the note", blocks, most, more, got)
	}
}

// TestFitKeepsLines holds that ordinary lines are kept whole, from the first on, as many as there is room for.
func TestFitKeepsLines(t *testing.T) {
	t.Parallel()
	line := rapid.StringMatching(`[a-z]{1,8}`)
	rapid.Check(t, func(t *rapid.T) {
		blocks := rapid.SliceOfN(rapid.Map(rapid.SliceOfN(line, 1, 4), func(l []string) string { return strings.Join(l, "\n") }), 1, 5).Draw(t, "blocks")
		most := rapid.IntRange(9+2+4, 120).Draw(t, "most") // the first line and the note fit
		got := Fit(blocks, most, "More")
		all := strings.Join(blocks, "\n\n")
		if len(all) <= most {
			if got != all {
				t.Fatalf("Fit(%q, %d) = %q", blocks, most, got)
			}
			return
		}
		head, ok := strings.CutSuffix(got, "\n\nMore")
		rest, begins := strings.CutPrefix(all, head)
		if !ok || !begins || head == "" || !strings.HasPrefix(rest, "\n") {
			t.Fatalf("Fit(%q, %d) = %q", blocks, most, got)
		}
		next, _, _ := strings.Cut(strings.TrimLeft(rest, "\n"), "\n")
		gap := len(rest) - len(strings.TrimLeft(rest, "\n"))
		if len(got)+gap+len(next) <= most {
			t.Fatalf("Fit(%q, %d) = %q, though %q would fit", blocks, most, got, next)
		}
	})
}

func BenchmarkDefang(b *testing.B) {
	for name, text := range map[string]string{
		"prose":    strings.Repeat("Plain text of a plan, line by line.\n", 10<<20/36),
		"german":   strings.Repeat("Größere Änderung an den Prüfungen.\n", 10<<20/38),
		"code":     strings.Repeat("if a < b { m[\"x\"] = Vec<String>{} }\n", 10<<20/36),
		"tags":     strings.Repeat("<system-reminder>", 10<<20/17),
		"brackets": strings.Repeat("<", 10<<20),
		"blanks":   strings.Repeat("< ", 5<<20),
		"escapes":  strings.Repeat("\x1b]8;;x\x07y", 10<<20/8),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				defang(Clean(text))
			}
		})
	}
}
