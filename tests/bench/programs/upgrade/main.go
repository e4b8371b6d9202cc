// Command upgrade plans the upgrade of a pack whose values are on standard input, each
// `before edited after` on a line. It fails if an edit is lost.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "upgrade:", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "upgrade")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var texts [3]strings.Builder
	scanner := bufio.NewScanner(os.Stdin)
	for n := 0; scanner.Scan(); n++ {
		for i, value := range strings.Fields(scanner.Text()) {
			fmt.Fprintf(&texts[i], "key%d: %s\n", n, value)
		}
	}
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600))
	}
	for i, version := range map[int]string{0: "1.0.0", 2: "2.0.0"} {
		write(version+"/pack.json", `{"name": "p", "version": "`+version+`"}`)
		write(version+"/values.yaml", texts[i].String())
	}
	older, pkg := filepath.Join(dir, "1.0.0"), filepath.Join(dir, "pkg")
	plan, importErr := packfntest.Import(pkg, []string{older}, packfntest.ImportOptions{})
	if err = errors.Join(err, scanner.Err(), importErr); err != nil {
		return err
	}
	indented := func(text string) string { return "    " + strings.ReplaceAll(text, "\nkey", "\n    key") }
	before := string(plan.Changes[0].Text)
	write("pkg/p.yaml", strings.Replace(before, indented(texts[0].String()), indented(texts[1].String()), 1))
	if err != nil {
		return err
	}
	up, err := packfntest.Upgrade(pkg, []string{filepath.Join(dir, "2.0.0")}, packfntest.UpgradeOptions{From: older, Check: packfntest.CheckOptions{Functions: suite.All()}})
	if err != nil {
		return err
	}
	if up.Lost > 0 || len(up.Changes) != 1 || strings.Contains(string(up.Changes[0].Text), texts[2].String()) {
		return errors.New("an edit is lost")
	}
	fmt.Println(up.Report.Summary())
	return nil
}
