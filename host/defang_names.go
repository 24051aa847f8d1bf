package host

import (
	"unicode"
	"unicode/utf8"
)

// tagName is a name as it stands in a tag, a token or a key, without regard to case, look-alikes and separators.
type tagName struct {
	letters  buffer // all of it, system-reminder and systemReminder alike as systemreminder
	compound bool   // it has more than one word, split at separators
	role     bool   // and one of them is a role by itself
	size     int    // how many bytes it takes
}

// buffer holds a name for comparison. What is longer than any that is looked for is no name.
type buffer struct {
	text [40]byte
	n    int
}

func (b *buffer) add(c byte) {
	if b.n < len(b.text) {
		b.text[b.n] = c
	}
	b.n++
}

func (b *buffer) bytes() []byte {
	if b.n > len(b.text) {
		return nil
	}
	return b.text[:b.n]
}

// readName reads the name that s begins with. It begins with a letter and goes as far as letters, digits, their
// marks, dashes, underscores, colons, and dots with a letter behind them; system.reminder is no tag, and
// context.max is code. The size is 0 where there is none.
func readName(s string) tagName {
	var name tagName
	var word buffer
	words := 0
	end := func() {
		if word.n > 0 {
			words++
			name.role = name.role || isRoleWord(word.bytes())
		}
		word.n = 0
	}
	for name.size < len(s) {
		r, n := utf8.DecodeRuneInString(s[name.size:])
		c := fold(r)
		if name.size == 0 && (c == separator || c == mark || c == '.') {
			break
		}
		if c == '.' {
			after, _ := utf8.DecodeRuneInString(s[name.size+n:])
			if a := fold(after); a == 0 || a == '.' || a == separator || a == mark {
				break
			}
		}
		if c == 0 {
			break
		}
		name.size += n
		switch c {
		case separator:
			end()
		case mark:
		default:
			word.add(c)
			name.letters.add(c)
		}
	}
	end()
	name.compound = words > 1
	name.role = name.role && name.compound
	return name
}

// isTag tells that a tag of this name means something to an agent: who speaks, or what its client has to say.
func (n *tagName) isTag() bool {
	return n.role || isRole(n.letters.bytes())
}

// isRoleWord tells the words that make a tag suspicious wherever they stand in its name: system-note,
// hook_context, antml:invoke, app_instructions. Others, like user and tool, are in too many placeholders:
// <user-id>, <tool_name>.
func isRoleWord(word []byte) bool {
	switch string(word) {
	case "antml", "assistant", "context", "developer", "hook", "hooks", "human", "important", "instruction",
		"instructions", "permission", "permissions", "reminder", "reminders", "sys", "system", "untrusted":
		return true
	}
	return false
}

// isRole tells the names themselves. Those of the hosts were read from Claude Code 2.1.197, Codex 0.169.0 and Gemini
// CLI 0.61.0 as they are installed, Cursor's and Copilot's are from prompts that were published. Not here are names that are
// ordinary as tags or placeholders and get their meaning only inside another: task, command, message, session,
// file, result, summary, example, objective; nor <s>, which is HTML too.
func isRole(name []byte) bool {
	switch string(name) {
	// Who speaks, and what every host has.
	case "system", "sys", "user", "assistant", "human", "developer", "tool", "tools", "function", "functions",
		"instruction", "instructions", "permission", "permissions", "context", "reminder", "reminders", "thinking",
		"important", "extremelyimportant", "hook", "hooks", "invoke", "skill", "untrusted":
		return true
	// Calls of tools and their results.
	case "toolcall", "toolcalls", "tooluse", "tooluses", "tooluseerror", "toolresult", "toolresults", "tooloutput",
		"toolresponse", "toolcode", "tooloutputmasked", "functioncall", "functioncalls", "functionresult",
		"functionresults", "functionresponse", "availabletools", "antmlinvoke", "antmlparameter",
		"antmlfunctioncalls", "antmlthinking":
		return true
	// What Claude Code wraps things in.
	case "systemreminder", "systemmessage", "systemprompt", "commandname", "commandmessage", "commandargs",
		"commandcontents", "localcommandstdout", "localcommandstderr", "localcommandcaveat", "bashinput",
		"bashstdout", "bashstderr", "tasknotification", "teammatemessage", "agentmessage", "crosssessionmessage",
		"crosssessionmessages", "newdiagnostics", "mcpresource", "mcpresourceupdate", "userpromptsubmithook",
		"usermemoryinput", "userclaudemd", "persistedoutput", "interruptedoutput", "sandboxviolations",
		"sessionmetadata", "autonomousloop", "autonomousloopdynamic", "forkboilerplate", "channelmessage",
		"userprompt", "usermessage", "assistantmessage":
		return true
	// Codex.
	case "userinstructions", "environmentcontext", "turnaborted", "useraction", "usershellcommand", "userquery",
		"userverificationnotice", "subagentnotification", "agentmessageboardnotification", "collaborationmode",
		"personalityspec", "modelswitch", "multiagentmode", "multiagentrole", "persistentmode", "proposedplan",
		"realtimeconversation", "realtimedelegation", "codexdelegation", "codexinternalcontext", "tokenbudget",
		"rolloutbudget", "workspaceroots", "ideselection", "guardiansyncreview", "guardiantooldescriptions",
		"sideconversation", "transcriptdelta", "recommendedplugins", "resourceaccess", "mcptools", "cursorcommands",
		"oaimemcitation", "sendusermessagequestionreply", "gitattribution", "commandsessions":
		return true
	// Gemini CLI.
	case "hookcontext", "sessioncontext", "projectcontext", "globalcontext", "extensioncontext", "loadedcontext",
		"untrustedcontext", "statesnapshot", "userprojectmemory", "userinput", "systemnote", "originaluserrequest",
		"availableskills", "activatedskill", "availablesubagents", "backgroundoutput":
		return true
	// Cursor and Copilot.
	case "userrules", "userinfo", "userrequest", "additionaldata", "environmentinfo", "workspaceinfo",
		"alwaysappliedworkspacerules", "editorcontext", "reminderinstructions", "tooluseinstructions",
		"systemnotification", "agentskills":
		return true
	// Tokens of models.
	case "inst", "bos", "eos", "startofturn", "endofturn", "imstart", "imend", "endoftext", "startheaderid",
		"endheaderid", "eotid", "eomid", "beginoftext", "endofsentence", "beginofsentence":
		return true
	}
	return false
}

// isToken tells the names that are tokens in square brackets. There have to be few: [user] is in many a file.
func isToken(name []byte) bool {
	switch string(name) {
	case "inst", "systemprompt", "systemmessage", "systemreminder", "availabletools", "toolcalls", "toolresults",
		"toolcontent":
		return true
	}
	return false
}

// isKey tells the keys of what hooks answer. Those that are ordinary words are not here: decision, continue, reason.
func isKey(name []byte) bool {
	switch string(name) {
	case "hookspecificoutput", "hookeventname", "additionalcontext", "systemmessage", "permissiondecision",
		"permissiondecisionreason", "suppressoutput", "stopreason", "updatedinput", "updatedmcptooloutput",
		"initialusermessage", "sessiontitle", "watchpaths", "reloadskills", "usermessage", "agentmessage",
		"followupmessage":
		return true
	}
	return false
}

// What fold makes of characters that are no letter of ASCII.
const (
	separator = '-'
	mark      = 1
	foreign   = 2 // a letter that is no letter of ASCII
)

// fold is the lower letter or the digit of ASCII that a character looks like, a dot, separator, mark, foreign, or
// 0 for what is no part of a name.
func fold(r rune) byte {
	switch {
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.':
		return byte(r)
	case r >= 'A' && r <= 'Z':
		return byte(r) | 0x20
	case r == '-', r == '_', isColon(r):
		return separator
	case r < 0xaa:
		return 0
	case r >= 'Ａ' && r <= 'Ｚ':
		return 'a' + byte(r-'Ａ')
	case r >= 'ａ' && r <= 'ｚ':
		return 'a' + byte(r-'ａ')
	case r >= 'Ⓐ' && r <= 'ⓩ':
		return 'a' + byte((r-'Ⓐ')%26)
	case r >= '𝐀' && r <= '𝚣':
		return 'a' + byte((r-'𝐀')%26) // thirteen alphabets of mathematics, each A to z
	}
	if c := lookalike(r); c != 0 {
		return c
	}
	switch {
	case unicode.In(r, unicode.Pd, unicode.Pc), r == '▁', r == '−':
		return separator
	case unicode.In(r, unicode.Mn, unicode.Me):
		return mark
	case isOpener(r), isCloser(r): // some are letters
		return 0
	case unicode.IsLetter(r), unicode.IsNumber(r), unicode.Is(unicode.Mc, r):
		return foreign
	}
	return 0
}

// lookalike is the letter of ASCII that a Cyrillic, Greek, small or other letter is taken for.
func lookalike(r rune) byte {
	switch r {
	case 'а', 'А', 'α', 'Α', 'ɑ', 'ᴀ':
		return 'a'
	case 'В', 'Β', 'ʙ', 'ℬ':
		return 'b'
	case 'с', 'С', 'ϲ', 'Ϲ', 'ⅽ', 'Ⅽ', 'ᴄ', 'ℂ':
		return 'c'
	case 'ԁ', 'ⅾ', 'Ⅾ', 'ᴅ':
		return 'd'
	case 'е', 'Е', 'Ε', 'ᴇ', 'ℯ', 'ℰ':
		return 'e'
	case 'ɡ', 'ɢ', 'ℊ':
		return 'g'
	case 'һ', 'Н', 'Η', 'ʜ', 'ℎ', 'ℋ':
		return 'h'
	case 'і', 'І', 'ι', 'Ι', 'ı', 'ɪ', 'ⅰ', 'Ⅰ', 'ӏ', 'ℐ':
		return 'i'
	case 'ј', 'Ј', 'ϳ':
		return 'j'
	case 'К', 'к', 'Κ', 'κ', '\u212a', 'ᴋ':
		return 'k'
	case 'ⅼ', 'Ⅼ', 'ʟ', 'ℓ', 'Ӏ', 'ǀ':
		return 'l'
	case 'М', 'м', 'Μ', 'ⅿ', 'Ⅿ', 'ᴍ', 'ℳ':
		return 'm'
	case 'Ν', 'ɴ', 'п', 'ո', 'ℕ':
		return 'n'
	case 'о', 'О', 'ο', 'Ο', 'ᴏ', 'օ', 'ℴ':
		return 'o'
	case 'р', 'Р', 'ρ', 'Ρ', 'ᴘ', 'ℙ':
		return 'p'
	case 'ԛ', 'ℚ':
		return 'q'
	case 'ʀ', 'ℝ', 'ℛ', 'г':
		return 'r'
	case 'ѕ', 'Ѕ', 'ſ', 'ꜱ', 'ƨ':
		return 's'
	case 'Т', 'т', 'Τ', 'τ', 'ᴛ':
		return 't'
	case 'υ', 'ᴜ', 'ս', 'ц':
		return 'u'
	case 'ν', 'ѵ', 'ⅴ', 'Ⅴ', 'ᴠ':
		return 'v'
	case 'ѡ', 'ԝ', 'ω', 'ᴡ':
		return 'w'
	case 'х', 'Х', 'χ', 'Χ', 'ⅹ', 'Ⅹ':
		return 'x'
	case 'у', 'У', 'γ', 'Υ', 'ү', 'Ү', 'ʏ':
		return 'y'
	case 'Ζ', 'ᴢ', 'ℤ':
		return 'z'
	}
	return 0
}

// isColon tells a colon and what is taken for one.
func isColon(r rune) bool {
	switch r {
	case ':', '：', '﹕', '∶', 'ː', '꞉', '︓':
		return true
	}
	return false
}

// isOpener tells the less-than sign, the brackets that are taken for one (Unicode's confusables.txt and what looks like
// an angle), and the double ones.
func isOpener(r rune) bool {
	switch r {
	case '<', '＜', '﹤', '‹', '˂', '\u2329', '\u3008', '⟨', '❬', '❮', '❰', '⧼', '⦑', 'ᐸ', 'ᚲ', '𝈶', '≺', '⋖', '⪻':
		return true
	}
	return isDouble(r)
}

// isDouble tells an opening bracket of two angles. They are quotation marks, too.
func isDouble(r rune) bool {
	switch r {
	case '«', '\u300a', '≪', '⟪', '⋘', '⪡':
		return true
	}
	return false
}

// isCloser tells the greater-than sign and its like.
func isCloser(r rune) bool {
	switch r {
	case '>', '＞', '﹥', '›', '˃', '\u232a', '\u3009', '⟩', '❭', '❯', '❱', '⧽', '⦒', 'ᐳ', '𖼿', '𝈷', '≻', '⋗', '⪼',
		'»', '\u300b', '≫', '⟫', '⋙', '⪢':
		return true
	}
	return false
}

// isSlash tells what may stand before the name of a closing tag: `<\/a>` is how JSON writes it.
func isSlash(r rune) bool {
	switch r {
	case '/', '\\', '／', '＼', '⁄', '∕', '╱', '⧸':
		return true
	}
	return false
}

// isBar tells the bar of <|im_start|>. DeepSeek's are wide.
func isBar(r rune) bool {
	switch r {
	case '|', '｜', '│', '∣', '❘', '￨', '¦', 'ǀ', '︱':
		return true
	}
	return false
}
