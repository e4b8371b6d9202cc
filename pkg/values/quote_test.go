package values

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"":               `""`,
		"a":              `a`,
		"us-east-1":      `us-east-1`,
		"a b":            `a b`,
		"yes":            `"yes"`,
		"n":              `"n"`,
		"null":           `"null"`,
		"1":              `"1"`,
		"1.30":           `"1.30"`,
		"0x1F":           `"0x1F"`,
		"12:30":          `"12:30"`,
		"2020-01-01":     `"2020-01-01"`,
		"a: b":           `"a: b"`,
		"a #b":           `"a #b"`,
		"- a":            `"- a"`,
		"{a}":            `"{a}"`,
		" a":             `" a"`,
		"a\nb\n":         `"a\nb\n"`,
		`a"b`:            `a"b`,
		`"b`:             `'"b'`,
		`\d`:             `\d`,
		"'":              `"'"`,
		"<<":             `"<<"`,
		"\u2028":         `"\u2028"`,
		"\x00":           `"\u0000"`,
		"a\xff":          "\"a\uFFFD\"",
		"é":              `é`,
		"gcr.io/a/b:1.2": `gcr.io/a/b:1.2`,
	} {
		if got := Quote(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// Whatever the text, it reads back as a value and as a key.
func TestQuoteReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.ToValidUTF8(rapid.OneOf(
			rapid.StringN(0, 60, 200),
			rapid.StringOfN(rapid.SampledFrom([]rune("-?:#,[]{}&*!|>'\"%@`\\ \n\t~=0129eExX._abyYnNoOfFtT\u0085\u2028\ufeff")), 0, 12, -1),
		).Draw(t, "text"), "")
		var got map[string]string
		if err := yaml.Unmarshal([]byte(Quote(text)+": "+Quote(text)+"\n"), &got); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if value, ok := got[text]; !ok || value != text {
			t.Fatalf("%q is written %s and reads %q", text, Quote(text), got)
		}
	})
}

// What a plain scalar reads as is known of most without go-yaml, which says the same.
func TestReadsAs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	const letters = "0123456789019.:-_+eExXobBmGiTZ~ atrueNnlAd"
	for range 50_000 {
		text := make([]byte, random.IntN(7))
		for i := range text {
			text[i] = letters[random.IntN(len(letters))]
		}
		check := func(text string) {
			if got, want := readsAs(text), (&yaml.Node{Kind: yaml.ScalarNode, Value: text}).ShortTag(); got != want {
				t.Fatalf("%q reads as %s, got %s", text, want, got)
			}
		}
		check(string(text))
		check(strconv.Itoa(random.Int()) + string(text))
		check(fmt.Sprintf("%d.%d.%s", random.IntN(30), random.IntN(30), text))
	}
}
