package hydrate

// Foreign reports whether the project belongs to another person, which is not looked at here.
func (p *Project) Foreign() bool { return false }
