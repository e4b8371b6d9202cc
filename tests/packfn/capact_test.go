package packfn

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// publicHub is the folder with the manifests of the public hub of Capact.
func publicHub(t *testing.T) string { return functiontest.Corpus(t, "hub-manifests")[0] }

// The manifests of the public hub have no fault, but for three that have the path and the revision of another one.
func TestPublicHub(t *testing.T) {
	hub := publicHub(t)
	got := packfn(t, filepath.Dir(hub), "check", "hub-manifests", "--format", "json")
	found := readFindings(t, got)
	if len(found) != 4 || len(tree(t, hub)) != 171 {
		t.Errorf("%d findings", len(found))
	}
	for _, f := range found {
		if f.Rule == "input/not-read" {
			if want := "left out: 2 manifests of Capact that nothing of a selection depends on (RepoMetadata, Vendor)"; f.Message != want {
				t.Errorf("%s", f.Message)
			}
			continue
		}
		if text := tree(t, filepath.Dir(hub))[f.File]; f.Rule != "policy/duplicate" || f.Line < 4 || !strings.HasPrefix(strings.Split(text, "\n")[f.Line-1], "  name:") {
			t.Errorf("%+v", f)
		}
	}
	if cases := packfn(t, filepath.Dir(hub), "check", "hub-manifests", "--format", "junit"); strings.Count(cases.stdout, "<testcase ") != 170 {
		t.Errorf("%d cases", strings.Count(cases.stdout, "<testcase "))
	}
}

// Policies in the shapes of Capact's documentation select the same from files of Capact as from the package that they
// are imported into.
func TestCapactImported(t *testing.T) {
	hub := publicHub(t)
	const helm = "31bb8355-10d7-49ce-a739-4554d8a40b63"
	instance := func(id, path string) string {
		return "- id: " + id + `
  typeRef:
    path: ` + path + `
    revision: 0.1.0
`
	}
	instances := instance("aws", "cap.type.aws.auth.credentials") + instance("gcp", "cap.type.gcp.auth.service-account") + instance(helm, "cap.type.helm.template.storage") + instance("secrets", "cap.type.aws.secrets-manager.storage")
	rules := func(oneOf string) string {
		return `interface:
  rules:
  - interface:
      path: cap.interface.database.postgresql.install
    oneOf:
` + oneOf
	}
	const aws, gcp1, gcp2, bitnami = "cap.implementation.aws.rds.postgresql.install:0.1.0", "cap.implementation.gcp.cloudsql.postgresql.install:0.1.0", "cap.implementation.gcp.cloudsql.postgresql.install:0.2.0", "cap.implementation.bitnami.postgresql.install:0.1.0"
	outcomes := func(dir string, paths ...string) (found []string) {
		for _, f := range readFindings(t, packfn(t, dir, append([]string{"check", "--format", "json"}, paths...)...)) {
			if f.Rule != "policy/duplicate" {
				message, _, _ := strings.Cut(f.Message, ". ")
				found = append(found, string(f.Severity)+" "+f.Rule+" "+message)
			}
		}
		slices.Sort(found)
		return found
	}
	for name, tc := range map[string]struct{ policy, want string }{
		"an attribute": {
			rules(`    - implementationConstraints:
        attributes:
        - path: "cap.attribute.cloud.provider.aws"
      inject:
        requiredTypeInstances:
        - id: aws
          description: "AWS"
`),
			aws,
		},
		"a revision of an attribute": {
			rules(`    - implementationConstraints:
        attributes:
        - path: cap.attribute.cloud.tooling.gcloud-cli
          revision: 0.1.0
      inject:
        requiredTypeInstances: [{id: gcp}]
`),
			gcp1,
		},
		"requirements": {
			rules(`    - implementationConstraints:
        requires:
        - path: "cap.type.gcp.auth.service-account"
          revision: "0.1.0"
      inject:
        requiredTypeInstances: [{id: gcp}]
`),
			gcp2,
		},
		"a default": {
			rules(`    - implementationConstraints:
        path: cap.implementation.bitnami.postgresql.install
`) + `  default:
    inject:
      requiredTypeInstances:
      - id: ` + helm + `
        description: "Helm storage"
`,
			bitnami,
		},
		"the second element": {
			rules(`    - implementationConstraints:
        path: cap.implementation.bitnami.postgresql.install
    - implementationConstraints: {}
      inject:
        requiredTypeInstances: [{id: gcp}]
`),
			gcp2,
		},
		"parameters": {
			rules(`    - implementationConstraints:
        path: "cap.implementation.aws.rds.postgresql.install"
      inject:
        requiredTypeInstances: [{id: aws}]
        additionalParameters:
        - name: additional-parameters
          value:
            region: us-east-1
`),
			aws,
		},
		"backends": {
			rules(`    - implementationConstraints: {}
      inject:
        requiredTypeInstances: [{id: aws}]
`) + `typeInstance:
  rules:
  - typeRef:
      path: "cap.type.aws.*" # For any below.
    backend:
      id: secrets
`,
			aws,
		},
		"denied": {strings.Replace(rules(""), "oneOf:\n", "oneOf: [] # deny all\n", 1), ""},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "policies/global.yaml"), tc.policy)
		write(t, filepath.Join(dir, "policies/instances.yaml"), instances)
		write(t, filepath.Join(dir, "policies/action.yaml"), `interface:
  rules:
  - interface:
      path: cap.*
    oneOf: []
`)
		paths := []string{hub, "policies", "--scope", "ACTION=policies/action.yaml"}
		got := outcomes(dir, paths...)
		selected := slices.DeleteFunc(slices.Clone(got), func(line string) bool { return !strings.HasPrefix(line, "info policy/selected") })
		if tc.want == "" && len(selected) > 0 || tc.want != "" && (len(selected) != 1 || !strings.HasPrefix(selected[0], "info policy/selected "+tc.want+" is selected")) {
			t.Errorf("%s: got %q", name, selected)
		}
		imports := append([]string{"import", "--to", "package", "--kptfile"}, paths...)
		packfn(t, dir, imports...).want(t, 0)
		before := tree(t, filepath.Join(dir, "package"))
		if len(before) != 169+2+4+1 {
			t.Errorf("%s: %d files", name, len(before))
		}
		got = slices.DeleteFunc(got, func(line string) bool { return strings.HasPrefix(line, "info input/not-read") })
		if diff := cmp.Diff(got, outcomes(dir, "package")); diff != "" {
			t.Errorf("%s: -files +package\n%s", name, diff)
		}
		if name == "backends" {
			packfn(t, dir, imports...).want(t, 0)
			if diff := cmp.Diff(before, tree(t, filepath.Join(dir, "package"))); diff != "" {
				t.Errorf("%s: a second import: %s", name, diff)
			}
		}
	}
}
