package check

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/packfn/capact"
	"github.com/krm-packs/functions/pkg/packfn/staging"
	"github.com/krm-packs/functions/pkg/packfn/transfer"
)

// outcomes are what a check of paths says about selections and policies.
func outcomes(t *testing.T, root string, scopes capact.Scopes, paths ...string) (found []string) {
	t.Helper()
	r, err := runNoted(paths, Options{Functions: suite.All(), Root: root, Scopes: scopes})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Rule == "policy/duplicate" {
			continue
		}
		message, _, _ := strings.Cut(f.Message, ". ")
		found = append(found, fmt.Sprintf("%s %s %s", f.Severity, f.Rule, message))
	}
	slices.Sort(found)
	return found
}

// importCapact imports files of Capact into a package.
func importCapact(t *testing.T, to string, scopes capact.Scopes, options transfer.Options, paths ...string) *transfer.Plan {
	t.Helper()
	for _, path := range paths {
		found, err := capact.Find(path, scopes, t.Logf)
		if err != nil {
			t.Fatal(err)
		}
		options.Capact = append(options.Capact, found...)
	}
	options.Kptfile = true
	plan, err := transfer.Import(to, nil, options)
	if err == nil {
		err = (&staging.Area{}).Write(t.Context(), plan.Changes)
	}
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// Policies in the shapes of Capact's documentation select the same from files of Capact as from the
// package that they are imported into.
func TestCapactImported(t *testing.T) {
	root := filepath.Dir(functiontest.Corpus(t, "hub-manifests")[0])
	const helm = "31bb8355-10d7-49ce-a739-4554d8a40b63"
	instance := func(id, path string) string {
		return "- id: " + id + "\n  typeRef:\n    path: " + path + "\n    revision: 0.1.0\n"
	}
	instances := instance("aws", "cap.type.aws.auth.credentials") + instance("gcp", "cap.type.gcp.auth.service-account") + instance(helm, "cap.type.helm.template.storage") + instance("secrets", "cap.type.aws.secrets-manager.storage")
	rules := func(oneOf string) string {
		return "interface:\n  rules:\n  - interface:\n      path: cap.interface.database.postgresql.install\n    oneOf:\n" + oneOf
	}
	const aws, gcp1, gcp2, bitnami = "cap.implementation.aws.rds.postgresql.install:0.1.0", "cap.implementation.gcp.cloudsql.postgresql.install:0.1.0", "cap.implementation.gcp.cloudsql.postgresql.install:0.2.0", "cap.implementation.bitnami.postgresql.install:0.1.0"
	const others = "  - interface:\n      path: cap.*\n    oneOf: []\n"
	for name, tc := range map[string]struct{ policy, want string }{
		"an attribute":               {rules("    - implementationConstraints:\n        attributes:\n        - path: \"cap.attribute.cloud.provider.aws\"\n      inject:\n        requiredTypeInstances:\n        - id: aws\n          description: \"AWS\"\n"), aws},
		"a revision of an attribute": {rules("    - implementationConstraints:\n        attributes:\n        - path: cap.attribute.cloud.tooling.gcloud-cli\n          revision: 0.1.0\n      inject:\n        requiredTypeInstances: [{id: gcp}]\n"), gcp1},
		"requirements":               {rules("    - implementationConstraints:\n        requires:\n        - path: \"cap.type.gcp.auth.service-account\"\n          revision: \"0.1.0\"\n      inject:\n        requiredTypeInstances: [{id: gcp}]\n"), gcp2},
		"a default":                  {rules("    - implementationConstraints:\n        path: cap.implementation.bitnami.postgresql.install\n") + "  default:\n    inject:\n      requiredTypeInstances:\n      - id: " + helm + "\n        description: \"Helm storage\"\n", bitnami},
		"the second element":         {rules("    - implementationConstraints:\n        path: cap.implementation.bitnami.postgresql.install\n    - implementationConstraints: {}\n      inject:\n        requiredTypeInstances: [{id: gcp}]\n"), gcp2},
		"parameters":                 {rules("    - implementationConstraints:\n        path: \"cap.implementation.aws.rds.postgresql.install\"\n      inject:\n        requiredTypeInstances: [{id: aws}]\n        additionalParameters:\n        - name: additional-parameters\n          value:\n            region: us-east-1\n"), aws},
		"backends":                   {rules("    - implementationConstraints: {}\n      inject:\n        requiredTypeInstances: [{id: aws}]\n") + "typeInstance:\n  rules:\n  - typeRef:\n      path: \"cap.type.aws.*\" # For any below.\n    backend:\n      id: secrets\n", aws},
		"denied":                     {strings.Replace(rules(""), "oneOf:\n", "oneOf: [] # deny all\n", 1), ""},
	} {
		dir := folderOf(t, map[string]string{"policies/global.yaml": tc.policy, "policies/instances.yaml": instances, "policies/action.yaml": "interface:\n  rules:\n" + others})
		scopes := capact.Scopes{Files: map[string]string{filepath.Join(dir, "policies/action.yaml"): "ACTION"}}
		hub := filepath.Join(root, "hub-manifests")
		paths := []string{hub, filepath.Join(dir, "policies")}
		got := outcomes(t, dir, scopes, paths...)
		selected := slices.DeleteFunc(slices.Clone(got), func(line string) bool { return !strings.HasPrefix(line, "info policy/selected") })
		if tc.want == "" && len(selected) > 0 || tc.want != "" && (len(selected) != 1 || !strings.HasPrefix(selected[0], "info policy/selected "+tc.want+" is selected")) {
			t.Errorf("%s: got %q", name, selected)
		}
		to := filepath.Join(dir, "package")
		plan := importCapact(t, to, scopes, transfer.Options{}, paths...)
		if len(plan.Changes) != 169+2+4+1 {
			t.Errorf("%s: %d files", name, len(plan.Changes))
		}
		if diff := cmp.Diff(got, outcomes(t, dir, scopes, to)); diff != "" {
			t.Errorf("%s: -files +package\n%s", name, diff)
		}
		if name != "backends" {
			continue
		}
		if again := importCapact(t, to, scopes, transfer.Options{}, paths...); len(again.Changes) > 0 {
			t.Errorf("%s: a second import changes %d files: %q", name, len(again.Changes), again.Notes)
		}
	}
}
