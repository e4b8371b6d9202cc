//go:build !unix

package macro

import "time"

func cpuTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
