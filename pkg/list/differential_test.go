package list

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/kptdev/krm-functions-sdk/go/fn"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// failer is a test, or a draw of a property.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// content is what a list means, however it is written.
type content struct {
	items    []any
	heads    []headContent
	config   any
	earlier  []any
	refusals []int // items that hold something no reader can decode
}

type identity struct{ APIVersion, Kind, Namespace, Name string }

// headContent is what is read of an item without its document.
type headContent struct {
	identity
	Labels, Annotations string
}

// contentOfSDK reads a list as the SDK does. Whatever it reads is taken from the
// nodes that its parser makes.
func contentOfSDK(input []byte) (c content, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the SDK panics: %v", cause)
		}
	}()
	object, err := fn.ParseKubeObject(input)
	if err != nil {
		return c, err
	}
	root := object.MoveToResourceNode().YNode()
	if err := checkList(root); err != nil {
		return c, err
	}
	if list := values.Field(root, "items"); list != nil {
		for _, n := range list.Content {
			c.add(values.Resolve(n))
		}
	}
	// The SDK's own list must hold as many items. It refuses a null where this package
	// takes one for absent, and an alias where it takes its anchor.
	if n, ok := countBySDK(input); ok && n != len(c.items) {
		return c, fmt.Errorf("the SDK has %d items of %d", n, len(c.items))
	}
	if config := values.Field(root, "functionConfig"); config != nil && config.ShortTag() != "!!null" {
		c.config = decoded(config)
	}
	results := values.Field(root, "results")
	if results != nil && results.Kind == yaml.MappingNode {
		results = values.Field(results, "items")
	}
	if results != nil && results.Kind == yaml.SequenceNode {
		for _, n := range results.Content {
			c.earlier = append(c.earlier, decoded(n))
		}
	}
	return c, nil
}

func countBySDK(input []byte) (n int, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false // it panics on some aliases
		}
	}()
	list, err := fn.ParseResourceList(input)
	if err != nil {
		return 0, false
	}
	return len(list.Items), true
}

func (c *content) add(root *yaml.Node) {
	c.items = append(c.items, decoded(root))
	metadata := values.Field(root, "metadata")
	c.heads = append(c.heads, headContent{
		identity{
			values.Text(values.Field(root, "apiVersion")), values.Text(values.Field(root, "kind")),
			values.Text(values.Field(metadata, "namespace")), values.Text(values.Field(metadata, "name")),
		},
		fmt.Sprint(Texts(values.Field(metadata, "labels"))), fmt.Sprint(Texts(values.Field(metadata, "annotations"))),
	})
}

// contentOf takes a list as functions see it: each item by its document.
func contentOf(l *List) content {
	var c content
	for n, item := range l.Items {
		head := headContent{identity: identityOf(item)}
		if labels, annotations, err := item.Metadata(); err == nil {
			head.Labels, head.Annotations = fmt.Sprint(labels), fmt.Sprint(annotations)
		}
		c.heads = append(c.heads, head)
		document, err := item.Document()
		if err != nil {
			c.items = append(c.items, nil)
			c.refusals = append(c.refusals, n)
			continue
		}
		c.items = append(c.items, decoded(document.Root()))
	}
	if l.config != nil {
		c.config = decoded(l.config)
	}
	for _, n := range earlierOf(l) {
		c.earlier = append(c.earlier, decoded(n))
	}
	return c
}

// earlierOf are the results of earlier functions, which may only pass as text.
func earlierOf(l *List) []*yaml.Node {
	if l.earlier != nil || l.earlierColumn == 0 {
		return l.earlier
	}
	at := slices.IndexFunc(l.parts, func(p part) bool { return p.kind == partResults })
	var section yaml.Node
	if yaml.Unmarshal(l.parts[at].text, &section) != nil {
		return nil
	}
	return values.Field(section.Content[0], "results").Content
}

// decoded is a value that compares: maps with duplicate keys and expansions
// without bounds become their error.
func decoded(n *yaml.Node) (value any) {
	defer func() {
		if recover() != nil {
			value = "cannot be decoded"
		}
	}()
	if err := n.Decode(&value); err != nil {
		return "cannot be decoded"
	}
	return normal(value)
}

// normal makes NaN equal to itself and nothing equal to an empty map.
func normal(value any) any {
	switch v := value.(type) {
	case float64:
		return fmt.Sprintf("float %v", v)
	case map[string]any:
		for key := range v {
			v[key] = normal(v[key])
		}
	case map[any]any:
		out := map[string]any{}
		for key := range v {
			out[fmt.Sprintf("%T %v", key, key)] = normal(v[key])
		}
		return out
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	}
	return value
}

// read reads a list that must be right.
func read(t failer, text string) *List {
	t.Helper()
	l, err := Read([]byte(text))
	if err != nil {
		t.Fatalf("reading: %v\n%s", err, text)
	}
	return l
}

// written is what a function that does nothing sends.
func written(t failer, l *List) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := l.Write(&out, nil); err != nil {
		t.Fatalf("writing: %v", err)
	}
	return out.Bytes()
}

// currentVersion finds the version that needs no rewriting.
var currentVersion = regexp.MustCompile(`(?m)^apiVersion *: *(config\.kubernetes\.io/v1|"config\.kubernetes\.io/v1"|'config\.kubernetes\.io/v1') *( #.*)?$`)

// checkReaders asserts that all readers see the same list in an input, and that
// it leaves as it came.
func checkReaders(t failer, input []byte) {
	t.Helper()
	want, refused := contentOfSDK(input)
	if list, ok := readByText(input); ok {
		checkText(t, input, list, want, refused)
	}
	list, err := readByParser(input)
	if err != nil {
		return
	}
	if refused == nil {
		checkContent(t, "the parser path", contentOf(list), want)
	}
	once := written(t, list)
	again, err := Read(once)
	if err != nil {
		t.Fatalf("the parser path writes what cannot be read: %v\n%s", err, once)
	}
	checkContent(t, "a list that was written by the parser path", contentOf(again), contentOf(list))
	if twice := written(t, again); !bytes.Equal(once, twice) {
		t.Fatalf("writing again differs:\n%s", cmp.Diff(string(once), string(twice)))
	}
}

func checkText(t failer, input []byte, list *List, want content, refused error) {
	t.Helper()
	if refused != nil {
		checkRefused(t, input, list, refused)
	} else {
		checkContent(t, "the text path", contentOf(list), want)
	}
	if currentVersion.Match(input) && len(list.Items) > 0 {
		if out := written(t, list); !bytes.Equal(out, input) {
			t.Fatalf("the text path changes bytes:\n%s", cmp.Diff(string(input), string(out)))
		}
	}
}

// checkRefused holds the one exception from agreement: the text path may take a
// list that the SDK refuses only when the fault lies inside an item that is not
// the last one. That item leaves as it came, and is refused when it is wanted.
// Without it, the SDK has to accept the list with the same content.
func checkRefused(t failer, input []byte, list *List, refused error) {
	t.Helper()
	repaired := &List{parts: list.parts, config: list.config, earlier: list.earlier, earlierColumn: list.earlierColumn}
	for n, item := range list.Items {
		if item.parses() {
			repaired.Items = append(repaired.Items, item)
		} else if n == len(list.Items)-1 {
			t.Fatalf("the text path takes a last item that does not parse")
		}
	}
	if len(repaired.Items) == len(list.Items) {
		t.Fatalf("the text path takes a list without a fault in an item, the SDK rejects it: %v", refused)
	}
	want, err := contentOfSDK(written(t, repaired))
	if err != nil {
		t.Fatalf("the SDK rejects the list without its broken items: %v", err)
	}
	checkContent(t, "the text path without broken items", contentOf(repaired), want)
}

func checkContent(t failer, who string, got, want content) {
	t.Helper()
	refused := map[int]bool{}
	for _, n := range got.refusals {
		// An item that this package refuses (a limit, a template without quotes)
		// cannot be compared; its head still is.
		refused[n] = true
	}
	if len(got.items) != len(want.items) {
		t.Fatalf("%s has %d items, want %d", who, len(got.items), len(want.items))
	}
	for n := range want.items {
		if refused[n] || slices.Contains(want.refusals, n) {
			continue
		}
		if !reflect.DeepEqual(want.items[n], got.items[n]) {
			t.Fatalf("%s, items[%d] (-want +got):\n%s", who, n, cmp.Diff(want.items[n], got.items[n]))
		}
		if got.heads[n] != want.heads[n] {
			t.Fatalf("%s, head of items[%d]: got %+v, want %+v", who, n, got.heads[n], want.heads[n])
		}
	}
	if !reflect.DeepEqual(want.config, got.config) {
		t.Fatalf("%s, functionConfig (-want +got):\n%s", who, cmp.Diff(want.config, got.config))
	}
	if !reflect.DeepEqual(want.earlier, got.earlier) {
		t.Fatalf("%s, results (-want +got):\n%s", who, cmp.Diff(want.earlier, got.earlier))
	}
}
