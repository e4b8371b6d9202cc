package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// printTable prints rows of cells as a Markdown table whose columns are aligned below
// each other. The first is the head.
func printTable(w io.Writer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, cells := range rows {
		for i, cell := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	line := func(cells []string, pad string) {
		for i, cell := range cells {
			fmt.Fprint(w, "| ", cell, strings.Repeat(pad, widths[i]-utf8.RuneCountInString(cell)), " ")
		}
		fmt.Fprintln(w, "|")
	}
	line(rows[0], " ")
	line(make([]string, len(rows[0])), "-")
	for _, cells := range rows[1:] {
		line(cells, " ")
	}
}

// head names the columns.
func head() []string {
	return []string{"what", "measured", "baseline", "ratio", "bar", "", "through a pipe"}
}

// cells are the row with its figures.
func (r row) cells(f figures) []string {
	bar, verdict, pipe := r.shown, "ok", f.pipe
	if bar == "" {
		bar = fmt.Sprintf("%g ×", r.bar)
	}
	if f.ratio > r.bar {
		verdict = "over"
	}
	if pipe == "" {
		pipe = "-"
	}
	unit := f.unit
	if unit == "" {
		unit = "×"
	}
	return []string{r.name, f.measured, f.baseline, fmt.Sprintf("%.3g %s", f.ratio, unit), "≤ " + bar, verdict, pipe}
}
