// Command empty is a Go program that does nothing: what starting any costs.
package main

func main() {}
