package roadmap

// status.go: the words and emoji that people use for the status of a phase. Table cells and Status: lines contain only
// the status, so their first known word decides; titles are mostly names, so there a whole part, in brackets or after a
// dash, must be a status.

import (
	"cmp"
	"strings"
	"sync"
	"unicode"
)

// Status is the status of a phase or a milestone.
type Status int

// The statuses. Unknown means that no status is stated.
const (
	Unknown Status = iota
	NotStarted
	InProgress
	Complete
	Deferred // postponed, blocked or dropped
)

func (s Status) String() string {
	return [...]string{"unknown", "not started", "in progress", "complete", "deferred"}[s]
}

// Closed reports whether nothing is to be done any more: it is complete or deferred.
func (s Status) Closed() bool { return s == Complete || s == Deferred }

// words are the words for a status, in lower case, and the signs. Those that come before another (`not started`, `planning complete`,
// `partially done`, `gap closure`) decide alone, because the first word wins. Those of
// Unknown may stand beside a status. Upstream answers in the language of response_language, and its
// agents write in it, too.
var words = sync.OnceValue(func() map[string]Status {
	all := map[string]Status{}
	for status, list := range map[Status]string{
		Unknown: "in on to yet start execute all phase milestone locally closure implementation jan feb mar apr may jun jul aug sep oct nov dec",
		NotStarted: "not planned planning pending todo ready upcoming next researched discussed open " +
			"pendiente pendente planificado planificación planejado planejamento prévu planification geplant planung offen ausstehend " +
			"запланировано планирование 未开始 未着手 대기 ⬜ ○ ☐ 📋 🔲 ⚪ 🔜",
		InProgress: "progress wip active executing started current partial partially gap gaps verifying " +
			"progreso curso andamento cours arbeit работе 进行中 進行中 진행 parcial parcialmente partiellement teilweise частично 🚧 🔄 🟡 🏗 ◆ ◐ 🔨 ▶",
		Complete: "complete completed done shipped verified validated implemented executed closed released archived " +
			"hecho hecha completado completada concluído concluída feito terminé terminée fait erledigt fertig abgeschlossen " +
			"готово завершено выполнено 完成 已完成 完了 완료 ✅ ✓ ✔ ☑ 🟢 🗄",
		Deferred: "deferred blocked paused cancelled canceled skipped dropped superseded backlog abandoned failed hold " +
			"aplazado adiado bloqueado reporté verschoben blockiert отложено 推迟 延期 보류 ⏸ 🚫 ⛔ 🔴 🧊 ⏭",
	} {
		for word := range strings.FieldsSeq(list) {
			all[word] = status
		}
	}
	return all
})

// sign returns the status of an emoji.
func sign(r rune) Status {
	if r < 128 {
		return Unknown
	}
	return words()[string(r)]
}

// statusIn returns the status in a text that contains only a status: that of the first known word, else emoji. A word that denies the one
// behind it, as in `to do` and `no completado`, does so only here.
func statusIn(s string) Status {
	for w := range strings.FieldsFuncSeq(s, notLetter) {
		w = strings.ToLower(w)
		switch w {
		case "to", "no", "não", "non", "pas", "nicht", "не":
			return NotStarted
		}
		if status := words()[w]; status != Unknown {
			return status
		}
	}
	return firstSign(s)
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

func firstSign(s string) Status {
	for _, r := range s {
		if st := sign(r); st != Unknown {
			return st
		}
	}
	return Unknown
}

// statusOnly returns the status of s if s contains nothing else, such as `COMPLETE`, `shipped 2026-01-18` and `In
// Progress`. It returns Unknown for a title that merely has such a word in it.
func statusOnly(s string) Status {
	first := Unknown
	for w := range strings.FieldsFuncSeq(s, notLetter) {
		status, known := words()[strings.ToLower(w)]
		if !known {
			return Unknown
		}
		first = cmp.Or(first, status)
	}
	return cmp.Or(first, firstSign(s))
}

// Unverified returns the status of a verification, in lower case, unless it says that the phase passed, however people write that:
// passed, approved, passed_with_known_gaps, complete. Nobody has passed what still lacks something, such as
// passed_human_needed, and gaps that come before the word are no remark on it.
func Unverified(status string) string {
	passed := false
	for w := range strings.FieldsFuncSeq(status, notLetter) {
		switch {
		case w == "passed" || w == "pass" || w == "approved" || w == "accepted" || words()[w] == Complete:
			passed = true
		case w == "needed" || w == "needs" || w == "required" || w == "awaiting" || w == "failed" || words()[w] == NotStarted,
			!passed && words()[w] != Unknown:
			return status
		}
	}
	if passed {
		return ""
	}
	return status
}

// OpenUAT returns the status of a UAT if it says that the test is not over, else "". Upstream's template has testing, partial and diagnosed
// (templates/UAT.md), and its predicate the others (uat-predicate.cjs). A word that neither has is a person's, such as retired, and not
// open: of 202 versions in real projects, 89 were open, by the first three.
func OpenUAT(status string) string {
	switch status {
	case "testing", "partial", "diagnosed", "pending", "blocked", "in_progress", "failed":
		return status
	}
	return ""
}
