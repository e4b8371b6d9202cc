package list

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// clientLists are what real clients send.
func clientLists(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/lists/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no lists in testdata/lists (%v)", err)
	}
	lists := map[string][]byte{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lists[filepath.Base(path)] = text
	}
	return lists
}

// seeds returns the lists that mutations start from: lists of clients, and the misleading lists of the other tests.
func seeds(t testing.TB) map[string][]byte {
	t.Helper()
	lists := clientLists(t)
	for name, text := range hostileLists {
		lists[name] = []byte(text)
	}
	for name, text := range flowLists {
		lists["flow: "+name] = []byte(text)
	}
	for name, items := range jsonLists {
		lists["JSON: "+name] = []byte(jsonList(items))
	}
	for name, text := range oddLists {
		lists["odd: "+name] = []byte(text)
	}
	return lists
}

// FuzzRead asserts for any input what TestReadersAgree asserts for its table.
// It needs no oracle but the SDK's parser.
func FuzzRead(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		// Comparing what a bomb expands to takes too long here; TestLimits has one.
		if len(input) > 1<<14 || bytes.Count(input, []byte("*")) > 20 {
			return
		}
		watch := time.AfterFunc(5*time.Minute, func() { panic(fmt.Sprintf("no end in sight: %q", input)) })
		defer watch.Stop()
		checkReaders(t, input)
	})
}

// The elements of Lists can be read as resources, wherever they are in a file.
func FuzzFlat(f *testing.F) {
	f.Add([]byte(`apiVersion: v1
kind: List
items:
-
  kind: A
  metadata: {name: a}
`))
	f.Add([]byte(`kind: AList
apiVersion: v1
items: [{metadata: {name: a}}, {metadata: {}}]
`))
	f.Add([]byte(`{"items": [{"kind": "A", "metadata": 1}],
"kind": "List"}`))
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) > 1<<14 || bytes.Count(input, []byte("*")) > 20 {
			return
		}
		for _, item := range Flat(input, "a.yaml", nil) {
			if _, err := item.Document(); err != nil && item.IsElement() {
				t.Errorf("%q: %v\n%s", input, err, item.Text())
			}
		}
	})
}
