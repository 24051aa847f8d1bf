package roadmap

// words.go: roadmaps in other languages. Upstream answers in the language of response_language, and its agents translate the headings, too.

// phaseWords matches what other languages call a phase, before its number or alone in the first cell of a header.
var phaseWords = newForm(`(?im)^([ \t#>|*_~\[\]x✅⬜\x{feff}-]*)(?:` +
	`(?:fases?|etapa|étape|fas|faza|fáze|fázis|vaihe|aşama|giai đoạn|tahap|φάση|этап|фаза|етап|مرحلة|المرحلة|चरण)[ \t]+` +
	`|(?:フェーズ|阶段|階段|단계)[ \t]*|第[ \t]*)(\d[\d.]*|\|)(?:[ \t]*(?:阶段|階段|段階|フェーズ))?`)

// inEnglish replaces the words for a phase in a roadmap of another language. It is for one of which no phase is recognised: in others, such
// words have a meaning of their own.
func inEnglish(text string) string { return phaseWords().ReplaceAllString(text, "${1}Phase $2") }

// IsUnrecognized reports whether nothing in a roadmap was recognised: neither a phase nor a milestone.
func (r *Roadmap) IsUnrecognized() bool { return len(r.phases)+len(r.Milestones)+len(r.ranges) == 0 }
