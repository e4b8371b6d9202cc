package engine

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/packfn/internal/child"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
)

// hostile are templates that no process may run to their end.
var hostile = map[string]struct {
	template, want string
	isLarge        bool // takes all memory, in small steps
}{
	"runs for years":            {`{{ range until 100000 }}{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}{{ end }}`, "was not rendered within", false},
	"asks for 2 GiB at once":    {`{{ repeat 2147483647 "x" | len }}`, "more than 1024 MiB of memory", false},
	"asks for it step by step":  {`{{ $l := list }}{{ range until 1000000 }}{{ $l = append $l (repeat 100000 "x") }}{{ end }}`, "more than 1024 MiB of memory", true},
	"doubles a text":            {`{{ $s := "x" }}{{ range until 60 }}{{ $s = print $s $s }}{{ end }}{{ len $s }}`, "more than 1024 MiB of memory", true},
	"a list of all numbers":     {`{{ len (until 2000000000) }}`, "more than 1024 MiB of memory", true},
	"a text of nested blocks":   {`{{ tpl (repeat 400000 "{{ if 1 }}") . }}`, "its templates are nested too deeply", true},
	"templates that call tpl":   {`{{ define "t" }}{{ tpl "{{ include \"t\" . }}" . }}{{ end }}{{ include "t" . }}`, "", false},
	"a template that calls all": {`{{ define "x" }}{{ template "x" . }}{{ template "x" . }}{{ end }}{{ template "x" . }}`, "", false},
}

// A template that does not end, or that takes too much memory, ends its process, and the
// next chart is rendered by another one.
func TestHostile(t *testing.T) {
	for name, tc := range hostile {
		if tc.isLarge && !cases.All() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &helm.Renderer{Timeout: 10 * time.Minute}
			if tc.want == "was not rendered within" { // however slow the machine is
				r.Timeout = time.Second
			}
			defer r.Close()
			result, err := r.Render(job("", "templates/a.yaml", tc.template))
			if err != nil || len(result.Failures) != 1 || !strings.Contains(result.Failures[0].Message, tc.want) {
				t.Fatalf("%v %+v; want %q", err, result, tc.want)
			}
			if isEnded := result.Failures[0].Kind == helm.Ended; isEnded != (tc.want != "") {
				t.Errorf("got %+v", result.Failures[0])
			}
			r.Timeout = 10 * time.Minute
			result, err = r.Render(job("a: 1", "templates/a.yaml", `kind: A
a: {{ .Values.a }}
`))
			if err != nil || len(result.Manifests) != 1 {
				t.Errorf("the next chart: %v %+v", err, result)
			}
		})
	}
}

// A process renders many charts, sees no environment, and ends with its input.
func TestProcess(t *testing.T) {
	t.Setenv("PACKFN_TEST", "secret")
	t.Setenv("TZ", "America/New_York")
	r := &helm.Renderer{Timeout: 10 * time.Minute}
	defer r.Close()
	for i := range 20 {
		result, err := r.Render(job(fmt.Sprintf("a: %d", i), "templates/a.yaml", "a: {{ .Values.a }}{{ env \"PACKFN_TEST\" }}\n"))
		if err != nil || len(result.Failures) != 1 || !strings.Contains(result.Failures[0].Message, `function "env" not defined`) {
			t.Fatalf("%v %+v", err, result)
		}
		result, err = r.Render(job(fmt.Sprintf("a: %d", i), "templates/a.yaml", "a: {{ .Values.a }}\n"))
		if err != nil || len(result.Manifests) != 1 || strings.TrimSpace(result.Manifests[0].Text) != fmt.Sprintf("a: %d", i) {
			t.Fatalf("%v %+v", err, result)
		}
	}

	result, err := r.Render(job("", "templates/a.yaml", `a: {{ toDate "2006-01-02" "2020-01-01" | date "MST" }}`))
	if err != nil || len(result.Manifests) != 1 || strings.TrimSpace(result.Manifests[0].Text) != "a: UTC" {
		t.Errorf("the time zone: %v %+v", err, result)
	}

	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// Helm logs a value that is a mapping where the chart has a text.
	var logged bytes.Buffer
	command := exec.Command(self, helm.Command)
	command.Stderr = &logged
	stdin, inErr := command.StdinPipe()
	stdout, outErr := command.StdoutPipe()
	if err := errors.Join(inErr, outErr, command.Start()); err != nil {
		t.Fatal(err)
	}
	result = &helm.Result{}
	err = gob.NewEncoder(stdin).Encode(job("a: {b: secret}", "values.yaml", "a: 1", "templates/a.yaml", "a: 1\n"))
	if err = errors.Join(err, gob.NewDecoder(stdout).Decode(result), stdin.Close(), command.Wait()); err != nil || len(result.Manifests) != 1 || logged.Len() > 0 {
		t.Errorf("%v, %+v, logged %q", err, result, logged.String())
	}

	var in, out bytes.Buffer
	if err := gob.NewEncoder(&in).Encode(job("", "templates/a.yaml", "a: 1\n")); err != nil {
		t.Fatal(err)
	}
	in.Truncate(in.Len() - 3)
	if code := Main(&in, &out); code == 0 || out.Len() > 0 {
		t.Errorf("half a job: exit code %d, %d bytes", code, out.Len())
	}
	broken := &helm.Renderer{Process: child.Process{Program: []string{"/nothing/there"}}}
	if _, err := broken.Render(job("")); err == nil || !strings.Contains(err.Error(), "/nothing/there") {
		t.Errorf("a program that does not exist: %v", err)
	}
	other := &helm.Renderer{Process: child.Process{Program: []string{self, "-test.run=^$"}}, Timeout: 10 * time.Minute}
	if result, err := other.Render(job("")); err != nil || len(result.Failures) != 1 || result.Failures[0].Kind != helm.Ended {
		t.Errorf("another program: %v %+v", err, result)
	}
}

// The charts of a pack share their time, and each has no more than one chart.
func TestTimeOfAPack(t *testing.T) {
	k := &helm.Pack{Renderer: &helm.Renderer{Timeout: time.Second}}
	defer k.Close()
	var said []string
	for range helm.PackTimeouts + 2 {
		result, err := k.Render(job("", "templates/a.yaml", hostile["runs for years"].template))
		if err != nil || len(result.Failures) != 1 || result.Failures[0].Kind != helm.Ended {
			t.Fatalf("%v %+v", err, result)
		}
		said = append(said, result.Failures[0].Message)
	}
	for i, want := range []string{0: "was not rendered within 1s", helm.PackTimeouts: "the charts and manifests of the pack before it took 3s", helm.PackTimeouts + 1: "before it took 3s"} {
		if !strings.Contains(said[i], want) {
			t.Errorf("chart %d: got %q, want %q", i, said[i], want)
		}
	}
}
