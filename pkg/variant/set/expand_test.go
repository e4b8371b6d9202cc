package set

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// A case is spec.yaml, or the whole set.yaml, and the list inventory.yaml of objects, of Repositories if they have no kind,
// and of PackageRevisions, which have a revision. EACH in them stands for one line of the file each after the
// other, and @N(TEXT)@ for N times the text. The outcome is what is found, without what TestUnpinned tests, and the
// variants.
func TestExpand(t *testing.T) {
	cases.Table(t, "expand/*", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		for _, each := range strings.Split(strings.TrimSuffix(c.Text("each"), "\n"), "\n") {
			if c.Has("each") {
				fmt.Fprintln(&b, strings.TrimSpace("$ "+each))
			}
			text := c.Text("set.yaml")
			if text == "" {
				text = `metadata: {name: example}
spec:
  ` + strings.ReplaceAll(strings.TrimSpace(c.Text("spec.yaml")), "\n", "\n  ") + "\n"
			}
			d, err := values.Parse(expand(text, each))
			if err != nil {
				t.Fatal(err)
			}
			expandCase(t, &b, Read(d.Root()), readInventory(t, expand(c.Text("inventory.yaml"), each)))
		}
		return b.String()
	})
}

func expandCase(t *testing.T, b *strings.Builder, s *Set, inventory *Inventory) {
	e, invalid := New(s, NewEnvironment())
	x, more := e.Expand(inventory, 0)
	if _, again := e.Expand(inventory, 0); !cmp.Equal(facts(more), facts(again)) {
		t.Errorf("another expansion finds %q", facts(again))
	}
	findings := functiontest.Noted(slices.DeleteFunc(append(invalid, more...), isUnpinned))
	diag.Sort(findings)
	for i, fact := range functiontest.Facts(findings) {
		message := findings[i].Message()
		if strings.Contains(message, "the list") || strings.Contains(message, "function's selectors") {
			t.Errorf("the plain API knows neither lists nor functions: %s", message)
		}
		fmt.Fprintf(b, "%s: %s\n", fact, message)
	}
	for _, match := range x.Matches {
		fmt.Fprintf(b, "%s matches %d\n", match.Path, match.Count)
	}
	for i := range x.Variants {
		spec := &x.Variants[i].Spec
		if x.Variants[i].Name == "" && len(spec.Labels) == 0 {
			continue // the set has errors
		}
		fmt.Fprintf(b, "variant %s: %s/%s", x.Variants[i].Name, spec.Downstream.Repo, spec.Downstream.Package)
		for _, texts := range []struct {
			name string
			of   variant.Texts
		}{{"labels", spec.Labels}, {"annotations", spec.Annotations}, {"data", spec.PackageContext.Data}} {
			if len(texts.of) > 0 {
				fmt.Fprintf(b, ", %s %q", texts.name, map[string]string(texts.of))
			}
		}
		for _, injector := range spec.Injectors {
			fmt.Fprintf(b, ", injector %s", injector.Name)
		}
		b.WriteString("\n")
	}
}

var repeated = regexp.MustCompile(`@(\d+)\((.*?)\)@`)

func expand(text, each string) string {
	return repeated.ReplaceAllStringFunc(strings.ReplaceAll(text, "EACH", each), func(found string) string {
		match := repeated.FindStringSubmatch(found)
		n, _ := strconv.Atoi(match[1])
		return strings.Repeat(match[2], n)
	})
}

func readInventory(t *testing.T, text string) *Inventory {
	i := &Inventory{}
	d, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if d.Root() == nil {
		return i
	}
	for _, n := range d.Root().Content {
		field := func(name string) string { return values.Text(values.Field(n, name)) }
		o := Object{APIVersion: field("apiVersion"), Kind: field("kind"), Namespace: field("namespace"), Name: field("name"), Labels: textsOf(t, n, "labels"), Annotations: textsOf(t, n, "annotations")}
		switch {
		case values.Field(n, "revision") != nil:
			i.AddRevision(&PackageRevision{Object: o, Repository: field("repository"), PackageName: field("package"), WorkspaceName: field("workspace"), Revision: variant.Revision(field("revision"))})
		case o.Kind == "":
			o.APIVersion, o.Kind = RepositoryAPIVersion, RepositoryKind
			i.Add(&o)
		default:
			i.Add(&o)
		}
	}
	return i
}

func textsOf(t *testing.T, n *yaml.Node, name string) map[string]string {
	var all map[string]string
	if field := values.Field(n, name); field != nil {
		if err := field.Decode(&all); err != nil {
			t.Fatal(err)
		}
	}
	return all
}
