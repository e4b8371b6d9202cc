package packfn

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
)

// elsewhere are the rules whose examples need two versions of a pack, or several runs. Scripts have them.
// internal/panic has no example.
var elsewhere = []string{
	"config/no-effect", "function/fails", "function/result", "input/not-read", "internal/panic", "kptfile/misnamed", "override/elsewhere", "pack/catalogue", "pack/chart-name", "pack/file-name", "pack/version", "preset/comment", "preset/left", "preset/reapplied", "requirement/elsewhere", "resource/not-local",
	"upgrade/added", "upgrade/changed-default", "upgrade/edited", "upgrade/format", "upgrade/immutable", "upgrade/newly-required", "upgrade/orphaned-value", "upgrade/preset",
	"upgrade/removed-api", "upgrade/removed-claim", "upgrade/removed-crd", "upgrade/renamed", "upgrade/requirement",
}

// The example of each rule breaks it in the resources of testdata/rules.txtar, and no longer does when it is corrected.
func TestRuleExamples(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/rules.txtar")
	if err != nil {
		t.Fatal(err)
	}
	examples := map[string]map[string]string{}
	for _, file := range archive.Files {
		parts := strings.SplitN(file.Name, "/", 3)
		id := parts[0] + "/" + parts[1]
		if rule.Of(id).ID == "" { // an id without a family
			id = parts[0]
		}
		if examples[id] == nil {
			examples[id] = map[string]string{}
		}
		examples[id][strings.TrimPrefix(file.Name, id+"/")] = string(file.Data)
	}
	for _, r := range rule.All() {
		if (examples[r.ID] != nil) == slices.Contains(elsewhere, r.ID) {
			t.Errorf("%s: an example runs: %v", r.ID, examples[r.ID] != nil)
		}
	}
	for id, files := range examples {
		t.Run(id, func(t *testing.T) {
			command, fix, _ := strings.Cut(strings.TrimPrefix(files["rule"], "run "), "\nfix ")
			old, fixed, _ := strings.Cut(strings.TrimSuffix(fix, "\n"), " => ")
			old, fixed = unescape(old), unescape(fixed)
			delete(files, "rule")
			example, right, found := rule.Of(id).Breaks, map[string]string{}, false
			if strings.Contains(strings.Join(slices.Collect(maps.Values(files)), ""), "<") != strings.ContainsAny(example, ":{") {
				t.Errorf("the files must hold the example unless it is in words: %q", example)
			}
			for name, text := range files {
				text = withExample(text, example)
				files[name], right[name] = text, strings.Replace(text, old, fixed, 1)
				found = found || strings.Contains(text, old)
			}
			if !found {
				t.Errorf("%q is not in %q", old, files)
			}
			if got := rulesOf(t, command, files); !slices.Contains(got, id) {
				t.Errorf("the example has %v\n%v", got, files)
			}
			if got := rulesOf(t, strings.ReplaceAll(command, old, fixed), right); slices.Contains(got, id) {
				t.Errorf("the corrected example has %v", got)
			}
		})
	}
}

// withExample puts the text of an example into a file.
func withExample(text, example string) string {
	example = strings.TrimSpace(regexp.MustCompile(`(?m)\s+//.*$`).ReplaceAllString(example, ""))
	text = strings.ReplaceAll(text, "<{}>", strings.TrimSuffix(strings.TrimPrefix(example, "{"), "}"))
	return regexp.MustCompile(`(?m)^( *)<>$`).ReplaceAllStringFunc(text, func(line string) string {
		indent := strings.TrimSuffix(line, "<>")
		return indent + strings.ReplaceAll(example, "\n", "\n"+indent)
	})
}

// rulesOf returns the rules of the findings of packfn check over files, or of a function over list.yaml, which may hold
// the functionConfig.
func rulesOf(t *testing.T, command string, files map[string]string) (rules []string) {
	t.Helper()
	if args := strings.Fields(command); args[0] == "check" {
		dir := t.TempDir()
		for name, text := range files {
			write(t, filepath.Join(dir, name), text)
		}
		for _, f := range readFindings(t, packfn(t, dir, append(args, "--format", "json")...)) {
			rules = append(rules, f.Rule)
		}
		return rules
	}
	all := suite.All()
	f := all[slices.IndexFunc(all, func(f function.Function) bool { return f.Name == command })]
	l := &list.List{}
	for _, item := range list.FileItems([]byte(files["list.yaml"]), "packs.yaml") {
		// The functionConfig of inject-config may be the PackageVariant itself.
		if !item.Is(function.ConfigGroupVersion, f.Kind) && item.Kind() != "PackageVariant" {
			l.Items = append(l.Items, item)
			continue
		}
		config, err := item.Document()
		if err != nil {
			t.Fatal(err)
		}
		l.SetConfig(config.Root())
	}
	for _, found := range function.Evaluate(f, l).Findings {
		rules = append(rules, found.Rule.ID)
	}
	return rules
}

// What the rows say about a rule reaches the functions that report it, and they name reporters that exist.
func TestRulesOfFunctions(t *testing.T) {
	reporters := []string{"packfn upgrade", "packfn upgrade --template", "packfn fleet --template", "packfn render --against", "packfn check packs", "packfn check bundles", "packfn check charts", "packfn check template", "packfn check Kptfiles", "packfn check sets", "packfn check inputs", "packfn render programs"}
	for _, f := range suite.All() {
		reporters = append(reporters, f.Name)
		if len(f.Rules) == 0 {
			t.Errorf("%s has no rules", f.Name)
		}
		for _, r := range rule.All() {
			own := slices.ContainsFunc(f.Rules, func(known diag.Rule) bool { return known.ID == r.ID && known.Severity == r.Severity })
			if want := slices.Contains(r.Reporters(), f.Name); own != want {
				t.Errorf("%s: %s has the rule: %v", r.ID, f.Name, own)
			}
		}
	}
	for _, r := range rule.All() {
		for _, by := range r.Reporters() {
			if !slices.Contains(reporters, by) {
				t.Errorf("%s is by %q, which reports nothing", r.ID, by)
			}
		}
		for _, own := range r.Own {
			if !slices.Contains(reporters, own.Function) {
				t.Errorf("%s: %q reports nothing", r.ID, own.Function)
			}
		}
	}
}
