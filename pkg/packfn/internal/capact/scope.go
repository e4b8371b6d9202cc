package capact

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/policy/manifest"
)

// ScopeNames are the scopes of policies.
var ScopeNames = []string{manifest.ScopeGlobal, manifest.ScopeAction, manifest.ScopeWorkflow}

// Scopes assigns scopes to the policies in files, because Capact does not keep the scope in the
// policy.
type Scopes struct {
	// Default is the scope of files that are not in Files. "" means GLOBAL.
	Default string
	// Files are scopes by the absolute paths of files.
	Files map[string]string
}

// ParseScopes reads texts of the form SCOPE or SCOPE=FILE.
//
//	GLOBAL                        # of all other files
//	ACTION=policies/orders.yaml   # of this file
func ParseScopes(texts []string) (Scopes, error) {
	s := Scopes{Files: map[string]string{}}
	for _, text := range texts {
		scope, file, isOfFile := strings.Cut(text, "=")
		if err := s.Add(scope, file, isOfFile); err != nil {
			return s, err
		}
	}
	return s, nil
}

// Add sets the scope of a file, or of all others.
func (s *Scopes) Add(scope, file string, isOfFile bool) error {
	if f := diag.GotName(scope, ScopeNames); !slices.Contains(ScopeNames, scope) {
		return fmt.Errorf("%s", f.Message())
	}
	if !isOfFile {
		if s.Default != "" && s.Default != scope {
			return fmt.Errorf("the policies of all files have the scope %s already; write %s=FILE for one file", s.Default, scope)
		}
		s.Default = scope
		return nil
	}
	absolute, err := filepath.Abs(file)
	if err != nil || file == "" {
		return fmt.Errorf("%s= has no file; write %s=FILE", scope, scope)
	}
	if s.Files == nil {
		s.Files = map[string]string{}
	}
	if other := s.Files[absolute]; other != "" && other != scope {
		return fmt.Errorf("%s has the scope %s already", file, other)
	}
	s.Files[absolute] = scope
	return nil
}

// Of returns the scope of the policies of a file.
func (s Scopes) Of(file string) string {
	if absolute, err := filepath.Abs(file); err == nil && s.Files[absolute] != "" {
		return s.Files[absolute]
	}
	if s.Default != "" {
		return s.Default
	}
	return manifest.ScopeGlobal
}
