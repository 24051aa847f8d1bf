package verdict

import "maps"

// known.go: what was found out about a project is found out once. An answer is of one moment, so all of it holds until the guard of a session
// is taken, or something is written that it was read from.

// Once returns what find finds out about a project when it is first asked for key. The type of a key says what is asked for, its value of
// which plan or user.
func Once[K comparable, V any](p *Project, key K, find func() V) V {
	if v, ok := p.known[key]; ok {
		return v.(V)
	}
	v := find()
	Know(p, key, v)
	return v
}

// A lasting key is of what no guard guards: what this command itself has found out there is newer than any file.
type lasting interface{ Lasts() }

// Know says what Once returns for a key.
func Know[K comparable, V any](p *Project, key K, v V) {
	if p.known == nil {
		p.known = map[any]any{}
	}
	p.known[key] = v
}

// Forget has everything read again, which may have been changed since, also in the other worktrees: somebody may have started there.
func (p *Project) Forget() {
	p.Planning.Forget()
	maps.DeleteFunc(p.known, func(key, _ any) bool {
		_, lasts := key.(lasting)
		return !lasts
	})
	if p.Others != nil {
		for _, at := range *p.Others {
			at.Forget()
		}
	}
}

// forgetCrumbs has the breadcrumbs read again.
func (p *Project) forgetCrumbs() {
	for key := range p.known {
		switch key.(type) {
		case crumbOf, crumbList, crumbsElsewhere:
			delete(p.known, key)
		}
	}
}
