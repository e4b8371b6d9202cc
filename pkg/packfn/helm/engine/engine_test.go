package engine

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
)

// TestMain is also the process that renders charts.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == helm.Command {
		os.Exit(Main(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

const head = `apiVersion: v2
name: web
version: 1.0.0
`

// job is a chart with templates, and values.
func job(values string, files ...string) *helm.Job {
	j := &helm.Job{Files: map[string][]byte{"Chart.yaml": []byte(head)}, Values: []byte(values), Release: "r", Namespace: "n", Kubernetes: "1.33.2", APIs: helm.APIs("1.33.2")}
	for i := 0; i+1 < len(files); i += 2 {
		j.Files[files[i]] = []byte(files[i+1])
	}
	return j
}

// text is what a template renders to, as the value of a ConfigMap.
func text(t *testing.T, values, template string) string {
	t.Helper()
	result := renderJob(job(values, "templates/a.yaml", `kind: ConfigMap
x: |
  `+template+"\n"))
	if len(result.Failures) > 0 || len(result.Manifests) != 1 {
		t.Fatalf("%s: %+v", template, result)
	}
	_, rest, _ := strings.Cut(result.Manifests[0].Text, "|\n  ")
	return strings.TrimSuffix(rest, "\n")
}

func TestRender(t *testing.T) {
	for name, tc := range map[string]struct{ values, template, want string }{
		"release":             {"", `{{ .Release.Name }} {{ .Release.Namespace }} {{ .Release.IsInstall }} {{ .Release.Service }}`, "r n true Helm"},
		"version":             {"", `{{ .Capabilities.KubeVersion.Version }} {{ .Capabilities.KubeVersion.Minor }}`, "v1.33.2 33"},
		"an API":              {"", `{{ .Capabilities.APIVersions.Has "policy/v1" }} {{ .Capabilities.APIVersions.Has "policy/v1/PodDisruptionBudget" }}`, "true true"},
		"an API that is gone": {"", `{{ .Capabilities.APIVersions.Has "policy/v1beta1" }} {{ .Capabilities.APIVersions.Has "extensions/v1beta1/Ingress" }}`, "false false"},
		"an unknown API":      {"", `{{ .Capabilities.APIVersions.Has "monitoring.coreos.com/v1" }}`, "false"},
		"YAML as Helm reads it": {
			`a: yes
b: 010
c: 'yes'
`,
			`{{ kindOf .Values.a }} {{ .Values.b }} {{ kindOf .Values.c }}`, "bool 8 string",
		},
		"lookup":            {"", `{{ lookup "v1" "Secret" "n" "s" | toJson }}`, "{}"},
		"DNS":               {"", `[{{ getHostByName "example.com" }}]`, "[]"},
		"no environment":    {"", `{{ now | date "2006-01-02 MST" }}`, "2000-01-01 UTC"},
		"order of keys":     {"m: {d: 1, a: 2, c: 3, b: 4}", `{{ keys .Values.m | join "," }} {{ values .Values.m | join "," }}`, "a,b,c,d 2,4,3,1"},
		"in tpl":            {`t: '{{ now | unixEpoch }} {{ randAlphaNum 3 }} {{ uuidv4 }}'`, `{{ tpl .Values.t . }}`, "946684800 xxx 00000000-0000-4000-8000-000000000000"},
		"times":             {"", `{{ ago (int64 946684790) }} {{ ago (int 946684790) }} {{ ago "text" }} {{ date "2006" (int64 0) }} {{ date "2006" (int 0) }} {{ htmlDateInZone (int64 0) "UTC" }} {{ dateInZone "2006" (int64 0) "UTC" }}`, "10s 10s 0s 1970 1970 1970-01-01 1970"},
		"what is random":    {"", `[{{ randAlpha 3 }}{{ randAlphaNum 2 }}{{ randNumeric 3 }}{{ randAscii 2 }}{{ randAlpha -1 }}{{ randInt 3 9 }}{{ shuffle "ba" }}{{ randBytes 3 }}{{ randBytes -1 }}]`, "[xxxxx111xx3baeHh4]"},
		"what is encrypted": {"", `{{ encryptAES "k" "t" | b64dec | trunc 19 }} {{ eq (htpasswd "u" "p") (printf "u:%s" (bcrypt "p")) }} {{ bcrypt "p" | trunc 7 }} {{ eq (encryptAES "k" "t") (encryptAES "k" "u") }}`, "-----BEGIN AES----- true $2a$10$ false"},
		"certificates":      {"", `{{ (genCA "ca" 1).Cert | trunc 27 }} {{ (genSelfSignedCert "a" nil nil 1).Key | trunc 27 }} {{ genPrivateKey "rsa" | trunc 27 }} {{ eq (genCA "a" 1).Cert (genCA "b" 1).Cert }}`, "-----BEGIN CERTIFICATE----- -----BEGIN PRIVATE KEY----- -----BEGIN PRIVATE KEY----- false"},
		"the clock, hidden": {"", `{{ date "2006" "no time" }} {{ dateInZone "2006" "" "UTC" }} {{ htmlDate "" }} {{ ago now }} {{ ago 0 }}`, "2000 2000 2000-01-01 0s 262968h0m0s"},
	} {
		if got := text(t, tc.values, tc.template); got != tc.want {
			t.Errorf("%s: got %q; want %q", name, got, tc.want)
		}
	}
}

// Whatever is random or depends on the clock in Helm is the same in two runs.
func TestSteady(t *testing.T) {
	for _, template := range []string{
		`{{ randAlpha 5 }}{{ randAlphaNum 5 }}{{ randNumeric 5 }}{{ randAscii 5 }}{{ randBytes 5 }}{{ randInt 1 99 }}{{ uuidv4 }}{{ shuffle "abcdefgh" }}`,
		`{{ bcrypt "a" }}{{ htpasswd "u" "p" }}{{ encryptAES "k" "t" }}{{ derivePassword 1 "long" "p" "u" "example.com" }}`,
		`{{ $ca := genCA "ca" 365 }}{{ $ca.Cert | b64enc }}{{ (genSignedCert "a" nil nil 1 $ca).Key | b64enc }}{{ (genSelfSignedCert "a" nil nil 1).Cert | b64enc }}`,
		`{{ $ca := genCAWithKey "ca" 365 (genPrivateKey "rsa") }}{{ $ca.Cert | b64enc }}{{ (genSignedCertWithKey "a" nil nil 1 $ca "k").Key | b64enc }}{{ (genSelfSignedCertWithKey "a" nil nil 1 "k").Cert | b64enc }}`,
		`{{ (buildCustomCert (b64enc (genCA "ca" 1).Cert) (b64enc (genCA "ca" 1).Key)).Cert | b64enc }}`,
		`{{ genPrivateKey "ecdsa" | b64enc }}{{ now }}{{ htmlDateInZone now "UTC" }}{{ date_in_zone "15:04:05.000000" "" "UTC" }}`,
	} {
		first := text(t, "", template)
		for range 3 {
			if again := text(t, "", template); again != first {
				t.Errorf("%s:\n%s\n%s", template, first, again)
			}
		}
		if strings.Contains(first, "no value") || first == "" {
			t.Errorf("%s: got %q", template, first)
		}
	}
	if a, b := text(t, "", `{{ bcrypt "a" }}`), text(t, "", `{{ bcrypt "b" }}`); a == b {
		t.Error("other passwords have the same hash: a change is not seen")
	}
}

// Each template that fails is reported once, and nothing of the chart is deployed.
func TestFailures(t *testing.T) {
	result := renderJob(job("", "templates/a.yaml", "{{ required \"set a\" .Values.a }}", "templates/b.yaml", "{{ .Values.b.c.d }}",
		"templates/c.yaml", "a: 1\n", "templates/d.yaml", "{{ required \"set a\" .Values.a }}", "templates/_h.tpl", "{{ define \"h\" }}{{ fail \"no\" }}{{ end }}", "templates/e.yaml", "{{ include \"h\" . }}"))
	var got []string
	for _, f := range result.Failures {
		if f.Kind != helm.Template {
			t.Errorf("%+v", f)
		}
		got = append(got, f.Message)
	}
	slices.Sort(got)
	want := []string{
		"execution error at (web/templates/a.yaml:1:3): set a",
		"execution error at (web/templates/e.yaml:1:3): no",
		"web/templates/b.yaml:1:10\n  executing \"web/templates/b.yaml\" at <.Values.b.c.d>:\n    nil pointer evaluating interface {}.c",
	}
	for i := range got { // Helm takes one of several templates with the same message
		got[i] = strings.Replace(got[i], "d.yaml", "a.yaml", 1)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(result.Manifests) > 0 {
		t.Errorf("%+v", result.Manifests)
	}
}

func TestKinds(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*helm.Job)
		kind   helm.Kind
		text   string
	}{
		"no chart":         {func(j *helm.Job) { delete(j.Files, "Chart.yaml") }, helm.Chart, "Chart.yaml"},
		"no archive":       {func(j *helm.Job) { j.Archive = []byte("x") }, helm.Chart, ""},
		"values of a list": {func(j *helm.Job) { j.Values = []byte("[1]") }, helm.Chart, "its values"},
		"dependencies": {func(j *helm.Job) {
			j.Files["Chart.yaml"] = []byte(head + "dependencies: [{name: db, version: 1.0.0}]\n")
		}, helm.Dependencies, "db"},
		"a version":              {func(j *helm.Job) { j.Files["Chart.yaml"] = []byte(head + "kubeVersion: '<1.30.0'\n"); j.IsKnown = true }, helm.Version, "<1.30.0"},
		"a version of a cluster": {func(j *helm.Job) { j.Kubernetes = "latest" }, helm.Version, `the version of the cluster, "latest": `},
		"one of the dependencies": {func(j *helm.Job) {
			j.Files["Chart.yaml"] = []byte(head + "dependencies: [{name: there, version: 1.0.0}, {name: db, version: 1.0.0}, {name: web2, version: 1.0.0}]\n")
			j.Files["charts/there/Chart.yaml"] = []byte(`apiVersion: v2
name: there
version: 1.0.0
`)
		}, helm.Dependencies, "db, web2"},
		"a certificate":   {func(j *helm.Job) { j.Files["templates/b.yaml"] = []byte(`{{ buildCustomCert "x" "y" }}`) }, helm.Template, "buildCustomCert"},
		"output not YAML": {func(j *helm.Job) { j.Files["templates/b.yaml"] = []byte("a: [\n") }, helm.Template, "web/templates/b.yaml"},
		"an action":       {func(j *helm.Job) { j.Files["templates/b.yaml"] = []byte("{{ nothing }}") }, helm.Template, "web/templates/b.yaml:1"},
		"an endless helper": {func(j *helm.Job) {
			j.Files["templates/b.yaml"] = []byte(`{{ define "x" }}{{ include "x" . }}{{ end }}{{ include "x" . }}`)
		}, helm.Template, "nested reference"},
	} {
		j := job("a: 1", "templates/a.yaml", "a: {{ .Values.a }}")
		tc.change(j)
		result := renderJob(j)
		if len(result.Failures) == 0 || result.Failures[0].Kind != tc.kind || !strings.Contains(result.Failures[0].Message, tc.text) {
			t.Errorf("%s: got %+v; want %s %q", name, result.Failures, tc.kind, tc.text)
		}
	}
	// A dependency that is there is used.
	whole := job("", "templates/a.yaml", "a: 1", "charts/there/Chart.yaml", `apiVersion: v2
name: there
version: 1.0.0
`, "charts/there/templates/b.yaml", "b: 1")
	whole.Files["Chart.yaml"] = []byte(head + "dependencies: [{name: there, version: 1.0.0}]\n")
	if result := renderJob(whole); len(result.Failures) > 0 || len(result.Manifests) != 2 {
		t.Errorf("%+v", result)
	}
	// Of a cluster that is unknown, nothing is checked.
	j := job("", "templates/a.yaml", "a: 1")
	j.Files["Chart.yaml"] = []byte(head + "kubeVersion: '<1.30.0'\n")
	if result := renderJob(j); len(result.Failures) > 0 {
		t.Errorf("%+v", result.Failures)
	}
}

// CustomResourceDefinitions come first, hooks last, and notes and tests of what they are.
func TestOrder(t *testing.T) {
	result := renderJob(job("", "crds/c.yaml", "kind: CustomResourceDefinition\n", "templates/NOTES.txt", "notes", "templates/a.yaml", `kind: Deployment
---
kind: Service
`,
		"templates/h.yaml", `kind: Job
metadata: {annotations: {helm.sh/hook: 'pre-install, test'}}
`, "templates/empty.yaml", "{{- if false }}a: 1{{ end }}\n"))
	var got []string
	for _, m := range result.Manifests {
		kind, _, _ := strings.Cut(m.Text, "\n")
		got = append(got, strings.Join(append([]string{m.Source, kind}, m.Hooks...), " "))
	}
	want := []string{"web/crds/c.yaml kind: CustomResourceDefinition", "web/templates/a.yaml kind: Service", "web/templates/a.yaml kind: Deployment", "web/templates/h.yaml kind: Job pre-install test"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Templates of subcharts fail one by one, too, up to a number of them.
func TestManyFailures(t *testing.T) {
	j := job("", "charts/db/Chart.yaml", `apiVersion: v2
name: db
version: 1.0.0
`, "charts/db/templates/a.yaml", `{{ fail "one" }}`, "charts/db/templates/b.yaml", `{{ fail "two" }}`)
	if result := renderJob(j); len(result.Failures) != 2 {
		t.Errorf("in a subchart: %+v", result.Failures)
	}
	for count, want := range map[int]int{maxFailures: maxFailures, maxFailures + 1: maxFailures + 1, maxFailures + 2: maxFailures + 1} {
		j := job("")
		for i := range count {
			j.Files[fmt.Sprintf("templates/%d.yaml", i)] = fmt.Appendf(nil, "{{ fail \"%d\" }}", i)
		}
		if result := renderJob(j); len(result.Failures) != want {
			t.Errorf("%d failures: got %d, want %d", count, len(result.Failures), want)
		}
	}
	long := strings.Repeat("a", maxMessage/2) + "b" + strings.Repeat("c", maxMessage/2)
	if got := cut(long); got != strings.Repeat("a", maxMessage/2)+" … "+strings.Repeat("c", maxMessage/2) || cut(long[1:]) != long[1:] {
		t.Errorf("got %d bytes", len(got))
	}
}

// An API version brings its kinds along, but no lists and options.
func TestAPIVersions(t *testing.T) {
	all := APIVersions([]string{"v1", "x.io/v1/A", "x.io/v2"})
	for name, want := range map[string]bool{"v1": true, "v1/Pod": true, "v1/PodList": false, "v1/PodExecOptions": false, "v1/WatchEvent": false, "x.io/v1/A": true, "x.io/v2": true, "x.io/v1": false} {
		if got := all.Has(name); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
	if first := slices.Index(all, "v1/Pod"); first < slices.Index(all, "v1/Node") {
		t.Error("the kinds are not in order")
	}
}
