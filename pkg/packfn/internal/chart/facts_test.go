package chart

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// text prints facts and reads them again, which must be the same.
func text(t *testing.T, p *facts.Pack) string {
	t.Helper()
	text, notes, err := p.Text()
	if err != nil {
		t.Fatal(err)
	}
	document, err := values.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	read, err := facts.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := read.Text()
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(text, again); diff != "" && len(notes) == 0 {
		t.Errorf("read and printed (-want +got):\n%s", diff)
	}
	return text
}

// Facts that travel check as the charts do, over the values of public packs and over slips
// of their keys.
func TestFactsAreAsCharts(t *testing.T) {
	compared, found, manifests := 0, 0, 0
	for _, file := range cases.Some(functiontest.Corpus(t, "packs/*/pack.json"), 5) {
		dir := withManifests(t, filepath.Dir(file))
		p := &pack.Pack{Name: filepath.Base(dir)}
		for name, into := range map[string]**pack.Source{"pack.json": &p.Metadata, "values.yaml": &p.Values} {
			if content, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				*into = pack.File(name, string(content))
			}
		}
		if p.Values == nil {
			continue
		}
		made, _, _ := new(Run).Facts(p, dir)
		if _, notes, _ := made.Text(); len(notes) > 0 || len(made.Charts)+len(made.Manifests) == 0 {
			continue
		}
		manifests += len(made.Manifests)
		document, err := values.Parse(text(t, made))
		if err != nil {
			t.Fatal(err)
		}
		read, err := facts.Read(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, own := range []string{p.Values.Text(), strings.ReplaceAll(p.Values.Text(), "e: ", "ee: ")} {
			p.Values = pack.File("values.yaml", own)
			effective, faults := p.Effective()
			if effective == nil || len(faults) > 0 {
				continue
			}
			findings := func(by *facts.Pack) []string {
				return linesOf(facts.NewChecker(by, p, effective, nil).Findings())
			}
			byCharts, byFacts := findings(made), findings(read)
			if diff := gocmp.Diff(byCharts, byFacts); diff != "" {
				t.Errorf("%s: by charts and by facts (-charts +facts):\n%s", p.Name, diff)
			}
			compared, found = compared+1, found+len(byCharts)
		}
	}
	t.Logf("%d values are compared, with %d findings and %d manifests", compared, found, manifests)
	if compared == 0 || found == 0 || manifests == 0 {
		t.Error("nothing is compared")
	}
}

// withManifests returns the directory of a pack. If the manifests with values are not in it,
// it is a copy with manifests that read every second of these values.
func withManifests(t *testing.T, dir string) string {
	t.Helper()
	own, err := os.ReadFile(filepath.Join(dir, "values.yaml"))
	if err != nil {
		return dir
	}
	metadata, err := os.ReadFile(filepath.Join(dir, "pack.json"))
	if err != nil {
		t.Fatal(err)
	}
	p := &pack.Pack{Metadata: pack.File("pack.json", string(metadata)), Values: pack.File("values.yaml", string(own))}
	document, err := p.Values.Mapping()
	sources, openErr := new(Run).Sources(p, dir)
	if err != nil || openErr != nil || values.Field(document.Root(), "manifests") == nil || len(sources.Charts) > 0 {
		return dir
	}
	copied := filepath.Join(t.TempDir(), filepath.Base(dir))
	writeFile(t, filepath.Join(copied, "pack.json"), metadata)
	writeFile(t, filepath.Join(copied, "values.yaml"), own)
	for _, m := range sources.Manifests {
		if m.Fault == nil {
			return dir
		}
		given, _ := m.Values(document.Root())
		for i, pair := range values.Pairs(given) {
			if name, _ := pair.Name(); i%2 == 0 {
				m.Text = fmt.Appendf(m.Text, "{{ .Values.%s }}", name)
			}
		}
		writeFile(t, filepath.Join(copied, m.Path), m.Text)
	}
	return copied
}

// What manifests read is not known where they are no text, or too large.
func TestManifestFacts(t *testing.T) {
	deep := strings.Repeat("{{ range .Values.list }}", 25) + "{{ .a }}" + strings.Repeat("{{ end }}", 25)
	for name, tc := range map[string]struct {
		a, want string
		faults  int
	}{
		"no text": {"\xff", `manifests:
  b:
    b: '*'
`, 1},
		"nested blocks": {
			strings.Repeat("{{ if .Values.a }}", maxBlocks+1) + strings.Repeat("{{ end }}", maxBlocks+1),
			`manifests:
  b:
    b: '*'
`,
			0,
		},
		"many steps": {deep, `manifests:
  a: '*'
  b: '*'
`, 0},
	} {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "a.yaml"), []byte(tc.a))
		writeFile(t, filepath.Join(dir, "b.yaml"), []byte("{{ .Values.b }}"))
		p := &pack.Pack{Name: "p", Metadata: pack.File("pack.json", `{"kubeManifests": ["a.yaml", "b.yaml"]}`)}
		read, digests, found := new(Run).Facts(p, dir)
		if got := text(t, read); got != tc.want || len(found) != tc.faults || len(digests) != 2-tc.faults {
			t.Errorf("%s: got\n%s%v, and digests of %v", name, got, linesOf(found), digests)
		}
	}
}

// Facts that are too large lose schemas first, then what the largest chart reads.
func TestFactsFit(t *testing.T) {
	large := func(keys int) *facts.Tree {
		tree := &facts.Tree{Keys: map[string]*facts.Tree{}}
		for n := range keys {
			tree.Keys[strings.Repeat("k", n%50)+"-"+strings.Repeat("x", n/50)] = &facts.Tree{Leaf: true}
		}
		return tree
	}
	schema, err := values.Parse("{description: " + strings.Repeat("x", 1000) + "}")
	if err != nil {
		t.Fatal(err)
	}
	of := func(reads int) *facts.Pack {
		return &facts.Pack{Charts: map[string]*facts.Chart{
			"a": {Name: "a", Reads: large(10), Schema: schema, Defaults: schema}, "b": {Name: "b", Reads: large(reads), Schema: schema},
		}}
	}
	if _, notes, err := of(10).Text(); err != nil || notes != nil {
		t.Errorf("a small one: %q, %v", notes, err)
	}
	p := of(4000)
	text, notes, err := p.Text()
	if err != nil || len(text) > facts.MaxBytes {
		t.Errorf("got %d bytes, %v", len(text), err)
	}
	want := []string{
		"what the charts and manifests read has more than 128 KiB: left out the schemas and defaults of the chart b",
		"what the charts and manifests read has more than 128 KiB: left out the schemas and defaults of the chart a",
		"what the charts and manifests read has more than 128 KiB: do not look at the keys of the chart b",
	}
	if !slices.Equal(notes, want) {
		t.Errorf("got %q", notes)
	}
	if !strings.Contains(text, "reads: '*'") || strings.Contains(text, "schema") {
		t.Errorf("got %.300s", text)
	}
	many := &facts.Pack{Manifests: map[string]*facts.Tree{"a": large(10), "b": large(4000), "c": {Whole: true}}}
	text, notes, err = many.Text()
	if err != nil || !strings.HasSuffix(text, `  b: '*'
  c: '*'
`) || !slices.Equal(notes, []string{"what the charts and manifests read has more than 128 KiB: do not look at the keys of the manifest b"}) {
		t.Errorf("manifests: got %.300s, %q, %v", text, notes, err)
	}
	if many.Manifests["b"].Whole {
		t.Error("the facts themselves have changed")
	}
	if p.Charts["a"].Schema == nil || p.Charts["b"].Reads.Whole {
		t.Error("the facts themselves have changed")
	}
}

// The manifests of a pack are read up to a limit.
func TestManifestsLimit(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.yaml"), nil)
	p := &pack.Pack{Name: "p", Metadata: pack.File("pack.json", `{"kubeManifests": [`+strings.Repeat(`"a.yaml", `, maxFiles)+`"a.yaml"]}`)}
	k := &reader{pack: p, dir: dir}
	if err := k.open(new(Run)); err != nil {
		t.Fatal(err)
	}
	for i, m := range k.manifests {
		if isOver := i == maxFiles; isOver != (m.Fault != nil) || isOver && !strings.Contains(m.Fault.Message(), "at most 64 MiB and 10000 files are read") {
			t.Fatalf("manifest %d: %v", i, m.Fault)
		}
	}
	if len(k.manifests) != maxFiles+1 {
		t.Errorf("got %d manifests", len(k.manifests))
	}
}
