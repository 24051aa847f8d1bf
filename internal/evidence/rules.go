package evidence

// rules.go: every heuristic of this package by name, so that each can be switched off and what it moves be measured:
// `task ablate`. A rule that moves no labelled case, and comes from no real project and no upstream form, goes.

// Rules is a set of rules.
type Rules uint64

// The rules.
const (
	RuleMention Rules = 1 << iota
	RulePhase
	RulePhaseWords
	RuleName
	RuleTrailers
	RuleSquash
	RuleCloses
	RulePlanOnly
	RulePlanningOnly
	RuleAboutPlanning
	RuleElsewhere
	RuleForeign
	RuleMoved
	RuleTakenAway
	RuleRewritten
	RuleRevertSubject
	RuleRevertHash
	RuleRevertWords
	RuleRevertMerge
	RuleNotDone
	RuleTestsFirst
	RuleTDD
	RuleNumbers
	RuleRepeats
	RuleContradicts
	RuleMisses
	RuleLittleAlike
	RuleBeside
	RuleAgainst
	RuleCheckpoints
	RuleCheckTasks
	RuleOneTask
	RuleFixes
	RuleUsedUp
	RuleFiles
	RuleFileWords
	RuleTypeWords
	RuleRareWords
)

// Table lists the rules in the order of their bits: its name, what it does, and where it comes from.
var Table = []struct{ Name, Does, From string }{
	{"mention", "a subject without a scope names the plan", "`execute plan 3-1`"},
	{"phase", "the scope names the phase, and the phase has one plan", ""},
	{"phase words", "the scope names the phase, and of its plans this one has most of the words", ""},
	{"name", "a subject that names no plan has the words of a task's name", ""},
	{"trailers", "`Plan: 03-01` and `Task: 2` in the body", ""},
	{"squash", "a squashed commit lists what it was made of", "GitHub, git merge --squash"},
	{"closes", "`docs(03-01): complete … plan` is about the plan", "upstream's executor"},
	{"plan only", "a commit that changes nothing but the plan's file is about the plan", ""},
	{"planning only", "documents and chores that change planning files only are about the plan", "upstream's executor"},
	{"about planning", "documents and chores that say summary, roadmap, state are about the plan", ""},
	{"elsewhere", "what changes the planning files of another root only is not the plan's", ""},
	{"foreign", "what changes a sibling project in a monorepo only is not the plan's", ""},
	{"moved", "the plan is followed to where it was before it was moved", ""},
	{"taken away", "the plan may have been taken away for a few commits", ""},
	{"rewritten", "commits from before the tasks were rewritten mean other tasks", ""},
	{"revert subject", "`Revert \"subject\"` takes that commit back", "git revert"},
	{"revert hash", "`This reverts commit HASH` takes that commit back", "git revert"},
	{"revert words", "reverts in other words", ""},
	{"revert merge", "the revert of a merge makes what is older unsure", "GitHub"},
	{"not done", "a subject or body that says its work is not done is unsure", ""},
	{"tests first", "failing tests are not the whole of a task", "upstream's TDD executor: `test(03-01): add failing test`"},
	{"tdd", "a task that is done test first is not done with its tests", "upstream's TDD executor"},
	{"numbers", "`Task 2: …` names the task", ""},
	{"repeats", "a subject that comes again is the same task again", ""},
	{"contradicts", "a number or file of one task and the words of another are unsure", ""},
	{"misses", "a commit that changes none of a task's files is unsure", ""},
	{"little alike", "what only the order speaks for is unsure", ""},
	{"beside", "style, ci and build are seldom a task's", ""},
	{"against", "where order and words disagree the answer is less sure", ""},
	{"checkpoints", "a checkpoint leaves no commit", "upstream's checkpoints"},
	{"check tasks", "a task that only looks at what is there may leave no commit", ""},
	{"one task", "all work of a plan with one task is for that", ""},
	{"fixes", "a fix may belong to the task before it, or to none", ""},
	{"used up", "a commit that has used the name of a task up makes the next one likelier", ""},
	{"files", "a commit that changes a file of a task is likely for it", ""},
	{"file words", "words of a task's files count half", ""},
	{"type words", "the type is a word of the subject too: test, docs, fix", ""},
	{"rare words", "a word weighs less the more tasks have it", ""},
}

// on reports whether a rule applies.
func (p *Plan) on(r Rules) bool { return p.Without&r == 0 }
