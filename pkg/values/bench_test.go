package values

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// benchText is a values file with 200 keys, comments and nesting included.
func benchText() string {
	var b strings.Builder
	for g := range 10 {
		fmt.Fprintf(&b, "# group %d\ngroup%d:\n", g, g)
		for k := range 9 {
			fmt.Fprintf(&b, `  key%d:
    # what it is
    value: "text %d"
`, k, k)
		}
		fmt.Fprintf(&b, "  port: %d # its port\n", 5000+g)
	}
	return b.String()
}

func benchPaths(b *testing.B) []Path {
	var paths []Path
	for g := range 10 {
		for k := range 5 {
			paths = append(paths, mustPath(b, fmt.Sprintf("group%d.key%d.value", g, k)))
		}
	}
	return paths
}

// BenchmarkYAML is what the others are measured against.
func BenchmarkYAML(b *testing.B) {
	text := []byte(benchText())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var n yaml.Node
		if err := yaml.Unmarshal(text, &n); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	text := benchText()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFind looks up fifty paths in a document of 200 keys.
func BenchmarkFind(b *testing.B) {
	d, paths := mustParse(b, benchText()), benchPaths(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range paths {
			if m := Find(d.Root(), p); m[0].State != Present {
				b.Fatal(m)
			}
		}
	}
}

func BenchmarkDuplicates(b *testing.B) {
	d := mustParse(b, benchText())
	for b.Loop() {
		if len(findDuplicates(d.Root())) != 0 {
			b.Fatal("none expected")
		}
	}
}

// BenchmarkReplaceScalars replaces 100 scalars of one document.
func BenchmarkReplaceScalars(b *testing.B) {
	d := mustParse(b, benchText())
	var edits []ScalarEdit
	for _, v := range visit(d.Root()) {
		if v.node.Kind == yaml.ScalarNode {
			edits = append(edits, ScalarEdit{Node: v.node, Text: v.node.Value + " new"})
		}
	}
	b.SetBytes(int64(len(d.Text())))
	for b.Loop() {
		if _, err := d.ReplaceScalars(edits...); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReplaceLarge replaces a literal of a few megabytes.
func BenchmarkReplaceLarge(b *testing.B) {
	for _, lines := range []int{10_000, 100_000} {
		text := strings.Repeat("a line of thirty characters..\n", lines)
		d := mustParse(b, `data:
  values.yaml: |
    `+strings.TrimSuffix(strings.ReplaceAll(text, "\n", "\n    "), "    "))
		node := Find(d.Root(), mustPath(b, "data.values.yaml"))[0].Node
		b.Run(fmt.Sprintf("lines=%d", lines), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := d.ReplaceScalars(ScalarEdit{Node: node, Text: text + "more\n"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMerge(b *testing.B) {
	d := mustParse(b, benchText())
	src := mustParse(b, `group1:
  key1:
    value: other
    extra: [1, 2]
group9:
  fresh:
    # new
    deep: true
`)
	b.Run("layers", func(b *testing.B) {
		for b.Loop() {
			Merge(Layer{Document: d}, Layer{Document: src})
		}
	})
	b.Run("text", func(b *testing.B) {
		for b.Loop() {
			if _, err := d.Merge(nil, src); err != nil {
				b.Fatal(err)
			}
		}
	})
}
