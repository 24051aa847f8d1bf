package main

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	// headingForm is a heading of the help: a line of its own with a colon, or one of the two that a description may have.
	headingForm = regexp.MustCompile(`^(?:([A-Z][A-Za-z ]*?)(?: of gsd)?:| {3}(EXAMPLES|EXIT STATUS))$`)
	// itemForm is a line of a list: an indented term, at least two spaces, and what it means.
	itemForm = regexp.MustCompile(`^( {2,})(\S+(?: \S+)*) {2,}(\S.*)$`)
)

// manPage converts the text that a --help prints into a man page of section 1, in roff. The page's name replaces the command's in
// the first section, because there man finds pages by it. see is what the page refers to.
func manPage(name, help, see string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" gsd \"gsd manual\"\n.nh\n.ad l\n", escape(strings.ToUpper(name)))
	section, list := "", "" // list is the indent of the items, empty outside of a list
	heading := func(title string) {
		if section == "EXAMPLES" {
			b.WriteString(".fi\n.RE\n")
		}
		section, list = strings.ToUpper(title), ""
		fmt.Fprintf(&b, ".SH %s\n", escape(section))
		if section == "EXAMPLES" {
			b.WriteString(".RS 4\n.nf\n")
		}
	}
	for line := range strings.Lines(help) {
		line = strings.TrimRight(line, "\n")
		text := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(text)]
		title, item := headingForm.FindStringSubmatch(line), itemForm.FindStringSubmatch(line)
		switch {
		case title != nil:
			if title[1] == "USAGE" {
				title[1] = "SYNOPSIS"
			}
			heading(title[1] + title[2])
		case section == "NAME" && text != "":
			_, what, _ := strings.Cut(text, " - ")
			fmt.Fprintf(&b, "%s \\- %s\n", escape(name), escape(what))
		case section == "EXAMPLES":
			if text != "" {
				b.WriteString(escape(text) + "\n")
			}
		case item != nil:
			list = indent
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", escape(item[2]), escape(item[3]))
		case text == "":
			list = ""
			b.WriteString(".PP\n")
		default:
			if list != "" && len(indent) <= len(list) { // the list has ended without an empty line
				list = ""
				b.WriteString(".PP\n")
			}
			b.WriteString(escape(text) + "\n")
		}
	}
	heading("SEE ALSO")
	return b.String() + escape(see) + "\n"
}

// escape returns text as roff prints it unchanged.
func escape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "…", "...").Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}
