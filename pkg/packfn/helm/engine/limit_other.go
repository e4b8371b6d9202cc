//go:build !linux

package engine

func limitMemory(uint64) {}
