package text

import "strings"

// longestHTML is how much of a text is read for one tag, in bytes.
const longestHTML = 1000

// isHTML reports whether s, after a <, continues as the tag of an element of HTML with nothing but attributes of HTML.
// A value must have neither brackets nor quotation marks.
func isHTML(s string) bool {
	s = s[:min(len(s), longestHTML)]
	s, closing := strings.CutPrefix(s, "/")
	n := htmlName(s)
	if n == 0 || !isElement(s[:n]) {
		return false
	}
	s = s[n:]
	for {
		rest := strings.TrimLeft(s, " \t\n")
		blank := len(rest) < len(s)
		s = strings.TrimPrefix(rest, "/")
		if strings.HasPrefix(s, ">") {
			return true
		}
		n := htmlName(s)
		if closing || !blank || len(s) < len(rest) || n == 0 || !isAttribute(s[:n]) {
			return false
		}
		s = s[n:]
		value, ok := strings.CutPrefix(strings.TrimLeft(s, " \t\n"), "=")
		if !ok {
			continue
		}
		value = strings.TrimLeft(value, " \t\n")
		if value != "" && (value[0] == '"' || value[0] == '\'') {
			end := 1 + strings.IndexAny(value[1:], "<>\"'")
			if end == 0 || value[end] != value[0] {
				return false
			}
			s = value[end+1:]
			continue
		}
		end := strings.IndexAny(value, " \t\n<>\"'=`")
		if end <= 0 {
			return false
		}
		s = value[end:]
	}
}

// htmlName returns the length of the name that s begins with.
func htmlName(s string) int {
	for i := range len(s) {
		if c := s[i] | 0x20; !(c >= 'a' && c <= 'z' || i > 0 && (c >= '0' && c <= '9' || s[i] == '-')) {
			return i
		}
	}
	return len(s)
}

// htmlElements are those in the index of the HTML standard.
const htmlElements = " a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption cite code col " +
	"colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure footer form h1 h2 h3 h4 " +
	"h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark math menu meta meter " +
	"nav noscript object ol optgroup option output p picture pre progress q rp rt ruby s samp script search section select " +
	"selectedcontent slot small source span strong style sub summary sup svg table tbody td template textarea tfoot th " +
	"thead time title tr track u ul var video wbr "

// attributes are those in the index of the HTML standard.
const attributes = " abbr accept accept-charset accesskey action allow allowfullscreen alpha alt as async autocapitalize autocomplete " +
	"autocorrect autofocus autoplay blocking charset checked cite class closedby color colorspace cols colspan command " +
	"commandfor content contenteditable controls coords crossorigin data datetime decoding default defer dir dirname " +
	"disabled download draggable enctype enterkeyhint fetchpriority for form formaction formenctype formmethod " +
	"formnovalidate formtarget headers headingoffset headingreset height hidden high href hreflang http-equiv id imagesizes " +
	"imagesrcset inert inputmode integrity is ismap itemid itemprop itemref itemscope itemtype kind label lang list loading " +
	"loop low max maxlength media method min minlength multiple muted name nomodule nonce novalidate open optimum pattern " +
	"ping placeholder playsinline popover popovertarget popovertargetaction poster preload readonly referrerpolicy rel " +
	"required reversed rows rowspan sandbox scope selected shadowrootclonable shadowrootcustomelementregistry " +
	"shadowrootdelegatesfocus shadowrootmode shadowrootserializable shape size sizes slot span spellcheck src srcdoc " +
	"srclang srcset start step style tabindex target title translate type usemap value width wrap writingsuggestions "

// isElement reports whether name is an element of HTML.
func isElement(name string) bool { return listed(htmlElements, strings.ToLower(name)) }

// isAttribute reports whether name is an attribute of HTML, or data-*, aria-* or on*.
func isAttribute(name string) bool {
	name = strings.ToLower(name)
	return listed(attributes, name) || strings.HasPrefix(name, "data-") || strings.HasPrefix(name, "aria-") || strings.HasPrefix(name, "on")
}
