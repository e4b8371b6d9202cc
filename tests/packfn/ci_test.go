package packfn

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// ciPackages writes a package without findings, one with errors and one that
// cannot be read. Each is named platform, in the folder that is returned for it.
func ciPackages(t *testing.T) map[string]string {
	t.Helper()
	dirs := map[string]string{}
	for name, file := range map[string]string{
		"clean": packResource(`registry:
  port: 5000
  token: xyz
`),
		"errors": packResource(`registry:
  port: 70000
  token: xyz
`),
		"rejected": packResource(`registry:
  port: 5000
  token: xyz
`),
		"unreadable": "",
	} {
		dirs[name] = filepath.Join(t.TempDir(), name)
		kptfile, config := kptfileText, configHead+"exclude: [drafts]\n"
		switch name {
		case "rejected":
			kptfile = `apiVersion: kpt.dev/v2
kind: Kptfile
`
		case "unreadable":
			config = "exclude: [\n"
		}
		write(t, filepath.Join(dirs[name], "platform/Kptfile"), kptfile)
		write(t, filepath.Join(dirs[name], "platform/vault.yaml"), file)
		write(t, filepath.Join(dirs[name], ".github/workflows/ci.yml"), `on: push
jobs: {}
`)
		write(t, filepath.Join(dirs[name], "charts/app/Chart.yaml"), "name: app\n")
		write(t, filepath.Join(dirs[name], "charts/app/templates/a.yaml"), "a: {{ if }}\n")
		write(t, filepath.Join(dirs[name], "drafts/vault.yaml"), packResource(`registry:
  port: 70000
`))
		write(t, filepath.Join(dirs[name], "packfn.yaml"), config)
	}
	return dirs
}

var ciExits = map[string]int{"clean": 0, "errors": 1, "rejected": 1, "unreadable": 2}

// shell runs a script as CI systems do, with packfn on PATH.
func shell(t *testing.T, dir, script string, env ...string) outcome {
	t.Helper()
	path := "PATH=" + filepath.Dir(program) + string(os.PathListSeparator) + os.Getenv("PATH")
	args := append([]string{path}, env...)
	return run(t, dir, "", "env", append(args, "bash", "-e", "-o", "pipefail", "-c", script)...)
}

func readYAML(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func readRoot(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The hooks for pre-commit end with the exit codes of the commands.
func TestPreCommitHooks(t *testing.T) {
	var hooks []struct {
		ID, Entry, Language, Files string
		PassFilenames              *bool `yaml:"pass_filenames"`
	}
	readYAML(t, readRoot(t, ".pre-commit-hooks.yaml"), &hooks)
	if len(hooks) != 2 {
		t.Fatalf("%d hooks", len(hooks))
	}
	for _, hook := range hooks {
		files, err := regexp.Compile(hook.Files)
		if err != nil || !files.MatchString("a/Kptfile") || !files.MatchString("a/b.yaml") || files.MatchString("a/b.go") {
			t.Errorf("%s: files: %s, %v", hook.ID, hook.Files, err)
		}
		if hook.PassFilenames == nil || *hook.PassFilenames {
			t.Errorf("%s gets files one by one", hook.ID)
		}
		for name, dir := range ciPackages(t) {
			shell(t, dir, hook.Entry).want(t, ciExits[name])
			shell(t, dir, hook.Entry+" platform").want(t, ciExits[name])
		}
	}
}

// The steps of the GitHub Action end with the exit codes of the command, and inputs are
// never part of a script.
func TestAction(t *testing.T) {
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Using string
			Steps []struct {
				Name, Uses, Shell, Run string
				Env                    map[string]string
			}
		}
	}
	readYAML(t, readRoot(t, "action.yml"), &action)
	temp := t.TempDir()
	packages := ciPackages(t)
	ran := 0
	for _, step := range action.Runs.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("%s: an expression in a script", step.Name)
		}
		if step.Run == "" {
			continue
		}
		ran++
		env := func(inputs map[string]string) []string {
			all := []string{"RUNNER_TEMP=" + temp}
			for name, value := range step.Env {
				switch value {
				case "${{ github.action_path }}":
					value = root
				case "${{ github.action_ref }}":
					value = "main" // a branch, which is not a release
				case "${{ runner.os }}":
					value = "Linux"
				case "${{ runner.arch }}":
					value = "X64"
				}
				if found := regexp.MustCompile(`^\$\{\{ inputs\.([\w-]+) \}\}$`).FindStringSubmatch(value); found != nil {
					input, known := action.Inputs[found[1]]
					if value = input.Default; !known {
						t.Errorf("there is no input %s", found[1])
					}
					if given, ok := inputs[found[1]]; ok {
						value = given
					}
				}
				all = append(all, name+"="+value)
			}
			return all
		}
		if step.Name == "Download the released packfn" {
			testDownload(t, step.Run)
			out := filepath.Join(temp, "output")
			shell(t, temp, step.Run, append(env(nil), "GITHUB_OUTPUT="+out, "REPOSITORY="+temp)...).want(t, 0)
			if _, err := os.Stat(out); err == nil {
				t.Error("a branch is taken for a release")
			}
			continue
		}
		if step.Name != "Check" {
			shell(t, temp, step.Run, env(nil)...).want(t, 0)
			continue
		}
		for name, dir := range packages {
			got := shell(t, dir, step.Run, env(nil)...).want(t, ciExits[name])
			if name == "errors" && !strings.Contains(got.stdout, "::error file=") {
				t.Errorf("no annotation:\n%s", got.stdout)
			}
			inputs := map[string]string{"paths": "platform platform/vault.yaml", "format": "sarif", "output": "a b.sarif", "args": "--severity values/format=warning"}
			exit := ciExits[name]
			if name == "errors" {
				exit = 0
			}
			shell(t, dir, step.Run, env(inputs)...).want(t, exit)
			if name == "errors" {
				shell(t, dir, step.Run, env(map[string]string{"fail-on": "never"})...).want(t, 0)
			}
			if _, err := os.Stat(filepath.Join(dir, "a b.sarif")); name != "unreadable" && err != nil {
				t.Error(err)
			}
		}
	}
	if ran != 3 || action.Runs.Using != "composite" {
		t.Errorf("%d steps of a %s action", ran, action.Runs.Using)
	}
}

// The action takes the archive of the release that it is pinned to, by tag or by commit, if it
// has the checksum of the release. Everything else is built, and a wrong checksum is an error.
func testDownload(t *testing.T, script string) {
	t.Helper()
	version := strings.TrimSpace(string(readRoot(t, "build/VERSION")))
	repository := t.TempDir()
	release := filepath.Join(repository, "releases/download", version)
	archive := "packfn_" + version + "_linux_amd64.tar.gz"
	write(t, filepath.Join(release, "packfn"), "released\n")
	shell(t, release, "tar -czf "+archive+" packfn && sha256sum *.tar.gz > SHA256SUMS").want(t, 0)
	commit := strings.TrimSpace(shell(t, repository, "git init -q && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m a && git tag "+version+" && git rev-parse HEAD").want(t, 0).stdout)
	download := func(ref, system, architecture string, exit int, found bool) outcome {
		t.Helper()
		temp := t.TempDir()
		out := filepath.Join(temp, "output")
		got := shell(t, temp, script, "RUNNER_TEMP="+temp, "GITHUB_OUTPUT="+out, "ACTION_PATH="+root, "ACTION_REF="+ref,
			"REPOSITORY=file://"+repository, "SYSTEM="+system, "ARCHITECTURE="+architecture).want(t, exit)
		text, err := os.ReadFile(filepath.Join(temp, "packfn"))
		_, said := os.Stat(out)
		if (err == nil) != found || found && string(text) != "released\n" || (said == nil) != found {
			t.Errorf("%q %s %s: the program is %q, the output %v\n%s", ref, system, architecture, text, said, got.stdout)
		}
		return got
	}
	download(version, "Linux", "X64", 0, true)
	download(commit, "Linux", "X64", 0, true)
	download("main", "Linux", "X64", 0, false)
	download("", "Linux", "X64", 0, false)
	download(version, "Windows", "X64", 0, false)
	download(version, "Linux", "ARM64", 0, false) // the release has no such archive
	download(version, "Linux", "ARM", 0, false)
	write(t, filepath.Join(release, "SHA256SUMS"), strings.Repeat("0", 64)+"  "+archive+"\n")
	if got := download(version, "Linux", "X64", 1, false); !strings.Contains(got.stdout, "::error::"+archive) {
		t.Errorf("got %s", got.stdout)
	}
	write(t, filepath.Join(release, "SHA256SUMS"), "")
	download(version, "Linux", "X64", 1, false)
}

// The job for GitLab ends with the exit code of the command, and leaves the report that
// it names.
func TestGitLabJob(t *testing.T) {
	packages := ciPackages(t)
	packfn(t, packages["clean"], "init", "ci", "--for", "gitlab").want(t, 0)
	text, err := os.ReadFile(filepath.Join(packages["clean"], ".gitlab-ci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var jobs map[string]struct {
		Image     string
		Script    []string
		Artifacts struct {
			When    string
			Reports map[string]string
		}
	}
	readYAML(t, text, &jobs)
	job := jobs["packs"]
	install, script := job.Script[0], job.Script[1:]
	if !strings.HasPrefix(install, "go install github.com/krm-packs/functions/functions/packfn@") || len(script) == 0 {
		t.Fatalf("got %v", job.Script)
	}
	if version, ok := strings.CutPrefix(job.Image, "golang:"); !ok || !strings.Contains(string(readRoot(t, "go.mod")), "\ngo "+version+".") {
		t.Errorf("%s does not build this module", job.Image)
	}
	for name, dir := range packages {
		shell(t, dir, strings.Join(script, "\n")).want(t, ciExits[name])
		_, err := os.Stat(filepath.Join(dir, job.Artifacts.Reports["junit"]))
		if name != "unreadable" && err != nil {
			t.Error(err)
		}
	}
	if job.Artifacts.When != "always" {
		t.Error("the report is lost when the check fails")
	}
}
