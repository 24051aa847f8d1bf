package host

import (
	"regexp"
	"strings"
	"sync"
)

// longestHTML is how much of a text is read for one tag, in bytes.
const longestHTML = 1000

// htmlForm is a tag with attributes, after its <. A value must have neither brackets nor quotation marks.
var htmlForm = sync.OnceValue(func() *regexp.Regexp {
	const name, space = `[A-Za-z][A-Za-z0-9:_-]*`, `[ \t\n]`
	const value = `(?:"[^<>"']*"|'[^<>"']*'|[^ \t\n<>"'=\x60]+)`
	const attribute = space + `+` + name + `(?:` + space + `*=` + space + `*` + value + `)?`
	return regexp.MustCompile(`^(?:/(` + name + `)|(` + name + `)(?:` + attribute + `)*` + space + `*/?)>`)
})

// isHTML reports whether s, after a <, continues as the tag of an element of HTML, with whatever attributes.
func isHTML(s string) bool {
	m := htmlForm().FindStringSubmatch(s[:min(len(s), longestHTML)])
	return m != nil && isElement(m[1]+m[2])
}

// isElement reports whether name is an element of HTML.
func isElement(name string) bool { return listed(htmlElements, strings.ToLower(name)) }

// htmlElements are those in the index of the HTML standard.
const htmlElements = " " +
	"a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption cite code " +
	"col colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure footer " +
	"form h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map " +
	"mark math menu meta meter nav noscript object ol optgroup option output p picture pre progress q rp rt ruby " +
	"s samp script search section select selectedcontent slot small source span strong style sub summary sup svg " +
	"table tbody td template textarea tfoot th thead time title tr track u ul var video wbr "
