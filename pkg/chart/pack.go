package chart

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/folder"
	"github.com/krm-packs/functions/pkg/jsonschema"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Run judges the packs of a run. It is safe for concurrent use.
type Run struct {
	mu sync.Mutex
	// spent is what was read of the charts of all packs.
	spent budget
	// kept are charts by their files: packs of many packages may have the same ones. They
	// take at most maxBytes.
	kept      map[string]*Chart
	keptBytes int
}

// Check judges the values of a pack by the charts in its directory. others are texts
// next to the pack in which macros may read its values.
//
// Nothing is said of values for a chart that cannot be read.
func (r *Run) Check(p *pack.Pack, dir string, others []string) []diag.Finding {
	k := &checker{pack: p, dir: dir, others: others}
	k.open(r)
	effective, faults := p.Effective()
	if effective == nil || len(faults) > 0 {
		return k.findings
	}
	k.layers = effective.Documents
	for i, o := range p.Overrides {
		if at := len(k.layers) - len(p.Overrides) + i; o.Replace {
			k.layers = effective.Documents[at:]
		}
	}
	for _, document := range k.layers {
		k.others = append(k.others, document.Text())
		if document.Text() == "" {
			k.others = append(k.others, texts(document.Root())...)
		}
	}
	k.inert()
	k.root = effective.Tree.Root()
	k.schemas(k.root)
	return k.findings
}

// texts returns the texts in values.
func texts(n *yaml.Node) []string {
	if n == nil || n.Kind == yaml.AliasNode {
		return nil
	}
	found := []string{n.Value}
	for _, sub := range n.Content {
		found = append(found, texts(sub)...)
	}
	return found
}

type checker struct {
	pack   *pack.Pack
	dir    string
	others []string
	// named are the values of charts that others name; nil until they are needed.
	named references
	// charts are those of the pack, with the names that values use for them.
	charts []named
	// incomplete says that a chart cannot be read.
	incomplete bool
	// listed says that pack.json names its charts.
	listed bool
	layers []*values.Document
	// root is the effective values.
	root     *yaml.Node
	findings []diag.Finding
}

type named struct {
	*Chart
	names []string
}

func (k *checker) add(f diag.Finding) { k.findings = append(k.findings, f.For(k.pack.Name)) }

// open reads the charts that pack.json names, else those that are there.
func (k *checker) open(r *Run) {
	in, err := folder.Open(k.dir)
	if err != nil {
		k.incomplete = true
		return
	}
	defer in.Close()
	o := opener{run: r, in: in}
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.spent.add(o.budget) }()
	if k.pack.Metadata != nil {
		if metadata, err := k.pack.Metadata.Document(); err == nil {
			entries := values.Field(metadata.Root(), "charts")
			k.listed = entries != nil
			for _, entry := range elements(entries) {
				if err := k.openOne(&o, values.Text(entry)); err != nil {
					f := diag.Say("the chart %s %s", values.Text(entry), reason(err)).Do("add the chart, or correct its name")
					k.add(f.In(metadata.Origin(), "charts", values.At(entry)).Of(rule.ValuesChartMissing))
					k.incomplete = true
				}
			}
		}
	}
	if k.listed {
		return
	}
	entries, _ := fs.ReadDir(in.Files(), "charts")
	for _, entry := range entries {
		if err := k.openOne(&o, "charts/"+entry.Name()); err != nil {
			k.incomplete = true
		}
	}
}

func reason(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "is not in the directory of the pack"
	}
	return "cannot be read: " + diag.OneLine(err.Error())
}

func (k *checker) openOne(o *opener, name string) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return errors.New("its path leads out of the directory")
	}
	c, err := o.read(filepath.FromSlash(name))
	if errors.Is(err, folder.ErrOutside) {
		return errors.New("it is a symbolic link out of the directory")
	}
	if failure, ok := errors.AsType[*fs.PathError](err); ok {
		err = failure.Err
	}
	if err != nil {
		return err
	}
	stem := strings.TrimSuffix(path.Base(name), ".tgz")
	k.charts = append(k.charts, named{c, []string{c.Name, c.Folder, stem, strings.TrimSuffix(stem, "-"+c.Version)}})
	return nil
}

// opener reads the charts of a pack.
type opener struct {
	run    *Run
	in     *folder.Folder
	budget budget
}

// read reads a chart once, however often packs name it.
func (o *opener) read(name string) (*Chart, error) {
	file, err := o.in.Path(name)
	if err != nil {
		return nil, err
	}
	r := o.run
	if c := r.kept[file]; c != nil {
		return c, nil
	}
	if r.spent.isSpent() {
		return nil, errRun
	}
	before := o.budget.bytes
	c, err := o.budget.open(o.in, name)
	if err != nil {
		return nil, err
	}
	size := o.budget.bytes - before
	if r.keptBytes += size; r.kept == nil || r.keptBytes > maxBytes {
		r.kept, r.keptBytes = map[string]*Chart{}, size
	}
	r.kept[file] = c
	return c, nil
}

// find returns the charts of a name in values.
func (k *checker) find(name string) (found []*Chart) {
	for _, c := range k.charts {
		if slices.Contains(c.names, name) && !slices.Contains(found, c.Chart) {
			found = append(found, c.Chart)
		}
	}
	return found
}

// inert reports values that no chart reads.
func (k *checker) inert() {
	if len(k.charts) == 0 {
		return
	}
	reads := map[*Chart]*Reads{}
	for _, document := range k.layers {
		for _, pair := range values.Pairs(values.Field(document.Root(), "charts")) {
			name, ok := pair.Name()
			if !ok || pair.Merged {
				continue
			}
			charts := k.find(name)
			if len(charts) == 0 && !k.incomplete && k.listed && !hasAnchor(pair.Value) {
				var names []string
				for _, c := range k.charts {
					names = append(names, c.names[0])
				}
				f := diag.Unknown("chart", name, names)
				k.reportInert(document, f.Do("values here do nothing"), []string{name}, pair.Key)
			}
			if len(charts) != 1 {
				continue
			}
			c := charts[0]
			if reads[c] == nil {
				reads[c] = c.Reads(k.others...)
			}
			for _, key := range reads[c].Inert(pair.Value) {
				f := diag.Say("no template of the chart %s reads this key", strings.TrimSpace(c.Name+" "+c.Version))
				f.Nearest = key.Nearest
				k.reportInert(document, f, append([]string{name}, key.Path...), key.Node)
			}
		}
	}
}

// reportInert reports a key below `charts`, unless a macro may read it.
func (k *checker) reportInert(document *values.Document, f diag.Finding, path []string, key *yaml.Node) {
	at := "charts." + strings.Join(path, ".")
	if k.named == nil {
		k.named = newReferences(k.others)
	}
	if k.named.has("." + at) {
		return
	}
	k.add(f.In(document.Origin(), at, values.At(key)).Of(rule.ValuesInert))
}

// references are the places in texts that name values of charts, each with what follows,
// sorted: there can be as many keys as texts.
type references []string

func newReferences(texts []string) references {
	found := references{}
	for _, text := range texts {
		for {
			at := strings.Index(text, ".charts.")
			if at < 0 {
				break
			}
			found, text = append(found, text[at:]), text[at+1:]
		}
	}
	slices.Sort(found)
	return found
}

// has reports whether a text names a value.
func (r references) has(name string) bool {
	at, _ := slices.BinarySearch(r, name)
	return at < len(r) && strings.HasPrefix(r[at], name)
}

// TagEmpty marks violations of values that are missing or empty: the user of a published
// pack sets them.
const TagEmpty = "empty"

func isEmpty(n *yaml.Node) bool {
	return n == nil || values.IsNull(n) || n.Value == "" && len(n.Content) == 0
}

// maxViolations bounds the findings about one chart.
const maxViolations = 100

// schemas judges the effective values by the schemas of the charts.
func (k *checker) schemas(root *yaml.Node) {
	for _, pair := range values.Pairs(values.Field(root, "charts")) {
		name, _ := pair.Name()
		charts := k.find(name)
		if len(charts) != 1 || pair.Value.Kind != yaml.MappingNode {
			continue
		}
		for _, v := range charts[0].Violations(pair.Value) {
			k.add(k.violation(name, charts[0], v))
		}
	}
}

// violation makes a finding at the key that the user has, or the nearest one above it.
func (k *checker) violation(name string, c *Chart, v jsonschema.Violation) diag.Finding {
	steps := values.Below(values.Keys("charts", name), v.Path...)
	f := diag.Say("%s, says values.schema.json of the chart %s", v.Message, strings.TrimSpace(c.Name+" "+c.Version)).For(k.pack.Name).Of(rule.ValuesChartSchema)
	if value := values.Follow(k.root, steps); v.Keyword == "required" || v.Keyword != "type" && isEmpty(value) {
		f.Tags = map[string]string{TagEmpty: "true"}
	}
	for n := len(steps); n > 0; n-- {
		for i := len(k.layers) - 1; i >= 0; i-- {
			if found := values.Follow(k.layers[i].Root(), steps[:n]); found != nil {
				return f.In(k.layers[i].Origin(), jsonschema.Path(steps).String(), values.At(found))
			}
		}
	}
	return f.In(k.layers[0].Origin(), jsonschema.Path(steps).String(), diag.Position{})
}
