package host

import "strings"

const (
	// longestTypes is how much of a text is read for type arguments, in bytes.
	longestTypes = 500
	// deepestTypes is how deep they may be nested. It also bounds how often one character is read.
	deepestTypes = 5
)

// isTypeArguments reports whether s, behind a <, continues as type arguments of a common language up to the matching > on
// the same line: names of types, what joins types, and quoted words. A name is one of a type if it begins with an upper-case
// letter or is built in. One in lower case, or with a dash or an underscore, could be a tag's.
func isTypeArguments(s string) bool {
	s = s[:min(len(s), longestTypes)]
	depth := 1
	free := false // any name may follow, as behind typeof
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case isNameByte(c):
			n := leading(s[i:], func(r rune) bool { return r < 0x80 && (isNameByte(byte(r)) || r == '.' || r == ':') })
			word := strings.TrimRight(s[i:i+n], ".:")
			i += len(word) - 1
			if !free && !isTypeName(word) && !strings.HasPrefix(s[i+1:], "<") {
				return false
			}
			free = word == "typeof"
		case c == '\'' || c == '"': // a lifetime, or a string that is a type
			i += leading(s[i+1:], func(r rune) bool { return r < 0x80 && isNameByte(byte(r)) })
		case c == '<':
			if depth++; depth > deepestTypes || i == 0 || !isNameByte(s[i-1]) {
				return false
			}
		case c == '>':
			if depth--; depth == 0 {
				return true
			}
		case c == ' ':
			if i == 0 || s[i-1] == '<' { // a < B
				return false
			}
		case (c == '-' || c == '=') && strings.HasPrefix(s[i+1:], ">"): // (A) -> B
			i++
		case strings.IndexByte(",|&*?[](){}:;+.", c) < 0:
			return false
		}
	}
	return false
}

func isNameByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '$'
}

// isTypeName reports whether a name, or the last one of a path, looks like a type, or like a word or number beside one.
func isTypeName(name string) bool {
	number := name[0] >= '0' && name[0] <= '9'
	name = name[strings.LastIndexAny(name, ".:")+1:]
	return number || listed(typeWords, name) || name[0] >= 'A' && name[0] <= 'Z' && strings.IndexByte(name, '_') < 0
}

// typeWords are the built-in types of C, C++, C#, Dart, Go, Java, Kotlin, Rust, Swift and TypeScript, and the words that
// stand between types or before one.
const typeWords = " _ any auto bigint bool boolean byte char decimal double dynamic f32 f64 false float float32 float64 i128 " +
	"i16 i32 i64 i8 int int16 int32 int64 int8 isize long never null number object rune short signed size_t " +
	"ssize_t str string symbol true u128 u16 u32 u64 u8 uint uint16 uint32 uint64 uint8 undefined unit unknown " +
	"unsigned usize void int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t class const dyn " +
	"extends impl in infer keyof mut out readonly super typename typeof "
