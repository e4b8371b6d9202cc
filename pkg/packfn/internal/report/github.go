package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// maxCommands is the number of workflow commands of a kind that GitHub shows for a step.
const maxCommands = 10

var commandNames = map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "notice"}

// writeGitHub prints workflow commands: errors first, and as many of a kind as GitHub
// shows. The last line counts the rest.
func (r *Report) writeGitHub(w io.Writer) error {
	out := bufio.NewWriter(w)
	var rest []string
	for _, severity := range severities {
		shown, more := 0, 0
		for i := range r.Findings {
			f := &r.Findings[i]
			switch {
			case f.Severity != severity || f.Accepted:
			case shown == maxCommands:
				more++
			default:
				shown++
				writeCommand(out, f)
			}
		}
		if more > 0 {
			rest = append(rest, diag.Count(more, "more "+commandNames[severity]))
		}
	}
	if n := len(r.Skipped); n > 0 {
		lines, more := r.SkippedLines()
		if more > 0 {
			lines = append(lines, fmt.Sprintf("and %d more", more))
		}
		fmt.Fprintf(out, "::notice title=not checked::%s\n", escapeData.Replace(fmt.Sprintf("Not checked: %d\n", n)+strings.Join(lines, "\n")))
	}
	if len(rest) > 0 {
		fmt.Fprintf(out, "packfn: %s; GitHub shows %d of a kind\n", diag.AllOf(rest), maxCommands)
	}
	return out.Flush()
}

// writeCommand prints a finding as a command for GitHub Actions:
//
//	::error file=site.yaml,line=12,col=7,title=values/format::PackValues site: …
func writeCommand(out io.Writer, f *Finding) {
	var properties []string
	property := func(name, value string) {
		if value != "" && value != "0" {
			properties = append(properties, name+"="+escapeProperty.Replace(value))
		}
	}
	property("file", diag.Shown(f.File))
	property("line", fmt.Sprint(f.Line))
	property("col", fmt.Sprint(f.Column))
	property("title", diag.Shown(f.Rule))
	fmt.Fprintf(out, "::%s %s::%s\n", commandNames[f.Severity], strings.Join(properties, ","), escapeData.Replace(diag.OneLine(f.subject()+f.Message+" ["+f.Rule+"]")))
}

// GitHub's own escapes, https://github.com/actions/toolkit (packages/core, command.ts).
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
