// Package terraform reads the cluster profiles in modules of Terraform, in the format that Palette
// exports.
//
//	resource "spectrocloud_cluster_profile" "edge" {
//	  name = "edge"
//	  pack {
//	    name   = "vault"
//	    tag    = "0.6.0"
//	    values = file("vault.yaml")
//	  }
//	}
//
// # The way of a module
//
// [Open] reads the .tf files and the values of variables, and sends them as a [Job] to a child process,
// which package evaluate is in. An expression may read files, or the values of a pack: then the
// [Result] asks for them, and the job is sent again with the answers. So the child opens no file.
// profile.go finds the place of a value in the files of the module again.
package terraform

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/child"
	"github.com/krm-packs/functions/pkg/values"
)

// Command is the argument with which the program evaluates the modules of its standard input.
const Command = "evaluate-terraform"

// The limits of modules, beside [child.MaxMemory].
const (
	// DefaultTimeout is for one module.
	DefaultTimeout = 10 * time.Second
	// MaxAsked is how many files and packs the expressions of a module can read, and maxRead how
	// many bytes all modules of a run.
	MaxAsked = 1000
	maxRead  = values.MaxBytes
	// maxModule and maxFiles are the limits of the files of a module.
	maxModule = 8 << 20
	maxFiles  = 1000
)

// Job is a module to evaluate.
type Job struct {
	// Dir is its folder.
	Dir string
	// Files are the .tf files, and Variables the files with values of variables, each in the
	// order in which Terraform reads them.
	Files, Variables []File
	// Unread is a file with values of variables that cannot be read, or "" if there is none.
	Unread string
	// IsPartial is true if a .tf file cannot be read.
	IsPartial bool
	// Known are the answers to the requests of earlier results.
	Known map[Ask]Answer
}

// File is a file of a module.
// Path is the path in the module, and Text the content.
type File struct{ Path, Text string }

// Ask is a request for data that an expression of a module reads: a file, or the values of a
// pack.
// File is the path of a file, or "". Then Pack and Version name a pack.
type Ask struct{ File, Pack, Version string }

// Answer is the answer to an Ask. If the data does not exist, IsFound is false, and Text and
// Fault are empty.
type Answer struct {
	// Text is the content of the file, or the values of the pack.
	Text    string
	IsFound bool
	// Fault is the reason why the data cannot be read, or "".
	Fault string
}

// Result is the result of the evaluation of a module.
type Result struct {
	// Asks are the data that the evaluation needs. If there are any, the other fields are not
	// meaningful.
	Asks []Ask
	// Profiles are the cluster profiles of the module.
	Profiles []*Profile
	// Faults are about files that cannot be parsed.
	Faults []*Fault
}

// Run is the state that the modules of a run share.
type Run struct {
	// Process evaluates the modules, one at a time. Several runs can share it.
	*child.Process
	// Timeout is the time limit for each module. 0 means [DefaultTimeout].
	Timeout time.Duration
	// Pack returns the values of a version of a pack, and whether a source contains the pack. It
	// is nil if there are no sources.
	Pack func(name, version string) (values string, ok bool, err error)
	// IsBeyond is true if a module exceeded a limit. No further modules are evaluated then, and
	// Left contains their names.
	IsBeyond bool
	Left     []string
	// read is the total size of the files and packs that expressions have read.
	read int
}

// beyond returns the error about a module that exceeds a limit.
func (r *Run) beyond(what string, args ...any) error {
	r.IsBeyond = true
	return &Fault{Text: fmt.Sprintf(what, args...)}
}

// evaluate evaluates a module whose files are in a folder. The error is a [Fault] without a
// position if a limit is exceeded.
func (r *Run) evaluate(job *Job, files *folder.Folder) (*Result, error) {
	r.Argument = Command
	timeout := cmp.Or(r.Timeout, DefaultTimeout)
	left := timeout
	for job.Known = map[Ask]Answer{}; ; {
		result, start := &Result{}, time.Now()
		err := r.Do(job, result, left)
		died, ok := errors.AsType[*child.Ended](err)
		switch left -= time.Since(start); {
		case ok && died.Reason == child.Failed:
			return nil, &Fault{Text: fmt.Sprintf("evaluating the module failed: %s", died)}
		case ok:
			return nil, r.beyond("evaluating the module takes more than %s, more than %d MiB of memory, or is nested too deeply; write the values that result instead of the expressions", timeout, child.MaxMemory>>20)
		case err != nil:
			return nil, fmt.Errorf("the process that evaluates Terraform: %w", err)
		case len(job.Known)+len(result.Asks) > MaxAsked:
			return nil, r.beyond("the expressions of a module can read at most %d files and packs; write the values that result instead of the expressions", MaxAsked)
		case len(result.Asks) == 0:
			return result, nil
		}
		for _, ask := range result.Asks {
			answer := r.answer(ask, files)
			if r.read += len(answer.Text); r.read > maxRead {
				return nil, r.beyond("the files and packs that expressions read have more than %d bytes in total, up to %s; import fewer packs at a time", maxRead, diag.OneLine(cmp.Or(ask.File, ask.Pack)))
			}
			job.Known[ask] = answer
		}
	}
}

// answer reads what an evaluation asks for. Files are read in the module only.
func (r *Run) answer(ask Ask, files *folder.Folder) (answer Answer) {
	var err error
	if ask.File != "" {
		var text []byte
		text, err = files.ReadText(ask.File)
		answer.Text, answer.IsFound = string(text), err == nil
	} else if r.Pack != nil {
		answer.Text, answer.IsFound, err = r.Pack(ask.Pack, ask.Version)
	}
	if err != nil {
		answer.Fault = err.Error()
	}
	return answer
}
