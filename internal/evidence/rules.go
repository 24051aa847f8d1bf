package evidence

// rules.go: every heuristic of this package by name, so that each can be switched off to measure its effect (`task
// ablate`), and every weight. A rule that changes no labelled commit, and comes from no real project and no form that
// upstream or git writes, is removed.

// Rules is a set of rules.
type Rules uint32

// The rules.
const (
	RulePhase Rules = 1 << iota
	RuleUnnamed
	RuleSquash
	RulePlanning
	RuleElsewhere
	RuleMoved
	RuleLate
	RuleReverts
	RuleTests
	RuleUnfinished
	RuleCheckpoints
	RuleFixes
	RuleFiles
	RuleSeveral
	RuleOneTask
	RuleIndistinct
	RuleUsedUp
	RuleOrderAlone
	RuleEndings
)

// Table lists the rules in the order of their bits, with the effect and the origin of each.
var Table = []struct{ Name, Does, From string }{
	{"phase", "a scope that names the phase means its only plan", "530 of 9,800 real commits: `feat(phase-12)`, `fix(08)`"},
	{"unnamed", "a commit that names no plan is work on the one whose words and files it has", "a whole project without scopes; `feat(app): …` among others with the plan's number"},
	{"squash", "a squashed commit counts as the commits that it lists", "GitHub's squash, git merge --squash"},
	{"planning", "commits that change planning files only, and none that a task names, are about the plan", "upstream's executor: `docs(03-01): complete … plan`; `plan(04-01): create …`; documents of a plan's verification"},
	{"elsewhere", "what changed another workstream or a sibling project of the repository only is not the plan's", "upstream's workstreams, and projects of monorepos, repeat ids"},
	{"moved", "the plan is followed to where it was before it was moved, and to the id that it had there", "upstream's remove-phase and insert-phase renumber; directories get better names"},
	{"late", "a plan that was committed after its work owns the commits before that carry its id", "plan 58-01 of a real project: three commits before its file"},
	{"reverts", "`Revert \"subject\"` and `This reverts commit HASH` take commits back", "git revert"},
	{"tests", "tests that come before their code are not the whole of a task", "upstream's TDD executor: `test(03-01): add failing test`; 30 of 53 test-driven tasks of real projects name nothing but tests"},
	{"unfinished", "work that is said to go on is not the whole of a task", "`wip(03-01): …`, also before a pause"},
	{"checkpoints", "a checkpoint leaves no commit", "upstream's executor commits auto tasks only"},
	{"fixes", "a fix at a checkpoint belongs to it, and is not the end of it", "people look, find something, and it is fixed before they approve"},
	{"files", "files that a task names draw the commits that changed them to it", "labelled plans; subjects that say in other words what a task's name says"},
	{"several", "a commit that changed all files of a task without commits carried out that one, too", "16 commits of real projects, such as `Task 1+2` in a summary"},
	{"one task", "all work of a plan with one task is that task's", "labelled plans"},
	{"indistinct", "commits show that a task which cannot be told from other work on its plan was begun, never that it is complete", "33 of 2,000 versions of real plans name no tasks; each had been complete by its first commit"},
	{"used up", "a commit that has the name of a task uses it up: what follows is likelier the next, in like words, but not in the same", "labelled plans; a task that was done again after `gsd bootstrap --fresh`"},
	{"order alone", "a match that only the order supports is less certain", "a commit of any kind may be the first of a plan: too little to call a task complete, which nobody would look at again"},
	{"endings", "`tests`, `testing` and `test` are one word", "labelled plans"},
}

// on reports whether a rule applies.
func (p *Plan) on(r Rules) bool { return p.Without&r == 0 }

// Weights are the scores of an alignment and the constants that turn them into confidence. The unit is a third of the
// score of a subject that is a task's whole name.
type Weights struct {
	Name       float64 // emission: a subject that is a task's name
	Files      float64 // emission: a commit that changed a task's files and nothing else
	Checkpoint float64 // emission: a commit at a checkpoint
	NoTask     float64 // emission: a commit for no task

	Next     float64 // transition to a later task
	Skip     float64 // added for each task that is skipped, except checkpoints,
	Far      float64 // or added once for all of them, if that is better
	Same     float64 // transition to the same task
	SameRest float64 // the same, for the rest after a part, such as the code after its tests
	UsedUp   float64 // the share of the score of the name that is subtracted from Same
	Back     float64 // transition to an earlier task

	Slope         float64 // how fast confidence grows with the margin over the next best alignment
	MaxConfidence float64 // the limit of confidence as the margin grows
	OrderAlone    float64 // the maximum confidence without similar words or files
	MinSimilarity float64 // the similarity up to which words do not count
	MinFiles      float64 // the same of files
	PhaseOnly     float64 // confidence of a commit that names only the phase
	Unnamed       float64 // confidence of a commit that names neither plan nor phase
	Said          float64 // the share of the words of a task's name that a message must have to be about it beside another task
	Several       float64 // the maximum confidence of a commit for a second task, if a later task is done
	Beside        float64 // the same if none is, and of a commit that may just come beside the work on a task
}

// Standard holds the default weights.
var Standard = Weights{
	Name: 3, Files: 2, Checkpoint: -1, NoTask: 0.2,
	Next: 1, Skip: -0.8, Far: -1.6, Same: -0.3, SameRest: 1.2, UsedUp: 0.5, Back: -1.5,
	Slope: 1.5, MaxConfidence: 0.975, OrderAlone: 0.65, MinSimilarity: 0.2, MinFiles: 0.3, PhaseOnly: 0.8, Unnamed: 0.75, Said: 0.8, Several: 0.8, Beside: 0.55,
}

// unsure is the highest confidence at which no task is complete.
const unsure = 0.5
