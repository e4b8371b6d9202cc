package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
)

// mutant is one change of the code.
type mutant struct {
	ID       int    `json:"id"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Change   string `json:"change"`
	Source   string `json:"source"` // the line
	Outcome  string `json:"outcome"`
	KilledBy string `json:"killedBy,omitempty"`

	pkg      *pkg
	file     *file
	lastLine int
	returns  int // the last line of the function
	edits    []func(id int) edit
	reached  map[*testBinary][]int // by which tests of which packages
}

// edit is text that comes before and after a part of a file, or in place of it.
type edit struct {
	start, end  int
	open, close string
	instead     string
}

func (m *mutant) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", m.File, m.Line, m.Column, m.Change)
}

// changed is the text of a file with all changes that can be switched on.
func (f *file) changed(mutants []*mutant) string {
	type insertion struct {
		at, class, order int
		text             string
		skip             int
	}
	var all []insertion
	order := 0
	for _, m := range mutants {
		if m.file != f {
			continue
		}
		for _, make := range m.edits {
			e := make(m.ID)
			order++
			if e.instead != "" {
				all = append(all, insertion{e.start, 2, 0, e.instead, e.end - e.start})
				continue
			}
			// Of equal parts the edit that is made first is the outer one.
			all = append(all,
				insertion{e.start, 1, -e.end*1_000_000 + order, e.open, 0},
				insertion{e.end, 0, -e.start*1_000_000 - order, e.close, 0})
		}
	}
	slices.SortStableFunc(all, func(a, b insertion) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.class, b.class), cmp.Compare(a.order, b.order))
	})
	var b strings.Builder
	at := 0
	for _, i := range all {
		b.WriteString(f.text[at:i.at])
		b.WriteString(i.text)
		at = i.at + i.skip
	}
	b.WriteString(f.text[at:])
	return b.String()
}

// finder finds the places of a package that can be changed.
type finder struct {
	*pkg
	file    *file
	all     bool
	found   []*mutant
	terms   map[ast.Expr]bool
	returns int
	results []*types.Tuple // of the functions around
	loops   map[ast.Expr]bool
}

func (p *pkg) find(all bool) []*mutant {
	var found []*mutant
	for _, f := range p.files {
		v := &finder{pkg: p, file: f, all: all, terms: map[ast.Expr]bool{}, loops: map[ast.Expr]bool{}}
		for _, d := range f.syntax.Decls {
			v.returns = p.fset.Position(d.End()).Line
			v.walk(d)
		}
		found = append(found, v.found...)
	}
	return found
}

func (v *finder) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			v.results = []*types.Tuple{v.info.Defs[n.Name].Type().(*types.Signature).Results()}
		case *ast.FuncLit:
			v.results = append(v.results, v.info.Types[n].Type.(*types.Signature).Results())
			v.walk(n.Body)
			v.results = v.results[:len(v.results)-1]
			return false
		case *ast.IfStmt:
			v.condition(n.Cond)
		case *ast.ForStmt:
			if n.Cond != nil {
				v.loops[n.Cond] = true
				v.condition(n.Cond)
			}
		case *ast.SwitchStmt:
			if n.Tag == nil {
				for _, s := range n.Body.List {
					for _, e := range s.(*ast.CaseClause).List {
						v.condition(e)
					}
				}
			}
		case *ast.ReturnStmt:
			v.result(n)
		case *ast.BinaryExpr:
			v.binary(n)
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				v.condition(n)
			}
		case *ast.BlockStmt:
			v.statements(n.List)
		case *ast.CaseClause:
			v.statements(n.Body)
			v.emptied(n.Body)
		case *ast.CommClause:
			v.statements(n.Body)
		case *ast.GenDecl:
			if n.Tok == token.CONST {
				return false
			}
		}
		return true
	})
}

func (v *finder) source(n ast.Node) string {
	return v.file.text[v.offset(n.Pos()):v.offset(n.End())]
}

func (v *finder) offset(p token.Pos) int { return v.fset.Position(p).Offset }

func (v *finder) around(n ast.Node, open, close string) edit {
	return edit{start: v.offset(n.Pos()), end: v.offset(n.End()), open: open, close: close}
}

func (v *finder) add(n ast.Node, change string, edits ...func(id int) edit) {
	at, end := v.fset.Position(n.Pos()), v.fset.Position(n.End())
	line := strings.Split(v.file.text, "\n")[at.Line-1]
	v.found = append(v.found, &mutant{
		File: v.file.short, Line: at.Line, Column: at.Column, Change: change, Source: strings.TrimSpace(line),
		pkg: v.pkg, file: v.file, lastLine: end.Line, returns: v.returns, edits: edits,
	})
}

func (v *finder) isConstant(e ast.Expr) bool { return v.info.Types[e].Value != nil }

// condition changes the terms of a condition.
func (v *finder) condition(e ast.Expr) {
	if v.terms[e] || v.isConstant(e) {
		return
	}
	v.terms[e] = true
	switch n := e.(type) {
	case *ast.ParenExpr:
		v.condition(n.X)
		return
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			v.condition(n.X)
			return
		}
	case *ast.BinaryExpr:
		if n.Op == token.LAND || n.Op == token.LOR {
			v.loops[n.X], v.loops[n.Y] = v.loops[e], v.loops[e]
			v.condition(n.X)
			v.condition(n.Y)
			return
		}
	}
	text := short(v.source(e))
	if !v.all {
		v.add(e, "negate "+text, func(id int) edit { return v.around(e, fmt.Sprintf("(mutant(%d) != (", id), "))") })
		return
	}
	if !v.loops[e] {
		v.add(e, "true for "+text, func(id int) edit { return v.around(e, fmt.Sprintf("(mutant(%d) || ", id), ")") })
	}
	v.add(e, "false for "+text, func(id int) edit { return v.around(e, fmt.Sprintf("(!mutant(%d) && ", id), ")") })
}

func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}

// a > b is !(a <= b), so that the operands are evaluated in their order.
var functions = map[token.Token]string{
	token.LSS: "mutantLess", token.LEQ: "mutantLessEqual", token.GTR: "!mutantLessEqual", token.GEQ: "!mutantLess",
	token.ADD: "mutantAdd", token.SUB: "mutantSubtract", token.MUL: "mutantMultiply", token.QUO: "mutantDivide",
}

var changes = map[token.Token]string{
	token.LSS: "< to <=", token.LEQ: "<= to <", token.GTR: "> to >=", token.GEQ: ">= to >",
	token.ADD: "+ to -", token.SUB: "- to +", token.MUL: "* to /", token.QUO: "/ to *",
}

func (v *finder) binary(n *ast.BinaryExpr) {
	if v.isConstant(n) {
		return
	}
	if n.Op == token.LAND || n.Op == token.LOR {
		v.condition(n)
		return
	}
	function := functions[n.Op]
	operand := v.info.Types[n.X].Type
	if function == "" || n.Op == token.ADD && isString(operand) {
		return
	}
	v.add(n, changes[n.Op]+" in "+short(v.source(n)),
		func(id int) edit { return v.around(n, fmt.Sprintf("%s(%d, ", function, id), ")") },
		func(int) edit {
			return edit{start: v.offset(n.OpPos), end: v.offset(n.OpPos) + len(n.Op.String()), instead: ","}
		})
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// result changes what a function returns.
func (v *finder) result(n *ast.ReturnStmt) {
	results := v.results[len(v.results)-1]
	if len(n.Results) != results.Len() {
		return
	}
	for i, e := range n.Results {
		t := v.info.Types[e]
		switch {
		case types.Identical(results.At(i).Type(), types.Typ[types.Bool]):
			if t.Value == nil {
				v.condition(e)
				continue
			}
			v.add(e, "negate "+t.Value.String(), func(id int) edit { return v.around(e, fmt.Sprintf("(mutant(%d) != ", id), ")") })
		case t.IsNil() || isZero(e, t.Value):
		case t.Value == nil && types.Identical(t.Type, results.At(i).Type()):
			v.add(e, "zero for "+short(v.source(e)), func(id int) edit { return v.around(e, fmt.Sprintf("mutantZero(%d, ", id), ")") })
		}
	}
}

// isZero reports whether an expression obviously is a zero value.
func isZero(e ast.Expr, v constant.Value) bool {
	if literal, ok := e.(*ast.CompositeLit); ok {
		return len(literal.Elts) == 0
	}
	if v == nil {
		return false
	}
	text := v.ExactString()
	return text == "0" || text == `""`
}

// statements removes statements.
func (v *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		what := ""
		switch s := s.(type) {
		case *ast.ExprStmt:
			what = "remove the call"
		case *ast.AssignStmt:
			switch {
			case s.Tok == token.ADD_ASSIGN && !isString(v.info.Types[s.Lhs[0]].Type), s.Tok == token.SUB_ASSIGN:
				what = "remove"
			case v.all && s.Tok != token.DEFINE:
				what = "remove"
			}
		case *ast.BranchStmt:
			if v.all {
				what = "remove"
			}
		case *ast.IncDecStmt:
			other := map[token.Token]string{token.INC: "--", token.DEC: "++"}[s.Tok]
			v.add(s, s.Tok.String()+" to "+other, func(id int) edit {
				return v.around(s, fmt.Sprintf("if mutant(%d) { %s%s } else { ", id, v.source(s.X), other), " }")
			})
		}
		if what != "" {
			v.add(s, what+" "+short(v.source(s)), func(id int) edit { return v.around(s, fmt.Sprintf("if !mutant(%d) { ", id), " }") })
		}
	}
}

// emptied leaves a case of a switch empty.
func (v *finder) emptied(body []ast.Stmt) {
	if !v.all || len(body) == 0 {
		return
	}
	first := body[0]
	v.add(first, "empty case "+short(v.source(first)), func(id int) edit {
		return edit{start: v.offset(first.Pos()), end: v.offset(first.Pos()), open: fmt.Sprintf("if mutant(%d) { break }; ", id)}
	})
}

// choose returns the changes to try.
func choose(mutants []*mutant, o options) ([]*mutant, error) {
	if o.again != "" {
		return survivors(mutants, o.again)
	}
	if o.sample == 0 || o.sample >= len(mutants) {
		return mutants, nil
	}
	chosen := slices.Clone(mutants)
	random := rand.New(rand.NewPCG(o.seed, 0))
	random.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	return chosen[:o.sample], nil
}

func survivors(mutants []*mutant, name string) ([]*mutant, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	type place struct {
		file   string
		column int
		change string
		source string
	}
	wanted := map[place]bool{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var m mutant
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			return nil, err
		}
		if m.Outcome != killed {
			wanted[place{m.File, m.Column, m.Change, m.Source}] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(mutants), func(m *mutant) bool {
		return !wanted[place{m.File, m.Column, m.Change, m.Source}]
	}), nil
}
