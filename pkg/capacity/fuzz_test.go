package capacity

import (
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/krm-packs/functions/pkg/values"
)

// A text is a quantity exactly when Kubernetes reads it as the same number, or
// is refused in little time, without being shown.
func FuzzQuantity(f *testing.F) {
	for _, text := range []string{
		"", "0", "-", "+", ".", "1", "100m", "1.5", "1Gi", "1G", "1e3", "1E3", "1E", "12e-3", "256m", "2GB", "1 Gi", "0x10", "1_000",
		"1e999999999", "1e-999999999", "1e4294967296", "1E999999999999999999999", "-1e999999999", "9223372036854775807", "8Ei", "10E",
		"0.0000000001", "1.000000000000", "00000.5Ki", "5.", ".5", "1..5", "1i", "1mi", "hunter2", strings.Repeat("9", 100),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		a, err := ParseQuantity(text)
		number, numberErr := parseNumber(text)
		if took := time.Since(start); took > time.Second {
			t.Fatalf("took %s", took)
		}
		if numberErr == nil && number.Num().BitLen()+number.Denom().BitLen() > 1000 {
			t.Fatalf("a number of %d bits", number.Num().BitLen())
		}
		var wrong *QuantityError
		switch {
		case err == nil:
			q, err := resource.ParseQuantity(text)
			if err != nil {
				t.Fatalf("Kubernetes refuses it: %v", err)
			}
			dec := q.AsDec()
			want := new(big.Rat).SetFrac(dec.UnscaledBig(), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(0, dec.Scale()))), nil))
			if scale := dec.Scale(); scale < 0 {
				want.Mul(want, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-scale)), nil)))
			}
			if got := new(big.Rat).SetFrac(a.value(), big.NewInt(billion)); got.Cmp(want) != 0 {
				t.Fatalf("got %s, want %s", got, want)
			}
			if back, err := ParseQuantity(Memory.Text(a)); err != nil || back.Cmp(a) != 0 {
				t.Fatalf("%s is not read again: %v", Memory.Text(a), err)
			}
			if numberErr == nil && times(number, whole(1)).Cmp(a) != 0 && a.Sign() >= 0 {
				t.Fatalf("as a number it is %s", number)
			}
		case !errors.As(err, &wrong):
			t.Fatalf("%T", err)
		case wrong.Proposed != "":
			if _, err := ParseQuantity(wrong.Proposed); err != nil && !strings.HasPrefix(err.Error(), "got a number that is far") {
				t.Fatalf("%q is proposed: %v", wrong.Proposed, err)
			}
		case len(text) > 30 && strings.Contains(err.Error(), text):
			t.Fatalf("the text is shown: %v", err)
		}
	})
}

// Constraints and values are data of others: nothing in them makes a check panic
// or take long, and what it proposes is legal.
func FuzzDemands(f *testing.F) {
	for _, entry := range []string{
		"{type: cpu, minLimit: 2000}",
		"{type: cpu, minLimit: 1e999999999}",
		"{type: memory, components: [{resourceRequestParamRef: a.b, replicaCountParamRef: r, scheduleType: all}]}",
		"{type: diskSize, components: [{resourceRequestParamRef: 'a.$[]', replicaCountParamRef: a..b}, null, 5]}",
		"{typ: cpu, MinLimit: '5', components: {}}",
		"null", "[]", "text",
	} {
		f.Add(entry, "a: {b: 256m}\nr: 3\n")
		f.Add(entry, "a.b: '{{ .spectro.var.X }}'\nr: 1e999999999\n")
	}
	f.Fuzz(func(t *testing.T, entry, text string) {
		metadata, err := values.Parse("constraints:\n  resources:\n  - " + strings.ReplaceAll(entry, "\n", "\n    ") + "\n")
		if err != nil {
			return
		}
		document, err := values.Parse(text)
		if err != nil {
			return
		}
		packs := []Pack{{Name: "p", Metadata: metadata, Values: values.Merge(values.Layer{Document: document})}}
		demands, findings := Demands(packs)
		for _, d := range demands {
			if d.Total().Sign() < 0 || d.Roles == 0 || d.Type == "" {
				t.Fatalf("%+v", d)
			}
		}
		for _, f := range findings {
			if f.Message == "" || f.Rule == "" || f.Key == "" {
				t.Fatalf("%+v", f)
			}
		}
		size := int64(2)
		pool := Pool{Name: "w", Role: Worker, Size: &size, Node: map[Type]Amount{CPU: whole(1), Memory: whole(1 << 30)}}
		for _, f := range Compare(packs, demands, []Pool{pool}) {
			if f.Message == "" || f.Rule == "" {
				t.Fatalf("%+v", f)
			}
		}
	})
}
