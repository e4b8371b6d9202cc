// Package gitignore tells which files git ignores: those that a .gitignore matches and that are not in
// the index.
//
// The patterns are matched as git does. go-git's matcher takes `a/**` for the directory a itself, a
// pattern that includes a directory again for all files in it, and `[!a]` for the characters ! and a. So
// files would be left out that git has. A test compares this package with git check-ignore.
//
//	/build/       # a directory beside the .gitignore
//	*.log         # a name in any directory
//	!keep.log     # included again
//
// A walk asks for each file and each directory on its way, see [Walk]. tree.go reads the .gitignore
// files and the index, and pattern.go finds the last pattern that matches.
package gitignore

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/parents"
)

// Patterns are the patterns of a .gitignore, or of another list in its syntax.
type Patterns struct {
	// all are the patterns in the order of the lines.
	all []pattern
	// names and paths are the last patterns without wildcards, by the name or the path that they match.
	names, paths map[string]last
	// wild are the indexes of the others.
	wild []int
}

// last contains the index of the last pattern that matches any file, and of the last pattern that
// matches only directories. They are -1 if there is none.
// any and dir are indexes of patterns.
type last struct{ any, dir int }

// pattern is a line of a .gitignore:
//
//	*.log            # a name in any directory
//	/build/          # only a directory, and only beside the .gitignore
//	docs/**/*.html   # a path
//	!keep.log        # what it matches is not ignored
type pattern struct {
	// steps are what the steps of a path must be; one if the pattern is of a name.
	steps []string
	// isPath is true if the pattern is of a path and not of a name in any directory.
	isPath bool
	// isDir is true for a pattern that ends in a slash, and include for one that begins with !.
	isDir   bool
	include bool
}

// Parse reads patterns, one a line.
func Parse(text []byte) *Patterns {
	p := &Patterns{names: map[string]last{}, paths: map[string]last{}}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	for line := range bytes.Lines(text) {
		one := string(line)
		if ended, ok := strings.CutSuffix(one, "\n"); ok {
			one = strings.TrimSuffix(ended, "\r")
		}
		p.add(withoutSpaces(one))
	}
	return p
}

// withoutSpaces returns a line without the spaces at its end, unless a backslash is before one.
func withoutSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(line))
	}
	return line[:end]
}

// wildcards are the bytes that do not stand for themselves.
const wildcards = `*?[\`

// add adds a line. Comments and empty lines are no patterns.
func (p *Patterns) add(line string) {
	if line == "" || line[0] == '#' {
		return
	}
	var one pattern
	line, one.include = strings.CutPrefix(line, "!")
	line, one.isDir = strings.CutSuffix(line, "/")
	if line == "" {
		return
	}
	one.isPath = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	one.steps = []string{line}
	if one.isPath {
		one.steps = strings.Split(line, "/")
		for i, step := range one.steps {
			if len(step) > 1 && strings.Trim(step, "*") == "" { // as git has it, also more than two
				one.steps[i] = anySteps
			}
		}
	}
	at := len(p.all)
	p.all = append(p.all, one)
	if strings.ContainsAny(line, wildcards) {
		p.wild = append(p.wild, at)
		return
	}
	known := p.names
	if one.isPath {
		known = p.paths
	}
	before, ok := known[line]
	if !ok {
		before = last{-1, -1}
	}
	if before.dir = at; !one.isDir {
		before.any = at
	}
	known[line] = before
}

// Ignores reports whether the patterns ignore a path, or a directory above it.
func (p *Patterns) Ignores(name string, isDir bool) bool {
	free := func(int) bool { return true }
	for at := range parents.OfSlash(name) {
		if at == "." {
			break
		}
		if ignored, _ := p.Match(at, isDir || at != name, free); ignored {
			return true
		}
	}
	return false
}

// Match returns whether the last pattern that matches a path ignores it. Patterns of the directories above are
// the caller's. charge is called with the work of each pattern, and ends the search if it returns false:
// then nothing is known.
func (p *Patterns) Match(name string, isDir bool, charge func(int) bool) (ignored, known bool) {
	best := max(at(p.names, path.Base(name), isDir), at(p.paths, name, isDir))
	steps := strings.Split(name, "/")
	for _, i := range slices.Backward(p.wild) {
		if i < best {
			break
		}
		one := &p.all[i]
		of := steps[len(steps)-1:]
		if one.isPath {
			of = steps
		}
		m := matching{work: 1}
		matches := (isDir || !one.isDir) && m.path(one.steps, of, one.isPath)
		if !charge(m.work) {
			return false, false
		}
		if matches {
			best = i
			break
		}
	}
	if best < 0 {
		return false, false
	}
	return !p.all[best].include, true
}

// at returns the index of the last pattern that is a name or a path, or -1.
func at(known map[string]last, name string, isDir bool) int {
	one, ok := known[name]
	switch {
	case !ok:
		return -1
	case isDir:
		return one.dir
	}
	return one.any
}

// anySteps in a pattern are any directories, and at its end all that is in one.
const anySteps = "**"

// matching counts the work of a match: the bytes of names that are compared.
// work is the number of bytes.
type matching struct{ work int }

// path reports whether a path, or a name alone, matches a pattern. If the path does not go on after `**`,
// that stands for one step more: of an earlier one nothing else is needed.
func (m *matching) path(pattern, steps []string, isPath bool) bool {
	if !isPath {
		return m.step(pattern[0], steps[0])
	}
	p, s := 0, 0
	after, from := -1, 0 // the last ** that was met
	for s < len(steps) {
		switch {
		case p < len(pattern) && pattern[p] == anySteps && p == len(pattern)-1:
			return true // something is left of the path
		case p < len(pattern) && pattern[p] == anySteps:
			p++
			after, from = p, s
		case p < len(pattern) && m.step(pattern[p], steps[s]):
			p++
			s++
		case after >= 0:
			from++
			p, s = after, from
		default:
			return false
		}
	}
	return p == len(pattern)
}

// step reports whether a name matches a pattern without slashes, byte by byte as git does.
func (m *matching) step(pattern, name string) bool {
	if m.work++; strings.HasPrefix(pattern, "*") && !strings.ContainsAny(pattern[1:], wildcards) {
		return strings.HasSuffix(name, pattern[1:])
	}
	p, s := 0, 0
	star, from := -1, 0
	for s < len(name) {
		m.work++
		if p < len(pattern) && pattern[p] == '*' {
			p++
			star, from = p, s
			continue
		}
		if p < len(pattern) {
			width, matches := matchByte(pattern[p:], name[s])
			if width == 0 {
				return false // the pattern is not one
			}
			if matches {
				p += width
				s++
				continue
			}
		}
		if star < 0 {
			return false
		}
		from++
		p, s = star, from
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// matchByte reports whether a byte matches the beginning of a pattern, and how long this is: 0 if git
// cannot read the pattern.
func matchByte(pattern string, c byte) (width int, matches bool) {
	switch pattern[0] {
	case '?':
		return 1, true
	case '[':
		return matchSet(pattern, c)
	case '\\':
		if len(pattern) == 1 {
			return 0, false
		}
		return 2, pattern[1] == c
	}
	return 1, pattern[0] == c
}

// matchSet is matchByte of a set: [a-z], [!a], [[:digit:]_].
func matchSet(pattern string, c byte) (width int, matches bool) {
	i := 1
	isNegated := i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^')
	if isNegated {
		i++
	}
	var before byte // what a range begins with, 0 for nothing
	for first := true; ; first = false {
		if i >= len(pattern) {
			return 0, false
		}
		one := pattern[i]
		rest := pattern[i+1:]
		switch {
		case one == ']' && !first:
			return i + 1, matches != isNegated
		case one == '\\':
			if rest == "" {
				return 0, false
			}
			i++
			before = rest[0]
			matches = matches || c == before
		case one == '-' && before != 0 && rest != "" && rest[0] != ']':
			i++
			end := rest[0]
			if end == '\\' {
				if len(rest) == 1 {
					return 0, false
				}
				i++
				end = rest[1]
			}
			matches = matches || before <= c && c <= end
			before = 0
		case one == '[' && strings.HasPrefix(rest, ":"):
			end := strings.IndexByte(rest[1:], ']')
			if end < 0 {
				return 0, false
			}
			name, ok := strings.CutSuffix(rest[1:1+end], ":")
			if !ok { // a set that has [ and :
				before = one
				matches = matches || c == one
				break
			}
			has := classes[name]
			if has == nil {
				return 0, false
			}
			matches = matches || has(c)
			i += 1 + end + 1
			before = 0
		default:
			before = one
			matches = matches || c == one
		}
		i++
	}
}

func isBetween(low, high byte) func(byte) bool {
	return func(c byte) bool { return low <= c && c <= high }
}

func isAny(all ...func(byte) bool) func(byte) bool {
	return func(c byte) bool { return slices.ContainsFunc(all, func(is func(byte) bool) bool { return is(c) }) }
}

var (
	isDigit = isBetween('0', '9')
	isLower = isBetween('a', 'z')
	isUpper = isBetween('A', 'Z')
	isAlpha = isAny(isLower, isUpper)
	isAlnum = isAny(isAlpha, isDigit)
	isGraph = isBetween('!', '~')
	isBlank = func(c byte) bool { return c == ' ' || c == '\t' }
)

// classes are the sets that have a name.
var classes = map[string]func(byte) bool{
	"alnum": isAlnum, "alpha": isAlpha, "blank": isBlank, "digit": isDigit, "graph": isGraph, "lower": isLower, "upper": isUpper,
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
	"print":  isBetween(' ', '~'),
	"punct":  func(c byte) bool { return isGraph(c) && !isAlnum(c) },
	"space":  isAny(isBlank, isBetween('\n', '\r')),
	"xdigit": isAny(isDigit, isBetween('a', 'f'), isBetween('A', 'F')),
}
