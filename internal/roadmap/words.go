package roadmap

// words.go: roadmaps in other languages. Upstream answers in the language of response_language, and its agents translate the headings, too.

// phaseWords matches what other languages call a phase, before its number or alone in the first cell of a header.
var phaseWords = newForm(`(?im)^([ \t#>|*_~\[\]x✅⬜\x{feff}-]*)(?:` +
	`(?:fases?|etapa|étape|fas|faza|fáze|fázis|vaihe|aşama|giai đoạn|tahap|φάση|этап|фаза|етап|مرحلة|المرحلة|चरण)[ \t]+` +
	`|(?:フェーズ|阶段|階段|단계)[ \t]*|第[ \t]*)(\d[\d.]*|\|)(?:[ \t]*(?:阶段|階段|段階|フェーズ))?`)

// inEnglish replaces the words for a phase in a roadmap of another language. It is for one of which no phase is recognised: in others, such
// words have a meaning of their own.
func inEnglish(text string) string { return phaseWords().ReplaceAllString(text, "${1}Phase $2") }

// foreign are the words for a status in other languages, in lower case.
var foreign = words(map[Status]string{
	NotStarted: "pendiente pendente planificado planificación planejado planejamento prévu planification geplant planung offen ausstehend " +
		"запланировано планирование 未开始 未着手 대기",
	InProgress: "progreso curso andamento cours arbeit работе 进行中 進行中 진행 parcial parcialmente partiellement teilweise частично",
	Complete: "hecho hecha completado completada concluído concluída feito terminé terminée fait erledigt fertig abgeschlossen " +
		"готово завершено выполнено 完成 已完成 完了 완료",
	Deferred: "aplazado adiado bloqueado reporté verschoben blockiert отложено 推迟 延期 보류",
})

// IsUnrecognized reports whether nothing in a roadmap was recognised: neither a phase nor a milestone.
func (r *Roadmap) IsUnrecognized() bool { return len(r.phases)+len(r.Milestones)+len(r.ranges) == 0 }
