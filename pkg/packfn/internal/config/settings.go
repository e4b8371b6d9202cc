package config

import (
	"fmt"
	"maps"
	"slices"
)

// Setting is a key of the configuration.
type Setting struct {
	// Key is the path in packfn.yaml, Values are the values in force, and Flag is the flag that
	// overrides them.
	Key    string
	Values []string
	Flag   string
}

// Settings returns each key of the configuration with its values, also keys that the file does not have:
//
//	KEY      VALUE  FLAG       FROM
//	sources  -      --source   default
//	failOn   error  --fail-on  default
func (f *File) Settings() []Setting {
	var severities []string
	for _, id := range slices.Sorted(maps.Keys(f.Severity)) {
		severities = append(severities, id+"="+string(f.Severity[id]))
	}
	var ofScopes []string
	for _, name := range slices.Sorted(maps.Keys(f.Checks.Scopes)) {
		ofScopes = append(ofScopes, f.Checks.Scopes[name]+"="+name)
	}
	var functions []string
	for _, image := range slices.Sorted(maps.Keys(f.Functions)) {
		functions = append(functions, image+"="+f.Functions[image])
	}
	return []Setting{
		{"sources", f.Shown(), "--source"},
		{"catalogs", f.OfCatalogs(), "--catalog"},
		{"exclude", f.Exclude, "--exclude"},
		{"severity", severities, "--severity"},
		{"functions", functions, "--function"},
		{"functionConfigs", f.FunctionConfigs, ""},
		{"programs", []string{f.Programs}, ""},
		{"failOn", f.OfFailOn(), "--fail-on"},
		{"checks.template", []string{fmt.Sprint(f.Checks.Template)}, "--template"},
		{"checks.asWritten", []string{fmt.Sprint(f.Checks.AsWritten)}, "--as-written"},
		{"checks.scopes", ofScopes, "--scope"},
		{"fleet.set", f.Sets(), "--set"},
		{"fleet.upstream", f.Upstreams(), "--upstream"},
	}
}
