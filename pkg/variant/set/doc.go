// Package set
package set
