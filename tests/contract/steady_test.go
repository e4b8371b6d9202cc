package contract

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	fnresultv1 "github.com/kptdev/kpt/api/fnresult/v1"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
	"github.com/krm-packs/functions/pkg/values"
)

// unsteady are the rules whose findings disappear with the macro that they are about.
var unsteady = map[string]bool{"macro/empty": true, "macro/defaulted": true}

// renderIntoKptfile renders a package in a folder, and writes it and the results as kpt
// does since v1.0.0-beta.62: into status.renderStatus of the root Kptfile.
func renderIntoKptfile(t *testing.T, dir string) {
	t.Helper()
	tree, err := packfntest.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	rendered, err := tree.Render(packfntest.RenderOptions{Functions: suite.All()})
	if err != nil {
		t.Fatal(err)
	}
	if !rendered.Failed {
		for _, change := range tree.Changes(rendered.Items) {
			if change.Remove {
				err = os.Remove(change.Path)
			} else if err = os.MkdirAll(filepath.Dir(change.Path), 0o755); err == nil {
				err = os.WriteFile(change.Path, change.Text, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	writeStatus(t, filepath.Join(dir, "Kptfile"), rendered)
}

// writeStatus writes the results of a render into a Kptfile.
func writeStatus(t *testing.T, kptfile string, rendered *packfntest.Rendered) {
	t.Helper()
	status := &kptfilev1.Status{RenderStatus: &kptfilev1.RenderStatus{}}
	condition := kptfilev1.Condition{Type: kptfilev1.ConditionTypeRendered, Status: kptfilev1.ConditionTrue, Reason: kptfilev1.ReasonRenderSuccess}
	if rendered.Failed {
		condition.Status, condition.Reason = kptfilev1.ConditionFalse, kptfilev1.ReasonRenderFailed
		status.RenderStatus.ErrorSummary = "a function failed"
	}
	status.Conditions = append(status.Conditions, condition)
	for i := range rendered.Runs {
		run := &rendered.Runs[i]
		step := kptfilev1.PipelineStepResult{Name: run.Entry.Name, Image: run.Entry.Image, ExecPath: run.Entry.Exec}
		if run.Failed {
			step.ExitCode = 1
		}
		for _, result := range run.Results() {
			if unsteady[result.Tags["rule"]] {
				continue
			}
			text, err := yaml.Marshal(result)
			if err != nil {
				t.Fatal(err)
			}
			var item fnresultv1.ResultItem
			if err := yaml.Unmarshal(text, &item); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			step.Results = append(step.Results, item)
		}
		if run.Mutator {
			status.RenderStatus.MutationSteps = append(status.RenderStatus.MutationSteps, step)
		} else {
			status.RenderStatus.ValidationSteps = append(status.RenderStatus.ValidationSteps, step)
		}
	}
	text, err := yaml.Marshal(status)
	if err != nil {
		t.Fatal(err)
	}
	added, err := values.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(kptfile)
	if err != nil {
		t.Fatal(err)
	}
	document, err := values.Parse(string(before))
	if err == nil {
		document, err = document.Set(values.Keys("status"), added)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(kptfile, []byte(document.Text()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// filesOf returns the files of a folder by their paths.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		files[strings.TrimPrefix(name, dir)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// pipelineOf returns the functions of the root package.
func pipelineOf(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "Kptfile"))
	if err != nil {
		t.Fatal(err)
	}
	kptfile, err := packfntest.ParseKptfile(text)
	if err != nil {
		t.Fatal(err)
	}
	return len(kptfile.Mutators) + len(kptfile.Validators)
}

// A second render of an example changes no byte, with the results in the Kptfile, so that
// `kpt fn render && git diff --exit-code` passes once a change is rendered. A function that
// adds others to the pipeline needs one render more: kpt runs the pipeline that it read. The
// render that sets values of presets again says so, and the next one cannot say it.
func TestRendersAreSteady(t *testing.T) {
	examples, err := filepath.Glob("../../examples/*/Kptfile")
	if err != nil || len(examples) < 30 {
		t.Fatalf("%d examples: %v", len(examples), err)
	}
	grown := 0
	for _, kptfile := range examples {
		name := filepath.Base(filepath.Dir(kptfile))
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			if err := os.CopyFS(dir, os.DirFS(filepath.Dir(kptfile))); err != nil {
				t.Fatal(err)
			}
			functions := pipelineOf(t, dir)
			renderIntoKptfile(t, dir)
			if functions != pipelineOf(t, dir) {
				grown++
				renderIntoKptfile(t, dir)
			}
			if strings.Contains(filesOf(t, dir)["/Kptfile"], "preset/reapplied") {
				renderIntoKptfile(t, dir)
			}
			first := filesOf(t, dir)
			if !strings.Contains(first["/Kptfile"], "renderStatus") {
				t.Errorf("no results in the Kptfile:\n%s", first["/Kptfile"])
			}
			renderIntoKptfile(t, dir)
			if diff := cmp.Diff(first, filesOf(t, dir)); diff != "" {
				t.Errorf("the second render differs:\n%s", diff)
			}
		})
	}
	if grown != 1 {
		t.Errorf("%d examples add functions to their own pipeline, want inject-config-pipeline", grown)
	}
}
