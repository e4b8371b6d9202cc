package report

import (
	"strings"
	"testing"
)

// The fingerprints of a report are read where the report is, and for all other texts the error
// is the same line.
func FuzzFingerprints(f *testing.F) {
	for _, text := range []string{
		`{"format":"packfn.report/v1","version":"v1","findings":[{"rule":"a/b","severity":"error","message":"m","fingerprint":"f"},{}]}`,
		`{"format":"packfn.report/v1","findings":null}`, `{"format":"packfn.report/v2"}`, "{}", "[", "", `{"findings":[{"fingerprint":1}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		known, err := ReadFingerprints(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("got %q", err)
			}
			return
		}
		file, err := ReadJSON(text)
		for i := 0; err == nil && i < len(file.Findings); i++ {
			if !known[file.Findings[i].Fingerprint] {
				t.Errorf("%q is missing", file.Findings[i].Fingerprint)
			}
		}
	})
}
