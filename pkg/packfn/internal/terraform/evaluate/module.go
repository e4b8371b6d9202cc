// Package evaluate evaluates modules of Terraform, in the child process of package terraform:
// variables with values, locals, packs that a source has, and functions of texts. Nothing is run:
// no provider, no state, no other module. It opens no file: what expressions read, it asks for.
//
// A profile in Terraform is a resource whose packs are blocks:
//
//	resource "spectrocloud_cluster_profile" "edge" {
//	  name = "edge"
//	  pack {
//	    name   = "vault"
//	    tag    = "0.6.x"
//	    values = templatefile("vault.yaml", {replicas = var.replicas})
//	  }
//	}
//
// An attribute that is not constant, because it needs a provider or another module, is left out with a
// note.
package evaluate

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/child"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
)

// mostFaults are the faults of the syntax of a file that are listed.
const mostFaults = 20

// Main evaluates the modules of standard input until it ends, and returns the exit code.
func Main(in io.Reader, out io.Writer) int { return child.Serve(in, out, evaluate) }

// module is a module that is evaluated.
type module struct {
	*terraform.Job
	result *terraform.Result
	// texts are the texts of the parsed files, by path.
	texts map[string]string
	// blocks are the blocks of all files.
	blocks []*hclsyntax.Block
	// names are the variables, locals and data sources, by `var.NAME`, `local.NAME` and
	// `data.TYPE.NAME`. open are the names that are being evaluated, each read by the previous
	// one.
	names map[string]*name
	open  []*name
	// functions are the functions of Terraform that can be evaluated.
	functions map[string]function.Function
	// templates caches the files that templatefile() has read, by name.
	templates map[string]*template
}

// evaluate evaluates the profiles of a module.
func evaluate(job *terraform.Job) *terraform.Result {
	m := &module{Job: job, result: &terraform.Result{}, texts: map[string]string{}, names: map[string]*name{}, templates: map[string]*template{}}
	m.functions = m.allFunctions()
	m.load()
	for _, block := range m.blocks {
		if block.Type == "resource" && len(block.Labels) == 2 && block.Labels[0] == terraform.ResourceType {
			if p := m.profile(block); p != nil {
				m.result.Profiles = append(m.result.Profiles, p)
			}
		}
	}
	return m.result
}

// ask returns what there is of a file or a pack, and whether that is known yet.
func (m *module) ask(what terraform.Ask) (answer terraform.Answer, ok bool) {
	if answer, ok = m.Known[what]; !ok && len(m.result.Asks) <= terraform.MaxAsked && !slices.Contains(m.result.Asks, what) {
		m.result.Asks = append(m.result.Asks, what)
	}
	return answer, ok
}

// load parses the files, and finds the names that they define.
func (m *module) load() {
	var overrides []*hclsyntax.Body
	for _, file := range m.Files {
		body := m.parse(file)
		if base := strings.TrimSuffix(filepath.Base(file.Path), terraform.Extension); base == "override" || strings.HasSuffix(base, "_override") {
			overrides = append(overrides, body)
		} else {
			m.blocks = append(m.blocks, body.Blocks...)
		}
	}
	for _, body := range overrides {
		m.override(body)
	}
	given := map[string]*hclsyntax.Attribute{}
	for _, file := range m.Variables {
		faults := len(m.result.Faults)
		for name, attribute := range m.parse(file).Attributes {
			given[name] = attribute
		}
		if len(m.result.Faults) > faults {
			m.Unread = file.Path
		}
	}
	m.define(given)
}

// parse returns the body of a file. It is empty if the file has faults, which are reported.
func (m *module) parse(file terraform.File) *hclsyntax.Body {
	m.texts[file.Path] = file.Text
	parsed, diags := hclsyntax.ParseConfig([]byte(file.Text), file.Path, hcl.InitialPos)
	if !diags.HasErrors() {
		return parsed.Body.(*hclsyntax.Body)
	}
	for i, d := range diags {
		if i == mostFaults {
			m.result.Faults = append(m.result.Faults, &terraform.Fault{Path: file.Path, Text: fmt.Sprintf("and %d more", len(diags)-i)})
			break
		}
		m.result.Faults = append(m.result.Faults, faultOf(file.Path, d))
	}
	return &hclsyntax.Body{}
}

// faultOf returns an error of the HCL parser as a fault.
func faultOf(path string, d *hcl.Diagnostic) *terraform.Fault {
	fault := &terraform.Fault{Path: path, Text: diag.OneLine(d.Summary + ": " + d.Detail)}
	if d.Subject != nil {
		fault.At = positionOf(*d.Subject)
	}
	return fault
}

// positionOf returns the position at which a range begins.
func positionOf(at hcl.Range) diag.Position {
	return diag.Position{Line: at.Start.Line, Column: at.Start.Column}
}

// override merges the blocks of a file override.tf or NAME_override.tf into the original blocks.
func (m *module) override(body *hclsyntax.Body) {
	for _, block := range body.Blocks {
		for _, original := range m.blocks {
			if original.Type != block.Type || !slices.Equal(original.Labels, block.Labels) {
				continue
			}
			for name, attribute := range block.Body.Attributes {
				if _, ok := original.Body.Attributes[name]; ok || block.Type != "locals" {
					original.Body.Attributes[name] = attribute
				}
			}
			if len(block.Body.Blocks) > 0 {
				isReplaced := func(b *hclsyntax.Block) bool {
					return slices.ContainsFunc(block.Body.Blocks, func(other *hclsyntax.Block) bool { return other.Type == b.Type })
				}
				original.Body.Blocks = append(slices.DeleteFunc(original.Body.Blocks, isReplaced), block.Body.Blocks...)
			}
		}
	}
}
