package values_test

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/values"
)

const pack = `# Values of the registry.
registry:
  addresses:   # in order of preference
    - host: "10.0.0.1"
      port: 5000
    - host: "10.0.0.2"
  node.selector: edge
`

func parse(text string) *values.Document {
	d, err := values.Parse(text)
	if err != nil {
		panic(err)
	}
	return d
}

func path(text string) values.Path {
	p, err := values.ParsePath(text)
	if err != nil {
		panic(err)
	}
	return p
}

func ExampleFind() {
	d := parse(pack)
	for _, p := range []string{"registry.addresses.$[].port", "registry.node.selector"} {
		for _, m := range values.Find(d.Root(), path(p)) {
			fmt.Printf("%s: %s %q\n", m.Path, m.State, values.Source(m.Node))
		}
	}
	// Output:
	// registry.addresses[0].port: Present "5000"
	// registry.addresses[1].port: Absent ""
	// registry.node.selector: Present "edge"
}

func ExampleParse_template() {
	_, err := values.Parse(`name: demo
zone: {{ .spectro.system.cloud.region }}
`)
	fmt.Println(err)
	// Output:
	// line 2, column 7: a value that begins with {{ needs quotes
}

func ExampleMerge() {
	tree := values.Merge(
		values.Layer{Document: parse(`port: 5000
host: a
`)},
		values.Layer{Document: parse("port: 5001\n")},
	)
	for _, p := range []string{"port", "host"} {
		m := tree.Find(path(p))[0]
		fmt.Printf("%s: %s, from layer %d\n", m.Path, m.Node.Value, m.Layer)
	}
	// Output:
	// port: 5001, from layer 1
	// host: a, from layer 0
}

func ExampleDocument_ReplaceScalars() {
	d := parse(pack)
	m := values.Find(d.Root(), path("registry.addresses.0.host"))[0]
	d, err := d.ReplaceScalars(values.ScalarEdit{Node: m.Node, Text: `registry "one"`})
	if err != nil {
		panic(err)
	}
	fmt.Print(d.Text())
	// Output:
	// # Values of the registry.
	// registry:
	//   addresses:   # in order of preference
	//     - host: "registry \"one\""
	//       port: 5000
	//     - host: "10.0.0.2"
	//   node.selector: edge
}

func ExampleDocument_Merge() {
	preset := parse(`registry:
  # only one is left
  mirror:
    enabled: true
  node.selector: core
`)
	d, err := parse(pack).Merge(nil, preset)
	if err != nil {
		panic(err)
	}
	d, _, err = d.Delete(values.Keys("registry", "addresses"))
	if err != nil {
		panic(err)
	}
	fmt.Print(d.Text())
	// Output:
	// # Values of the registry.
	// registry:
	//   node.selector: core
	//   # only one is left
	//   mirror:
	//     enabled: true
}
