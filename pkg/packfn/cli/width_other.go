//go:build !linux && !darwin

package cli

import "io"

// widthOf returns 0: the width of the terminal is unknown.
func widthOf(io.Writer) int { return 0 }
