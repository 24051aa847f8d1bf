package settings

import (
	"fmt"
	"strings"

	"github.com/gsd-cli/gsd/internal/text"
)

// A Style sets off parts of a text on a terminal.
type Style interface {
	Bold(string) string
	Dim(string) string
	Yellow(string) string
}

// longestValue is how many characters of a setting's value are shown.
const longestValue = 200

// Text returns all settings as a person reads them, each with its value here and what it is for.
func (s *Settings) Text(style Style) string {
	var b strings.Builder
	width, kind := 0, Kind("")
	for _, one := range s.Settings {
		width = max(width, len(one.Name))
	}
	for _, one := range s.Settings {
		if one.Kind != kind {
			if kind != "" {
				b.WriteString("\n")
			}
			kind = one.Kind
			fmt.Fprintf(&b, "%s\n", style.Bold(kind.heading()))
		}
		fmt.Fprintf(&b, "  %-*s  %s\n", width, one.Name, one.here(style))
		if one.Problem != "" {
			fmt.Fprintf(&b, "      %s: %s\n", style.Yellow("problem"), text.Line(one.Problem))
		}
		fmt.Fprintf(&b, "      %s\n", style.Dim(one.Use))
	}
	return b.String()
}

func (k Kind) heading() string {
	if k == Git {
		return "git config NAME VALUE, here or with --global:"
	}
	return "Environment:"
}

// here is the value that counts here, and where it is from.
func (s *Setting) here(style Style) string {
	switch {
	case s.Value == "":
		return style.Dim(s.Default + " (default)")
	case s.Kind == Environment:
		return text.Cut(text.Line(s.Value), longestValue) + " (environment)"
	}
	return fmt.Sprintf("%s (git config, %s)", text.Cut(text.Line(s.Value), longestValue), s.Scope)
}
