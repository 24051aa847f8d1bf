package roadmap

import (
	"fmt"
	"strings"
	"testing"
)

// TestOtherLanguages: a roadmap in another language has phases; in an English one, such words are only words.
func TestOtherLanguages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ src, want string }{
		{"# Roteiro\n\n- [x] **Fase 1: Base**\n- [ ] **Fase 2: Api**\n\n### Fase 1: Base\n\n### Fase 2: Api\n", "1 Base complete, 2 Api unknown"},
		{"## Этап 1: Основа ✅\n## Этап 2.1 — Сеть\n", "1 Основа complete, 2.1 Сеть unknown"},
		{"- [x] フェーズ 1: 基盤\n- [ ] フェーズ2: API\n", "1 基盤 complete, 2 API unknown"},
		{"### 第 1 阶段: 基础\n### 阶段2: 接口\n### 第3段階: 網\n", "1 基础 unknown, 2 接口 unknown, 3 網 unknown"},
		{"- [ ] 단계 1: 기반\n\n## Étape 2: Réseau\n", "1 기반 unknown, 2 Réseau unknown"},
		{"### Phase 1: Base\n\n#### Fase 2: not one\n", "1 Base unknown"},
		{"Nossa fase 1 terminou.\n\n## Sprint 1: Base\n\n## 1. Base\n\n## M1: Base\n\n## Fases\n\n- fase final\n", ""},
	} {
		r := parse(c.src)
		var got []string
		for _, ph := range r.Phases() {
			got = append(got, fmt.Sprint(ph.Number, " ", ph.Title, " ", ph.Status))
		}
		if strings.Join(got, ", ") != c.want || r.IsUnrecognized() != (c.want == "") {
			t.Errorf("%q: %q, want %q", c.src, got, c.want)
		}
	}
	if r := parse("## Milestones\n\n- ✅ **v1.0 MVP** — Phases 1-4 (shipped 2026-01-01)\n"); r.IsUnrecognized() {
		t.Errorf("a roadmap of milestones is recognised: %+v", r)
	}
}
