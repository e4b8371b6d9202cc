package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"go.yaml.in/yaml/v3"
)

// Fleet is the preview of a whole fleet, as Porch would make it: the PackageVariantSet of one example is expanded, each
// variant's package is made out of another, and rendered.
type Fleet struct {
	Kpt      string // the program
	Bin      string // the folder of the functions
	Dir      string // where packages are written
	Examples string // the folder of the examples
}

// Outcome is what the package of one cluster came to.
type Outcome struct {
	Cluster  string
	Failed   bool
	Findings []string // errors and warnings
}

// variant is what the preview reads of a PackageVariant.
type variant struct {
	Metadata struct{ Name, Namespace string }
	Spec     struct {
		Downstream struct{ Repo, Package string }
	}
	document map[string]any
}

// Preview expands the set and renders each variant's package.
func (f Fleet) Preview() ([]Outcome, error) {
	management := filepath.Join(f.Dir, "fleet")
	if err := os.CopyFS(management, os.DirFS(filepath.Join(f.Examples, "expand-variant-set-fleet"))); err != nil {
		return nil, err
	}
	if failed, findings, err := f.run(filepath.Join(f.Dir, "expand"), "render", management, "--allow-exec"); err != nil {
		return nil, err
	} else if failed {
		return nil, fmt.Errorf("the set can not be expanded: %q", findings)
	}
	variants, err := readVariants(management)
	if err != nil {
		return nil, err
	}
	objects, err := readDocuments(filepath.Join(management, "clusters.yaml"))
	if err != nil {
		return nil, err
	}
	outcomes := make([]Outcome, 0, len(variants))
	for _, v := range variants {
		o, err := f.variant(v, objects)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Metadata.Name, err)
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

// variant makes the package of one variant: a copy of the upstream, changed as
// its PackageVariant says, and rendered.
func (f Fleet) variant(v variant, objects []map[string]any) (Outcome, error) {
	o := Outcome{Cluster: v.Spec.Downstream.Repo}
	pkg := filepath.Join(f.Dir, o.Cluster, v.Spec.Downstream.Package)
	if err := os.CopyFS(pkg, os.DirFS(filepath.Join(f.Examples, "inject-config-fleet"))); err != nil {
		return o, err
	}
	config, err := yaml.Marshal(map[string]any{
		"apiVersion": "fn.kpt.dev/v1alpha1",
		"kind":       "InjectConfig",
		"metadata":   map[string]any{"name": v.Metadata.Name},
		"spec":       map[string]any{"packageVariant": v.document, "objects": objects},
	})
	if err != nil {
		return o, err
	}
	file := filepath.Join(f.Dir, o.Cluster, "inject-config.yaml")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		return o, err
	}
	results := filepath.Join(f.Dir, o.Cluster, "results")
	if o.Failed, o.Findings, err = f.run(results, "eval", pkg, "--exec", "inject-config", "--fn-config", file); err != nil || o.Failed {
		return o, err
	}
	rendered, err := f.render(pkg, results)
	o.Failed, o.Findings = rendered.Failed, slices.Concat(o.Findings, rendered.Findings)
	return o, err
}

// render renders a package.
func (f Fleet) render(pkg, results string) (o Outcome, err error) {
	o.Failed, o.Findings, err = f.run(results, "render", pkg, "--allow-exec")
	return o, err
}

// Table prints outcomes for people.
func Table(out io.Writer, outcomes []Outcome) error {
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "CLUSTER\tOUTCOME\tFINDINGS")
	for _, o := range outcomes {
		verdict := "can be deployed"
		if o.Failed {
			verdict = "refused"
		}
		findings := o.Findings
		if len(findings) == 0 {
			findings = []string{"none"}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", o.Cluster, verdict, strings.Join(findings, "\n\t\t"))
	}
	return w.Flush()
}

// run runs a command of `kpt fn` and returns its findings.
func (f Fleet) run(results, command string, args ...string) (failed bool, findings []string, err error) {
	if err := os.RemoveAll(results); err != nil {
		return false, nil, err
	}
	kpt := exec.Command(f.Kpt, slices.Concat([]string{"fn", command}, args, []string{"--results-dir", results})...)
	path := f.Bin + string(os.PathListSeparator) + os.Getenv("PATH")
	kpt.Env = append(os.Environ(), "PATH="+path)
	var stderr bytes.Buffer
	kpt.Stderr = &stderr
	err = kpt.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		failed, err = true, nil
	}
	if err != nil {
		return failed, nil, err
	}
	findings, err = readFindings(filepath.Join(results, "results.yaml"))
	if failed && len(findings) == 0 && err == nil {
		err = fmt.Errorf("kpt fn %s failed without a finding: %s", command, stderr.String())
	}
	return failed, findings, err
}

// readFindings reads errors and warnings out of a results file of kpt.
func readFindings(file string) ([]string, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list struct {
		Items []struct {
			Results []struct {
				Message, Severity string
			}
		}
	}
	if err := yaml.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var findings []string
	for _, item := range list.Items {
		for _, result := range item.Results {
			if result.Severity == "error" || result.Severity == "warning" {
				findings = append(findings, result.Severity+": "+result.Message)
			}
		}
	}
	return findings, nil
}

// readVariants reads the PackageVariants of a package, in order of their names.
func readVariants(pkg string) ([]variant, error) {
	files, err := filepath.Glob(filepath.Join(pkg, "packagevariants", "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("the set was expanded to no variants")
	}
	var variants []variant
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var v variant
		if err := errors.Join(yaml.Unmarshal(data, &v), yaml.Unmarshal(data, &v.document)); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		variants = append(variants, v)
	}
	return variants, nil
}

// readDocuments reads all documents of a file.
func readDocuments(file string) ([]map[string]any, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var documents []map[string]any
	for part := range bytes.SplitSeq(data, []byte("\n---\n")) {
		var document map[string]any
		if err := yaml.Unmarshal(part, &document); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		documents = append(documents, document)
	}
	return documents, nil
}
