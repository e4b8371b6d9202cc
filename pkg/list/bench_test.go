package list

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
	env := strings.Repeat(`          - name: VARIABLE
            value: "12345"
`, 13)
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
			fmt.Fprintf(&b, `  data:
    values.yaml: |
%s`, values)
		} else {
			fmt.Fprintf(&b, `  spec:
    template:
      spec:
        containers:
        - name: main
          env:
%s`, env)
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

// BenchmarkReadAndWrite is what a function costs that wants none of 10,000 items.
func BenchmarkReadAndWrite(b *testing.B) {
	input := bigList(10_000)
	if _, ok := split(input); !ok {
		b.Fatal("split leaves the list to the parser")
	}
	readAndWrite(b, input)
}

// BenchmarkReadAndWriteParsed is the same over a list that the text reader leaves
// alone, of 2,000 items.
func BenchmarkReadAndWriteParsed(b *testing.B) {
	input := append([]byte("---\n"), bigList(2_000)...)
	if _, ok := split(input); ok {
		b.Fatal("split takes the list")
	}
	readAndWrite(b, input)
}

// BenchmarkReadAndWriteJSON is the same over the form that a tool that speaks JSON
// would send.
func BenchmarkReadAndWriteJSON(b *testing.B) {
	readAndWrite(b, asJSON(b, bigList(2_000)))
}

func readAndWrite(b *testing.B, input []byte) {
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	for b.Loop() {
		l, err := Read(input)
		if err != nil {
			b.Fatal(err)
		}
		if err := l.Write(io.Discard, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSDK is what the bars of performance.md are ratios of: the SDK's
// reading and writing of the same 2,000 items.
func BenchmarkSDK(b *testing.B)     { sdkReadAndWrite(b, bigList(2_000)) }
func BenchmarkSDKJSON(b *testing.B) { sdkReadAndWrite(b, asJSON(b, bigList(2_000))) }

func sdkReadAndWrite(b *testing.B, input []byte) {
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
