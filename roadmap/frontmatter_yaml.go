package roadmap

// frontmatter_yaml.go: the one value that yaml reads, depends_on. A piece that yaml refuses is read by its
// lines.

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// dependencies reads the value with yaml, whose nodes keep 02.10 and 010 as they were written; where yaml
// refuses it, what looks like a plan or a phase in its lines.
func (v metaValue) dependencies() []Dependency {
	own := v.own()
	if len(v.first) > maxMetaValue {
		return nil
	}
	switch strings.TrimSpace(v.first) {
	case "[]", "none", "null", "~":
		return nil
	case "":
		if len(own) == 0 {
			return nil
		}
	}
	if n, ok := metaNode(v.first, own); ok {
		w := nodeReader{}
		w.read(n, 0)
		return w.deps
	}
	deps := looseReferences(nil, v.first)
	for _, line := range own {
		deps = looseReferences(deps, string(line))
	}
	return deps
}

// yamlBreaks are line breaks for yaml but for nobody else: they would end a text in the middle.
var yamlBreaks = strings.NewReplacer("\r", " ", "\u0085", " ", "\u2028", " ", "\u2029", " ")

// metaNode gives one value to yaml. Nodes are asked for, so no alias is followed and no number is made
// of a text. A panic of the parser, of which yaml had some, is a value that it refuses.
func metaNode(first string, own [][]byte) (n *yaml.Node, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	text := "k: " + first + "\n" + string(bytes.Join(own, []byte("\n"))) + "\n"
	var doc yaml.Node
	err := yaml.Unmarshal([]byte(yamlBreaks.Replace(text)), &doc)
	if err != nil || len(doc.Content) != 1 || len(doc.Content[0].Content) != 2 {
		return nil, false
	}
	return doc.Content[0].Content[1], true
}

// nodeReader collects the dependencies of a value.
type nodeReader struct {
	deps []Dependency
}

// read takes a scalar, a list, or an item such as `plan: 01-01` or `{phase: 3, plan: 2}`.
func (r *nodeReader) read(n *yaml.Node, depth int) {
	if depth > 4 {
		return
	}
	switch n.Kind {
	case yaml.ScalarNode:
		r.add(n, n.Value, noWord)
	case yaml.SequenceNode:
		for _, item := range n.Content {
			r.read(item, depth+1)
		}
	case yaml.MappingNode:
		r.readMap(n, depth)
	}
}

// readMap takes what an item tells by its keys; others, a reason or a status, are passed over, but
// `- 03-01: the schema` was meant as a text.
func (r *nodeReader) readMap(n *yaml.Node, depth int) {
	var phase, plan *yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch strings.ToLower(key.Value) {
		case "phase":
			phase = value
		case "plan":
			plan = value
		case "phases":
			for _, item := range value.Content {
				r.add(item, item.Value, phaseWord)
			}
		case "plans", "id", "ref", "name", "path", "file":
			r.read(value, depth+1)
		default:
			if d := firstReference(key.Value, noWord); !d.Phase.IsZero() || !d.Plan.IsZero() {
				r.add(key, key.Value, noWord)
			}
		}
	}
	switch {
	case phase == nil && plan == nil:
	case phase == nil:
		r.read(plan, depth+1)
	case plan == nil || plan.Kind != yaml.ScalarNode:
		r.add(phase, phase.Value, phaseWord)
	default:
		r.add(phase, "phase: "+phase.Value+" plan: "+plan.Value, noWord)
	}
}

func (r *nodeReader) add(n *yaml.Node, text string, word referenceWord) {
	if n.Kind == yaml.ScalarNode {
		r.deps = appendReferences(r.deps, text, word)
	}
}

// looseReferences reads a line that is no YAML: what stands between its brackets, quotes and commas, if
// there is a number in it.
func looseReferences(deps []Dependency, line string) []Dependency {
	line = cutYAMLComment(line)
	for piece := range strings.FieldsFuncSeq(line, func(c rune) bool { return strings.ContainsRune(",[]{}\"'", c) }) {
		piece = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(piece), "- "))
		for _, d := range appendReferences(nil, piece, noWord) {
			if !d.Phase.IsZero() || !d.Plan.IsZero() {
				deps = append(deps, d)
			}
		}
	}
	return deps
}
