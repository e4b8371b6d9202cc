//go:build !linux && !darwin

package terminal

import "io"

// Width returns 0: the width of the terminal is unknown.
func Width(io.Writer) int { return 0 }
