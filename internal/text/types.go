package text

import (
	"regexp"
	"strings"
	"sync"
)

const (
	// longestTypes is how much of a text is read for type arguments, in bytes.
	longestTypes = 500
	// deepestTypes is how deep they may be nested. It also bounds how often one character is read.
	deepestTypes = 5
)

// typeToken is a part of type arguments: a name and perhaps the < after it, a quoted word or a lifetime, the closing >,
// or what joins types.
var typeToken = sync.OnceValue(func() *regexp.Regexp {
	const word = `[A-Za-z0-9_$]`
	const name, joins = word + `+(?:[.:]+` + word + `+)*`, `[ ,|&*?()[\]{}:;+.]`
	return regexp.MustCompile(`^(?:(` + name + `)(<?)|['"]` + word + `*|[-=]?>|` + joins + `)`)
})

// isTypeArguments reports whether s, after a <, continues as type arguments of a common language up to the matching >
// on the same line. A name is that of a type if it begins with an upper-case letter or is built in. One in lower case,
// or with a dash or an underscore, could be a tag's.
func isTypeArguments(s string) bool {
	s = s[:min(len(s), longestTypes)]
	free := false // any name may follow, as after typeof
	for depth, opened := 1, true; depth > 0; {
		m := typeToken().FindStringSubmatch(s)
		if m == nil || opened && m[0] == " " { // a < B
			return false
		}
		s = s[len(m[0]):]
		name := m[1]
		if opened = m[2] == "<"; opened {
			depth++
		} else if m[0] == ">" {
			depth--
		}
		if depth > deepestTypes || name != "" && !opened && !free && !isTypeName(name) {
			return false
		}
		if name != "" {
			free = name == "typeof"
		}
	}
	return true
}

// isTypeName reports whether a name, or the last one of a path, looks like a type, or like a word or number beside one.
func isTypeName(name string) bool {
	number := name[0] >= '0' && name[0] <= '9'
	name = name[strings.LastIndexAny(name, ".:")+1:]
	return number || listed(typeWords, name) || name[0] >= 'A' && name[0] <= 'Z' && strings.IndexByte(name, '_') < 0
}

// typeWords are the built-in types of C, C++, C#, Dart, Go, Java, Kotlin, Rust, Swift and TypeScript, and the words
// that stand between types or before one.
const typeWords = " " +
	"_ any auto bigint bool boolean byte char decimal double dynamic f32 f64 false float float32 float64 i128 i16 " +
	"i32 i64 i8 int int16 int32 int64 int8 isize long never null number object rune short signed size_t ssize_t " +
	"str string symbol true u128 u16 u32 u64 u8 uint uint16 uint32 uint64 uint8 undefined unit unknown unsigned " +
	"usize void int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t class const dyn extends impl in " +
	"infer keyof mut out readonly super typename typeof "
