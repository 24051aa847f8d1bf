package agent

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// allowedCommands are our commands that an agent may run without asking: those that the brief names for its work on a
// plan. They read the project, and change the caller's own session, of which nothing is lost: bootstrap archives what it
// replaces. What takes work away from somebody is another command. They are sorted, so that they stay together when somebody sorts a list.
var allowedCommands = []string{"bootstrap", "done", "hydrate", "mark", "next", "status", "tasks"}

// askedCommand takes work away from somebody, so a person is to be asked before it.
const askedCommand = "takeover"

// permissionsOf returns the strings that allow our commands in settings that have rules. A rule matches the begin of a command
// line up to the end of a word. bin is how we are called.
func permissionsOf(bin string) (all []string) {
	for _, command := range allowedCommands {
		all = append(all, ruleFor(bin, command))
	}
	return all
}

const allowOpen, allowShut = "Bash(", ":*)"

// ruleFor returns the rule that allows one of gsd's commands.
func ruleFor(bin, command string) string { return allowOpen + bin + " " + command + allowShut }

// askingOf returns the rule for what a person is to be asked about in any case: a host may leave to a model what no rule is for.
func askingOf(bin string) entry { return entry{ask: []string{ruleFor(bin, askedCommand)}} }

// canAllow reports whether a rule can name a program: characters with a meaning in a rule would make it a wider one.
func canAllow(bin string) bool { return !strings.ContainsAny(bin, `*()\,`) }

// AsksNothing reports whether a host runs any command without asking a person, by default.
func AsksNothing(host string) bool { return find(host).asksNothing }

// Allowed lists what the agent may run without asking by what gsd has installed in this scope, as a command line begins: now, or once the
// plan of an installation is carried out. What others have allowed does not count.
func (p *Plan) Allowed(now bool) (begins []string) {
	commands := func(bin string, names []string) {
		for _, name := range names {
			begins = append(begins, bin+" "+name)
		}
	}
	bin := cmp.Or(p.Where.Program, program)
	for i, f := range p.setup.files {
		is := f.state(p.files[i].Before)
		if f.path == p.setup.policy && (now && is == current || !now && is != taken && p.setup.wants(f)) {
			commands(bin, allowedCommands)
		}
	}
	for _, e := range p.setup.entries {
		if e.allow != nil && !now {
			commands(bin, allowedCommands)
		}
	}
	if !now || p.document == nil {
		return begins
	}
	for _, block := range p.document.allowed() {
		for _, rule := range block {
			text, _ := textOf(rule.value)
			its, command := ruled(text)
			commands(its, []string{command})
		}
	}
	return begins
}

// policyOf returns gsd's file that allows its commands in a host that has such files; the path is empty if it has
// none in that scope.
func policyOf(host string, scope Scope, bin string) file {
	if policy := find(host).policy; policy != nil {
		return policy(scope, bin)
	}
	return file{}
}

// The lists of permissions.
const allowList, askList = "allow", "ask"

// rules lists the rules of what is allowed, or asked about.
func (d *document) rules(list string) (rules []part) {
	for _, m := range members(d.root) {
		if m.name != "permissions" {
			continue
		}
		for _, m := range members(m.value) {
			if m.name == list {
				rules = append(rules, elements(m.value)...)
			}
		}
	}
	return rules
}

// allowed lists gsd's blocks of rules, however they call gsd.
func (d *document) allowed() (blocks [][]part) {
	for all := d.rules(allowList); len(all) > 0; {
		n := blockAt(all)
		if n > 0 {
			blocks = append(blocks, all[:n])
		}
		all = all[max(n, 1):]
	}
	return blocks
}

// asked lists gsd's rules of what is asked about, each as a block.
func (d *document) asked() (blocks [][]part) {
	for _, p := range d.rules(askList) {
		text, _ := textOf(p.value)
		if _, command := ruled(text); command == askedCommand {
			blocks = append(blocks, []part{p})
		}
	}
	return blocks
}

// blockAt returns how many rules gsd's block has with which the rules begin, 0 if they begin with another one.
func blockAt(rules []part) int {
	first, _ := textOf(rules[0].value)
	bin, _ := ruled(first)
	if bin == "" {
		return 0
	}
	if n := len(allowedCommands); len(rules) >= n && slices.EqualFunc(rules[:n], permissionsOf(bin), isText) {
		return n
	}
	return 0
}

func isText(p part, want string) bool {
	text, is := textOf(p.value)
	return is && text == want
}

// allowedByOthers lists the rules for gsd's commands that are not in one of its blocks: the user's.
func (d *document) allowedByOthers() (rules []string) {
	ours := slices.Concat(d.allowed()...)
	for _, p := range d.rules(allowList) {
		text, _ := textOf(p.value)
		_, command := ruled(text)
		mine := func(o part) bool { return o.value == p.value }
		if slices.Contains(allowedCommands, command) && !slices.ContainsFunc(ours, mine) {
			rules = append(rules, text)
		}
	}
	return rules
}

// lacksMark reports whether most of our rules are there, but not the one for marks: a person who wants to be asked would have
// removed all of them, or have allowed one or two commands alone.
func (d *document) lacksMark() bool {
	there := map[string]bool{}
	for _, p := range d.rules(allowList) {
		text, _ := textOf(p.value)
		if _, command := ruled(text); slices.Contains(allowedCommands, command) {
			there[command] = true
		}
	}
	return 2*len(there) > len(allowedCommands) && !there["mark"]
}

// ruled returns how a rule calls us, and which command it allows; both are empty if it is about something else.
func ruled(rule string) (bin, command string) {
	line, opens := strings.CutPrefix(rule, allowOpen)
	line, shuts := strings.CutSuffix(line, allowShut)
	if at := strings.LastIndexByte(line, ' '); opens && shuts && at > 0 && isProgram(line[:at]) {
		return line[:at], line[at+1:]
	}
	return "", ""
}

// permit puts permissions into a list of the tree, and returns how the file held them before. A block of gsd's, which are those that ours
// returns, is brought up to date, and further ones are removed; where there is none, it goes to the end of the list.
func (d *document) permit(name string, want []string, ours func(*document) [][]part) (itemState, error) {
	permissions, err := d.member(d.root, "permissions", "permissions", '{')
	if err != nil {
		return missing, err
	}
	var texts []string
	for _, text := range want {
		texts = append(texts, quoted(text))
	}
	all := "[" + strings.Join(texts, ",") + "]"
	if permissions == nil {
		d.add(d.root, "permissions", `{"`+name+`":`+all+`}`)
		return missing, nil
	}
	list, err := d.member(permissions, name, "permissions."+name, '[')
	if err != nil {
		return missing, err
	}
	if list == nil {
		d.add(permissions, name, all)
		return missing, nil
	}
	blocks := ours(d)
	if len(blocks) == 0 {
		d.add(list, "", texts...)
		return missing, nil
	}
	changed := len(blocks) > 1
	for i, p := range blocks[0] {
		if text, _ := textOf(p.value); text != want[i] {
			p.value.Value, changed = hujson.Literal(texts[i]), true
		}
	}
	r := removalOf(nil)
	r.allowed(blocks[1:])
	r.from(d.root, atRoot)
	return itemStateOf(changed), nil
}
