package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/cli"
)

// The limits of a command of packfn over any input.
const (
	mostAddresses = 3 << 30
	mostTime      = 25 * time.Second // of the CPU; a child that is ended has 10 s on each of 2
)

// command is a command of packfn over hostile files.
type command struct {
	name string
	args []string
	// size is the smaller one of two at which it runs.
	size int
	// exit is its exit code, and want a part of what it prints to standard error.
	exit int
	want string
	// files are its files, by their names. A link names another file.
	files func(n int) map[string]string
}

// link is the content of a file that is a symbolic link.
const link = "\x00link to "

// beyond is a part of what packfn says of a module of Terraform that it cannot evaluate.
const beyond = "evaluating the module takes more than 10s, more than 1024 MiB of memory, or is nested too deeply"

// renderAgainst compares a package with another version of it.
var renderAgainst = []string{"render", "b", "--against", "a"}

// against returns two versions of a package, a and b, with one file.
func against(text func(side string) string) map[string]string {
	files := map[string]string{}
	for _, side := range []string{"a", "b"} {
		files[side+"/Kptfile"] = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n"
		files[side+"/all.yaml"] = text(side)
	}
	return files
}

var commands = []command{
	{"a Terraform text twice", importProfile, 40, 2, beyond, func(n int) map[string]string {
		return profile(doubled(n, `"x"`, `"${local.x%d}${local.x%[1]d}"`), fmt.Sprintf("local.x%d", n))
	}},
	{"a Terraform tuple twice", importProfile, 40, 2, beyond, func(n int) map[string]string {
		return profile(doubled(n, `[1]`, `concat(local.x%d, local.x%[1]d)`), fmt.Sprintf("local.x%d", n))
	}},
	{"products of Terraform's for", importProfile, 8, 2, beyond, func(n int) map[string]string {
		return profile("l = ["+strings.Repeat("0,", 20)+"]\n", strings.Repeat("[for x in local.l : ", n)+`"x"`+strings.Repeat("]", n))
	}},
	{"a long number of Terraform", importProfile, 8_000_000, 2, beyond, func(n int) map[string]string {
		return profile("", fmt.Sprintf(`"${1e%d}"`, n))
	}},
	{"a chain of Terraform's locals", importProfile, 4000, 0, "", func(n int) map[string]string {
		return profile(doubled(n, `"x"`, "local.x%d"), fmt.Sprintf("local.x%d", n))
	}},
	{"files that Terraform reads", importProfile, 300, 2, "the files and packs that expressions read have more than", func(n int) map[string]string {
		names := each(n, "local.x%d,")
		files := profile(each(n, "x%d = file(\"f%[1]d\")\n"), `join("", [`+names+"])")
		files["f0"] = strings.Repeat("x", 30<<20)
		for i := 1; i < n; i++ {
			files[fmt.Sprintf("f%d", i)] = link + "f0"
		}
		return files
	}},
	{"TypeInstances of Capact on one line", []string{"check", "a.json"}, 10_000, 1, "", func(n int) map[string]string {
		return map[string]string{"a.json": "[" + strings.TrimSuffix(each(n, `{"id": "i%d", "typeRef": {"path": "cap.type.a", "revision": "1"}, "value": "`+strings.Repeat("x", 500)+`"},`), ",") + "]"}
	}},
	{"a manifest of Capact with many aliases", []string{"import", "a.yaml", "--to", "package"}, 20_000, 2, "expands to more than", func(n int) map[string]string {
		return map[string]string{"a.yaml": `ocfVersion: 0.0.1
revision: 0.1.0
kind: Type
metadata: {prefix: cap.type, name: a}
spec:
  a: &a [` + strings.Repeat("x, ", n/100) + `]
  b: [` + strings.Repeat("*a, ", n) + "]\n"}
	}},
	{"sets of files that all choose from one hub of Capact", []string{"check", "."}, 200, 0, "too many for", func(n int) map[string]string {
		files := map[string]string{}
		for i := range n {
			files[fmt.Sprintf("hub/%d.yaml", i)] = fmt.Sprintf(`ocfVersion: 0.0.1
revision: 0.1.0
kind: Type
metadata: {prefix: cap.type, name: t%d}
`, i)
			files[fmt.Sprintf("%d/kustomization.yaml", i)] = "resources: [policy.yaml]\n"
			files[fmt.Sprintf("%d/policy.yaml", i)] = "interface: {rules: []}\n"
		}
		return files
	}},
	{"generators of kustomizations that read one large file", []string{"check", "."}, 1000, 1, "the kustomizations generate ConfigMaps of more than", func(n int) map[string]string {
		files := packDir("a: 1\n" + strings.Repeat("# 3456789\n", 3<<20))
		files["kustomization.yaml"] = "configMapGenerator:\n" + each(n, `- name: p%d
  files: [p/pack.json, p/values.yaml]
`)
		return files
	}},
	{"kustomizations with many entries that are not there", []string{"check", "."}, 10_000, 0, "more; --format json has all", func(n int) map[string]string {
		files := packDir("a: 1\n")
		files["kustomization.yaml"] = "resources:\n" + each(n, "- r%d.yaml\n") + `configMapGenerator:
- name: p
  files:
  - p/pack.json
` + each(n, "  - values.yaml=/etc/f%d\n")
		return files
	}},
	{"many releases of one chart", []string{"check", "."}, 4_000, 0, "", func(n int) map[string]string {
		return releases(each(n, helmRelease+"  values: {prot: 1}\n---\n"))
	}},
	{"many releases with one large ConfigMap", []string{"check", "."}, 1000, 0, "", func(n int) map[string]string {
		files := releases(each(n, helmRelease+"  valuesFrom: [{kind: ConfigMap, name: c}]\n---\n"))
		files["c.yaml"] = configMapOfValues(n)
		return files
	}},
	{"a release that names one ConfigMap many times", []string{"check", "."}, 2000, 0, "", func(n int) map[string]string {
		files := releases(strings.ReplaceAll(helmRelease, "%d", "") + "  valuesFrom:\n" + strings.Repeat("  - {kind: ConfigMap, name: c}\n", n))
		files["c.yaml"] = configMapOfValues(n)
		return files
	}},
	{"many releases in many overlays with patches", []string{"check", "."}, 1000, 0, "", func(n int) map[string]string {
		files := map[string]string{"base/kustomization.yaml": "resources: [a.yaml]\n"}
		for name, text := range releases(each(n, helmRelease+"  values: {port: 1}\n---\n")) {
			files[strings.Replace(name, "a.yaml", "base/a.yaml", 1)] = text
		}
		for i := range n {
			files[fmt.Sprintf("o%d/kustomization.yaml", i)] = fmt.Sprintf(`resources: [../base]
patches: [{target: {kind: HelmRelease, name: x%d}, patch: '[]'}]
`, i)
		}
		return files
	}},
	{"many patches of one release", []string{"check", "."}, 5000, 0, "", func(n int) map[string]string {
		return releases(strings.ReplaceAll(helmRelease, "%d", "") + each(n, `---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: r}
spec: {values: {prot: %d}}
`))
	}},
	{"many parameters of an Application", []string{"check", "."}, 20_000, 0, "", func(n int) map[string]string {
		return releases(`apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a}
spec:
  source:
    chart: web
    helm:
      parameters:
` + each(n, "      - {name: a.x%d, value: b}\n"))
	}},
	{"workloads that are all replaced by others", renderAgainst, 4_000, 0, "", func(n int) map[string]string {
		return against(func(side string) string {
			return each(n, "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: "+side+"%d}\nspec: {template: {spec: {containers: [{image: i}]}}}\n---\n")
		})
	}},
	{"claims that all go, with many StorageClasses", renderAgainst, 4_000, 0, "", func(n int) map[string]string {
		return against(func(side string) string {
			return each(n, "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: "+side+"%d}\nspec: {storageClassName: s%[1]d}\n---\n"+
				"apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: s%[1]d}\nreclaimPolicy: Retain\n---\n")
		})
	}},
	{"an immutable ConfigMap of many keys", renderAgainst, 50_000, 1, "", func(n int) map[string]string {
		return against(func(side string) string {
			return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nimmutable: true\ndata:\n" + each(n, "  key%d: "+side+"\n")
		})
	}},
	{"a CustomResourceDefinition of many versions with many objects", renderAgainst, 2_000, 1, "", func(n int) map[string]string {
		return against(func(side string) string {
			return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec:\n  group: example.com\n  names: {kind: A}\n  versions:\n" +
				each(n, "  - {name: v%d"+side+", served: true, storage: true}\n") + each(n, "---\napiVersion: example.com/v%d\nkind: A\nmetadata: {name: a%[1]d}\n")
		})
	}},
	{"many overlays of one generated pack", []string{"check", "."}, 1000, 0, "", func(n int) map[string]string {
		files := packDir(each(500, "key%d: text\n"))
		files["kustomization.yaml"] = `configMapGenerator:
- name: p
  files: [p/pack.json, p/values.yaml]
`
		for i := range n {
			files[fmt.Sprintf("o%d/kustomization.yaml", i)] = "resources: [..]\n"
		}
		return files
	}},
	{"a Terraform text that functions double", checkModule, 24, 1, "", func(n int) map[string]string {
		return profile(doubled(n, `"x"`, `join(local.x%d, ["", replace(local.x%[1]d, "", "x"), ""])`), fmt.Sprintf("local.x%d", n))
	}},
	{"Terraform variables in objects of each other", checkModule, 24, 0, "", func(n int) map[string]string {
		files := profile(doubled(n, `var.a`, `merge({a = local.x%d}, {b = var.a})`), fmt.Sprintf("jsonencode(local.x%d)", n))
		files["terraform.tfvars"] = "a = {b = [" + strings.Repeat("1,", 10*n) + "]}\n"
		files["v.tf"] = `variable "a" {
  type = any
}
`
		return files
	}},
	{"types of many attributes in Terraform", checkModule, 5000, 1, "", func(n int) map[string]string {
		files := profile("")
		files["v.tf"] = `variable "a" {
  type = list(object({
` + each(n, "a%d = optional(string)\n") + `}))
  default = [` + strings.Repeat("{},", n) + `]
}
`
		return files
	}},
	{"a Terraform pattern that looks far", checkModule, 500_000, 1, "", func(n int) map[string]string {
		return profile("x = \""+strings.Repeat("a", n)+"\"\ny = replace(local.x, \"/a[^b]*b|a/\", \"\")\n", "local.y")
	}},
	{"Terraform templates that are read again", checkModule, 500, 1, "", func(n int) map[string]string {
		files := profile(each(n, "x%d = templatefile(\"t\", {})\n"), `join("", [`+each(n, "local.x%d,")+"])")
		files["t"] = strings.Repeat("x\n", 50_000)
		return files
	}},
	{"Terraform locals that read each other in a ring", checkModule, 4000, 0, "", func(n int) map[string]string {
		return profile(each(n-1, "x%d = local.next%[1]d\n")+each(n-1, "next%d = local.x%[1]d\n"), "local.x1")
	}},
	{"many Terraform modules that double a tuple", checkModule, 200, 1, "the Terraform is not checked", func(n int) map[string]string {
		files := map[string]string{}
		for i := range n {
			for name, text := range profile(doubled(40, `"x"`, `"${local.x%d}${local.x%[1]d}"`), "local.x40") {
				files[fmt.Sprintf("m%d/%s", i, name)] = text
			}
		}
		return files
	}},
	{"the import of a large pack", []string{"import", "p", "--to", "package"}, 15 << 20, 0, "", largePack},
	{"the check of a large pack", []string{"check", "p"}, 15 << 20, 1, "", largePack},
	{"the check of a large catalog", []string{"check", "c"}, 40 << 20, 0, "bundles in c", func(n int) map[string]string {
		picture := strings.Repeat("x", 50_000)
		return map[string]string{"c/catalog.json": each(n/50_000, `{"schema": "olm.bundle", "name": "a%d.v1.0.0", "properties": [{"type": "p", "value": {"x": "`+picture+`"}}, {"type": "olm.package.required", "value": {"packageName": "b", "versionRange": "1.0.0"}}]}`)}
	}},
	{"the check of an endless catalog", []string{"check", "c.json"}, 40 << 20, 1, "", func(n int) map[string]string {
		return map[string]string{"c.json": `{"schema": "olm.bundle", "name": "` + strings.Repeat("x", n)}
	}},
	{"the import of a large pack of plain text", []string{"import", "p", "--to", "package"}, 15 << 20, 0, "", func(n int) map[string]string {
		return packDir(strings.Repeat("# text\n", n/16) + "a: 1\n" + each(n/128, "key%d: "+strings.Repeat("x", 50)+"\n"))
	}},
	{"the import of a large pack that is not plain", []string{"import", "p", "--to", "package"}, 15 << 20, 0, "", func(n int) map[string]string {
		return packDir("z: &a 1\n" + each(n/16, "key%d: 1\n"))
	}},
}

var importProfile = []string{"import", "main.tf", "--to", "package"}

var checkModule = []string{"check", "."}

// profile is a profile with locals, and values that are constant unless they are given.
func profile(locals string, values ...string) map[string]string {
	values = append(values, `"a"`)
	return map[string]string{"main.tf": "locals {\n" + locals + `}
resource "spectrocloud_cluster_profile" "p" {
  pack {
    name = "a"
    values = ` + values[0] + `
  }
}
`}
}

// doubled are locals that are made of each other.
func doubled(n int, first, next string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "x0 = %s\n", first)
	for i := range n {
		fmt.Fprintf(&b, "x%d = %s\n", i+1, fmt.Sprintf(next, i))
	}
	return b.String()
}

func largePack(n int) map[string]string {
	return packDir(each(n/28, "key%d: {a: 1, b: text}\n"))
}

func packDir(values string) map[string]string {
	return map[string]string{"p/pack.json": packJSON, "p/values.yaml": values}
}

// runCommand runs a command of packfn within the limit of addresses.
func runCommand(args []string) int {
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: mostAddresses, Max: mostAddresses}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitOther
	}
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitOther
	}
	return cli.Main(cli.Program{Functions: suite.All(), Docs: functions.Docs, Self: []string{self, commandPackfn}}, args, os.Stdin, os.Stdout, os.Stderr)
}

// exitOther is an exit code that packfn does not have.
const exitOther = 9

// run runs the command at a size with this program, and returns what it spent. It fails if
// the command ends in another way than it should.
func (c command) run(program, dir string, n int) (s sample, err error) {
	for name, text := range c.files(n) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return s, err
		}
		if target, ok := strings.CutPrefix(text, link); ok {
			err = os.Symlink(target, name)
		} else {
			err = os.WriteFile(name, []byte(text), 0o600)
		}
		if err != nil {
			return s, err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, program, append([]string{commandPackfn}, c.args...)...)
	var stdout, stderr bytes.Buffer
	run.Dir, run.Stdout, run.Stderr = dir, &stdout, &stderr
	if err := run.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		return s, err
	}
	if code := run.ProcessState.ExitCode(); code != c.exit || !strings.Contains(stdout.String()+stderr.String(), c.want) || stderr.Len() > 5000 {
		return s, fmt.Errorf("got exit code %d, want %d with %q:\n%.3000s", code, c.exit, c.want, stdout.String()+stderr.String())
	}
	if c.exit == 2 {
		if _, err := os.Stat(filepath.Join(dir, "package")); err == nil {
			return s, errors.New("a package was written")
		}
	}
	return sampleOf(run.ProcessState)
}

// limits runs the command at both sizes. The larger one has the same limits.
func (c command) limits(program string) (text, fault string, err error) {
	for _, n := range []int{c.size, 2 * c.size} {
		dir, err := os.MkdirTemp("", "hostile")
		if err != nil {
			return "", "", err
		}
		s, err := c.run(program, dir, n)
		os.RemoveAll(dir)
		if err != nil {
			return "", "", err
		}
		if text += fmt.Sprintf("size %d %v ", n, s); s.cpu > mostTime {
			fault = fmt.Sprintf("want at most %v", mostTime)
		}
	}
	return text, fault, nil
}

// helmRelease is a release of the chart of releases.
const helmRelease = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: r%d}
spec:
  chart: {spec: {chart: web}}
`

// releases returns a chart, and a file with releases of it.
func releases(text string) map[string]string {
	return map[string]string{
		"charts/web/Chart.yaml": `name: web
version: 1.0.0
`, "charts/web/values.yaml": "port: 1\n" + each(200, "k%d: 1\n"),
		"charts/web/values.schema.json": `{"properties": {"port": {"type": "integer"}}}`, "a.yaml": text,
	}
}

// configMapOfValues returns a ConfigMap with values for releases.
func configMapOfValues(n int) string {
	return `apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data:
  values.yaml: |
` + each(n, "    x%d: 1\n")
}
