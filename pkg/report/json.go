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
	// Version is that of the program that wrote the file.
	Version string `json:"version" required:"true"`
	// Summary counts the findings.
	Summary Summary `json:"summary" required:"true"`
	// Findings are in the order of file, line and column.
	Findings []Finding `json:"findings" required:"true"`
}

// Summary counts findings by their severity.
type Summary struct {
	Error   int `json:"error" required:"true"`
	Warning int `json:"warning" required:"true"`
	Info    int `json:"info" required:"true"`
}

func (r *Report) writeJSON(w io.Writer) error {
	counts := r.counts()
	file := File{
		Format: FormatVersion, Version: r.Version,
		Summary:  Summary{counts[diag.Error], counts[diag.Warning], counts[diag.Info]},
		Findings: r.Findings,
	}
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

// EscapeJSON returns a JSON text with the same data, in which the characters that
// [diag.Shown] hides, and what a CI runner takes for a command, are escapes of JSON.
func EscapeJSON(text []byte) []byte {
	if !bytes.ContainsFunc(text, isUnsafe) && !bytes.Contains(text, []byte("##[")) {
		return text
	}
	out := make([]byte, 0, len(text)+64)
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
func ReadJSON(text []byte) (*File, error) {
	var file File
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("not a report in the format json: %w", err)
	}
	if file.Format != FormatVersion {
		return nil, fmt.Errorf("the report has the format %q; want %q", file.Format, FormatVersion)
	}
	return &file, nil
}
