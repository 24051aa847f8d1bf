package hydrate

// Foreign tells a project that belongs to another person, which nobody looks at here.
func (p *Project) Foreign() bool { return false }
