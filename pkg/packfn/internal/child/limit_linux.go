package child

import "syscall"

// limitMemory lets the system refuse more memory. What fails because of that ends the
// process. Only Linux counts the memory of Go for this limit.
func limitMemory(most uint64) {
	syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: most, Max: most})
}
