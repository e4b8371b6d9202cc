package history

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/kio"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

// byStdin runs the functions of a package over its list, each by standard input, as any
// orchestrator does: with the YAML reader and writer of kyaml.
func byStdin(t tester, dir string) []string {
	t.Helper()
	var messages []string
	kptfiles := []string{"Kptfile"}
	files := readFiles(t, dir)
	if files["sub/Kptfile"] != "" {
		kptfiles = []string{"sub/Kptfile", "Kptfile"}
	}
	for _, name := range kptfiles {
		kptfile, err := packfntest.ParseKptfile([]byte(files[name]))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range kptfile.Mutators {
			var config *kyaml.RNode
			if f.ConfigPath != "" {
				config = kyaml.MustParse(files[filepath.Join(filepath.Dir(name), f.ConfigPath)])
			} else {
				var data strings.Builder
				for key, value := range f.ConfigMap {
					fmt.Fprintf(&data, "  %s: %q\n", key, value)
				}
				config = kyaml.MustParse(`apiVersion: v1
kind: ConfigMap
metadata:
  name: function-input
data:
` + data.String())
			}
			messages = append(messages, step(t, filepath.Join(dir, filepath.Dir(name)), f.Exec, config)...)
		}
	}
	return messages
}

// step runs one function over the files of a package, and writes what it returns.
func step(t tester, dir, name string, config *kyaml.RNode) []string {
	t.Helper()
	files := &kio.LocalPackageReadWriter{
		PackagePath: dir, PackageFileName: "Kptfile", IncludeSubpackages: true,
		MatchFilesGlob: append([]string{"Kptfile"}, kio.MatchAll...), PreserveSeqIndent: true, WrapBareSeqNode: true,
	}
	nodes, err := files.Read()
	if err != nil {
		t.Fatal(err)
	}
	var input bytes.Buffer
	err = kio.ByteWriter{Writer: &input, KeepReaderAnnotations: true, WrappingKind: kio.ResourceListKind, WrappingAPIVersion: kio.ResourceListAPIVersion, FunctionConfig: config}.Write(nodes)
	if err != nil {
		t.Fatal(err)
	}
	read, err := list.Read(input.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	all := suite.All()
	outcome := function.Evaluate(all[slices.IndexFunc(all, func(f function.Function) bool { return f.Name == name })], read)
	var messages []string
	for i := range outcome.Findings {
		f := &outcome.Findings[i]
		messages = append(messages, fmt.Sprintf("%s %s: %s", f.Level(), f.Rule.ID, f.Message()))
	}
	if outcome.Failed {
		t.Fatalf("%s: %s", name, messages)
	}
	var output bytes.Buffer
	if err := read.Write(&output, nil); err != nil {
		t.Fatal(err)
	}
	reader := kio.ByteReader{Reader: &output, OmitReaderAnnotations: true, WrapBareSeqNode: true}
	items, err := reader.Read()
	if err != nil {
		t.Fatal(err)
	}
	if err := files.Write(items); err != nil {
		t.Fatal(err)
	}
	return messages
}
