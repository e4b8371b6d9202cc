package parameters

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/values"
)

// A case is a package, with what is printed for it, and what validate-pack-values finds with that.
func TestParameters(t *testing.T) {
	cases.Table(t, "parameters", func(t *testing.T, c *cases.Case) string {
		t.Chdir(t.TempDir())
		cases.Write(t, "app", c.Files("want"))
		p, err := Read("app")
		text := ""
		if err == nil {
			text, err = p.Text("parameters")
		}
		if err != nil {
			return fmt.Sprintln("error:", filepath.ToSlash(err.Error()))
		}
		if formatted, err := kptpackage.Format([]byte(text)); err != nil || string(formatted) != text {
			t.Errorf("%v: kpt writes\n%s\nof\n%s", err, formatted, text)
		}
		var b strings.Builder
		b.WriteString(text)
		for _, note := range p.Notes("app/check/parameters.yaml") {
			fmt.Fprintln(&b, "note:", filepath.ToSlash(note))
		}
		for _, f := range findings(t, text) {
			fmt.Fprintln(&b, f)
		}
		if strings.Contains(b.String(), "hunter2") {
			t.Errorf("a secret is shown:\n%s", &b)
		}
		return b.String()
	})
}

// The note names the file as the Kptfile does if it is in the package.
func TestNotes(t *testing.T) {
	p := &Package{Dir: "app"}
	for file, want := range map[string]string{
		"": "FILE", "app/a.yaml": "a.yaml", "app/b/a.yaml": "b/a.yaml", "app/..a/b.yaml": "..a/b.yaml", "app/..a.yaml": "..a.yaml", "a.yaml": "FILE", "app/../a.yaml": "FILE",
	} {
		notes := p.Notes(filepath.FromSlash(file))
		if len(notes) != 1 || !strings.HasSuffix(notes[0], "configPath: "+want+"}") {
			t.Errorf("%s: %v", file, notes)
		}
	}
}

// findings returns what validate-pack-values finds in the package with a functionConfig.
func findings(t *testing.T, config string) (all []string) {
	t.Helper()
	read, err := kptpackage.Read("app")
	if err != nil {
		t.Fatal(err)
	}
	document, err := values.Parse(config)
	if err != nil {
		t.Fatal(err)
	}
	var items []*list.Item
	for _, file := range read.Files {
		items = append(items, file.Items()...)
	}
	outcome, _ := pipeline.Run(schema.Function(), document.Root(), items)
	for i := range outcome.Findings {
		f := &outcome.Findings[i]
		all = append(all, fmt.Sprintf("%s %s %s", f.Severity, f.Rule.ID, f.Path()))
	}
	return all
}

// Every guess is a format, and none hides what it means.
func TestGuesses(t *testing.T) {
	for _, g := range guesses {
		if _, err := schema.ParseFormat(g.format); err != nil || g.what == "" {
			t.Errorf("%s: %v", g.format, err)
		}
	}
}

// The format of a guess accepts the value, whatever it is.
func TestGuessAccepts(t *testing.T) {
	for _, text := range []string{"3", `"3"`, "-1", "1.5", "0x1F", "1_000", "1e3", "true", "yes", "10.0.0.1", "10.0.0.0/8", "1.2.3", "v1.2.3", "512Mi", "web", "Web", "a b", "a.example.com", `"it's {{ a }}"`, "2026-01-01", "[a, b]", "{a: 1}", `"- a"`, "2001:db8::1"} {
		document, err := values.Parse("x: " + text)
		if err != nil {
			t.Fatal(err)
		}
		n := values.Field(document.Root(), "x")
		for _, name := range []string{"x", "name", "http-port", "host", "password"} {
			s := &Setter{Name: name, Value: n}
			format, what := s.guess()
			if what == "" {
				t.Errorf("%s: %s: no guess", name, text)
			}
			if format == "" {
				continue
			}
			parsed, err := schema.ParseFormat(format)
			if err != nil {
				t.Fatal(err)
			}
			if f := parsed.Match(schema.Scalar{Text: n.Value, IsString: n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str"}); f != nil {
				t.Errorf("%s: %s is not %s", name, text, format)
			}
		}
	}
}
