package helm

import (
	"fmt"
	"time"
)

// Command is the argument with which the program renders the jobs of its standard input.
const Command = "render-charts"

// The limits of charts, beside [child.MaxMemory], of which the largest public chart needs a tenth.
const (
	// DefaultTimeout is for one chart.
	DefaultTimeout = 10 * time.Second
	// PackTimeouts is how many times that time all charts and manifests of a pack have.
	PackTimeouts = 3
	// MaxOutput is the text that a chart may render to.
	MaxOutput = 64 << 20
)

// Job is a chart to render.
type Job struct {
	// Archive is the chart as a .tgz, or nil: then Files are its files by their paths.
	Archive []byte
	Files   map[string][]byte
	// Values are the values of the user, as YAML.
	Values []byte
	// Release and Namespace are what the chart is installed as.
	Release, Namespace string
	// Kubernetes is the version of the cluster, such as 1.33.2. If IsKnown is true, charts that
	// do not support the version are rejected, as Helm does.
	Kubernetes string
	// IsKnown is false if Kubernetes is a default.
	IsKnown bool
	// APIs are the API versions of the cluster, `apps/v1` or `apps/v1/Deployment`.
	APIs []string
}

// Result is what became of a job.
type Result struct {
	// Manifests are in the order in which Helm installs them, starting with the manifests in the
	// folder crds. There are none if there are failures.
	Manifests []Manifest
	// Failures are the errors of Helm, one for each template that fails, up to ten.
	Failures []Failure
}

// Manifest is a resource.
type Manifest struct {
	// Source is the template, `web/templates/deployment.yaml`, as Helm names it.
	Source string
	// Text is one YAML document.
	Text string
	// Hooks are the events of a hook, `pre-install`.
	Hooks []string
}

// Kind is the kind of a failure.
type Kind string

// The kinds of failures.
const (
	// Template is Helm's message about a template, or about what it rendered.
	Template Kind = "template"
	// Version means that the chart does not support the version of the cluster.
	Version Kind = "version"
	// Chart means that Helm cannot read the chart.
	Chart Kind = "chart"
	// Dependencies means that the chart lacks charts that it depends on. The message has their names.
	Dependencies Kind = "dependencies"
	// Ended means that the process was ended because it took too long, or too much memory.
	Ended Kind = "ended"
)

// Failure is the reason why a chart was not rendered.
type Failure struct {
	Kind Kind
	// Message may contain parts of values.
	Message string
}

// ended returns the result of a chart whose rendering was ended.
func ended(format string, args ...any) *Result {
	return &Result{Failures: []Failure{{Ended, fmt.Sprintf(format, args...)}}}
}
