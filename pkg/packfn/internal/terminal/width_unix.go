//go:build linux || darwin

package terminal

import (
	"io"
	"os"
	"syscall"
	"unsafe"
)

// Width returns the number of columns of a terminal, 0 when it is unknown.
func Width(out io.Writer) int {
	file, ok := out.(*os.File)
	if !ok {
		return 0
	}
	var size struct{ rows, columns, x, y uint16 }
	_, _, failure := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if failure != 0 {
		return 0
	}
	return int(size.columns)
}
