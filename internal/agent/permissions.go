package agent

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// allowedCommands are our commands that an agent may run without asking: those that the brief names for its work on a
// plan. They read the project, and change the caller's own session, of which nothing is lost: bootstrap archives what it
// replaces. What takes work away from somebody is another command. They are sorted, so that they stay together when somebody sorts a list.
var allowedCommands = []string{"bootstrap", "done", "hydrate", "mark", "next", "status", "tasks"}

// askedCommand takes work away from somebody, so a person is to be asked before it.
const askedCommand = "takeover"

// permissionsOf returns the rules that allow our commands in settings that have rules, and those for what a person is to be asked about
// in any case: a host may leave to a model what no rule is for. A rule matches the begin of a command line up to the end of a word. bin is
// how we are called.
func permissionsOf(list, bin string) entry {
	if list == askList { // the second rule matches nothing more, but a rule that is alone is the user's
		return entry{list: list, rules: append(rulesFor(bin, []string{askedCommand}), allowOpen+bin+" "+askedCommand+")")}
	}
	return entry{list: list, rules: rulesFor(bin, allowedCommands)}
}

func rulesFor(bin string, commands []string) (rules []string) {
	for _, command := range commands {
		rules = append(rules, allowOpen+bin+" "+command+allowShut)
	}
	return rules
}

// The lists of permissions.
const allowList, askList = "allow", "ask"

const allowOpen, allowShut = "Bash(", ":*)"

// canAllow reports whether a rule can name a program: characters with a meaning in a rule would make it a wider one.
func canAllow(bin string) bool { return !strings.ContainsAny(bin, `*()\,`) }

// AsksNothing reports whether a host runs any command without asking a person, by default.
func AsksNothing(host string) bool { return find(host).commands.asksNothing }

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
		if e.list == allowList && !now {
			commands(bin, allowedCommands)
		}
	}
	if !now || p.document == nil {
		return begins
	}
	rules := p.document.rules(allowList)
	for _, at := range p.document.blocks(allowList) {
		command, _ := ruled(rules[at])
		commands(command, allowedCommands)
	}
	return begins
}

// policyOf returns gsd's file that allows its commands in a host that has such files; the path is empty if it has
// none in that scope.
func policyOf(host string, scope Scope, bin string) file {
	if policy := find(host).commands.policy; policy != nil {
		return policy(scope, bin)
	}
	return file{}
}

// rules lists the rules of a list; a value that is no text is "".
func (d *document) rules(list string) (rules []string) {
	for _, e := range elements(d.find("permissions", list)) {
		text, _ := textOf(e.value)
		rules = append(rules, text)
	}
	return rules
}

// blocks returns where gsd's blocks of rules begin in a list, however they call gsd.
func (d *document) blocks(list string) (begins []int) {
	n, rules := blockSize(list), d.rules(list)
	for i := 0; i+n <= len(rules); i++ {
		if bin, _ := ruled(rules[i]); bin != "" && slices.Equal(rules[i:i+n], permissionsOf(list, bin).rules) {
			begins = append(begins, i)
			i += n - 1
		}
	}
	return begins
}

// blockSize is how many rules are in a block.
func blockSize(list string) int { return len(permissionsOf(list, program).rules) }

// dropRules removes gsd's blocks of rules from a list, but for the first so many, and reports whether there were any.
func (d *document) dropRules(list string, keep int) bool {
	begins := d.blocks(list)
	if len(begins) <= keep {
		return false
	}
	for _, begin := range slices.Backward(begins[keep:]) {
		for i := begin + blockSize(list) - 1; i >= begin; i-- {
			d.drop("permissions", list, strconv.Itoa(i))
		}
	}
	return true
}

// allowedByOthers lists the rules for gsd's commands that are not in one of its blocks: the user's.
func (d *document) allowedByOthers() (rules []string) {
	blocks := d.blocks(allowList)
	for i, rule := range d.rules(allowList) {
		ours := func(begin int) bool { return i >= begin && i < begin+len(allowedCommands) }
		if _, command := ruled(rule); slices.Contains(allowedCommands, command) && !slices.ContainsFunc(blocks, ours) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// lacksMark reports whether most of our rules are there, but not the one for marks: a person who wants to be asked would have
// removed all of them, or have allowed one or two commands alone.
func (d *document) lacksMark() bool {
	there := map[string]bool{}
	for _, rule := range d.rules(allowList) {
		if _, command := ruled(rule); slices.Contains(allowedCommands, command) {
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

// permit puts permissions into their list, and returns how the file held them before. The first of gsd's blocks is brought up to date, and
// further ones are removed; where there is none, it goes to the end of the list.
func (d *document) permit(e entry) (itemState, error) {
	if err := d.hasList("permissions", e.list); err != nil {
		return missing, err
	}
	begins, rules := d.blocks(e.list), d.rules(e.list)
	if len(begins) == 0 {
		for _, rule := range e.rules {
			d.put(quoted(rule), "permissions", e.list, "-")
		}
		return missing, nil
	}
	changed := d.dropRules(e.list, 1)
	for i, rule := range e.rules {
		if at := begins[0] + i; rules[at] != rule {
			d.put(quoted(rule), "permissions", e.list, strconv.Itoa(at))
			changed = true
		}
	}
	return itemStateOf(changed), nil
}
