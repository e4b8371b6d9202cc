package function

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/kptdev/krm-functions-sdk/go/fn"
)

// bigList makes a list of 1,200 bytes for each item, as kpt sends it: every
// third item is a ConfigMap with an embedded document.
func bigList(items int) []byte {
	var b bytes.Buffer
	b.WriteString(listStart)
	values := strings.Repeat("      key: value # comment\n", 20)
	env := strings.Repeat("          - name: VARIABLE\n            value: \"12345\"\n", 13)
	for n := range items {
		kind, apiVersion := "Deployment", "apps/v1"
		if n%3 == 0 {
			kind, apiVersion = "ConfigMap", "v1"
		}
		fmt.Fprintf(&b, `- apiVersion: %s
  kind: %s
  metadata:
    name: resource-%d
    namespace: default
    labels: {app: demo, tier: "back"}
    annotations:
      config.kubernetes.io/index: '0'
      config.kubernetes.io/path: 'dir/resource-%d.yaml'
      internal.config.kubernetes.io/index: '0'
      internal.config.kubernetes.io/package-path: '/packages/demo'
      internal.config.kubernetes.io/path: 'dir/resource-%d.yaml'
      internal.config.kubernetes.io/seqindent: 'compact'
`, apiVersion, kind, n, n, n)
		if n%3 == 0 {
			fmt.Fprintf(&b, "  data:\n    values.yaml: |\n%s", values)
		} else {
			fmt.Fprintf(&b, "  spec:\n    template:\n      spec:\n        containers:\n        - name: main\n          env:\n%s", env)
		}
	}
	return b.Bytes()
}

func BenchmarkSplit(b *testing.B) {
	input := bigList(10_000)
	b.SetBytes(int64(len(input)))
	for b.Loop() {
		if _, ok := split(input); !ok {
			b.Fatal("split leaves the list to the parser")
		}
	}
}

// BenchmarkReadWantNone is a whole run of a function that wants none of 10,000
// items.
func BenchmarkReadWantNone(b *testing.B) {
	input := bigList(10_000)
	f := Function{Name: "none", Kind: "None", New: func() Processor { return &stub{} }}
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	for b.Loop() {
		if code := filter(f, input, io.Discard, io.Discard); code != 0 {
			b.Fatalf("exit code %d", code)
		}
	}
}

// BenchmarkReadParserPath is the same over a list that the text reader leaves
// alone, of 2,000 items.
func BenchmarkReadParserPath(b *testing.B) {
	input := append([]byte("---\n"), bigList(2_000)...)
	if _, ok := split(input); ok {
		b.Fatal("split takes the list")
	}
	f := Function{Name: "none", Kind: "None", New: func() Processor { return &stub{} }}
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	for b.Loop() {
		if code := filter(f, input, io.Discard, io.Discard); code != 0 {
			b.Fatalf("exit code %d", code)
		}
	}
}

// BenchmarkSDK is what the bars of performance.md are ratios of: the SDK's
// reading and writing of the same 2,000 items.
func BenchmarkSDK(b *testing.B) {
	input := bigList(2_000)
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	for b.Loop() {
		list, err := fn.ParseResourceList(input)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := list.ToYAML(); err != nil {
			b.Fatal(err)
		}
	}
}
