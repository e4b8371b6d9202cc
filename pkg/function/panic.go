package function

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// panicFinding describes a panic without its message, which may contain values.
func panicFinding(cause any, resource diag.Resource) diag.Finding {
	what := fmt.Sprintf("a panic with a value of type %T", cause)
	if err, ok := cause.(runtime.Error); ok {
		what = err.Error() // the runtime's own words: indexes and types
	}
	where := ""
	if file, line := panicSite(); file != "" {
		where = fmt.Sprintf(" at %s:%d", file, line)
	}
	about := ""
	if !resource.IsZero() {
		about = " while working on " + resource.String()
	}
	f := diag.Say("the function failed%s: %s%s", about, what, where).Of(rule.InternalPanic).Do("this is a defect of the function: please report it with the resource")
	if !resource.IsZero() {
		f.Origin = diag.Whole(resource)
	}
	return f
}

// panicSite finds the place in this project where a panic began.
func panicSite() (file string, line int) {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	panicked := false
	for {
		frame, more := frames.Next()
		panicked = panicked || frame.Function == "runtime.gopanic"
		if _, path, ok := strings.Cut(frame.Function, "krm-packs/functions/"); ok && panicked && !strings.HasPrefix(path, "pkg/function.panicFinding") {
			dir := path[:strings.LastIndexByte(path, '/')+1]
			if at := strings.IndexByte(path[len(dir):], '.'); at >= 0 {
				dir = path[:len(dir)+at]
			}
			return dir + frame.File[strings.LastIndexByte(frame.File, '/'):], frame.Line
		}
		if !more {
			return "", 0
		}
	}
}
