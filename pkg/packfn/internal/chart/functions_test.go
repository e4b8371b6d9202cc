package chart

import (
	"strings"
	"testing"
)

// What the functions of templates do with a value `a`: they use all of it, or test it, or
// return it, a field of it, or a dict or a list that holds it.
func TestFunctions(t *testing.T) {
	const defaults, below, beside = "a: {k: {q: 1}}", "{a: {k: {q: 1, x: 1}}}", "{a: {k: {q: 1}, z: 1}}"
	probes := []struct{ name, template, defaults, given string }{
		{"uses", "", defaults, below},  // and then all others are so, too
		{"tests", "", "", beside},      // a condition uses all of a map without defaults
		{"keys", "", defaults, beside}, // and then returns, holds and lists are so, too
		{"returns", "{{ $r.z }}", defaults, beside},
		{"returns fields", "{{ $r.x }}", defaults, below},
		{"holds", "{{ $r.y.z }}", defaults, beside},
		{"lists", "{{ range $r }}{{ .z }}{{ end }}", defaults, beside},
		{"lists fields", "{{ range $r }}{{ .x }}{{ end }}", defaults, below},
	}
	for call, want := range map[string]string{
		`and .Values.a 1`:                             "tests, returns, lists, lists fields",
		`or 1 .Values.a`:                              "tests, returns, lists, lists fields",
		`coalesce 1 .Values.a`:                        "tests, returns, lists, lists fields",
		`default 1 .Values.a`:                         "tests, returns, lists, lists fields",
		`not .Values.a`:                               "tests",
		`empty .Values.a`:                             "tests",
		`kindOf .Values.a`:                            "tests",
		`typeOf .Values.a`:                            "tests",
		`deepCopy .Values.a`:                          "returns, lists, lists fields",
		`deepCopy .Values.a 1`:                        "uses",
		`mustDeepCopy .Values.a`:                      "returns, lists, lists fields",
		`compact .Values.a`:                           "returns, lists, lists fields",
		`mustCompact .Values.a`:                       "returns, lists, lists fields",
		`uniq .Values.a`:                              "returns, lists, lists fields",
		`mustUniq .Values.a`:                          "returns, lists, lists fields",
		`reverse .Values.a`:                           "returns, lists, lists fields",
		`mustReverse .Values.a`:                       "returns, lists, lists fields",
		`rest .Values.a`:                              "returns, lists, lists fields",
		`mustRest .Values.a`:                          "returns, lists, lists fields",
		`initial .Values.a`:                           "returns, lists, lists fields",
		`mustInitial .Values.a`:                       "returns, lists, lists fields",
		`sortAlpha .Values.a`:                         "returns, lists, lists fields",
		`required "text" .Values.a`:                   "tests, returns, lists, lists fields",
		`required .Values.a`:                          "uses",
		`required .Values.a 1`:                        "uses",
		`kindIs "map" .Values.a`:                      "tests",
		`typeIs "map" .Values.a`:                      "tests",
		`typeIsLike "map" .Values.a`:                  "tests",
		`typeIs .Values.a 1`:                          "uses",
		`ternary .Values.a 1 true`:                    "returns, lists, lists fields",
		`ternary 1 .Values.a true`:                    "returns, lists, lists fields",
		`ternary 1 2 .Values.a`:                       "tests",
		`ternary 1 .Values.a`:                         "uses",
		`index .Values.a`:                             "returns, lists, lists fields",
		`index .Values.a "k"`:                         "returns fields, lists fields",
		`index .Values.a .Release.Name`:               "uses",
		`index .Values "a"`:                           "returns, lists, lists fields",
		`dig "a" 1 .Values`:                           "returns, lists, lists fields",
		`dig "y" 1 .Values.a`:                         "",
		`dig "x" .Values.a dict`:                      "returns, lists, lists fields",
		`dig "k" .Values.a`:                           "uses",
		`get .Values "a"`:                             "returns, lists, lists fields",
		`get .Values.a .Release.Name`:                 "uses",
		`get .Values.a`:                               "uses",
		`get dict .Values.a`:                          "uses",
		`hasKey .Values "a"`:                          "tests",
		`hasKey .Values.a "k"`:                        "",
		`hasKey .Values.a "x"`:                        "",
		`hasKey .Values.a .Release.Name`:              "uses",
		`hasKey .Values.a`:                            "uses",
		`unset .Values.a "k"`:                         "returns, lists, lists fields",
		`unset .Values "a"`:                           "tests, lists",
		`unset (dict "y" .Values.a) "z"`:              "holds, lists",
		`set .Values.a "z" 1`:                         "returns, lists, lists fields",
		`set dict "y" .Values.a`:                      "uses",
		`set dict .Release.Name .Values.a`:            "uses",
		`set dict .Values.a 1`:                        "uses",
		`set (dict "y" .Values.a) "z" 1`:              "holds, lists",
		`set $ "y" .Values.a`:                         "uses",
		`set .Values.a "z"`:                           "uses",
		`pick .Values.a "x"`:                          "returns, lists, lists fields",
		`pick .Values.a`:                              "returns, lists, lists fields",
		`pick dict .Values.a`:                         "uses",
		`omit .Values.a "x"`:                          "returns, lists, lists fields",
		`omit dict .Values.a`:                         "uses",
		`pluck "a" .Values`:                           "returns, returns fields, holds, lists",
		`pluck "k" .Values.a`:                         "returns fields, lists fields",
		`pluck "x" .Values.a`:                         "",
		`pluck .Release.Name .Values.a`:               "uses",
		`pluck .Values.a dict`:                        "uses",
		`keys .Values.a`:                              "uses",
		`keys dict .Values.a`:                         "uses",
		`len .Values.a`:                               "uses",
		`values .Values.a`:                            "uses",
		`first .Values.a`:                             "uses",
		`mustFirst .Values.a`:                         "uses",
		`last .Values.a`:                              "uses",
		`mustLast .Values.a`:                          "uses",
		`first (list .Values.a)`:                      "returns, lists, lists fields",
		`last (tuple 1 .Values.a)`:                    "returns, lists, lists fields",
		`values (dict "y" .Values.a)`:                 "returns, returns fields, holds, lists",
		`dict "y" .Values.a`:                          "holds, lists",
		`dict .Release.Name .Values.a`:                "returns, returns fields, holds, lists",
		`dict .Values.a 1`:                            "uses",
		`dict .Values.a`:                              "uses",
		`dict "y" 1 .Values.a`:                        "uses",
		`dict "z" (dict "x" 1) "y" .Values.a`:         "holds, lists",
		`dict`:                                        "",
		`list`:                                        "",
		`tuple`:                                       "",
		`list .Values.a`:                              "returns, returns fields, holds, lists",
		`tuple 1 .Values.a`:                           "returns, returns fields, holds, lists",
		`append (list 1) .Values.a`:                   "returns, returns fields, holds, lists",
		`push (list .Values.a) 1`:                     "returns, returns fields, holds, lists",
		`mustAppend (list 1) .Values.a`:               "returns, returns fields, holds, lists",
		`mustPush (list 1) .Values.a`:                 "returns, returns fields, holds, lists",
		`prepend (list 1) .Values.a`:                  "returns, returns fields, holds, lists",
		`mustPrepend (list 1) .Values.a`:              "returns, returns fields, holds, lists",
		`append .Values.a 1`:                          "returns, lists, lists fields",
		`concat (list 1) (list .Values.a)`:            "returns, returns fields, holds, lists",
		`concat (list .Values.a) (list 1)`:            "returns, returns fields, holds, lists",
		`concat .Values.a`:                            "returns, lists, lists fields",
		`index .Values.a (first (concat (list "k")))`: "uses",
		`merge dict .Values.a`:                        "returns, lists, lists fields",
		`merge .Values.a dict`:                        "returns, lists, lists fields",
		`merge .Values.b .Values.a`:                   "uses",
		`merge $ .Values.a`:                           "uses",
		`mustMerge dict .Values.a`:                    "returns, lists, lists fields",
		`mergeOverwrite (dict "y" .Values.a) dict`:    "holds, lists",
		`mergeOverwrite dict .Values.a`:               "returns, lists, lists fields",
		`mustMergeOverwrite dict dict .Values.a`:      "returns, lists, lists fields",
		`print .Values.a`:                             "uses",
		`printf "%s" .Values.a`:                       "uses",
		`include "absent" .Values.a`:                  "uses",
		`include .Values.a dict`:                      "uses",
		`include "absent"`:                            "",
		`include "absent" .Values.a 1`:                "uses",
		`tpl .Values.a .`:                             "uses",
		`tpl "" .Values.a`:                            "uses",
		`tpl "" (dict "y" .Values.a)`:                 "uses",
		`tpl .Values.a`:                               "uses",
		`other .Values.a`:                             "uses",
		`.Values.a | other`:                           "uses",
		`.Values.a | not`:                             "tests",
		`(list .Values.a) | first`:                    "returns, lists, lists fields",
		`.Release.Name .Values.a`:                     "uses",
		`len (list .Values.a)`:                        "",
		`keys (dict "y" .Values.a)`:                   "",
	} {
		t.Run(call, func(t *testing.T) {
			var got []string
			for _, p := range probes {
				files := map[string]string{"templates/a.yaml": "{{ $r := " + call + " }}{{ .Values.a.k.q }}" + p.template, "values.yaml": p.defaults}
				if strings.Contains(said(t, open(t, files), p.given), "not read") {
					continue
				}
				if got = append(got, p.name); p.name == "uses" {
					break
				}
			}
			if got := strings.Join(got, ", "); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
