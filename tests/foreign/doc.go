// Package foreign plants names that terminals, pages and CI runners obey, and values that
// may be secrets, in every field, file name and archive entry of packages, and pipes, devices
// and links in the places of files. It runs the commands of packfn in all formats, and the
// functions: nothing of it is obeyed, shown, waited for, or written outside.
package foreign
