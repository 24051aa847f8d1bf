package hydrate

// A Command is one that can be run next. Its words come from files and are untrusted: who prints it quotes them.
type Command struct {
	Words []string
	Does  string
}

// planWord is what a plan is called on a command line: its id, unless another plan has that too.
func planWord(plan, id string, ambiguous bool) string {
	if id == "" || ambiguous {
		return plan
	}
	return id
}
