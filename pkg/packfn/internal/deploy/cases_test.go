package deploy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
)

// hidden are the texts of cases that may be secrets, and parts of them.
var hidden = []string{"hunter", "aHVudGVy", "hello-everyone", "topsecret", "myprivate", "very-private", "reflect.Value"}

// A case has the files of a pack with the chart web, in a cluster of a version in kubernetes, with the APIs of apis. The
// outcome is what the pack renders to, and what is said, with the places, without secrets.
func TestCharts(t *testing.T) {
	cases.Table(t, "charts/*", func(t *testing.T, c *cases.Case) string {
		var files []string
		for name, text := range c.Files("kubernetes", "apis", "want") {
			files = append(files, name, text)
		}
		r := render(t, Cluster{Kubernetes: strings.TrimSpace(c.Text("kubernetes")), APIs: strings.Fields(c.Text("apis"))}, files...)
		var b strings.Builder
		for _, m := range r.Manifests {
			fmt.Fprintf(&b, "%s:\n  %s\n", m.Source, strings.ReplaceAll(strings.TrimSuffix(m.Text, "\n"), "\n", "\n  "))
		}
		if r.Macros > 0 {
			fmt.Fprintf(&b, "macros: %d\n", r.Macros)
		}
		var images []string
		for _, i := range r.Images() {
			images = append(images, strings.TrimSpace(fmt.Sprintf("image: %s of %s %s", i.Image, i.Workload(), i.Container+i.Setting))+"\n")
		}
		slices.Sort(images)
		b.WriteString(strings.Join(images, ""))
		for i, line := range said(r) {
			if slices.ContainsFunc(hidden, func(text string) bool { return strings.Contains(line, text) }) {
				t.Errorf("a value is shown: %s", line)
			}
			fmt.Fprintln(&b, line)
			if r.Findings[i].Tags[TagUnsure] != "" {
				fmt.Fprintln(&b, "  unsure")
			}
		}
		return b.String()
	})
}

// A case has resources before and after. The outcome is what is different.
func TestDiffs(t *testing.T) {
	of := func(text string) []*Rendered {
		return []*Rendered{{Manifests: []Manifest{{Text: text}}, secrets: []string{"db.internal", "db.private", "private-words", "secret-words"}}}
	}
	cases.Table(t, "diffs", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		for _, change := range Diff(of(c.Text("old")), of(c.Text("new")), c.Has("show")) {
			fmt.Fprintf(&b, "%s %s\n%s", change.Name, change.What, change.Patch)
		}
		for _, secret := range []string{"aHVudGVyMg", "b3RoZXI", "line-", "hunter", "tok-", "mykey", "newkey", "db.private", "secret-words", "db.internal", "private-words", "\x00"} {
			if !c.Has("show") && strings.Contains(b.String(), secret) {
				t.Errorf("%q is shown", secret)
			}
		}
		return b.String()
	})
}

// A case is a text. The outcome has the lines of its secrets masked, with all lines of a text.
func TestMasked(t *testing.T) {
	cases.Table(t, "masked", func(_ *testing.T, c *cases.Case) string {
		return tag.ReplaceAllString(masked(c.Text("text"), []string{"s3cr3t"}), "")
	})
}

// said are the findings in short.
func said(r *Rendered) (all []string) {
	for i := range r.Findings {
		f := &r.Findings[i]
		functiontest.Note(f.Rule.ID, f.Message())
		facts := functiontest.Facts([]diag.Finding{*f})[0]
		all = append(all, fmt.Sprintf("%s at %s:%d:%d: %s", facts, f.Origin.Name, f.Position.Line, f.Position.Column, f.Message()))
	}
	return all
}
