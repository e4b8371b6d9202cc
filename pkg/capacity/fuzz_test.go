package capacity

import (
	"runtime"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
)

// allocated returns the bytes that a call allocates. A huge number would take as many.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A text is a quantity of the same amount as in Kubernetes, or is rejected without large
// numbers, and without being shown.
func FuzzQuantity(f *testing.F) {
	for _, text := range []string{
		"", "0", "-", "+", ".", "1", "100m", "1.5", "1Gi", "1G", "1e3", "1E3", "1E", "12e-3", "256m", "2GB", "1 Gi", "0x10", "1_000",
		"1e999999999", "1e-999999999", "1e4294967296", "1E999999999999999999999", "-1e999999999", "9223372036854775807", "8Ei", "10E",
		"0.0000000001", "1.000000000000", "00000.5Ki", "5.", ".5", "1..5", "1i", "1mi", "hunter2", strings.Repeat("9", 100),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, most := allocated(func() { parseQuantity(text); parseNumber(text) }), uint64(1<<20+10*len(text))
		if got > most {
			t.Fatalf("allocated %d bytes, want at most %d", got, most)
		}
		a, fault := parseQuantity(text)
		number, numberFault := parseNumber(text)
		switch {
		case fault == nil:
			q, err := resource.ParseQuantity(text)
			if err != nil {
				t.Fatalf("Kubernetes rejects it: %v", err)
			}
			if a.dec.Cmp(q.AsDec()) != 0 || a.dec.UnscaledBig().BitLen() > 1000 {
				t.Fatalf("got %s, want %s", a.dec, q.AsDec())
			}
			if back, fault := parseQuantity(Memory.Text(a)); fault != nil || back.cmp(a) != 0 {
				t.Fatalf("%s is not read again: %v", Memory.Text(a), fault)
			}
			if numberFault == nil && number.cmp(a) != 0 {
				t.Fatalf("as a number it is %s", number.dec)
			}
		case fault.proposal != "":
			if _, again := parseQuantity(fault.proposal); again != nil && again != errOutOfRange {
				t.Fatalf("%q is proposed, which is %s", fault.proposal, again.found)
			}
		case len(text) > 30 && strings.Contains(fault.found, text):
			t.Fatalf("the text is shown: %s", fault.found)
		}
	})
}

// Nothing in constraints and values makes a comparison panic or take long, and each finding has a place.
func FuzzDemands(f *testing.F) {
	for _, entry := range []string{
		"{type: cpu, minLimit: 2000}",
		"{type: cpu, minLimit: 1e999999999}",
		"{type: memory, components: [{resourceRequestParamRef: a.b, replicaCountParamRef: r, scheduleType: all}]}",
		"{type: diskSize, components: [{resourceRequestParamRef: 'a.$[]', replicaCountParamRef: a..b}, null, 5]}",
		"{typ: cpu, MinLimit: '5', components: {}}",
		"null", "[]", "text",
	} {
		f.Add(entry, `a: {b: 256m}
r: 3
`)
		f.Add(entry, `a.b: '{{ .spectro.var.X }}'
r: 1e999999999
`)
	}
	f.Fuzz(func(t *testing.T, entry, text string) {
		p := &pack.Pack{
			Name: "p",
			Metadata: pack.File("spec", `constraints:
  resources:
  - `+strings.ReplaceAll(entry, "\n", "\n    ")+"\n"),
			Values: pack.File("values.yaml", text),
		}
		demands, findings := Demands(p, nil)
		for _, d := range demands {
			if d.total().sign() < 0 || d.Roles == 0 || d.Type == "" {
				t.Fatalf("%+v", d)
			}
		}
		size := int64(2)
		pool := Pool{Name: "w", Role: Worker, Size: &size, Node: map[Type]Stock{CPU: {Free: unit("")}, Memory: {Free: unit("Gi")}}}
		for _, f := range append(findings, Compare(demands, []Pool{pool})...) {
			if f.Found == "" && f.Kind == diag.KindStatement || f.Rule.ID == "" || f.Key == "" && f.Kind != diag.KindUnreadable && f.Pack != "" {
				t.Fatalf("%+v", f)
			}
		}
	})
}
