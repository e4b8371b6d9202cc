// Program hostile runs the functions, and the packages behind them, over inputs that were
// made to be expensive.
//
//	go run ./tests/hostile    # CPU time and memory, each input at two sizes: `make limits`
//
// The tests of this package run the same inputs at small sizes. They build this program with
// counters of executed statements, and compare counts: these are equal on each machine and
// under any load.
package main
