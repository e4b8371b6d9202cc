package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/macro"
	packs "github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/values"
)

// work is a call that an input can make expensive.
type work struct {
	name string
	// size is the smallest of three sizes, each twice as expensive as the one before.
	size       int
	isExponent bool // as in input
	// most is how many steps the call may take at size. It is 0 if the growth is checked.
	most int64
	// prepare makes the input, and returns the call. A call that ends in another way than it
	// should panics.
	prepare func(n int) func()
}

func (w work) sizes() []int {
	if w.most > 0 {
		return []int{w.size}
	}
	in := input{isExponent: w.isExponent}
	two := in.next(w.size)
	return []int{w.size, two, in.next(two)}
}

// The names of works that are known to grow, so that the counts can be checked.
const (
	knownLinear         = "known to be linear"
	knownQuadratic      = "known to be quadratic"
	knownQuadraticBytes = "known to allocate quadratically"
)

// serve is a language server whose client sends a text and leaves.
func serve(text string) func() {
	return func() { must(packfntest.Serve(strings.NewReader(text), nowhere{}) != nil) }
}

type nowhere struct{}

func (nowhere) Write(text []byte) (int, error) { return len(text), nil }
func (nowhere) Close() error                   { return nil }

// placeIn finds out what is at the end of a text, and reads its keys.
func placeIn(text string) func() {
	return func() { packfntest.Place(text) }
}

var works = slices.Concat([]work{
	{name: knownLinear, size: 1000, prepare: func(n int) func() {
		return func() { spin(n) }
	}},
	{name: knownQuadratic, size: 100, prepare: func(n int) func() {
		return func() {
			for range n {
				spin(n)
			}
		}
	}},
	{name: knownQuadraticBytes, size: 1000, prepare: func(n int) func() {
		return func() {
			sink := ""
			for range n {
				sink += "0123456789"
			}
			runtime.KeepAlive(sink)
		}
	}},
	{name: "a place in a text of one line that is not closed", size: 2000, prepare: func(n int) func() {
		return placeIn(strings.Repeat("{a: [\"b\", ", n))
	}},
	{name: "a place behind quotes that are not closed", size: 2000, prepare: func(n int) func() {
		return placeIn("a: [" + strings.Repeat("'b\n\n", n))
	}},
	{name: "names that are alike", size: 20_000, most: 100_000, prepare: func(n int) func() {
		alike := make([]string, n)
		for i := range alike {
			alike[i] = fmt.Sprintf("name-%05d", i)
		}
		return func() {
			f := diag.Unknown("name", "name-x0000", alike)
			must(strings.Contains(f.Message(), "Did you mean"))
		}
	}},
	{name: "packs that all require each other", size: 125, prepare: func(n int) func() {
		var packs []*dependency.Pack
		for i := range n {
			p := &dependency.Pack{Name: fmt.Sprintf("p%d", i%(n/3)), Version: fmt.Sprintf("1.%d.0", i%7)}
			for j := range 20 {
				r, err := packfntest.Range(fmt.Sprintf("1.%d.0", (i+j)%9))
				must(err == nil)
				p.Dependencies = append(p.Dependencies, dependency.Dependency{Pack: fmt.Sprintf("p%d", i*j%(n/3)), Range: r, Type: dependency.Required})
			}
			packs = append(packs, p)
		}
		return func() { must(len(dependency.Check(packs, dependency.Context{Packs: packs})) >= n) }
	}},
	{name: "a path with many readings", most: 20_000, size: 200, prepare: func(n int) func() {
		var b strings.Builder
		b.WriteString("written: [" + strings.Repeat("x, ", 1000) + "]\nn0: &n0 {x: 1}\n")
		for i := 1; i < 18; i++ {
			fmt.Fprintf(&b, "n%d: &n%d {a: *n%d, a.a: *n%d}\n", i, i, i-1, max(0, i-2))
		}
		d, err := values.Parse(b.String())
		must(err == nil)
		p, err := values.ParsePath("n17" + strings.Repeat(".a", n) + ".y")
		must(err == nil)
		return func() { must(values.Find(d.Root(), p)[0].State == values.Absent) }
	}},
	{name: "references of a JSON schema", size: 250, prepare: func(n int) func() {
		var properties, given []string
		for i := range n {
			properties = append(properties, fmt.Sprintf(`"k%d": {"anyOf": [{"$ref": "#/definitions/text"}, {"type": "null"}]}`, i))
			given = append(given, fmt.Sprintf("k%d: x", i))
		}
		return validate(`{"definitions": {"text": {"type": "string"}}, "properties": {`+strings.Join(properties, ", ")+`}}`, "{"+strings.Join(given, ", ")+"}")
	}},
	{name: "the JSON Schema of many values", size: 250, prepare: func(n int) func() {
		var own, constraints strings.Builder
		for i := range n {
			fmt.Fprintf(&own, "k%d: {a: [{b: 1}]}\n", i)
			fmt.Fprintf(&constraints, "k%d.a.$[].b: {schema: '{{ required | format \"${number}\" }}'}\n", i)
		}
		p := &packs.Pack{Values: packs.File("values.yaml", own.String()), Schema: packs.File("schema.yaml", constraints.String())}
		return func() {
			faults, err := packfntest.WriteJSONSchema(io.Discard, p)
			must(err == nil && len(faults) == 0)
		}
	}},
	{name: "a choice for each element of a list", size: 250, prepare: func(n int) func() {
		return validate(`{"items": {"oneOf": [{"type": "string"}, {"type": "object", "required": ["name"]}]}}`, "["+strings.Repeat("{name: x}, ", n)+"]")
	}},
	{name: "a long header of an editor's message", most: 100_000, size: 1_000_000, prepare: func(n int) func() {
		return serve(strings.Repeat("A: a\r\n", n))
	}},
	{name: "a long message of an editor", size: 1 << 20, prepare: func(n int) func() {
		return serve(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", n, strings.Repeat("[", n)))
	}},
	{name: "an unknown macro in each line", size: 500, prepare: func(n int) func() {
		return resolve(each(n, "{{ .spectro.var.X | uper%d }}\n"), "")
	}},
	{name: "a macro in each line", size: 500, prepare: func(n int) func() {
		return resolve(strings.Repeat("{{ .spectro.var.X }}\n", n), "")
	}},
	{name: "braces before a macro", size: 5000, prepare: func(n int) func() {
		return resolve(strings.Repeat("{{", n)+".spectro.", "")
	}},
	{name: "a long chain of macros", size: 500, prepare: func(n int) func() {
		return resolve("{{ .spectro.pack.p.k0 }}", links(n)+fmt.Sprintf("k%d: end\n", n))
	}},
	{name: "a long chain of macros to a fault", size: 500, prepare: func(n int) func() {
		return resolve("{{ .spectro.pack.p.k0 }}", links(n)+fmt.Sprintf("k%d: '{{ .spectro.var.X | uper }}'\n", n))
	}},
	{name: "a long cycle of macros", size: 500, prepare: func(n int) func() {
		return resolve("{{ .spectro.pack.p.k0 }}", links(n)+fmt.Sprintf("k%d: '{{ .spectro.pack.p.k0 }}{{ .spectro.pack.p.k7 }}'\n", n))
	}},
	{name: "cycles of macros through one value", size: 500, prepare: func(n int) func() {
		return resolve("{{ .spectro.pack.p.k0 }}", strings.ReplaceAll(links(n)+fmt.Sprintf("k%d: '{{ .spectro.pack.p.k7 }}'\n", n), "'{{", "'{{ .spectro.pack.p.k0 }}{{"))
	}},
	{name: "a schema of many findings", size: 250, prepare: func(n int) func() {
		return validate(`{"items": {"type": "integer"}}`, "["+strings.Repeat("x, ", n)+"]")
	}},
}, placeholders(), actions(), quotes(), patterns(), upgrades(), shards(), catalogs, pairs())

// must panics unless what it is given holds.
func must(holds bool) {
	if !holds {
		panic("the call ended in another way than it should")
	}
}

func spin(n int) {
	for i := range n {
		if i < 0 {
			return
		}
	}
}

// placeholders match values of one unit, repeated. No match ends early.
func placeholders() []work {
	var all []work
	for _, tc := range []struct{ format, unit string }{
		{"${string}", "a"}, {"${string:/(a|aa)*b$/}", "a"}, {"${string:/^(a+)+b$/}", "a"}, {"${password:/^[a-z]*b/}", "a"},
		{"${number}", "1"}, {"${number}", "1e"}, {"${number:[1-10]}", "1"}, {"${number:[1-10]}", "0"}, {"${number:[1-10]}", "1e1"}, {"${number:/(1|11)*2/}", "1"},
		{"${boolean}", "true"}, {"${boolean}", " "}, {"${list:[a,b]}", "A"}, {"${list:/(a|aa)*b$/}", "a"},
		{"${ipv4}", "1.1.1.1"}, {"${ipv4}", "/"}, {"${version}", "1.1.1-"}, {"${input}", "a"},
	} {
		all = append(all, work{name: "format " + tc.format + " over " + tc.unit, size: 1 << 10, prepare: func(n int) func() {
			f, err := schema.ParseFormat(tc.format)
			must(err == nil)
			v := schema.Scalar{Text: strings.Repeat(tc.unit, n/len(tc.unit)), IsString: true}
			f.Match(v) // compiles what is compiled once
			return func() { f.Match(v) }
		}})
	}
	return all
}

// actions search texts for the actions of templates, again and again.
func actions() []work {
	var all []work
	for _, unit := range []string{"{{", "{{/*}}", "{{`", `{{"}}`, "{{'", "}}", "{{.spectro."} {
		all = append(all, work{name: "actions in many " + unit, size: 1 << 10, prepare: func(n int) func() {
			text := strings.Repeat(unit, n/len(unit))
			return func() { packfntest.Actions(text) }
		}})
	}
	return all
}

// quotes search texts for the quote that is not closed. A search is a parse, and there are
// some hundred at most.
func quotes() []work {
	var all []work
	for name, text := range map[string]func(n int) string{
		"one line":   func(n int) string { return "a: \"" + strings.Repeat("'", n) },
		"many lines": func(n int) string { return "a: \"" + strings.Repeat("'\n ", n/3) },
		"many keys":  func(n int) string { return strings.Repeat("a: \"\n\"\n", n/8) + "b: \"" },
	} {
		all = append(all, work{name: "an open quote over " + name, size: 15 << 10, most: 25_000_000, prepare: func(n int) func() {
			text := text(n)
			return func() {
				_, err := values.Parse(text)
				must(err != nil)
			}
		}})
	}
	return all
}

// patterns of expressions are huge, and are refused before they are compiled or searched for.
func patterns() []work {
	var all []work
	for _, expression := range []string{
		`text.matches('((a?){30}){30}b0')`,
		`matches(text, '((a?){30}){30}b0')`,
		`list.exists(pattern, text.matches(pattern))`,
		`text.find('((a?){30}){30}b0') == ''`,
		`text.findAll('((a?){30}){30}b0') == []`,
		`text.findAll('((a?){30}){30}b0', 1) == []`,
		`''.matches('` + strings.Repeat(`(((x{10}){10}){10}y)`, 500) + `')`,
		`[1, 2].all(i, text.matches('((a?){30}){30}b0') || true)`,
	} {
		all = append(all, work{name: "the expression " + expression[:min(60, len(expression))], size: 20_000, most: 1_000_000, prepare: func(n int) func() {
			isTooExpensive, err := packfntest.Expression(expression)
			must(err == nil)
			text, list := strings.Repeat("a", n), []string{`((a?){30}){30}b0`}
			return func() { must(isTooExpensive(text, list)) }
		}})
	}
	return all
}

func validate(text, given string) func() {
	s, err := packfntest.ParseSchema(text)
	must(err == nil)
	d, err := values.Parse(given)
	must(err == nil)
	return func() {
		_, err := s.Validate(d.Root(), 100)
		must(err == nil)
	}
}

func resolve(text, pack string) func() {
	d, err := values.Parse(pack)
	must(err == nil)
	packs := []macro.Pack{{Name: "p", Values: values.Merge(values.Layer{Document: d})}}
	return func() { macro.NewResolver(macro.Context{Variables: map[string]string{"X": "x"}}, packs).Text(text) }
}

// links are values that each lead to the next one.
func links(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: '{{ .spectro.pack.p.k%d }}'\n", i, i+1)
	}
	return b.String()
}
