// Package terminal determines what a stream of packfn is, and shows the progress of a run on a terminal.
//
// After a second without output a line appears, which goes away before the next output:
//
//	[##########                    ] 12 of 36
package terminal

import "os"

// Is reports whether a stream is a terminal: a device other than the null device.
func Is(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	null, nullErr := os.Stat(os.DevNull)
	return err == nil && nullErr == nil && info.Mode()&os.ModeCharDevice != 0 && !os.SameFile(info, null)
}
