package chart

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"
	"unicode"
	"unicode/utf8"
)

// engine are the words in messages of Helm's engine, of template functions, and of the YAML
// parser. Other words in a message are shown only if they are written in a template.
var engine = strings.Fields(`a additional after alias all allowed an anchor and any arg args argument arguments array as associated at be
block bool boolean call called calling can't cannot chart character characters charts comparison complete content context convert converted
converting could Chart.yaml class closing dependencies depth did divide division document does doesn't done duplicate empty end ends entry EOF error
evaluate evaluating exceeded executing exit expected fail failed field file find first float64 for format found from func function
functions given got has have helm in incompatible indentation index indexing instead int int64 integer interface invalid is it iterate its
JSON json key keys kind kubeVersion length limit line list lookup map mapping maps match maximum metadata method missing must name names
nested nesting nil no non not number object of on only operand or out parse parsing pattern pipeline pointer range reached reading
reflect.Value regexp renders required result returned rune runes scalar schema semantic sequence slice start starts stderr string struct
syntax tag template templates than that the there time to token too type types undefined unexpected unknown unmarshal unmarshaling
unsupported untyped use using valid value values variable version want wants what while with wrong yaml YAML zero`)

var (
	engineWord  = regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*(?:[.'][A-Za-z]+)?`)
	engineIsOne = func() map[string]bool {
		all := map[string]bool{}
		for _, word := range engine {
			all[word] = true
		}
		return all
	}()
	// enginePlaces matches locations in messages, with submatches for the names of things in a
	// template.
	enginePlaces = regexp.MustCompile(`\b(?:line|want|got) \d+\b|:\d+(?::\d+)?|<([^<>]+)>|error calling (\w+)|\{\}\.(\w+)|evaluate field (\w+)|function "(\w+)"|\b[A-Za-z0-9._/-]*(?:templates|charts)/([A-Za-z0-9._/-]+)`)
	verb         = regexp.MustCompile(`%[-+# 0-9.]*[a-zA-Z%]|\n`)
)

// minLiteral is the minimum length, in characters, of a template's text that is recognized in a
// message. A shorter text may be a part of a value by chance.
const minLiteral = 3

// Shown masks a message about templates. It keeps text that is written in the templates, and
// replaces everything else with hidden, because it may come from values, even after a
// transformation. isFail is true if the message comes from the functions fail or required, and so
// contains no words of Helm's engine.
func Shown(message string, templates []string, isFail bool, hidden string) string {
	shown := make([]bool, len(message))
	mark := func(from, to int) {
		for ; from < to; from++ {
			shown[from] = true
		}
	}
	for _, literal := range literals(templates) {
		for at := 0; ; {
			found := strings.Index(message[at:], literal)
			if found < 0 {
				break
			}
			if at += found; isWhole(message, at, at+len(literal)) {
				mark(at, at+len(literal))
			}
			at += len(literal)
		}
	}
	if !isFail {
		for _, at := range engineWord.FindAllStringIndex(message, -1) {
			if engineIsOne[message[at[0]:at[1]]] && isWhole(message, at[0], at[1]) {
				mark(at[0], at[1])
			}
		}
		isWritten := func(text string) bool {
			text = strings.TrimSuffix(text, "...")
			return text != "" && slices.ContainsFunc(templates, func(template string) bool { return strings.Contains(template, text) })
		}
		for _, at := range enginePlaces.FindAllStringSubmatchIndex(message, -1) {
			named, isNamed := "", false
			for i := 2; i < len(at); i += 2 {
				if at[i] >= 0 {
					named, isNamed = message[at[i]:at[i+1]], true
				}
			}
			if !isNamed || isWritten(named) {
				mark(at[0], at[1])
			}
		}
	}
	var b strings.Builder
	isHiding := false
	for at, r := range message {
		isPlain := shown[at] || unicode.IsSpace(r) || !isFail && strings.ContainsRune("()[]{}<>.,:;=/'`\"-", r)
		switch {
		case isPlain && (shown[at] || !isHiding || isBoundary(message, shown, at)):
			b.WriteRune(r)
			isHiding = false
		case !isHiding:
			b.WriteString(hidden)
			isHiding = true
		}
	}
	return b.String()
}

// isBoundary reports whether shown text begins after an offset, before the next letter or digit.
// The spaces and punctuation up to there are shown then.
func isBoundary(message string, shown []bool, at int) bool {
	for i, r := range message[at:] {
		if shown[at+i] {
			return true
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return false
		}
	}
	return true
}

// isWhole reports whether a part of a text neither begins nor ends inside a word.
func isWhole(text string, from, to int) bool {
	isInWord := func(at int) bool {
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at:])
		return isOfWord(before) && isOfWord(after)
	}
	return !isInWord(from) && !isInWord(to)
}

func isOfWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// literals returns the texts in templates that can occur literally in a message: lines, split at
// the verbs of printf.
func literals(templates []string) []string {
	all := map[string]bool{}
	add := func(text string) {
		for _, part := range verb.Split(text, -1) {
			if part = strings.TrimSpace(part); utf8.RuneCountInString(part) >= minLiteral && strings.ContainsFunc(part, unicode.IsLetter) {
				all[part] = true
			}
		}
	}
	for _, text := range templates {
		tree, trees := parse.New("t"), map[string]*parse.Tree{}
		tree.Mode = parse.SkipFuncCheck
		if _, err := tree.Parse(text, "", "", trees); err != nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(trees)) {
			visit(trees[name].Root, nil, func(n, _ parse.Node) bool {
				switch n := n.(type) {
				case *parse.TextNode:
					add(string(n.Text))
				case *parse.StringNode:
					add(n.Text)
				}
				return true
			})
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Templates returns the texts and names of the templates of the chart and its subcharts.
func (c *Chart) Templates() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		if strings.HasPrefix(name, templates) {
			all = append(all, string(c.files[name]), name)
		}
	}
	for _, sub := range c.subcharts {
		all = append(all, sub.Templates()...)
	}
	return all
}
