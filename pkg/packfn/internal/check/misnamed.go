package check

import (
	"path/filepath"

	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// checkMisnamed reports Kptfiles in files with other names. They are not all part of a unit,
// because kpt does not read a file such as kptfile.
func (c *checker) checkMisnamed() {
	for _, onDisk := range c.Misnamed {
		text, err := c.ReadText(onDisk)
		if err != nil {
			continue // kpt does not read it, or another finding says so
		}
		file := &kptpackage.File{Path: filepath.Base(onDisk), Package: ".", Text: text}
		u := c.outside(filepath.Dir(onDisk), []*kptpackage.File{file}, nil, nil, nil)
		u.found = true
		r := runOf(pipeline.Misnamed())
		for _, item := range u.Items() {
			if item.Kind() == kptpackage.KptfileName { // other resources are checked where they are read
				r.items = append(r.items, item)
			}
		}
		c.run(u, &r)
		c.report.Findings = append(c.report.Findings, report.WithoutRepeated(c.flush())...)
	}
}
