package variant

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/values"
)

// In a Kptfile of the usual form every line that is not of ours is there after
// the edits, in order, with its comments; and a second run changes nothing.
func TestKptfileKeepsOtherLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		var foreign []string // lines that have to survive
		line := func(own bool, format string, args ...any) {
			text := fmt.Sprintf(format, args...)
			b.WriteString(text + "\n")
			if !own {
				foreign = append(foreign, text)
			}
		}
		comment := func(n string) string {
			return rapid.SampledFrom([]string{"", " # " + n, "   # far " + n}).Draw(t, "comment")
		}
		line(false, "kind: Kptfile%s", comment("kind"))
		ownCount := 0
		list := func(key, indent string, entry func(i int, own bool)) {
			count := rapid.IntRange(1, 4).Draw(t, key)
			others := false
			for i := range count {
				own := rapid.Bool().Draw(t, "own")
				if i == count-1 && !others {
					own = false
				}
				if own {
					ownCount++
				}
				others = others || !own
				if !own && rapid.Bool().Draw(t, "above") {
					line(false, "%s# above %d", indent, i)
				}
				entry(i, own)
			}
		}
		line(false, "info:%s", comment("info"))
		line(false, "  readinessGates:%s", comment("gates"))
		list("gates", "  ", func(i int, own bool) {
			if own {
				line(true, "  - conditionType: config.injection.Gone.g%d", i)
			} else {
				line(false, "  - conditionType: other%d%s", i, comment("gate"))
			}
		})
		line(false, "pipeline:")
		line(false, "  mutators:%s", comment("mutators"))
		list("mutators", "    ", func(i int, own bool) {
			if own {
				line(true, "    - image: i%d", i)
				line(true, "      name: PackageVariant.pv.x%d.%d", i, i)
			} else {
				line(false, "    - image: 'other%d'%s", i, comment("function"))
				line(false, "      future: [%d,  %d]", i, i)
			}
		})
		line(false, "status:")
		line(false, "  conditions:%s", comment("conditions"))
		list("conditions", "  ", func(i int, own bool) {
			if own {
				line(true, "  - type: config.injection.Gone.c%d", i)
				line(true, "    status: \"True\"")
			} else {
				line(false, "  - type: Other%d%s", i, comment("condition"))
				line(false, "    status:   'Unknown'")
			}
		})
		v := &PackageVariant{Name: "pv"}
		for i := range rapid.IntRange(0, 3).Draw(t, "functions") {
			v.Spec.Pipeline.Mutators = append(v.Spec.Pipeline.Mutators, PipelineFunction{Exec: fmt.Sprintf("e%d", i)})
		}
		var conditions []Condition
		var gates []string
		for i := range rapid.IntRange(0, 3).Draw(t, "points") {
			c := Condition{fmt.Sprintf("config.injection.K.p%d", i), "True", ReasonInjected, "m"}
			conditions, gates = append(conditions, c), append(gates, c.Type)
		}
		edit := func(text string) string {
			d, faults := v.ApplyPipeline(parseText(t, text))
			if faults != nil {
				t.Fatal(faults)
			}
			if d, faults = applyConditions(d, conditions, gates); faults != nil {
				t.Fatal(faults)
			}
			return d.Text()
		}
		after := edit(b.String())
		left := strings.Split(after, "\n")
		for _, want := range foreign {
			at := slices.Index(left, want)
			if at < 0 {
				t.Fatalf("the line %q is lost or out of order:\n%s\nbecame\n%s", want, b.String(), after)
			}
			left = left[at+1:]
		}
		lines := strings.Count(after, "\n") - len(foreign)
		if want := 2*len(v.Spec.Pipeline.Mutators) + 5*len(conditions); lines != want {
			t.Fatalf("%d lines are ours, want %d:\n%s", lines, want, after)
		}
		if again := edit(after); again != after {
			t.Fatalf("again:\n%s\nbecame\n%s", after, again)
		}
	})
}

func parseText(t *rapid.T, text string) *values.Document {
	d, err := values.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return d
}

// A function is written as go-yaml's encoder writes it, at a fraction of the time.
func TestFunctionNode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"", "a", "yes", "True", "1.0", "a b", " a", "a\nb\n", "x: y", "é", "\t", "null", "#", "a10", "a9"})
		texts := func(name string) Texts { return rapid.MapOf(text, text).Draw(t, name) }
		selectors := func(name string) (all []ResourceSelector) {
			for range rapid.IntRange(0, 2).Draw(t, name) {
				all = append(all, ResourceSelector{
					APIVersion: text.Draw(t, "apiVersion"), Kind: text.Draw(t, "kind"), Name: text.Draw(t, "name"), Namespace: text.Draw(t, "namespace"),
					Labels: texts("labels"), Annotations: texts("annotations"),
				})
			}
			return all
		}
		f := PipelineFunction{
			Image: text.Draw(t, "image"), Exec: text.Draw(t, "exec"), ConfigPath: text.Draw(t, "configPath"), Name: text.Draw(t, "name"), Tag: text.Draw(t, "tag"),
			ConfigMap: texts("configMap"), Selectors: selectors("selectors"), Exclude: selectors("exclude"),
		}
		var want yaml.Node
		if err := want.Encode(f); err != nil {
			t.Fatal(err)
		}
		empty := parseText(t, "kind: Kptfile\n")
		list := func(n *yaml.Node) *values.Document {
			edited, err := empty.Sync(values.Change{At: values.Keys("list"), Want: &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: []*yaml.Node{n}}})
			if err != nil {
				t.Fatal(err)
			}
			return edited
		}
		if got, want := list(f.node()).Text(), list(&want).Text(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}
