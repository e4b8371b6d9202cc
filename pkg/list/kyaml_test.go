package list

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/kio"
)

// The library of kpt and kustomize reads what is written: the same items, those that
// were changed and added, the same functionConfig, and all results.
func TestKyamlReadsWhatIsWritten(t *testing.T) {
	inputs := clientLists(t)
	for name, text := range flowLists {
		inputs[name] = []byte(text)
	}
	for name, items := range jsonLists {
		inputs["JSON, "+name] = []byte(jsonList(items))
	}
	for name, text := range inputs {
		t.Run(name, func(t *testing.T) {
			l := read(t, string(text))
			if len(l.Items) > 0 {
				setData(t, l.Items[0])
			}
			if _, err := l.Add(newResource); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := l.Write(&out, []byte(newResults)); err != nil {
				t.Fatal(err)
			}
			reader := kio.ByteReader{Reader: &out, OmitReaderAnnotations: true}
			nodes, err := reader.Read()
			if err != nil {
				t.Fatal(err)
			}
			var got, want []any
			for _, n := range nodes {
				got = append(got, decoded(n.YNode()))
			}
			for _, item := range l.Items {
				document, err := item.Document()
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, decoded(document.Root()))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("items (-want +got):\n%s", diff)
			}
			if (l.config == nil) != (reader.FunctionConfig == nil) {
				t.Error("only one of the two has a functionConfig")
			} else if l.config != nil {
				if diff := cmp.Diff(decoded(l.config), decoded(reader.FunctionConfig.YNode())); diff != "" {
					t.Errorf("functionConfig (-want +got):\n%s", diff)
				}
			}
			if results, err := reader.Results.Elements(); err != nil || len(results) != len(earlierOf(l))+2 {
				t.Errorf("%d results, %v; want %d", len(results), err, len(earlierOf(l))+2)
			}
		})
	}
}
