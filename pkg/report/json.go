package report

import (
	"encoding/json"
	"fmt"
	"io"

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
	return writeIndented(w, file)
}

func writeIndented(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

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
