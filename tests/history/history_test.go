package history

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// history is a package, and what happens to it between renders. Its parts are texts, so that
// it can be printed.
type history struct {
	// form is that of the pack web: files in a ConfigMap, a Pack with the values as text, or
	// as YAML.
	form string
	// isTwice says that two functions resolve macros, each with a part of the facts.
	isTwice bool
	// isLate says that only the second one resolves the thing, which reads what that one has.
	isLate bool
	// hasSub says that there is a subpackage that resolves macros itself, before its parent.
	hasSub bool
	// byPack says that packfn upgrades the pack. Else the whole package is upgraded.
	byPack bool
	// versions are those of the pack web; the package begins with the first one.
	versions []version
	// values are those of the other resources, by their names, each with three keys.
	values map[string][3]value
	events []event
}

// version is a version of the pack web.
type version struct {
	number  string
	values  []entry
	presets []entry // what the presets set
}

// entry is a value with its keys.
type entry struct {
	path  string
	value value
}

// value are the lines of a value, the first of them behind its key, the others as far from the
// indentation of the key as they are indented.
type value []string

// event is what happens between two renders.
type event struct {
	// what is fact, set, remove, presets, upgrade or nothing.
	what string
	// at is the value that is set or removed.
	at location
	to value
	// keeps says that the comment with the former source stays on the line.
	keeps   bool
	presets []entry
}

// location is a value in a file of the package. The first part of its path are the keys of the
// values in the file.
type location struct{ file, path string }

// drawing draws parts of a history.
type drawing struct {
	*rapid.T
	isLate bool
}

func (d drawing) of(texts ...string) string { return rapid.SampledFrom(texts).Draw(d.T, "of") }

func (d drawing) oneIn(n int) bool { return rapid.IntRange(1, n).Draw(d.T, "one in") == n }

const (
	cluster  = "{{ .spectro.system.cluster.name }}"
	upper    = "{{ .spectro.system.cluster.name | upper }}"
	domain   = "{{ .spectro.var.DOMAIN }}"
	site     = `{{ .spectro.var.SITE | default "here" }}`
	database = "{{ .spectro.pack.db.name }}"
	web      = "{{ .spectro.pack.web.host }}"
)

// macro draws a macro or two. A pack may read db, other resources both packs.
func (d drawing) macro(resource string) string {
	macros := []string{cluster, upper, domain, site, cluster + "." + domain, domain + "-" + site}
	switch resource {
	case "web", "over":
		macros = append(macros, database, database+"."+domain)
	case "thing":
		macros = append(macros, database, web)
		if d.isLate {
			macros = []string{cluster, upper, site, cluster + "-" + site, database, web}
		}
	}
	return d.of(macros...)
}

// scalar draws a scalar in one of its styles, some with a comment.
func (d drawing) scalar(resource string) value {
	switch m := d.macro(resource); rapid.IntRange(0, 9).Draw(d.T, "style") {
	case 0, 1:
		return value{d.of("1", "two", "'three' # ours", "true", `"4"`)}
	case 2, 3:
		return value{"'" + m + "'"}
	case 4:
		return value{"'" + m + "' # ours"}
	case 5:
		return value{"x_" + m} // x-{{ b }} may be what a render has left of {{ a }}-{{ b }}
	case 6:
		return value{"x_" + m + " # ours"}
	case 7:
		return value{`"` + strings.ReplaceAll(m, `"`, `\"`) + `"`}
	case 8:
		return value{d.of("|", "|-") + d.of("", " # ours"), "  first " + m, "  second"}
	default:
		return value{">-", "  first", "  " + m}
	}
}

// list draws a list, in flow style or with a line for each element.
func (d drawing) list(resource string) value {
	if d.oneIn(2) {
		return value{`["a-` + strings.ReplaceAll(d.macro(resource), `"`, `\"`) + `", b]` + d.of("", " # ours")}
	}
	return value{"", "  - 'a-" + d.macro(resource) + "'", "  - b"}
}

// options draws a map in flow style, whose keys are always the same.
func (d drawing) options(resource string) value {
	return value{`{first: '` + d.macro(resource) + `', second: ` + d.of("1", "2") + "}"}
}

// webKeys are the keys of the pack web.
var webKeys = []string{"name", "host", "url", "text", "hosts", "options", "server.replicas", "server.memory", "server.mode"}

// otherKeys are the keys of the other resources.
var otherKeys = [3]string{"name", "host", "server.replicas"}

func (d drawing) valueOf(resource, path string) value {
	switch path {
	case "hosts":
		return d.list(resource)
	case "options":
		return d.options(resource)
	}
	return d.scalar(resource)
}

// presetKeys are what the presets set: the first two those of the group size.
var presetKeys = []string{"server.replicas", "server.memory", "url", "hosts"}

func (d drawing) presets() []entry {
	var all []entry
	for _, name := range []string{"small", "large"} {
		for _, path := range presetKeys[:2] {
			all = append(all, entry{name + "." + path, d.scalar("web")})
		}
	}
	return append(all, entry{"ha.url", d.scalar("web")}, entry{"ha.hosts", d.list("web")})
}

// next draws the version after another one, in which some values differ.
func (d drawing) next(before version, number string) version {
	after := version{number: number, presets: before.presets}
	if d.oneIn(3) {
		after.presets = d.presets()
	}
	for _, e := range before.values {
		switch isOptional := e.path == "text" || e.path == "name"; {
		case isOptional && d.oneIn(6):
			continue
		case d.oneIn(5):
			e.value = d.valueOf("web", e.path)
		}
		after.values = append(after.values, e)
	}
	return after
}

func (d drawing) event(h *history) event {
	switch rapid.IntRange(0, 9).Draw(d.T, "event") {
	case 0, 1, 2:
		name := d.of("system.cluster.name", "variables.DOMAIN", "variables.SITE")
		file := "cluster.yaml"
		if h.isTwice {
			file = map[string]string{"system.cluster.name": "second.yaml", "variables.DOMAIN": "first.yaml", "variables.SITE": "second.yaml"}[name]
		}
		if h.hasSub && name == "variables.DOMAIN" && d.oneIn(3) {
			file = "sub/facts.yaml"
		}
		return event{what: "set", at: location{file, "spec." + name}, to: value{d.of("red", "green", "blue")}}
	case 3, 4, 5:
		resource := d.of("web", "over", "over", "thing", "db", "cache")
		path := d.of(otherKeys[:]...)
		if resource == "web" {
			path = d.of(webKeys...)
		}
		return event{what: "set", at: location{h.fileOf(resource), h.pathOf(resource) + path}, to: d.valueOf(resource, path), keeps: d.oneIn(2)}
	case 6:
		resource := d.of("over", "thing")
		return event{what: "remove", at: location{h.fileOf(resource), h.pathOf(resource) + d.of("name", "host")}}
	case 7:
		return event{what: "presets", presets: d.presets()}
	case 8, 9:
		return event{what: "upgrade"}
	}
	return event{what: "nothing"}
}

// histories draws histories.
var histories = rapid.Custom(func(t *rapid.T) history {
	d := drawing{T: t}
	h := history{form: d.of("files", "text", "yaml"), isTwice: d.oneIn(3), hasSub: d.oneIn(3), byPack: d.oneIn(2), values: map[string][3]value{}}
	h.isLate = h.isTwice && d.oneIn(2)
	d.isLate = h.isLate
	h.byPack = h.byPack && h.form != "yaml" // a pack that is imported has its values as text
	first := version{number: "1.0.0", presets: d.presets()}
	for _, path := range webKeys {
		first.values = append(first.values, entry{path, d.valueOf("web", path)})
	}
	h.versions = []version{first}
	for _, resource := range []string{"over", "thing", "db", "cache"} {
		var values [3]value
		for i := range values {
			values[i] = d.scalar(resource)
		}
		h.values[resource] = values
	}
	for range rapid.IntRange(2, 6).Draw(t, "events") {
		e := d.event(&h)
		if last := len(h.versions); e.what == "upgrade" {
			h.versions = append(h.versions, d.next(h.versions[last-1], fmt.Sprintf("1.%d.0", last)))
		}
		h.events = append(h.events, e)
	}
	return h
})
