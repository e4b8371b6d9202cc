//go:build !linux

package child

func limitMemory(uint64) {}
