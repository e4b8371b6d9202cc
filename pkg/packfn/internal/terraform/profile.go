package terraform

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// Profile is a cluster profile.
type Profile struct {
	// Path is the file of the resource, Label its label, and At its position.
	Path, Label string
	// At is the position of the block.
	At diag.Position
	// Root is the profile in the format that Palette exports. The positions of its nodes are
	// positions in the file.
	Root *yaml.Node
	// Notes are about parts that are left out because they are not constant, one line each.
	Notes []string
	// Blocks are the indexes of the blocks of its packs, because packs can be left out. Origins
	// are the locations where the values of its packs are written.
	Blocks  []int
	Origins [][]Piece
	// Unknown are the paths in the document where something is left out.
	Unknown map[string]bool
	// lines caches the lines of the values of packs.
	lines map[int]*values.Lines
}

// Piece is a part of a string, starting at an offset, with the location where it is written. A
// string has no pieces if it is computed from other strings.
type Piece struct {
	// From is the offset in the string, and File the path of the file.
	From int
	File string
	// At is the place of its first line. Where HasLines, its other lines are the next ones of the
	// file, and the column is 0 unless the whole text is a file.
	At       diag.Position
	HasLines bool
}

// Packs is the number of its packs.
func (p *Profile) Packs() int { return len(p.Blocks) }

// Nothing returns an error with the notes if no pack of the profile is constant.
func (p *Profile) Nothing() error {
	if p.Packs() > 0 {
		return nil
	}
	faults := []error{fmt.Errorf("%s: no pack of %s can be read", p.Path, p.Label)}
	for _, note := range p.Notes {
		faults = append(faults, errors.New(note))
	}
	return errors.Join(faults...)
}

// Document is the profile in the form in which Palette exports it.
func (p *Profile) Document() *values.Document { return values.Of(p.Root) }

// IsUnknown reports whether something is left out at a path in the document.
func (p *Profile) IsUnknown(path string) bool { return p.Unknown[path] }

// Place returns the file and the place of a position in the values of a pack, as far as that is
// written in a file. Its column is 0 if only the line is known.
func (p *Profile) Place(pack int, at diag.Position) (file string, in diag.Position, ok bool) {
	if at.Line == 0 || len(p.Origins[pack]) == 0 {
		return "", in, false
	}
	lines := p.linesOf(pack)
	behind, _ := slices.BinarySearchFunc(p.Origins[pack], lines.Offset(at)+1, func(piece Piece, offset int) int { return cmp.Compare(piece.From, offset) })
	piece := p.Origins[pack][behind-1]
	if in = piece.At; piece.HasLines {
		in.Line += at.Line - lines.Position(piece.From).Line
		in.Column = min(in.Column, 1) * at.Column
	}
	return piece.File, in, true
}

// linesOf returns the lines of the values of a pack.
func (p *Profile) linesOf(pack int) *values.Lines {
	if p.lines == nil {
		p.lines = map[int]*values.Lines{}
	}
	if p.lines[pack] == nil {
		entry := values.Field(p.Root, "spec", "template", "packs").Content[pack]
		p.lines[pack] = values.NewLines(values.Text(values.Field(entry, "values")))
	}
	return p.lines[pack]
}

// HasLines reports whether the lines of the values of a pack are lines of a file.
func (p *Profile) HasLines(pack int) bool {
	for _, piece := range p.Origins[pack] {
		if piece.HasLines {
			return true
		}
	}
	return false
}

// capital matches the start of a word in the name of a field of a profile.
var capital = regexp.MustCompile(`[A-Z]`)

// Field returns the path in the files of a path in the document, as Terraform writes it.
func (p *Profile) Field(path string) string {
	for _, prefix := range []string{"spec.template.", "spec.", "metadata."} {
		if rest, ok := strings.CutPrefix(path, prefix); ok {
			path = rest
			break
		}
	}
	path = strings.Replace(path, "variables[", "profile_variables.variable[", 1)
	if rest, ok := strings.CutPrefix(path, "packs["); ok {
		path = "pack[" + p.blockOf(rest)
	}
	at := strings.LastIndexByte(path, '.') + 1
	attribute := "cloud"
	if path[at:] != "cloudType" {
		attribute = capital.ReplaceAllStringFunc(path[at:], func(letter string) string { return "_" + strings.ToLower(letter) })
	}
	return strings.TrimSuffix(ResourceType+"."+p.Label+"."+path[:at]+attribute, ".")
}

// blockOf replaces the index of a pack in the document with the index of its block, at the start
// of a path.
func (p *Profile) blockOf(path string) string {
	digits, rest, ok := strings.Cut(path, "]")
	i, err := strconv.Atoi(digits)
	if !ok || err != nil || i < 0 || i >= len(p.Blocks) {
		return path
	}
	return strconv.Itoa(p.Blocks[i]) + "]" + rest
}
