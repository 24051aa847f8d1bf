package host

import "strings"

const (
	// longestTypes is how much of a text is read for type arguments, in bytes.
	longestTypes = 500
	// deepestTypes is how deep they may be nested. It also bounds how often one character is read.
	deepestTypes = 5
)

// isTypeArguments reports whether s, behind a <, goes on as type arguments of some common language up to the matching >:
// names that begin with an upper-case letter or are built in, paths that end in one, and what joins types. A name in
// lower case, or with a dash or an underscore, could be a tag's.
func isTypeArguments(s string) bool {
	s = s[:min(len(s), longestTypes)]
	depth := 1
	adjacent := false // a name stands directly before, or with blanks in between
	joined := false   // a word before that joins it to a type to come
	free := false     // any name may follow, as behind typeof
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case isNameStart(c):
			n := typeName(s[i:])
			word := s[i : i+n]
			i += n
			switch {
			case word[0] >= 'a' && joinsTypes(word):
				adjacent, joined, free = false, true, namesAny(word)
				continue
			case word[0] >= 'a' && isBuiltIn(word):
			case i < len(s) && s[i] == '<' && strings.ContainsAny(word, ".:"): // std::vector<int>
			case !free && (adjacent || !isTypeName(word)):
				return false
			}
			adjacent, joined, free = true, false, false
			continue
		case c == '<':
			if depth++; depth > deepestTypes || !adjacent || i == 0 || !isNameByte(s[i-1]) {
				return false
			}
			adjacent = false
		case c == '>':
			if depth--; depth == 0 || joined {
				return !joined
			}
			adjacent = true
		case c == '-' || c == '=':
			if !strings.HasPrefix(s[i+1:], ">") || i > 0 && s[i-1] != ' ' { // (A) -> B
				return false
			}
			i++
			adjacent = false
		case c == '\'': // a lifetime
			n := 1
			for i+n < len(s) && isNameByte(s[i+n]) {
				n++
			}
			if n == 1 || i+n < len(s) && s[i+n] == '\'' {
				return false
			}
			i += n
			adjacent = false
			continue
		case c >= '0' && c <= '9':
		case c == ' ' || c == '\t' || c == '\n':
			if i == 0 || s[i-1] == '<' { // a < B
				return false
			}
		case c == '?' && i+1 < len(s) && isNameStart(s[i+1]): // <?xml
			return false
		case strings.IndexByte(",|&*?[]():;+.", c) >= 0:
			adjacent = false
		default:
			return false
		}
		i++
	}
	return false
}

func isNameStart(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' }

func isNameByte(c byte) bool { return isNameStart(c) || c >= '0' && c <= '9' }

// typeName is the length of the name or path that s begins with.
func typeName(s string) int {
	n := 0
	for n < len(s) {
		switch {
		case isNameByte(s[n]):
			n++
		case s[n] == '.' && n+1 < len(s) && isNameStart(s[n+1]):
			n++
		case strings.HasPrefix(s[n:], "::") && n+2 < len(s) && isNameStart(s[n+2]):
			n += 2
		default:
			return n
		}
	}
	return n
}

// isTypeName reports whether a name or the last of a path is a type by its look.
func isTypeName(name string) bool {
	if i := strings.LastIndexAny(name, ".:"); i >= 0 {
		name = name[i+1:]
	}
	return name == "_" || isBuiltIn(name) || name[0] >= 'A' && name[0] <= 'Z' && strings.IndexByte(name, '_') < 0
}

// joinsTypes reports whether a word stands between types or before one.
func joinsTypes(word string) bool {
	switch word {
	case "keyof", "extends", "super", "dyn", "mut", "impl", "readonly", "in", "out":
		return true
	}
	return namesAny(word)
}

// namesAny reports whether a word stands before a name, whatever it looks like.
func namesAny(word string) bool {
	switch word {
	case "typeof", "infer", "const", "typename", "class":
		return true
	}
	return false
}

// isBuiltIn reports whether a word is a type of C, C++, C#, Dart, Go, Java, Kotlin, Rust, Swift or TypeScript.
func isBuiltIn(word string) bool {
	switch word {
	case "any", "auto", "bigint", "bool", "boolean", "byte", "char", "decimal", "double", "dynamic", "f32", "f64", "false",
		"float", "float32", "float64", "i128", "i16", "i32", "i64", "i8", "int", "int16", "int32", "int64", "int8",
		"isize", "long", "never", "null", "number", "object", "rune", "short", "signed", "size_t", "ssize_t", "str",
		"string", "symbol", "true", "u128", "u16", "u32", "u64", "u8", "uint", "uint16", "uint32", "uint64", "uint8",
		"undefined", "unit", "unknown", "unsigned", "usize", "void", "int8_t", "int16_t", "int32_t", "int64_t",
		"uint8_t", "uint16_t", "uint32_t", "uint64_t":
		return true
	}
	return false
}
