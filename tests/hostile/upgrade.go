package main

import (
	"os"
	"path/filepath"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

// upgrades compare a pack with a newer version: edits of the user, an override, keys that go
// and come.
func upgrades() []work {
	var all []work
	for name, change := range map[string]struct{ before, edited, override, after string }{
		"edited keys":             {"key%d: 1\n", "key%d: 2\n", "", "key%d: 1\n"},
		"edited keys, apart":      {"map%d: {a: {b: 1}}\n", "map%d: {a: {b: 2}}\n", "", "map%d: {a: {b: 1}}\n"},
		"edits that are lost":     {"map%d: {a: 1}\n", "map%d: {a: 2}\n", "", "map%d: text\n"},
		"edits without a key":     {"key%d: 1\n", "key%d: 2\n", "", "other%d: 1\n"},
		"changed defaults":        {"key%d: 1\n", "key%d: 1\n", "", "key%d: 2\n"},
		"new keys":                {"map%d: {a: 1}\n", "map%d: {a: 1}\n", "", "map%d: {a: 1, b: 2}\n"},
		"removed keys":            {"key%d: 1\n", "# %d\n", "", "key%d: 1\n"},
		"overrides without a key": {"some%d: {a: {b: 1}}\n", "some%d: {a: {b: 1}}\n", "some%d: {a: {b: 2}}\n", "thing%d: {a: {b: 1}}\n"},
	} {
		all = append(all, work{name: "upgrade with " + name, size: 200, prepare: func(n int) func() {
			dir, err := os.MkdirTemp("", "upgrade")
			must(err == nil)
			write := func(name, text string) string {
				path := filepath.Join(dir, name)
				must(os.MkdirAll(filepath.Dir(path), 0o700) == nil && os.WriteFile(path, []byte(text), 0o600) == nil)
				return path
			}
			for version, line := range map[string]string{"1.0.0": change.before, "2.0.0": change.after} {
				write(version+"/pack.json", `{"name":"p","version":"`+version+`","layer":"addon"}`)
				write(version+"/values.yaml", "last: 1\n"+each(n, line))
			}
			older, newer, pkg := filepath.Join(dir, "1.0.0"), filepath.Join(dir, "2.0.0"), filepath.Join(dir, "pkg")
			plan, err := packfntest.Import(pkg, []string{older}, packfntest.ImportOptions{})
			must(err == nil)
			write("pkg/p.yaml", string(plan.Changes[0].Text))
			// The values are the last part of the file.
			text := string(plan.Changes[0].Text)
			head := text[:len(text)-len(indented(indented("last: 1\n"+each(n, change.before))))]
			write("pkg/p.yaml", head+indented(indented("last: 1\n"+each(n, change.edited))))
			if change.override != "" {
				write("pkg/o.yaml", `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: o}
spec:
  packRef: {name: p}
  values:
`+indented(indented(each(n, change.override))))
			}
			return func() {
				_, err := packfntest.Upgrade(pkg, []string{newer}, packfntest.UpgradeOptions{From: older, Check: packfntest.CheckOptions{Functions: suite.All()}})
				if err != nil {
					panic(err)
				}
			}
		}})
	}
	return all
}
