package schema

import (
	"strings"
	"testing"
)

// hostile are formats with the values that cost them most; no value fits, so
// no match ends early.
var hostile = []struct{ name, format, unit string }{
	{"digits/numbers", "${number}${number}${number}x", "1"},
	{"digits/ranges", "${string}${number:[1-99]}${number:[0-1e70]}${string}x", "1"},
	{"digits/number and regex", "${string}${number:/5(1|11)*$/}${string}x", "1"},
	{"digits/zeros", "${string}${number:[1-99]}${string}x", "0"},
	{"slashes/image", "${string}/${string}:${version}", "/"},
	{"slashes/strings", strings.Repeat("${string}/", 32) + "x", "/"},
	{"a/regexes", "${string:/a+$/}${string:/^(a|aa)*b/}", "a"},
	{"a/anchors", `${string:/^(a|a)*\b/}${string:/(?m)(a*)*$/}${string:/b/}`, "a"},
	{"a/counted", "${string:/^a{1,50}$/}${string:/^(a{5}){1,9}$/}${string:/b/}", "a"},
	{"a/text", "${string}" + strings.Repeat("a", 200) + "${string}b", "a"},
	{"a/options", "${string}${list:[a,aa,aaa,aaaa,aaaaab]}${string}b", "a"},
	{"versions", "${string}${version}${string}x", "1.1.1-"},
	{"versions/regex", "${string}${version:/^1.*9$/}${string}x", "1.1.1-"},
	{"addresses", "${string}${ipv4}${ipv4:/9$/}${string}x", "1.1.1.1."},
	{"runes", `${string:/\b(é|a)+$/}x`, "éa"},
	{"not UTF-8", `${string:/.$/}x`, "\xff\xe2"},
}

func steps(t testing.TB, format, unit string, size int) int {
	f, err := ParseFormat(format)
	if err != nil {
		t.Fatal(err)
	}
	s := splitter{text: strings.Repeat(unit, size/len(unit)), budget: maxSteps}
	s.split(f.parts)
	if s.exhausted() {
		t.Errorf("%q over %d bytes of %q: more than %d steps", format, size, unit, maxSteps)
	}
	return s.steps
}

// TestMatchIsLinear counts steps, which do not depend on the machine.
func TestMatchIsLinear(t *testing.T) {
	size := 64 << 10
	if testing.Short() {
		size = 8 << 10
	}
	for _, tc := range hostile {
		t.Run(tc.name, func(t *testing.T) {
			small, large := steps(t, tc.format, tc.unit, size), steps(t, tc.format, tc.unit, 16*size)
			t.Logf("%d and %d steps", small, large)
			if growth := float64(large) / float64(small+1); growth > 16*1.25 {
				t.Errorf("16 times the value takes %.1f times the steps", growth)
			}
		})
	}
}

// TestMatchIsBounded: what would cost more than the bound is refused, and says
// so.
func TestMatchIsBounded(t *testing.T) {
	f, err := ParseFormat("${string}${string:/^(a{1,100}b?){1,10}$/}x")
	if err != nil {
		t.Fatal(err)
	}
	m := f.Match(Scalar{Text: strings.Repeat("a", 1<<20) + "x", IsString: true})
	if m == nil || m.Got != "text of 1048577 characters, too long to be judged by this format" {
		t.Errorf("got %+v, want a mismatch that says the value is too long", m)
	}
	if m := f.Match(Scalar{Text: strings.Repeat("a", 1<<10) + "x", IsString: true}); m != nil {
		t.Errorf("a value of 1 KB: got %+v, want a match", m)
	}
}

// TestLongValueUnderOneRegex: above the bound for the regexp package a single
// placeholder is judged by the simulation, with the same answer.
func TestLongValueUnderOneRegex(t *testing.T) {
	f, err := ParseFormat("${string:/^a.{900}.{900}.*b$/}")
	if err != nil {
		t.Fatal(err)
	}
	text := "a" + strings.Repeat("c", 100_000)
	if f.single().cheap(len(text)) {
		t.Fatal("the value is not long enough for the test")
	}
	if m := f.Match(Scalar{text + "b", true}); m != nil {
		t.Errorf("got %+v, want a match", m)
	}
	if m := f.Match(Scalar{text, true}); m == nil {
		t.Error("got a match, want none")
	}
	if m := f.Match(Scalar{text + "b", false}); m == nil {
		t.Error("a value that is no string: got a match, want none")
	}
}

func BenchmarkCompositeMatch1MB(b *testing.B) {
	for _, tc := range hostile {
		b.Run(tc.name, func(b *testing.B) {
			f, err := ParseFormat(tc.format)
			if err != nil {
				b.Fatal(err)
			}
			v := Scalar{Text: strings.Repeat(tc.unit, 1<<20/len(tc.unit)), IsString: true}
			b.SetBytes(int64(len(v.Text)))
			for b.Loop() {
				if f.Match(v) == nil {
					b.Fatal("a match")
				}
			}
		})
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, tc := range []struct{ format, value string }{
		{"${string}", "registry.example.org"},
		{"${string:/^([a-z0-9].*)$/}", "registry.example.org"},
		{"${number}", "5000"},
		{"${number:[5000-5005]}", "5001"},
		{"${boolean}", "true"},
		{"${list:[PACK,GIT,CHART]}", "CHART"},
		{"${ipv4}", "10.10.10.10"},
		{"${version}", "1.18.0"},
		{"${ipv4} - ${ipv4}", "10.10.10.10 - 10.10.10.255"},
		{`${string}, ${string:/size=\d+/}`, "type-zeroedthick, size=150"},
		{"${string}/${string}:${version}", "localhost:5000/a/b:1.1.1"},
	} {
		b.Run(tc.format, func(b *testing.B) {
			f, err := ParseFormat(tc.format)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if f.Match(Scalar{tc.value, true}) != nil {
					b.Fatal("no match")
				}
			}
		})
	}
}

func BenchmarkParseTemplate(b *testing.B) {
	for _, text := range []string{
		`{{ required }}`,
		`{{ format "${password}" | hints "PostgreSQL password for the gridlight user" }}`,
		`{{ format "${list:[PACK,GIT,CHART]}" }}`,
		`{{ required | format "${number:[5000-5005]}" }}`,
		`{{ format "${string:/^([a-z0-9].*)$/}" }}`,
		`{{ required | format "${ipv4} - ${ipv4}" | hints "ip pool range"}}`,
	} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ParseTemplate(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
