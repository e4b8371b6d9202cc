package policy

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/values"
)

// manifests returns the OCF manifests of the public hub as resources, in the form
// that the README describes.
func manifests(t *testing.T) []string {
	t.Helper()
	root := filepath.Dir(functiontest.Corpus(t, "hub-manifests")[0])
	var all []string
	names := map[string]int{}
	err := filepath.WalkDir(filepath.Join(root, "hub-manifests"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		all = append(all, asResource(t, string(text), names))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// asResource makes a resource of an OCF manifest: prefix and name become
// spec.path, revision spec.revision, metadata.attributes spec.attributes, and the
// rest of the spec stays.
func asResource(t *testing.T, original string, names map[string]int) string {
	t.Helper()
	var source struct {
		Kind, Revision string
		Metadata       struct {
			Prefix, Name string
			Attributes   yaml.Node
		}
		Spec yaml.Node
	}
	if err := yaml.Unmarshal([]byte(original), &source); err != nil {
		t.Fatal(err)
	}
	path := source.Metadata.Prefix + "." + source.Metadata.Name
	name := strings.ToLower(path + "-" + source.Revision)
	key := source.Kind + name
	if names[key]++; names[key] > 1 {
		name += fmt.Sprintf("-%d", names[key])
	}
	content := []*yaml.Node{text("path"), text(path), text("revision"), text(source.Revision)}
	if source.Metadata.Attributes.Kind != 0 {
		content = append(content, text("attributes"), &source.Metadata.Attributes)
	}
	out := struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct{ Name string }
		Spec       yaml.Node
	}{APIVersion: manifest.GroupVersion, Kind: source.Kind}
	out.Metadata.Name = name
	out.Spec = yaml.Node{Kind: yaml.MappingNode, Content: append(content, source.Spec.Content...)}
	text, err := values.Print(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func text(value string) *yaml.Node {
	var n yaml.Node
	n.SetString(value)
	return &n
}

// choices are the selections that a run made: Interface → outcome and
// Implementation, and how each output is stored.
func choices(t *testing.T, output string) map[string]string {
	t.Helper()
	got := map[string]string{}
	for _, text := range strings.Split(functiontest.Documents(output), "---\n") {
		var s struct {
			Kind     string
			Metadata struct{ Name string }
			Spec     struct {
				Interface      manifest.Ref
				Outcome        string
				Implementation manifest.Ref
				Inject         struct {
					Required []InjectedInstance `yaml:"requiredTypeInstances"`
				}
				Backends []struct{ Output, ID, Via string }
			}
		}
		if err := yaml.Unmarshal([]byte(text), &s); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if s.Kind != selectionKind {
			continue
		}
		line := s.Spec.Outcome
		if s.Spec.Implementation.Path != "" {
			line = s.Spec.Implementation.Path + ":" + s.Spec.Implementation.Revision
		}
		for _, i := range s.Spec.Inject.Required {
			line += " " + i.Name + "=" + i.ID
		}
		for _, b := range s.Spec.Backends {
			line += " " + b.Output + "→" + strings.TrimSpace(b.ID+" "+b.Via)
		}
		got[s.Spec.Interface.String()] = line
	}
	return got
}

const cloudInstances = `---
apiVersion: ocf.capact.io/v1alpha1
kind: TypeInstance
metadata:
  name: aws
spec:
  typeRef: {path: cap.type.aws.auth.credentials, revision: 0.1.0}
---
apiVersion: ocf.capact.io/v1alpha1
kind: TypeInstance
metadata:
  name: gcp
spec:
  typeRef: {path: cap.type.gcp.auth.service-account, revision: 0.1.0}
---
apiVersion: ocf.capact.io/v1alpha1
kind: TypeInstance
metadata:
  name: helm
spec:
  id: 31bb8355-10d7-49ce-a739-4554d8a40b63
  typeRef: {path: cap.type.helm.template.storage, revision: 0.1.0}
---
apiVersion: ocf.capact.io/v1alpha1
kind: TypeInstance
metadata:
  name: secrets
spec:
  typeRef: {path: cap.type.aws.secrets-manager.storage, revision: 0.1.0}
`

// postgresPolicy is a policy with rules for PostgreSQL.
func postgresPolicy(oneOf string) string {
	return cloudInstances + `---
apiVersion: ocf.capact.io/v1alpha1
kind: Policy
metadata:
  name: global
spec:
  scope: GLOBAL
  interface:
    rules:
    - interface: {path: cap.interface.database.postgresql.install}
      oneOf:
` + oneOf
}

// The four Implementations of PostgreSQL of the public hub, and where their
// outputs are stored.
func TestCorpusPostgres(t *testing.T) {
	hub := manifests(t)
	if hub == nil {
		return
	}
	const helm = "31bb8355-10d7-49ce-a739-4554d8a40b63"
	for _, tc := range []struct{ name, oneOf, want string }{
		{"by an attribute", "      - implementationConstraints: {attributes: [{path: cap.attribute.cloud.provider.aws}]}\n        inject: {requiredTypeInstances: [{id: aws}]}\n",
			"cap.implementation.aws.rds.postgresql.install:0.1.0 aws-credentials=aws postgresql→built-in rds-instance→built-in"},
		{"the highest revision", "      - implementationConstraints: {attributes: [{path: cap.attribute.cloud.provider.gcp}]}\n        inject: {requiredTypeInstances: [{id: gcp}]}\n",
			"cap.implementation.gcp.cloudsql.postgresql.install:0.2.0 gcp-sa=gcp postgresql→built-in"},
		{"by an attribute that the other revision has", "      - implementationConstraints: {attributes: [{path: cap.attribute.cloud.tooling.gcloud-cli, revision: 0.1.0}]}\n        inject: {requiredTypeInstances: [{id: gcp}]}\n",
			"cap.implementation.gcp.cloudsql.postgresql.install:0.1.0 gcp-sa=gcp postgresql→built-in"},
		{"an alias that is not injected", "      - implementationConstraints: {path: cap.implementation.bitnami.postgresql.install}\n", "Unsatisfied"},
		{"Helm storage under an alias", "      - implementationConstraints: {path: cap.implementation.bitnami.postgresql.install}\n        inject: {requiredTypeInstances: [{id: " + helm + "}]}\n",
			"cap.implementation.bitnami.postgresql.install:0.1.0 helm-template-storage=" + helm + " postgresql→" + helm + " rule-inject"},
		{"Helm storage by default", "      - implementationConstraints: {requires: [{path: cap.type.helm.template.storage}]}\n    default: {inject: {requiredTypeInstances: [{id: " + helm + "}]}}\n",
			"cap.implementation.bitnami.postgresql.install:0.1.0 helm-template-storage=" + helm + " postgresql→" + helm + " default-inject"},
		{"the first element that holds", "      - implementationConstraints: {path: cap.implementation.bitnami.postgresql.install}\n      - implementationConstraints: {}\n        inject: {requiredTypeInstances: [{id: gcp}]}\n",
			"cap.implementation.gcp.cloudsql.postgresql.install:0.2.0 gcp-sa=gcp postgresql→built-in"},
		{"a backend by a rule", "      - inject: {requiredTypeInstances: [{id: aws}]}\n  typeInstance:\n    rules:\n    - {typeRef: {path: cap.type.aws.*}, backend: {id: secrets}}\n",
			"cap.implementation.aws.rds.postgresql.install:0.1.0 aws-credentials=aws postgresql→built-in rds-instance→secrets pattern"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			output, results := evaluateUnnoted(t, functiontest.List("{apiVersion: fn.kpt.dev/v1alpha1, kind: SelectImplementations, metadata: {name: x}, spec: {onNotSelected: warning, references: [{name: db, interface: {path: cap.interface.database.postgresql.install}}]}}",
				strings.Join(hub, "---\n")+postgresPolicy(tc.oneOf)))
			if got := choices(t, output)["cap.interface.database.postgresql.install:0.1.0"]; got != tc.want {
				t.Errorf("got  %s\nwant %s\n%s", got, tc.want, strings.Join(results, "\n"))
			}
		})
	}
}

// every is what a rule for all Interfaces comes to, which injects nothing: where
// an Implementation has an alias, another one is selected, or none.
var every = map[string]string{
	"cap.core.interface.runner.generic.run:0.1.0":                   "cap.implementation.runner.cloudsql.run:0.1.0",
	"cap.interface.analytics.elasticsearch.install:0.1.0":           "cap.implementation.elastic.elasticsearch.install:0.1.0 elasticsearch→built-in",
	"cap.interface.automation.concourse.change-db-password:0.1.0":   "cap.implementation.concourse.concourse.change-db-password:0.1.0",
	"cap.interface.automation.concourse.install:0.1.0":              "Unsatisfied",
	"cap.interface.aws.secrets-manager.storage.install:0.1.0":       "Unsatisfied",
	"cap.interface.capactio.capact.upgrade:0.1.0":                   "cap.implementation.capactio.capact.upgrade:0.1.0 capact-config→built-in",
	"cap.interface.capactio.capact.validation.action.failing:0.1.0": "cap.implementation.capactio.capact.validation.action.failing:0.1.0",
	"cap.interface.capactio.capact.validation.action.passing:0.1.0": "cap.implementation.capactio.capact.validation.action.passing-a:0.1.0 testUpload→built-in",
	"cap.interface.capactio.capact.validation.action.update:0.1.0":  "cap.implementation.capactio.capact.validation.action.update:0.1.0",
	"cap.interface.capactio.capact.validation.hub.install:1.0.0":    "cap.implementation.capactio.capact.validation.outsource.install:0.1.0",
	"cap.interface.capactio.capact.validation.hub.install:2.0.0":    "cap.implementation.capactio.capact.validation.io.install:0.1.0",
	"cap.interface.capactio.examples.greet:0.1.0":                   "cap.implementation.capact.examples.greet:0.1.0",
	"cap.interface.capactio.examples.say:0.1.0":                     "cap.implementation.capactio.examples.hello:0.1.0 message→built-in",
	"cap.interface.database.mongodb.install:0.1.0":                  "Unsatisfied",
	"cap.interface.database.object.aws.s3.create-bucket:0.1.0":      "cap.implementation.bitnami.minio.mc.create-bucket:0.1.0 bucket-config→built-in",
	"cap.interface.database.object.aws.s3.install:0.1.0":            "Unsatisfied",
	"cap.interface.database.postgresql.change-password:0.1.0":       "cap.implementation.postgresql.change-password:0.1.0 user→built-in",
	"cap.interface.database.postgresql.create-db:0.1.0":             "cap.implementation.postgresql.create-db:0.1.0 database→built-in",
	"cap.interface.database.postgresql.create-user:0.1.0":           "cap.implementation.postgresql.create-user:0.1.0 user→built-in",
	"cap.interface.database.postgresql.install:0.1.0":               "Unsatisfied",
	"cap.interface.database.redis.install:0.1.0":                    "Unsatisfied",
	"cap.interface.helm.storage.install:0.1.0":                      "cap.implementation.helm.storage.install:0.1.0 helm-release-storage→built-in helm-template-storage→built-in",
	"cap.interface.productivity.mattermost.install:0.1.0":           "Unsatisfied",
	"cap.interface.productivity.rocketchat.install:0.1.0":           "Unsatisfied",
	"cap.interface.runner.argo.run:0.1.0":                           "Unsatisfied",
	"cap.interface.runner.cloudsql.run:0.1.0":                       "cap.implementation.runner.cloudsql.run:0.1.0 additional→built-in cloudsql-instance→built-in",
	"cap.interface.runner.helm.install:0.1.0":                       "cap.implementation.runner.helm.install-static:0.1.0 additional→built-in helm-release→built-in",
	"cap.interface.runner.helm.upgrade:0.1.0":                       "cap.implementation.runner.helm.upgrade:0.1.0 additional→built-in helm-release→built-in",
	"cap.interface.runner.terraform.apply-with-state:0.1.0":         "cap.implementation.runner.terraform.apply-with-state:0.1.0 additional→built-in",
	"cap.interface.runner.terraform.apply:0.1.0":                    "cap.implementation.runner.terraform.apply:0.1.0 additional→built-in terraform-release→built-in tfstate→built-in",
	"cap.interface.templating.jinja2.template:0.1.0":                "cap.implementation.templating.jinja2.template:0.1.0 render→built-in",
	"cap.interface.terraform.gcp.cloudsql.update:0.1.0":             "Unsatisfied",
}

// Every Interface selects something by a rule for all, or says why not.
func TestCorpusEveryInterface(t *testing.T) {
	hub := manifests(t)
	if hub == nil {
		return
	}
	policy := cloudInstances + "---\napiVersion: ocf.capact.io/v1alpha1\nkind: Policy\nmetadata:\n  name: global\nspec:\n  scope: GLOBAL\n  interface:\n    rules:\n    - interface: {path: cap.*}\n      oneOf:\n      - implementationConstraints: {}\n"
	output, results := evaluateUnnoted(t, functiontest.List("{apiVersion: fn.kpt.dev/v1alpha1, kind: SelectImplementations, metadata: {name: x}, spec: {onNotSelected: warning}}", strings.Join(hub, "---\n")+policy))
	got := choices(t, output)
	if len(got) != 32 {
		t.Errorf("got %d selections, want one for each of 32 Interfaces", len(got))
	}
	if diff := cmp.Diff(every, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for on, line := range got {
		reported := slices.ContainsFunc(results, func(r string) bool { return strings.Contains(r, on) && strings.HasPrefix(r, "warning") })
		if reported != (line == "Unsatisfied") {
			t.Errorf("%s is %s, but a warning is reported: %v", on, line, reported)
		}
	}
}

// The JSON schemas of all Types can be read.
func TestCorpusSchemas(t *testing.T) {
	count := 0
	for _, text := range manifests(t) {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(text), &n); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, "\nkind: Type\n") {
			continue
		}
		typ, findings := manifest.ReadType(diag.Resource{}, n.Content[0])
		if len(findings) > 0 {
			t.Errorf("%+v", findings)
			continue
		}
		x, _ := NewIndex(Hub{Types: []*manifest.Type{typ}}, nil)
		if compiled := x.schema(typ); compiled.err != nil {
			t.Errorf("%s: %v", typ.Ref, compiled.err)
		} else if compiled.schema != nil {
			count++
			x.violations(typ, &n)
		}
	}
	t.Logf("%d JSON schemas of public Types", count)
}
