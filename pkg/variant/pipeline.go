package variant

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// IsEmpty reports whether the pipeline has no functions.
func (p *Pipeline) IsEmpty() bool { return len(p.Mutators)+len(p.Validators) == 0 }

// FunctionName is the name that a function of a PackageVariant gets in the
// Kptfile: `PackageVariant.<pv>.<name or nothing>.<index>`.
func FunctionName(packageVariant, name string, index int) string {
	return fmt.Sprintf("PackageVariant.%s.%s.%d", packageVariant, name, index)
}

// Owns reports whether a name of a function in a Kptfile is one that the
// PackageVariant gave: its own prefix, a name without dots or none, a dot and a
// number. So `a` owns nothing of `ab`, nor of `a.b`.
func Owns(packageVariant, name string) bool {
	rest, ok := strings.CutPrefix(name, "PackageVariant."+packageVariant+".")
	if !ok {
		return false
	}
	_, index, ok := strings.Cut(rest, ".")
	return ok && index != "" && strings.Trim(index, "0123456789") == ""
}

// ApplyPipeline puts the functions of the PackageVariant before those of the Kptfile d,
// and removes those that it put there earlier. Others stay, in order and with their
// comments. Lists that become empty are removed.
//
// The findings say why the Kptfile cannot be edited. Then d is returned as it is.
func (v *PackageVariant) ApplyPipeline(d *values.Document) (*values.Document, []diag.Finding) {
	if n := values.Field(d.Root(), "pipeline"); !values.IsNull(n) && n.Kind != yaml.MappingNode {
		return d, wrongType("pipeline", n, "a mapping with mutators and validators")
	}
	var findings []diag.Finding
	edited := d
	for _, list := range []struct {
		key       string
		functions []PipelineFunction
	}{{"mutators", v.Spec.Pipeline.Mutators}, {"validators", v.Spec.Pipeline.Validators}} {
		var own []*yaml.Node
		for i, f := range list.functions {
			f.Name = FunctionName(v.Name, f.Name, i)
			n := new(yaml.Node)
			if err := n.Encode(f); err != nil {
				return d, refused(err)
			}
			own = append(own, n)
		}
		steps := values.Keys("pipeline", list.key)
		if n := at(edited.Root(), steps); !values.IsNull(n) && n.Kind != yaml.SequenceNode {
			findings = append(findings, wrongType("pipeline."+list.key, n, "a list of functions")...)
			continue
		}
		next, err := v.applyList(edited, steps, own)
		if err != nil {
			findings = append(findings, refused(err)...)
			continue
		}
		edited = next
	}
	if len(findings) > 0 {
		return d, findings
	}
	return edited, nil
}

// applyList makes the list at steps begin with own, and removes what else the
// PackageVariant owns there.
func (v *PackageVariant) applyList(d *values.Document, steps []values.Step, own []*yaml.Node) (*values.Document, error) {
	n := at(d.Root(), steps)
	var owned []int
	as := n != nil // it is as it has to be
	for i := range contentOf(n) {
		if Owns(v.Name, values.Text(values.Field(n.Content[i], "name"))) {
			owned = append(owned, i)
			as = as && i < len(own) && len(owned) == i+1 && values.Equal(n.Content[i], own[i])
		}
	}
	if len(owned) == len(own) && (as || len(own) == 0) {
		return d, nil
	}
	var err error
	if len(owned) == len(contentOf(n)) { // nothing of others: the list as a whole
		if len(own) == 0 {
			return remove(d, steps, 0)
		}
		return setNode(d, steps, &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: own})
	}
	for i := len(owned) - 1; i >= 0; i-- {
		if d, _, err = d.Delete(extended(steps, element(owned[i]))); err != nil {
			return nil, err
		}
	}
	if len(own) == 0 {
		return d, nil
	}
	return prepend(d, steps, own)
}

func contentOf(n *yaml.Node) []*yaml.Node {
	if values.IsNull(n) {
		return nil
	}
	return n.Content
}

// prepend puts elements in front of a list that has some. In a block list they
// are put on lines of their own directly below the key, so that comments stay
// with what they are about; any other list is written anew.
func prepend(d *values.Document, steps []values.Step, own []*yaml.Node) (*values.Document, error) {
	n := at(d.Root(), steps)
	whole := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: n.Style, Content: append(own[:len(own):len(own)], n.Content...)}
	if text, ok := prepended(d, steps, own); ok {
		if edited, err := values.Parse(text); err == nil && edited.Root() != nil {
			if values.Equal(edited.Root(), withValue(d.Root(), steps, whole)) {
				return edited, nil
			}
		}
	}
	for i, child := range whole.Content {
		whole.Content[i] = values.Resolve(child)
	}
	return setNode(d, steps, whole)
}

// prepended is the text with elements in front of the block list at steps. It
// reports false when the list is of another form.
func prepended(d *values.Document, steps []values.Step, own []*yaml.Node) (string, bool) {
	text := d.Text()
	list := at(d.Root(), steps)
	keyLine := lineOfKey(at(d.Root(), steps[:len(steps)-1]), steps[len(steps)-1].Key)
	unusual := strings.NewReplacer("\r\n", "", "\r", "\x00", "\u0085", "\x00", "\u2028", "\x00", "\u2029", "\x00")
	if keyLine == 0 || list.Style&yaml.FlowStyle != 0 || list.Line <= keyLine || strings.Contains(unusual.Replace(text), "\x00") {
		return "", false
	}
	start, dash := lineStart(text, keyLine+1), lineStart(text, list.Line)
	indent := strings.Repeat(" ", list.Column-1)
	if start < 0 || dash < 0 || !strings.HasPrefix(text[dash:], indent+"-") {
		return "", false
	}
	lineBreak := "\n"
	if strings.HasSuffix(text[:start], "\r\n") {
		lineBreak = "\r\n"
	}
	var b strings.Builder
	b.WriteString(text[:start])
	for _, n := range own {
		text, err := printed(n)
		if err != nil {
			return "", false
		}
		lead := "- "
		for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			if line != "" {
				b.WriteString(indent + lead + line)
			}
			b.WriteString(lineBreak)
			lead = "  "
		}
	}
	b.WriteString(text[start:])
	return b.String(), true
}

// lineOfKey returns the line of a key that a mapping itself has, 0 for none.
func lineOfKey(n *yaml.Node, name string) int {
	line := 0
	if n != nil && n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0 {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == name {
				line = n.Content[i].Line
			}
		}
	}
	return line
}

// lineStart returns the offset of a line, from 1, and -1 when there is none.
func lineStart(text string, line int) int {
	offset := 0
	for ; line > 1; line-- {
		end := strings.IndexByte(text[offset:], '\n')
		if end < 0 {
			return -1
		}
		offset += end + 1
	}
	return offset
}

// withValue returns a copy of the tree in which a value is another one.
func withValue(n *yaml.Node, steps []values.Step, value *yaml.Node) *yaml.Node {
	if len(steps) == 0 {
		return value
	}
	c := *values.Resolve(n)
	c.Content = append([]*yaml.Node(nil), c.Content...)
	for i := 0; i+1 < len(c.Content); i += 2 {
		if c.Content[i].Value == steps[0].Key {
			c.Content[i+1] = withValue(c.Content[i+1], steps[1:], value)
		}
	}
	return &c
}
