package inventory_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

// secrets are the values that cases have where there may be secrets. No JSON Schema has one.
var secrets = []string{"hunter2", "8672309"}

// A case has the files of the pack web, of version 1.0.0, or of packs in folders of their names, or
// resources.yaml. Each line of ask is a question, with the outcome below it. overrides has layers over the
// values, and facts.yaml is what the charts read.
//
//	values      // the values of the pack, with the entry of the schema, what it accepts, and the presets
//	macros      // the macros in the values
//	why KEY     // where a value comes from
//	entry KEY   // the entry of the schema for a key, and how a record has its value 17
//	schema      // the JSON Schema of the values, and what it does not allow in them
//	cluster     // the ClusterContext that the packs need
//	starter     // the PackValues to start from; starter all is that with all values
func TestPacks(t *testing.T) {
	cases.Table(t, "packs/*", func(t *testing.T, c *cases.Case) string {
		packs, reads := packsOf(t, c)
		var b strings.Builder
		for line := range strings.Lines(c.Text("ask")) {
			line = strings.TrimSpace(line)
			fmt.Fprintln(&b, "$ "+line)
			question, key, _ := strings.Cut(line, " ")
			answer, err := "", error(nil)
			switch p := packs[0]; question {
			case "values":
				answer, err = valuesOf(p)
			case "macros":
				answer, err = macrosOf(p)
			case "why":
				answer, err = why(t, p, key)
			case "entry":
				answer, err = entry(t, p, key)
			case "schema":
				answer, err = schemaAnswer(t, p, reads[0])
			case "cluster":
				answer, err = cluster(packs, reads)
			case "starter":
				answer, err = starter(t, p, key == "all")
			default:
				t.Fatalf("unknown question %q", line)
			}
			b.WriteString(answer)
			if err != nil {
				fmt.Fprintln(&b, "error:", err)
			}
		}
		return b.String()
	})
}

// packsOf returns the packs of a case, sorted, with what their charts read.
func packsOf(t *testing.T, c *cases.Case) (packs []*pack.Pack, reads []*facts.Pack) {
	t.Helper()
	all, read, files := map[string]*pack.Pack{}, map[string]*facts.Pack{}, c.Files("ask", "resources.yaml", "want")
	for _, file := range slices.Sorted(maps.Keys(files)) {
		name, inPack, isInFolder := strings.Cut(file, "/")
		if !isInFolder || name == "overrides" {
			name, inPack = "web", file
		}
		p := all[name]
		if p == nil {
			p = &pack.Pack{Name: name, Version: "1.0.0"}
			all[name] = p
		}
		source := pack.File(path.Base(inPack), files[file])
		of := map[string]**pack.Source{"pack.json": &p.Metadata, "values.yaml": &p.Values, "schema.yaml": &p.Schema, "presets.yaml": &p.Presets}
		switch into := of[inPack]; {
		case into != nil:
			*into = source
		case inPack == "facts.yaml":
			read[name] = readFacts(t, files[file])
		default:
			p.Overrides = append(p.Overrides, &pack.Override{Values: source})
		}
	}
	if c.Has("resources.yaml") {
		file := filepath.Join(t.TempDir(), "p.yaml")
		if err := os.WriteFile(file, []byte(c.Text("resources.yaml")), 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := check.Packs([]string{filepath.Dir(file)}, check.Options{})
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		return []*pack.Pack{found[0].Pack}, []*facts.Pack{nil}
	}
	if len(all) == 0 {
		all["web"] = &pack.Pack{Name: "web"}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		packs, reads = append(packs, all[name]), append(reads, read[name])
	}
	return packs, reads
}

func valuesOf(p *pack.Pack) (string, error) {
	all, err := inventory.Values(p)
	var b strings.Builder
	for _, v := range all {
		fmt.Fprintf(&b, "%s: %s\n", v.Key, none.Show(v.Key, v.Node, diag.All))
		if accepted := inventory.Accepted(v.Entry); v.Entry != nil {
			fmt.Fprintf(&b, "  schema %s: %s\n", v.Entry.Key, accepted)
		} else if accepted != "" {
			fmt.Fprintln(&b, "  without a schema: "+accepted)
		}
		if len(v.Presets) > 0 {
			fmt.Fprintf(&b, "  presets %s\n", strings.Join(v.Presets, ", "))
		}
	}
	return b.String(), err
}

func macrosOf(p *pack.Pack) (string, error) {
	all, err := inventory.Macros(p)
	var b strings.Builder
	for _, m := range all {
		fmt.Fprintln(&b, macroLine(m))
	}
	return b.String(), err
}

func macroLine(m inventory.Macro) string {
	return fmt.Sprintf("%s:%d:%d %s: %s", m.Source.Origin.Name, m.Position.Line, m.Position.Column, m.Key, strings.Join(m.Names, ", "))
}

func why(t *testing.T, p *pack.Pack, key string) (string, error) {
	t.Helper()
	c, err := inventory.Why(p, key)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	show := func(n *yaml.Node) string { return none.Show(key, n, diag.All) }
	fmt.Fprintln(&b, show(c.Effective))
	for _, l := range c.Layers {
		fmt.Fprint(&b, "  layer "+l.Source.Origin.Name)
		if l.Node != nil {
			fmt.Fprintf(&b, ":%d:%d: %s", l.Position.Line, l.Position.Column, show(l.Node))
		}
		if l.Counts {
			fmt.Fprint(&b, ", which counts")
		}
		fmt.Fprintln(&b)
	}
	if c.Entry != nil {
		fmt.Fprintln(&b, "  schema", c.Entry.Key)
	}
	for _, one := range c.Presets {
		fmt.Fprintln(&b, "  preset", one.Name)
	}
	for _, name := range c.Applied {
		fmt.Fprintln(&b, "  applied", name)
	}
	for _, m := range c.Macros {
		fmt.Fprintln(&b, "  macro", macroLine(m))
	}
	for _, r := range c.Readers {
		fmt.Fprintf(&b, "  reader %s at line %d, column %d\n", r.Key, r.Position.Line, r.Position.Column)
	}
	return b.String(), nil
}

func entry(t *testing.T, p *pack.Pack, key string) (string, error) {
	t.Helper()
	entries, err := inventory.EntriesOf(p)
	if err != nil {
		return "", err
	}
	name, n := "none", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: "17"}
	if found, _ := entries.Of(key); found != nil {
		name = found.Key
	}
	if got := entries.Show(key, n, diag.All); got != "17" {
		t.Errorf("%s: all is shown as %s", key, got)
	}
	return name + ", " + entries.Show(key, n, diag.Record) + "\n", nil
}

func schemaAnswer(t *testing.T, p *pack.Pack, read *facts.Pack) (string, error) {
	t.Helper()
	text, faults, err := printedSchema(t, p, read)
	if err != nil {
		return "", err
	}
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			t.Errorf("%s is shown:\n%s", secret, text)
		}
	}
	var b strings.Builder
	for _, f := range faults {
		fmt.Fprintln(&b, "fault:", f.Message())
	}
	var root *yaml.Node
	if p.Values != nil {
		document, err := p.Values.Document()
		if err != nil {
			t.Fatal(err)
		}
		root = document.Root()
	}
	for _, v := range violationsOf(t, text, root) {
		fmt.Fprintf(&b, "not allowed at %s: %s: %s\n", v.Position, v.Path, v.Message)
	}
	return b.String() + text, nil
}

func cluster(packs []*pack.Pack, reads []*facts.Pack) (string, error) {
	var c inventory.Cluster
	for i, p := range packs {
		if err := c.Add(p, reads[i]); err != nil {
			return "", err
		}
	}
	text, notes := c.Text("edge")
	for _, note := range notes {
		text += "note: " + note + "\n"
	}
	return text, nil
}

func starter(t *testing.T, p *pack.Pack, isAll bool) (string, error) {
	t.Helper()
	text, open, err := inventory.Starter(p, "web-values", isAll)
	if err != nil {
		return "", err
	}
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			t.Errorf("%s is shown:\n%s", secret, text)
		}
	}
	if formatted, err := kptpackage.Format([]byte(text)); err != nil || string(formatted) != text {
		t.Errorf("%v: kpt writes\n%s\nof\n%s", err, formatted, text)
	}
	for _, key := range open {
		text += "open: " + key + "\n"
	}
	return text, nil
}
