package chart

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// A case is a chart. The outcome is what is said of the values given.yaml, or the place that a message of
// Helm is about, else the facts of the chart.
func TestCharts(t *testing.T) {
	cases.Table(t, "charts/*", func(t *testing.T, c *cases.Case) string {
		files := c.Files("given.yaml", "message", "want")
		if c.Has("given.yaml") { // without any key an empty chart says nothing
			files["templates/known.yaml"] = "{{ .Values.known }}"
		}
		chart, err := opened(t, files)
		switch {
		case err != nil:
			return err.Error()
		case c.Has("given.yaml"):
			return said(t, chart, c.Text("given.yaml"))
		case c.Has("message"):
			return located(chart, strings.TrimSuffix(c.Text("message"), "\n"))
		}
		return text(t, &facts.Pack{Charts: map[string]*facts.Chart{"web": chart.Facts()}})
	})
}

// said prints the keys of values that a chart does not read, and those that its schemas do not allow.
func said(t *testing.T, c *Chart, given string) string {
	document, err := values.Parse(given)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, key := range c.Facts().Inert(document.Root(), []string{given}) {
		fmt.Fprintf(&b, "%s: not read (line %d, column %d)", strings.Join(key.Path, "."), key.Node.Line, key.Node.Column)
		if key.Nearest != "" {
			b.WriteString(", like " + key.Nearest)
		}
		b.WriteString("\n")
	}
	for _, v := range c.Facts().Violations(new(meter.Meter), document.Root(), facts.HasMacro) {
		if v.IsRejected {
			fmt.Fprintf(&b, "Helm rejects the schema of %s: %v\n", v.Chart, v.Unused)
			continue
		}
		if v.Unused != nil {
			fmt.Fprintf(&b, "the schema is not used: %v\n", v.Unused)
			continue
		}
		fmt.Fprintf(&b, "%s: %s (%s, by %s)\n", v.Path, v.Message, v.Position, v.Schema)
	}
	if b.Len() == 0 {
		return "nothing"
	}
	return b.String()
}

// located prints the place in a chart that a message is about.
func located(c *Chart, message string) string {
	f := c.Locate(message)
	var b strings.Builder
	if f.File != "" {
		fmt.Fprintf(&b, "place: %s:%d\n", f.File, f.Line)
	}
	if f.Key != nil {
		fmt.Fprintf(&b, "key: %s\n", strings.Join(f.Key, " "))
	}
	fmt.Fprintf(&b, "words: %s\n", f.Words)
	if f.Literal {
		b.WriteString("the words are of the template\n")
	}
	if c.LooksUp(message) {
		b.WriteString("the template looks up what is in the cluster\n")
	}
	return b.String()
}

// A case is the directory of a pack. The outcome is what is found in its values, and the facts that its
// charts and manifests have if there are no values.
func TestPacks(t *testing.T) {
	cases.Table(t, "packs", func(t *testing.T, c *cases.Case) string {
		outer := t.TempDir()
		dir := filepath.Join(outer, "pack")
		writeFile(t, filepath.Join(outer, "outside.tgz"), archive(t, "web", map[string]string{"Chart.yaml": "name: web\n"}))
		for name, text := range withArchives(t, c.Files("values.yaml", "override.yaml", "replacing.yaml", "want")) {
			name, target, isLink := strings.Cut(name, " -> ")
			link := filepath.Join(dir, name)
			if !isLink {
				writeFile(t, link, []byte(text))
			} else if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o755), os.Symlink(target, link)); err != nil {
				t.Fatal(err)
			}
		}
		p := &pack.Pack{Name: "p", Metadata: pack.File("pack.json", c.Text("pack.json"))}
		for _, name := range []string{"override.yaml", "replacing.yaml"} {
			if c.Has(name) {
				p.Overrides = append(p.Overrides, &pack.Override{Values: pack.File(name, c.Text(name)), Replace: name == "replacing.yaml"})
			}
		}
		var b strings.Builder
		printed := func(found []diag.Finding) {
			for i, line := range linesOf(found) {
				fmt.Fprintf(&b, "%s: %s\n", line, found[i].Message())
			}
		}
		if c.Has("values.yaml") {
			p.Values = pack.File("values.yaml", c.Text("values.yaml"))
			if printed(new(Run).Check(p, dir, nil, nil, false)); b.Len() == 0 {
				return "nothing"
			}
			return b.String()
		}
		read, digests, found := new(Run).Facts(p, dir)
		if checked := linesOf(new(Run).Check(p, dir, nil, nil, false)); !slices.Equal(checked, linesOf(found)[:len(checked)]) {
			t.Errorf("a check finds %q", checked)
		}
		printed(found)
		for _, name := range slices.Sorted(maps.Keys(digests)) {
			content, err := os.ReadFile(filepath.Join(dir, name))
			if want := fmt.Sprintf("%x", sha256.Sum256(content)); err != nil || digests[name] != want {
				t.Errorf("%s has the digest %s, want %s, %v", name, digests[name], want, err)
			}
			fmt.Fprintf(&b, "read: %s\n", name)
		}
		return b.String() + text(t, read)
	})
}

// linesOf returns findings as lines.
func linesOf(found []diag.Finding) []string {
	lines := []string{}
	for _, f := range found {
		line := f.Rule.ID + " " + f.Key + " " + f.Position.String()
		if f.Nearest != "" {
			line += " " + f.Nearest
		}
		if f.Tags[facts.TagEmpty] != "" {
			line += " empty"
		}
		lines = append(lines, line)
	}
	return lines
}
