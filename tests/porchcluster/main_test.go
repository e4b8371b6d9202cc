package porchcluster

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if mode := os.Getenv(childMode); mode != "" {
		child(mode, os.Getenv(childDir))
	}
	os.Exit(m.Run())
}
