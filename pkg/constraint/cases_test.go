package constraint

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/values"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "constraint")) }

// A case has
//
//	bundles.yaml   // bundles by their names: the list of the properties of each, or the fields of a [Bundle],
//	               // where provides and requires are its APIs
//	cluster.yaml   // the properties and constraints of the cluster
//	each           // lines: the case runs with each of them in the place of the word EACH in these files
//	runs           // lines of words, each line a run: set or bundle (the scope), pending, unread,
//	               // suggest (2.1.0 of each package) and exempt (old 1.0.0)
//
// In these files @N(TEXT)@ is N times the text, with the number of each for %d. The outcome is what is found, with places
// in the files.
func TestCheck(t *testing.T) {
	cases.Table(t, "check/*", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		for _, each := range linesOf(c.Text("each")) {
			if c.Has("each") {
				fmt.Fprintln(&b, "$ "+each)
			}
			for _, run := range linesOf(c.Text("runs")) {
				if c.Has("runs") {
					fmt.Fprintln(&b, "run: "+run)
				}
				checkCase(t, &b, c, each, run)
			}
		}
		return b.String()
	})
}

func linesOf(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

func checkCase(t *testing.T, b *strings.Builder, c *cases.Case, each, run string) {
	bundles, cluster := readBundles(t, expand(c.Text("bundles.yaml"), each)), readCluster(t, expand(c.Text("cluster.yaml"), each))
	var options Options
	for _, word := range strings.Fields(run) {
		switch word {
		case "set": // the scope that is usual
		case "bundle":
			options.Scope = ScopeBundle
		case "pending":
			options.IsPending = true
		case "unread":
			options.IsUnread = true
		case "suggest":
			options.Suggest = func(q Question) Suggestion {
				return Suggestion{q.Leaf.Package, "2.1.0", "use 2.1.0 of " + q.Leaf.Package}
			}
		case "exempt":
			options.IsExempt = func(name, version string) bool { return name == "old" && version == "1.0.0" }
		default:
			t.Fatalf("unknown word %q", word)
		}
	}
	found := functiontest.Noted(check(bundles, cluster, options))
	for i, facts := range functiontest.Facts(found) {
		fmt.Fprintf(b, "%d:%d %s: %s\n", found[i].Position.Line, found[i].Position.Column, facts, found[i].Message())
	}
}

// readAll reads bundles, which keep their entries.
func readAll(bundles []*Bundle, cluster *Cluster) *Set {
	kept := make([]Bundle, len(bundles))
	for i, b := range bundles {
		kept[i] = *b
	}
	s := ReadEach(slices.Values(bundles), cluster)
	for i, b := range bundles {
		*b = kept[i]
	}
	return s
}

// check returns the findings of bundles, which keep their entries.
func check(bundles []*Bundle, cluster *Cluster, options Options) []diag.Finding {
	return readAll(bundles, cluster).Checker(options).Check()
}

var repeated = regexp.MustCompile(`(?s)@(\d+)\((.*?)\)@`)

func expand(text, each string) string {
	text = strings.ReplaceAll(text, "EACH", each)
	return repeated.ReplaceAllStringFunc(text, func(found string) string {
		match := repeated.FindStringSubmatch(found)
		n, _ := strconv.Atoi(match[1])
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(match[2], "%d", strconv.Itoa(i)))
		}
		return b.String()
	})
}

func readBundles(t testing.TB, text string) []*Bundle {
	t.Helper()
	root, all := parsed(t, text), []*Bundle{}
	for i := 0; i < len(root.Content); i += 2 {
		b, n := &Bundle{Name: root.Content[i].Value}, values.Resolve(root.Content[i+1])
		all = append(all, b)
		if n.Kind == yaml.SequenceNode {
			b.Properties = entriesOf("properties", n)
			continue
		}
		b.Package, b.Version, b.IsPack = values.Text(values.Field(n, "package")), values.Text(values.Field(n, "version")), values.Field(n, "isPack") != nil
		b.Properties, b.Dependencies = entriesOf("properties", values.Field(n, "properties")), entriesOf("dependencies", values.Field(n, "dependencies"))
		for _, field := range []string{"provides", "requires"} {
			for _, e := range entriesOf(field, values.Field(n, field)) {
				var api API
				if err := e.Node.Decode(&api.GVK); err != nil {
					t.Fatal(err)
				}
				api.Required, api.Entry = field == "requires", e
				b.APIs = append(b.APIs, api)
			}
		}
	}
	return all
}

func readCluster(t testing.TB, text string) *Cluster {
	t.Helper()
	if text == "" {
		return nil
	}
	root := parsed(t, text)
	return &Cluster{entriesOf("properties", values.Field(root, "properties")), entriesOf("constraints", values.Field(root, "constraints"))}
}

func parsed(t testing.TB, text string) *yaml.Node {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return d.Root()
}

// entriesOf returns the entries of a list of properties, dependencies or constraints.
func entriesOf(key string, list *yaml.Node) []Entry {
	var all []Entry
	for i := 0; list != nil && i < len(list.Content); i++ {
		all = append(all, Entry{Node: list.Content[i], Key: fmt.Sprintf("%s[%d]", key, i)})
	}
	return all
}

// entries reads a list of properties or dependencies.
func entries(t testing.TB, key, text string) []Entry { return entriesOf(key, parsed(t, text)) }

func bundle(t testing.TB, name, properties string) *Bundle {
	return &Bundle{Name: name, Properties: entries(t, "properties", properties)}
}

// messages are for failures.
func messages(findings []diag.Finding) string {
	var all []string
	for i := range findings {
		all = append(all, functiontest.Facts(findings[i : i+1])[0]+": "+findings[i].Message())
	}
	return strings.Join(all, "\n")
}
