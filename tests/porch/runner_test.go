package porch

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	pb "github.com/nephio-project/porch/func/evaluator"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const head = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
`

// input is a list for a function: one that it accepts, and one that it fails.
type input struct{ good, bad string }

func pack(json, values string) string {
	return `- apiVersion: v1
  kind: ConfigMap
  metadata: {name: vault}
  data:
    pack.json: '` + json + `'
    values.yaml: |
      ` + values + "\n"
}

// inputs has a good and a bad list for each function.
var inputs = map[string]input{
	"validate-pack-values": {
		head + "items:\n" + pack(`{"name": "vault"}`, "port: 5001") + `    schema.yaml: |
      port: {schema: '{{ format "${number:[5000-5005]}" }}'}
`,
		head + "items:\n" + pack(`{"name": "vault"}`, "port: 1") + `    schema.yaml: |
      port: {schema: '{{ format "${number:[5000-5005]}" }}'}
`,
	},
	"check-dependencies": {
		head + "items:\n" + pack(`{"name": "vault", "version": "1.0.0"}`, "a: 1"),
		head + "items:\n" + pack(`{"name": "vault", "version": "1.0.0", "constraints": {"dependencies": [{"packName": "consul", "type": "required"}]}}`, "a: 1"),
	},
	"check-resources": {
		head + "items:\n" + pack(`{"name": "vault"}`, "a: 1"),
		head + "items:\n" + pack(`{"name": "vault", "constraints": {"resources": [{"type": "cpu", "minLimit": 2000}]}}`, "a: 1"),
	},
	"apply-preset": {
		head + `functionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {vault: 'size:ha'}}
items:
` + pack(`{"name": "vault"}`, "replicas: 1") + `    presets.yaml: |
      - {name: ha, displayName: HA, group: size, remove: [], add: 'replicas: 3'}
`,
		head + `functionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {vault: 'size:he'}}
items:
` + pack(`{"name": "vault"}`, "replicas: 1") + `    presets.yaml: |
      - {name: ha, displayName: HA, group: size, remove: [], add: 'replicas: 3'}
`,
	},
	"resolve-macros": {
		head + `functionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {variables.A: b}}
items:
` + pack(`{"name": "vault"}`, "a: \"{{ .spectro.var.A }}\""),
		head + "items:\n" + pack(`{"name": "vault"}`, "a: \"{{ .spectro.var.A }}\""),
	},
	"inject-config": {
		head + "items: []\n",
		head + `functionConfig: {apiVersion: config.porch.kpt.dev/v1alpha1, kind: PackageVariant, metadata: {name: v}, spec: {}}
items: []
`,
	},
	"expand-variant-set": {
		head + `items:
- {apiVersion: config.porch.kpt.dev/v1alpha2, kind: PackageVariantSet, metadata: {name: s}, spec: {upstream: {repo: r, package: p, revision: v1}, targets: [{repositories: [{name: a}]}]}}
`,
		head + `items:
- {apiVersion: config.porch.kpt.dev/v1alpha2, kind: PackageVariantSet, metadata: {name: s}, spec: {upstream: {repo: r, package: p, revision: v1}}}
`,
	},
	"select-implementations": {
		head + "items: []\n",
		head + `functionConfig: {apiVersion: fn.kpt.dev/v1alpha1, kind: SelectImplementations, metadata: {name: c}, spec: {unknown: 1}}
items: []
`,
	},
}

// hostile are inputs that no function accepts, or that it has to survive.
var hostile = map[string]string{
	"empty":      "",
	"not YAML":   "a: [",
	"not a list": "a: b\n",
	"truncated": head + `items:
- apiVersion: v1
  kind: ConfigMap
  data: {a: 'b
`,
}

// direct is the output of a function that is run as a program.
func direct(t *testing.T, function, list string) (output string, code int, stderr string) {
	t.Helper()
	command := exec.Command(filepath.Join(programs, function))
	command.Stdin = strings.NewReader(list)
	var out, errors bytes.Buffer
	command.Stdout, command.Stderr = &out, &errors
	if err := command.Run(); err != nil {
		if _, ok := err.(*exec.ExitError); !ok {
			t.Fatal(err)
		}
	}
	return out.String(), command.ProcessState.ExitCode(), errors.String()
}

// compare runs a function through Porch over a list, and compares the answer with that of
// the program itself: the same list when it passes, its words when it fails.
func compare(t *testing.T, client pb.FunctionEvaluatorClient, function, image, list string) {
	t.Helper()
	output, code, stderr := direct(t, function, list)
	answer, err := client.EvaluateFunction(t.Context(), &pb.EvaluateFunctionRequest{ResourceList: []byte(list), Image: image})
	if code == 0 {
		switch {
		case err != nil:
			t.Errorf("%s passes, but Porch says: %v", function, err)
		case string(answer.ResourceList) != output:
			t.Errorf("%s prints\n%s\nand Porch returns\n%s", function, output, answer.ResourceList)
		}
		return
	}
	line, _, _ := strings.Cut(stderr, "\n")
	if line == "" || status.Code(err) != codes.Internal || !strings.Contains(err.Error(), line) {
		t.Errorf("%s fails with %q, and Porch says: %v", function, stderr, err)
	}
}

// everything runs good, bad and hostile lists of a function.
func everything(t *testing.T, client pb.FunctionEvaluatorClient, function, image string) {
	t.Helper()
	in, ok := inputs[function]
	if !ok {
		t.Fatalf("no lists for %s", function)
	}
	if _, code, stderr := direct(t, function, in.good); code != 0 {
		t.Errorf("the good list fails: %s", stderr)
	}
	if _, code, _ := direct(t, function, in.bad); code != 1 {
		t.Error("the bad list passes")
	}
	compare(t, client, function, image, in.good)
	compare(t, client, function, image, in.bad)
	for name, list := range hostile {
		t.Run(name, func(t *testing.T) { compare(t, client, function, image, list) })
	}
	// The server refuses what is above its limit before the function sees it, and lives.
	large := head + `items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: large}
  data:
    a: '` + strings.Repeat("x", maxMessage) + "'\n"
	_, err := client.EvaluateFunction(t.Context(), &pb.EvaluateFunctionRequest{ResourceList: []byte(large), Image: image})
	if status.Code(err) != codes.ResourceExhausted {
		t.Errorf("a list above the limit: %v", err)
	}
	compare(t, client, function, image, in.good)
}

// TestWrapperServer runs each function in Porch's wrapper server, as its pods do.
func TestWrapperServer(t *testing.T) {
	for _, function := range functions {
		t.Run(function, func(t *testing.T) {
			client := serve(t, "wrapper-server", "--", filepath.Join(programs, function))
			everything(t, client, function, "ghcr.io/krm-packs/"+function+":test")
		})
	}
}

// TestFunctionRunner runs each function in Porch's function runner, by its executable
// evaluator.
func TestFunctionRunner(t *testing.T) {
	var config strings.Builder
	config.WriteString("functions:\n")
	for _, function := range functions {
		fmt.Fprintf(&config, `- function: %s
  images: [ghcr.io/krm-packs/%s:test]
`, function, function)
	}
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte(config.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	client := serve(t, "server", "--disable-runtimes=pod", "--config="+file, "--functions="+programs)
	for _, function := range functions {
		t.Run(function, func(t *testing.T) { everything(t, client, function, "ghcr.io/krm-packs/"+function+":test") })
	}
	_, err := client.EvaluateFunction(t.Context(), &pb.EvaluateFunctionRequest{ResourceList: []byte(head), Image: "ghcr.io/krm-packs/unknown:test"})
	if status.Code(err) != codes.NotFound {
		t.Errorf("an unknown image: %v", err)
	}
}
