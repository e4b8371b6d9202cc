package program

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// A test binary with the argument standIn is a program: its next argument says how it behaves.
const standIn = "stand-in"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == standIn {
		behave(os.Args[2])
		return
	}
	os.Exit(functiontest.Main(m, "packfn/program"))
}

// behaviours are what a program does with the list that it reads.
var behaviours = map[string]func(input string){
	"the same":       func(input string) { fmt.Print(input) },
	"sets an image":  func(input string) { fmt.Print(strings.Replace(input, "web:1", "web:2", 1)) },
	"prints nothing": func(string) {},
	"prints blanks":  func(string) { fmt.Print(" \n\n") },
	"prints no YAML": func(string) { fmt.Print("a: [") },
	"prints a text":  func(string) { fmt.Print("done\n") },
	"prints a resource": func(string) {
		fmt.Print(`apiVersion: v1
kind: Service
metadata: {name: web}
`)
	},
	"prints a List": func(input string) { fmt.Print(strings.Replace(input, "kind: ResourceList", "kind: List", 1)) },
	"no items":      func(string) { fmt.Print("kind: ResourceList\n") },
	"items is null": func(string) {
		fmt.Print(`kind: ResourceList
items:
`)
	},
	"items is empty": func(string) {
		fmt.Print(`kind: ResourceList
items: []
`)
	},
	"items is a map": func(string) {
		fmt.Print(`kind: ResourceList
items: {a: 1}
`)
	},
	"an item is a text": func(string) {
		fmt.Print(`kind: ResourceList
items: [a]
`)
	},
	"an item has no kind": func(input string) {
		fmt.Print(input + `- apiVersion: v1
  metadata: {name: x}
`)
	},
	"an item has no name": func(input string) { fmt.Print(input + "- {apiVersion: v1, kind: Service}\n") },
	"annotations are a text": func(input string) {
		fmt.Print(input + "- {apiVersion: v1, kind: Service, metadata: {name: a, annotations: b}}\n")
	},
	"takes a name away": func(input string) { fmt.Print(strings.Replace(input, "    name: web\n", "", 1)) },
	"takes a kind away": func(input string) { fmt.Print(strings.Replace(input, "  kind: Deployment\n", "", 1)) },
	"leaves out the Kptfile": func(input string) {
		head, items, _ := strings.Cut(input, "items:\n")
		all := strings.Split("\n"+items, "\n- ")
		fmt.Print(head + `items:
- ` + strings.Join(all[2:], "\n- "))
	},
	"fails":                 func(string) { fmt.Fprintln(os.Stderr, "no namespace is given"); os.Exit(1) },
	"fails with a secret":   func(string) { fmt.Fprintln(os.Stderr, "password=hunter2\nand more"); os.Exit(2) },
	"fails with many lines": func(string) { fmt.Fprint(os.Stderr, strings.Repeat("line\n", 1e6)); os.Exit(3) },
	"fails after its list": func(input string) {
		fmt.Print(input + `results:
- {message: the name is taken, severity: error, resourceRef: {apiVersion: apps/v1, kind: Deployment, name: web}, field: {path: metadata.name}}
`)
		os.Exit(1)
	},
	"prints too much": func(string) { io.Copy(os.Stdout, endless{}) },
	"hangs":           func(string) { time.Sleep(time.Hour) },
	"a child holds its output": func(input string) {
		child := exec.Command(os.Args[0], standIn, "hangs")
		child.Stdout = os.Stdout
		child.Start()
		fmt.Print(input)
	},
	"leaves a child": func(input string) {
		child := exec.Command(os.Args[0], standIn, "hangs")
		child.Start()
		fmt.Fprint(os.Stderr, child.Process.Pid)
		fmt.Print(input)
	},
	"ends itself": func(string) {
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			self.Kill()
		}
		time.Sleep(time.Hour)
	},
	"an error result": func(input string) {
		fmt.Print(input + `results:
- {message: no port, severity: error}
`)
	},
	"all severities": func(input string) {
		fmt.Print(input + `results:
- {message: a, severity: Warning, file: {path: web.yaml, index: 0}, field: {path: spec.replicas}}
- {message: b, severity: info, resourceRef: {kind: Deployment, name: web}}
- {message: c}
- {message: d, severity: fatal}
- {message: "", severity: error}
- text
`)
	},
	"results in items": func(input string) {
		fmt.Print(input + `results:
  items:
  - {message: e, severity: warning, resourceRef: {metadata: {name: web}}}
`)
	},
	"results are a text": func(input string) { fmt.Print(input + "results: done\n") },
	"several documents":  func(input string) { fmt.Print(input + "---\na: 1\n") },
	"reads nothing":      func(string) {},
}

// endless is a text without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func behave(name string) {
	input := ""
	if name != "reads nothing" && name != "hangs" {
		text, err := io.ReadAll(os.Stdin)
		if err != nil {
			panic(err)
		}
		input = string(text)
	}
	behaviours[name](input)
}

const (
	kptfileText = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: p
`
	deploymentText = `# The web shop
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  template: {spec: {containers: [{name: web, image: "web:1"}]}} # one
`
)

// listOf returns the items of a package with a Kptfile.
func listOf(files map[string]string) *list.List {
	l := &list.List{Items: list.FileItems([]byte(kptfileText), "Kptfile")}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		l.Items = append(l.Items, list.FileItems([]byte(files[name]), name)...)
	}
	for _, item := range l.Items {
		item.InPackage("/")
	}
	return l
}

// run runs the stand-in over the package, as a mutator.
func run(t *testing.T, r *Runner, behaviour string, l *list.List) function.Outcome {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	entry := diag.Say("").About(l.Items[0].Resource(), "pipeline.mutators[0]").Where
	return r.Run(&Program{Name: "set-it", Command: []string{self, standIn, behaviour}}, Call{List: l, Mutates: true, Entry: entry})
}

// textOf returns the items of a list, as a file each.
func textOf(l *list.List) string {
	var b strings.Builder
	for _, item := range l.Items {
		if text := item.Text(); text != nil {
			fmt.Fprintf(&b, "--- %s\n%s", item.Resource().File, text)
		}
	}
	return b.String()
}

// What a program does wrong is one finding about its entry, and the list stays as it came.
func TestBadPrograms(t *testing.T) {
	const deletes = "; kpt would delete all files of the package"
	for behaviour, want := range map[string]string{
		"prints nothing":           "it prints nothing" + deletes,
		"reads nothing":            "it prints nothing" + deletes,
		"prints blanks":            "it prints nothing" + deletes,
		"prints no YAML":           "what it prints cannot be read: ",
		"prints a text":            "it prints no list in place of a ResourceList",
		"prints a resource":        "it prints a Service in place of a ResourceList",
		"prints a List":            "it prints a List in place of a ResourceList",
		"no items":                 "it prints a list without items" + deletes,
		"items is null":            "it prints a list without items" + deletes,
		"items is empty":           "it prints a list without items" + deletes,
		"items is a map":           "it prints a list without items" + deletes,
		"an item is a text":        "items[0] of what it prints must be a resource, got a string",
		"an item has no kind":      "items[2] of what it prints has no kind",
		"an item has no name":      "items[2] of what it prints has no metadata.name",
		"annotations are a text":   "items[2] of what it prints: metadata.annotations must be a map, got a string",
		"takes a name away":        "items[1] of what it prints has no metadata.name",
		"takes a kind away":        "items[1] of what it prints has no kind",
		"leaves out the Kptfile":   "what it prints lacks the Kptfile; kpt would delete it",
		"fails":                    "it ends with exit code 1: no namespace is given",
		"fails with a secret":      "it ends with exit code 2: and more; and 1 more line",
		"fails with many lines":    "it ends with exit code 3: line; line; line; line; line; and ",
		"prints too much":          "it prints more than 32 MiB",
		"a child holds its output": "a process that it started holds its output open",
		"ends itself":              "it was ended: signal: killed",
		"several documents":        "what it prints cannot be read: ",
	} {
		l := listOf(map[string]string{"web.yaml": deploymentText})
		before := textOf(l)
		out := run(t, &Runner{}, behaviour, l)
		if len(out.Findings) != 1 || !out.Failed {
			t.Errorf("%s: got %+v", behaviour, out.Findings)
			continue
		}
		f := out.Findings[0]
		if !strings.Contains(want, "cannot be read") && behaviour != "fails with many lines" {
			functiontest.Note(f.Rule.ID, f.Message())
		}
		if !strings.HasPrefix(f.Message(), "set-it: "+want) || f.Rule != rule.FunctionFails || f.Path() != "pipeline.mutators[0]" || f.Resource().Kind != "Kptfile" {
			t.Errorf("%s: got %s at %s of %s", behaviour, f.Message(), f.Path(), f.Resource())
		}
		if strings.Contains(f.Message(), "hunter2") {
			t.Errorf("%s: a secret is shown", behaviour)
		}
		if after := textOf(l); after != before {
			t.Errorf("%s: got\n%s", behaviour, after)
		}
	}
}

// A program that hangs is ended by its time, or with the command, and leaves no process.
func TestHangingPrograms(t *testing.T) {
	l := listOf(nil)
	out := run(t, &Runner{Timeout: 100 * time.Millisecond}, "hangs", l)
	if len(out.Findings) != 1 || !strings.Contains(out.Findings[0].Message(), "it did not end in 100ms; --exec-timeout allows more") {
		t.Errorf("got %+v", out.Findings)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	out = run(t, &Runner{Context: ctx}, "hangs", l)
	if len(out.Findings) != 1 || !strings.Contains(out.Findings[0].Message(), context.Canceled.Error()) {
		t.Errorf("got %+v", out.Findings)
	}
}

// The results of a program are findings at their places. An error counts only if the program fails with it.
func TestResults(t *testing.T) {
	for behaviour, want := range map[string][]string{
		"the same":           nil,
		"results are a text": nil,
		"an error result":    {"warning Kptfile pipeline.mutators[0]: set-it: no port (it ends with exit code 0, so kpt renders the package)"},
		"all severities": {
			"info Kptfile pipeline.mutators[0]: set-it: c", "info Kptfile pipeline.mutators[0]: set-it: d", "info Deployment : set-it: b", "warning Deployment spec.replicas: set-it: a",
		},
		"results in items":     {"warning Deployment : set-it: e"},
		"fails after its list": {"error Deployment metadata.name: set-it: the name is taken", "error Kptfile pipeline.mutators[0]: set-it: it ends with exit code 1"},
	} {
		var got []string
		out := run(t, &Runner{}, behaviour, listOf(map[string]string{"web.yaml": deploymentText}))
		for _, f := range out.Findings {
			severity := f.Severity
			if severity == "" {
				severity = f.Rule.Severity
			}
			functiontest.Note(f.Rule.ID, f.Message())
			got = append(got, fmt.Sprintf("%s %s %s: %s", severity, f.Resource().Kind, f.Path(), f.Message()))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q", behaviour, got)
		}
	}
}

// A result is about the resource that it names: of several with the name, about the one at its place.
func TestResourceOfResult(t *testing.T) {
	c := Call{List: listOf(map[string]string{
		"a.yaml": `apiVersion: v1
kind: Service
metadata: {name: web, namespace: a}
---
apiVersion: v1
kind: Secret
metadata: {name: other}
`,
		"b.yaml": `apiVersion: v1
kind: Service
metadata: {name: web, namespace: b}
`,
	})}
	find := c.finder()
	for result, want := range map[string]string{
		"{resourceRef: {name: web}}":                           "a.yaml 0",
		"{resourceRef: {name: web, namespace: b}}":             "b.yaml 0",
		"{resourceRef: {name: web}, file: {path: b.yaml}}":     "b.yaml 0",
		"{resourceRef: {name: web, kind: Deployment}}":         "",
		"{resourceRef: {metadata: {name: web, namespace: b}}}": "b.yaml 0",
		"{resourceRef: {name: none}, file: {path: b.yaml}}":    "",
		"{file: {path: a.yaml, index: 1}}":                     "a.yaml 1",
		"{file: {path: b.yaml}}":                               "b.yaml 0",
		"{file: {path: c.yaml}}":                               "",
		"{}":                                                   "",
	} {
		document, err := values.Parse(result)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if item := find(func(keys ...string) string { return values.Text(values.Field(document.Root(), keys...)) }); item != nil {
			got = fmt.Sprint(item.Resource().File, " ", item.Resource().Index)
		}
		if got != want {
			t.Errorf("%s: got %q", result, got)
		}
	}
}

// The resource of a result can accept it, but nothing accepts that a program fails.
func TestAcceptedResults(t *testing.T) {
	accepting := strings.Replace(deploymentText, "  name: web\n", `  name: web
  annotations: {packs.kpt.dev/accept: "function/result: it is a draft"}
`, 1)
	out := run(t, &Runner{}, "fails after its list", listOf(map[string]string{"web.yaml": accepting}))
	if len(out.Findings) != 2 || out.Findings[0].Rule != rule.Accepted || !strings.Contains(out.Findings[0].Message(), "it is a draft") || out.Findings[1].Rule != rule.FunctionFails || !out.Failed {
		t.Errorf("got %+v", out.Findings)
	}
}

// Equal inputs run once, and others again.
func TestEqualInputsRunOnce(t *testing.T) {
	r := &Runner{}
	for range 3 {
		l := listOf(map[string]string{"web.yaml": deploymentText})
		if out := run(t, r, "sets an image", l); out.Failed || !strings.Contains(textOf(l), `image: "web:2"`) {
			t.Errorf("got %+v\n%s", out.Findings, textOf(l))
		}
	}
	run(t, r, "sets an image", listOf(map[string]string{"web.yaml": strings.Replace(deploymentText, "replicas: 2", "replicas: 3", 1)}))
	if len(r.known) != 2 {
		t.Errorf("got %d runs", len(r.known))
	}
	var all sync.WaitGroup
	for range 8 { // as the packages of a fleet
		all.Go(func() {
			if out := run(t, r, "the same", listOf(map[string]string{"web.yaml": deploymentText})); out.Failed {
				t.Errorf("got %+v", out.Findings)
			}
		})
	}
	if all.Wait(); len(r.known) != 3 {
		t.Errorf("got %d runs", len(r.known))
	}
	r.kept = mostKept
	run(t, r, "the same", listOf(nil))
	if len(r.known) != 3 || r.kept != mostKept {
		t.Errorf("too much is kept: %d runs, %d bytes", len(r.known), r.kept)
	}
}
