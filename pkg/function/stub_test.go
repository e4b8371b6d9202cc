package function

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// stub is a processor whose parts tests replace.
type stub struct {
	config  any
	wants   func(*list.Item) bool
	process func(*Run)
}

func (s *stub) Config() any {
	if s.config == nil {
		s.config = &struct{ Options }{}
	}
	return s.config
}

func (s *stub) Wants(item *list.Item) bool { return s.wants != nil && s.wants(item) }

func (s *stub) Process(r *Run) {
	if s.process != nil {
		s.process(r)
	}
}

func wantAll(*list.Item) bool { return true }

// The rules of demo.
var (
	demoError   = diag.Rule{ID: "demo/error", Severity: diag.Error}
	demoWarning = diag.Rule{ID: "demo/warning", Severity: diag.Warning}
	demoInfo    = diag.Rule{ID: "demo/info", Severity: diag.Info}
)

// demo is a function around a processor.
func demo(p Processor) Function {
	return Function{
		Name: "demo", Kind: "Demo", Rules: []diag.Rule{demoError, demoWarning, demoInfo},
		New: func() Processor { return p },
	}
}

// reporting is a process that says m by each rule.
func reporting(rules ...diag.Rule) func(*Run) {
	return func(r *Run) {
		for _, rule := range rules {
			r.Report(diag.Say("m").Of(rule))
		}
	}
}

// A frame for lists whose items are what matters.
const (
	listStart = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`
	oneItem = `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: one
`
	twoItem = `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: two
`
	newResource = `apiVersion: v1
kind: ConfigMap
metadata:
  name: new
`
)

// evaluated runs a processor over a list and returns all that a client sees.
func evaluated(t testing.TB, p Processor, input string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = filter("demo", always(demo(p)), []byte(input), &out, &errs)
	return out.String(), errs.String(), code
}

func readList(t testing.TB, input string) *list.List {
	t.Helper()
	l, err := list.Read([]byte(input))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// setData sets data.a of an item to b.
func setData(t testing.TB, item *list.Item) {
	t.Helper()
	document, err := item.Document()
	if err != nil {
		t.Fatal(err)
	}
	value, err := values.Parse("b")
	if err != nil {
		t.Fatal(err)
	}
	edited, err := document.Set(values.Keys("data", "a"), value)
	if err != nil {
		t.Fatal(err)
	}
	item.Replace(edited)
}

// matches compares a text with a pattern, in which … is the rest of a sentence: some
// text within a line.
func matches(pattern, text string) bool {
	pattern = strings.ReplaceAll(regexp.QuoteMeta(pattern), "…", `[^\n]+`)
	return regexp.MustCompile(`\A` + pattern + `\z`).MatchString(text)
}
