package program

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// output is what a program has printed.
type output struct {
	// items are the resources, and results the results, or nil if there are none.
	items   []*yaml.Node
	results *yaml.Node
}

// parse reads what a program has printed. It is stricter than kpt, which takes an empty output for an
// empty package, and one resource for a list of one. mustHaveItems reports whether a list without items is an error.
//
//	kind: ResourceList
//	items: [{apiVersion: v1, kind: Namespace, metadata: {name: web}}]
//	results: [{message: "added the namespace", severity: info}]
func parse(text []byte, mustHaveItems bool) (*output, error) {
	if strings.TrimSpace(string(text)) == "" {
		return nil, errors.New("it prints nothing; kpt would delete all files of the package")
	}
	_, err := values.Parse(string(text))
	if err != nil {
		f := diag.Unreadable(err)
		return nil, fmt.Errorf("what it prints cannot be read: %s", f.Message())
	}
	var withComments yaml.Node // a Document has its comments in its text
	if err := yaml.Unmarshal(text, &withComments); err != nil {
		return nil, fmt.Errorf("what it prints cannot be read: %w", err)
	}
	if len(withComments.Content) == 0 {
		return nil, errors.New("it prints no list in place of a ResourceList")
	}
	root := withComments.Content[0]
	if kind := values.Text(values.Field(root, "kind")); kind != "ResourceList" {
		what := "no list"
		if kind != "" {
			what = "a " + kind
		}
		return nil, fmt.Errorf("it prints %s in place of a ResourceList", what)
	}
	out := &output{results: values.Field(root, "results")}
	items := values.Field(root, "items")
	if items == nil || items.Kind != yaml.SequenceNode || len(items.Content) == 0 {
		if mustHaveItems {
			return nil, errors.New("it prints a list without items; kpt would delete all files of the package")
		}
		return out, nil
	}
	for i, item := range items.Content {
		item = values.Resolve(item)
		if item.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("items[%d] of what it prints must be a resource, got %s", i, values.KindOf(item))
		}
		if lacks := lacking(item); lacks != "" {
			return nil, fmt.Errorf("items[%d] of what it prints has no %s; kpt rejects it", i, lacks)
		}
		if annotations := values.Field(item, "metadata", "annotations"); annotations != nil && annotations.Kind != yaml.MappingNode && annotations.ShortTag() != "!!null" {
			return nil, fmt.Errorf("items[%d] of what it prints: metadata.annotations must be a map, got %s", i, values.KindOf(annotations))
		}
		out.items = append(out.items, own(item))
	}
	return out, nil
}

// lacking returns the field that a resource lacks, or "". A kustomization needs no name.
func lacking(n *yaml.Node) string {
	annotations := list.Texts(values.Field(n, "metadata", "annotations"))
	isKustomization := path.Base(first(annotations, list.PathAnnotation, list.OlderPathAnnotation)) == "kustomization.yaml" || strings.HasPrefix(values.Text(values.Field(n, "apiVersion")), "kustomize.config.k8s.io/")
	for _, field := range []string{"apiVersion", "kind", "metadata.name"} {
		if values.Text(values.Field(n, strings.Split(field, ".")...)) == "" && !isKustomization {
			return field
		}
	}
	return ""
}

// own returns an item of a list as a tree of its own: an alias of a node in another item is replaced by a
// copy.
func own(item *yaml.Node) *yaml.Node {
	item = values.Clone(item)
	inside := map[*yaml.Node]bool{}
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		inside[n] = true
		for i, child := range n.Content {
			if child.Kind == yaml.AliasNode && !inside[child.Alias] {
				copied := values.Clone(child.Alias)
				copied.Anchor = ""
				n.Content[i], child = copied, copied
			}
			if child.Kind != yaml.AliasNode {
				walk(child)
			}
		}
	}
	walk(item)
	return item
}

// apply changes a list to what a program has printed: items that it got are edited or removed, others are
// new. If isOrdered is true, the items get the order of the output.
func (o *output) apply(l *list.List, isOrdered bool) error {
	byID, byPlace := map[string]*list.Item{}, map[string]*list.Item{}
	for i, item := range l.Items {
		resource := item.Resource()
		byID[strconv.Itoa(i+1)] = item
		byPlace[placeOf(resource.PackagePath, resource.File, strconv.Itoa(resource.Index))] = item
	}
	got := l.Items
	isKept := map[*list.Item]bool{}
	var after []*list.Item
	for _, n := range o.items {
		annotations := list.Texts(values.Field(n, "metadata", "annotations"))
		item := byID[first(annotations, idAnnotation, olderIDAnnotation)]
		if item == nil || isKept[item] {
			item = byPlace[placeOf(annotations[list.PackagePathAnnotation], first(annotations, list.PathAnnotation, list.OlderPathAnnotation), first(annotations, list.IndexAnnotation, list.OlderIndexAnnotation))]
		}
		if item == nil || isKept[item] {
			added, err := add(l, n, annotations, nil)
			if err != nil {
				return err
			}
			after = append(after, added)
			continue
		}
		isKept[item] = true
		moved, err := change(l, item, n, annotations)
		if err != nil {
			return err
		}
		after = append(after, moved)
	}
	for _, item := range got {
		if !isKept[item] {
			item.Remove()
			after = append(after, item)
		}
	}
	if isOrdered {
		l.Items = after
	}
	return nil
}

func placeOf(pkg, file, index string) string { return pkg + "\x00" + file + "\x00" + index }

// first returns the first annotation that is there.
func first(annotations map[string]string, names ...string) string {
	for _, name := range names {
		if text, ok := annotations[name]; ok {
			return text
		}
	}
	return ""
}

// fileOf returns the file and the index that an item of the output names: kpt takes a change of the older
// annotation as well as one of the newer.
func fileOf(annotations map[string]string, was diag.Resource) (file, index string) {
	pick := func(name, older, was string) string {
		if text, ok := annotations[older]; ok && text != was {
			return text
		}
		return first(annotations, name, older)
	}
	return pick(list.PathAnnotation, list.OlderPathAnnotation, was.File), pick(list.IndexAnnotation, list.OlderIndexAnnotation, strconv.Itoa(was.Index))
}

// change edits an item of the input to what the output has for it, and returns it, or the new item in its
// place if it has another file.
func change(l *list.List, item *list.Item, n *yaml.Node, annotations map[string]string) (*list.Item, error) {
	was := item.Resource()
	file, index := fileOf(annotations, was)
	pkg, hasPackage := annotations[list.PackagePathAnnotation]
	if file != was.File || index != strconv.Itoa(was.Index) || hasPackage && pkg != was.PackagePath {
		moved, err := add(l, n, annotations, &was)
		if err == nil {
			item.Remove()
		}
		return moved, err
	}
	document, err := item.Document()
	if err != nil {
		return nil, err
	}
	want := withoutAnnotations(n, ofClients)
	if values.Equal(document.Root(), want) && !hasNewComment(document.Text(), want) {
		return item, nil
	}
	edited, err := document.Sync(values.Change{Want: want})
	if err != nil || !values.Equal(edited.Root(), want) || hasNewComment(edited.Text(), want) {
		if style := annotations[seqindentAnnotation]; style != "" {
			setAnnotation(want, seqindentAnnotation, style)
		}
		text, err := printed(want, false)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", was, err)
		}
		item.ReplaceText(text)
		return item, nil
	}
	item.Replace(edited)
	return item, nil
}

// add adds an item of the output to a list. was is the item that it takes the place of, or nil.
func add(l *list.List, n *yaml.Node, annotations map[string]string, was *diag.Resource) (*list.Item, error) {
	if was == nil {
		was = &diag.Resource{}
	}
	file, index := fileOf(annotations, *was)
	n = withoutAnnotations(n, ofClients)
	for name, text := range map[string]string{list.PathAnnotation: file, list.IndexAnnotation: index, list.PackagePathAnnotation: annotations[list.PackagePathAnnotation], seqindentAnnotation: annotations[seqindentAnnotation]} {
		if text != "" {
			setAnnotation(n, name, text)
		}
	}
	text, err := printed(n, true)
	if err != nil {
		return nil, err
	}
	added, err := l.Add(text)
	if err != nil {
		return nil, fmt.Errorf("it prints %w", err)
	}
	return added, nil
}

// withoutAnnotations returns a copy of a resource without some annotations, and without the map if it is
// empty then.
func withoutAnnotations(n *yaml.Node, names []string) *yaml.Node {
	n = values.Clone(n)
	metadata := values.Field(n, "metadata")
	annotations := values.Field(metadata, "annotations")
	isNull := annotations != nil && annotations.ShortTag() == "!!null"
	if annotations == nil || annotations.Kind != yaml.MappingNode && !isNull {
		return n
	}
	remove(annotations, func(key string) bool { return slices.Contains(names, key) })
	if len(annotations.Content) == 0 { // kpt leaves them out, too
		remove(metadata, func(key string) bool { return key == "annotations" })
	}
	if len(metadata.Content) == 0 { // of a kustomization
		remove(n, func(key string) bool { return key == "metadata" })
	}
	return n
}

// remove removes keys of a map.
func remove(mapping *yaml.Node, is func(key string) bool) {
	var left []*yaml.Node
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if !is(mapping.Content[i].Value) {
			left = append(left, mapping.Content[i], mapping.Content[i+1])
		}
	}
	mapping.Content = left
}

// setAnnotation adds an annotation to a resource without it.
func setAnnotation(n *yaml.Node, name, text string) {
	at := n
	for _, key := range []string{"metadata", "annotations"} {
		next := values.Field(at, key)
		if next == nil || next.Kind != yaml.MappingNode {
			remove(at, func(other string) bool { return other == key })
			next = node.Map()
			at.Content = append(at.Content, node.Text(key), next)
		}
		at = next
	}
	quoted := node.Text(text)
	quoted.Style = yaml.SingleQuotedStyle
	at.Content = append(at.Content, node.Text(name), quoted)
}

// hasNewComment reports whether a node has a comment that is not in a text.
func hasNewComment(text string, n *yaml.Node) bool {
	known := map[string]bool{}
	for line := range strings.Lines(text) {
		for at, found := 0, 0; found < mostMarks; found++ {
			next := strings.IndexByte(line[at:], '#')
			if next < 0 {
				break
			}
			at += next
			known[strings.TrimSpace(line[at:])] = true
			at++
		}
	}
	return !eachComment(n, func(comment string) bool { return known[comment] })
}

// mostMarks is how many characters # of a line may begin its comment: those before are in quotes.
const mostMarks = 16

// eachComment calls visit for the lines of all comments of a tree until it returns false, and reports whether
// it was called for all.
func eachComment(n *yaml.Node, visit func(text string) bool) bool {
	for _, comment := range []string{n.HeadComment, n.LineComment, n.FootComment} {
		for line := range strings.Lines(comment) {
			if !visit(strings.TrimSpace(line)) {
				return false
			}
		}
	}
	for _, child := range n.Content {
		if !eachComment(child, visit) {
			return false
		}
	}
	return true
}
