// Package foreign plants names that terminals, pages and CI runners obey, and values that
// may be secrets, in every field and file name of packages, and runs the commands of
// packfn in all formats: nothing of it is obeyed, shown, or written outside.
package foreign
