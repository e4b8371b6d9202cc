package constraint

import (
	"fmt"
	"iter"
	"runtime"
	"strings"
	"testing"
)

// wanting makes bundles, where each misses an API, a package and a label of its
// own, and something that only another looks at.
func wanting(t testing.TB, n int) []*Bundle {
	var all []*Bundle
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "- {type: olm.gvk, value: {group: g%d.example.com, version: v1, kind: Kind%d}}\n", i, i)
		fmt.Fprintf(&b, "- {type: olm.label, value: {label: label-%d}}\n", i)
		fmt.Fprintf(&b, "- {type: olm.gvk.required, value: {group: h%d.example.com, version: v1, kind: Other%d}}\n", i, i)
		fmt.Fprintf(&b, "- {type: olm.package.required, value: {packageName: other-%d, versionRange: '>=1.0.0'}}\n", i)
		fmt.Fprintf(&b, "- {type: olm.package.required, value: {packageName: same, versionRange: '>=2.%d.0'}}\n", i)
		fmt.Fprintf(&b, "- {type: olm.label.required, value: {label: another-%d}}\n", i)
		fmt.Fprintf(&b, "- {type: olm.constraint, value: {not: {constraints: [{gvk: {version: v1, kind: K%d}}, {not: {constraints: [{gvk: {version: v1, kind: K%d}}]}}]}}}\n", i, i)
		all = append(all, bundle(t, fmt.Sprintf("package-%d.v1.0.0", i), b.String()))
		same := bundle(t, fmt.Sprintf("same-%d", i), "[]")
		same.Package, same.Version = "same", fmt.Sprintf("1.%d.0", i)
		all = append(all, same)
	}
	return all
}

func BenchmarkWanting(b *testing.B) {
	for _, n := range []int{250, 1000, 4000} {
		bundles := wanting(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				check(bundles, nil, Options{})
			}
		})
	}
}

// Small properties that many bundles have are in memory once.
func TestMemoryOfProperties(t *testing.T) {
	const bundles, properties = 300, 100
	made := func(yield func(*Bundle) bool) {
		for i := range bundles {
			var b strings.Builder
			for p := range properties {
				fmt.Fprintf(&b, "- {type: feature, value: {name: feature-%d, level: 3}}\n", p)
			}
			if !yield(bundle(t, fmt.Sprintf("b%d.v1.0.0", i), b.String())) {
				return
			}
		}
	}
	if taken, most := memoryOf(made), uint64(bundles*properties*64); taken > most {
		t.Errorf("%d properties take %d bytes, want at most %d", bundles*properties, taken, most)
	}
}

// The property of its package is in the memory of a bundle only once a rule needs it.
func TestMemoryOfBundles(t *testing.T) {
	const bundles = 5000
	made := func(yield func(*Bundle) bool) {
		for i := range bundles {
			if !yield(bundle(t, fmt.Sprintf("b%d.v1.0.0", i), fmt.Sprintf("- {type: olm.package, value: {packageName: b%d, version: 1.0.0}}\n", i))) {
				return
			}
		}
	}
	if each := memoryOf(made) / bundles; each > 800 {
		t.Errorf("a bundle takes %d bytes", each)
	}
}

// memoryOf returns the memory of a set of bundles, in bytes.
func memoryOf(bundles iter.Seq[*Bundle]) uint64 {
	heap := func() uint64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	before := heap()
	set := ReadEach(bundles, nil)
	taken := heap() - before
	runtime.KeepAlive(set)
	return taken
}
