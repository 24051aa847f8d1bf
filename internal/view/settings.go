package view

import (
	"fmt"

	"github.com/gsd-cli/gsd/internal/settings"
	"github.com/gsd-cli/gsd/internal/text"
)

// longestValue is how many characters of a setting's value are shown.
const longestValue = 200

// Settings prints all settings, each with its value here and what it is for.
func Settings(p *Printer, s *settings.Settings) {
	headings := map[settings.Kind]string{
		settings.Git:         "git config NAME VALUE, here or with --global:",
		settings.Environment: "Environment:",
	}
	width, kind := 0, settings.Kind("")
	for _, one := range s.Settings {
		width = max(width, len(one.Name))
	}
	for _, one := range s.Settings {
		if one.Kind != kind {
			if kind != "" {
				p.Printf("\n")
			}
			kind = one.Kind
			p.Printf("%s\n", p.Style.Bold(headings[kind]))
		}
		p.Printf("  %s  %s\n", PadColumns(one.Name, width), settingValue(p, &one))
		if one.Problem != "" {
			p.Printf("      %s: %s\n", p.Style.Yellow("problem"), text.Line(one.Problem))
		}
		p.Printf("      %s\n", p.Style.Dim(one.Use))
	}
	p.Warnings(s.Warnings)
}

// settingValue is the value that counts here, and where it is from.
func settingValue(p *Printer, s *settings.Setting) string {
	switch {
	case s.Value == "":
		return p.Style.Dim(s.Default + " (default)")
	case s.Kind == settings.Environment:
		return fmt.Sprintf("%s (environment)", text.Cut(text.Line(s.Value), longestValue))
	}
	return fmt.Sprintf("%s (git config, %s)", text.Cut(text.Line(s.Value), longestValue), s.Scope)
}
