package porchcluster

import (
	"net"
)

// freePorts returns ports of the loopback interface on which no program listens. Another
// program can take one before it is used: Start then begins again with others.
func freePorts(n int) ([]int, error) {
	var ports []int
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close() // after all ports are found, so that they differ
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
