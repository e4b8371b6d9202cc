package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/diag"
)

// FormatVersion names the form of the JSON. Fields may be added to it; what they mean
// does not change.
const FormatVersion = "packfn.report/v1"

// File is the report as JSON. Its schema is build/schemas/report.json.
type File struct {
	// Format is the version of the form, packfn.report/v1.
	Format string `json:"format" required:"true"`
	// Version is the version of packfn that wrote the file.
	Version string `json:"version" required:"true"`
	// Summary counts the findings.
	Summary Summary `json:"summary" required:"true"`
	// Findings are in the order of file, line and column.
	Findings []Finding `json:"findings" required:"true"`
	// Checked counts what was judged, in all units. Absent keys are 0.
	Checked *Checked `json:"checked,omitempty"`
	// Units are what was checked: packages, pack directories, and files that are checked together.
	Units []Unit `json:"units,omitempty"`
	// Skipped are the things that a check was expected to read and did not.
	Skipped []Skipped `json:"skipped,omitempty"`
	// Consequences are findings that only follow from an error among Findings. Their
	// consequenceOf is the fingerprint of that error. They are not counted, but they are part of
	// a baseline.
	Consequences []Finding `json:"consequences,omitempty"`
}

// Summary counts findings by their severity.
type Summary struct {
	// Error is the number of errors.
	Error int `json:"error" required:"true"`
	// Warning is the number of warnings.
	Warning int `json:"warning" required:"true"`
	// Info is the number of infos.
	Info int `json:"info" required:"true"`
}

// writeJSON prints the report as a [File]:
//
//	{
//	  "format": "packfn.report/v1",
//	  "summary": {"error": 1, "warning": 0, "info": 0},
//	  "findings": [{"rule": "values/format", "severity": "error", "file": "site.yaml", "line": 12, …}]
//	}
func (r *Report) writeJSON(w io.Writer) error {
	counts := r.Totals()
	file := File{
		Format: FormatVersion, Version: r.Version,
		Summary:  Summary{counts[diag.Error], counts[diag.Warning], counts[diag.Info]},
		Findings: r.Findings, Consequences: r.Consequences,
	}
	if r.Counts {
		sum := r.Sum()
		file.Checked, file.Units = &sum, r.Units
	}
	file.Skipped = r.Skipped
	if file.Findings == nil {
		file.Findings = []Finding{}
	}
	return WriteJSON(w, file)
}

// WriteJSON prints a value as indented JSON for people and programs, with [EscapeJSON].
func WriteJSON(w io.Writer, value any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(EscapeJSON(text.Bytes()))
	return err
}

// JSONObject writes an object as [WriteJSON] does, field by field, and the elements of its
// lists one by one: of a large one no more is in memory.
type JSONObject struct {
	// w gets the parts, and text is the part that is being made.
	w    io.Writer
	text bytes.Buffer
	// before is the text to write before the next field.
	before string
	// err is the first error. Nothing is written after it.
	err error
}

// NewJSONObject begins an object.
func NewJSONObject(w io.Writer) *JSONObject { return &JSONObject{w: w, before: "{\n"} }

// write writes a text, followed by a value unless it is nil. The lines of the value begin with a
// prefix.
func (o *JSONObject) write(text, prefix string, value any) {
	o.text.Reset()
	o.text.WriteString(text)
	if value != nil && o.err == nil {
		encoder := json.NewEncoder(&o.text)
		encoder.SetIndent(prefix, "  ")
		encoder.SetEscapeHTML(false)
		o.err = encoder.Encode(value)
	}
	if o.err == nil {
		_, o.err = o.w.Write(EscapeJSON(bytes.TrimSuffix(o.text.Bytes(), []byte("\n"))))
	}
}

// key returns what comes before the value of the next field.
func (o *JSONObject) key(name string) string {
	before := o.before
	o.before = ",\n"
	return fmt.Sprintf("%s  %q: ", before, name)
}

// Field writes a field.
func (o *JSONObject) Field(name string, value any) { o.write(o.key(name), "  ", value) }

// List writes a field that is a list of n elements.
func (o *JSONObject) List(name string, n int, element func(int) any) {
	before := o.key(name) + "["
	for i := range n {
		o.write(before+"\n    ", "    ", element(i))
		before = ","
	}
	if n == 0 {
		o.write(before+"]", "", nil)
		return
	}
	o.write("\n  ]", "", nil)
}

// Close ends the object, and returns the first error.
func (o *JSONObject) Close() error {
	if o.err == nil {
		_, o.err = io.WriteString(o.w, "\n}\n")
	}
	return o.err
}

// EscapeJSON returns a JSON text with the same data, in which the characters that [diag.Shown]
// hides, and strings that CI runners interpret as commands, are written as JSON escapes.
func EscapeJSON(text []byte) []byte {
	if !bytes.ContainsFunc(text, isUnsafe) && !bytes.Contains(text, []byte("##[")) {
		return text
	}
	out := make([]byte, 0, len(text))
	for _, r := range string(bytes.ReplaceAll(text, []byte("##["), []byte(`##\u005b`))) {
		if isUnsafe(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// isUnsafe reports whether JSON escapes a character that its encoder leaves.
func isUnsafe(r rune) bool { return r != '\n' && diag.IsHidden(r) }

// ReadJSON reads a report that was written as JSON.
//
//	{"format": "packfn.report/v1", "summary": {"error": 1, "warning": 0, "info": 0}, "findings": [
//	  {"rule": "values/format", "severity": "error", "message": "…", "file": "site.yaml", "line": 20}]}
func ReadJSON(text []byte) (*File, error) {
	var file File
	return &file, readJSON(text, &file, &file.Format)
}

// ReadFingerprints reads the fingerprints of a report that was written as JSON. It takes less
// memory than [ReadJSON], whatever the text is.
//
//	{"format": "packfn.report/v1", "findings": [{"fingerprint": "…", "rule": "values/format"}]}
func ReadFingerprints(text []byte) (map[string]bool, error) {
	type named []struct {
		Fingerprint string `json:"fingerprint"`
	}
	var file struct {
		Format       string `json:"format"`
		Findings     named  `json:"findings"`
		Consequences named  `json:"consequences"`
	}
	if err := readJSON(text, &file, &file.Format); err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, f := range append(file.Findings, file.Consequences...) {
		known[f.Fingerprint] = true
	}
	return known, nil
}

// readJSON parses a report, and compares its format with [FormatVersion].
func readJSON(text []byte, into any, format *string) error {
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("not a report in the format json: %w", err)
	}
	if *format != FormatVersion {
		return fmt.Errorf("the report must have the format %q, got %q", FormatVersion, *format)
	}
	return nil
}
