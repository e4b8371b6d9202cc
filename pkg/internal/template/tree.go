package template

import "strings"

// Pipeline is the code of an action: commands joined by `|`. Each gets the value of
// the one before it as its last argument.
type Pipeline struct {
	// Offset is the start of the pipeline, in bytes of the action's code.
	Offset int
	// Commands are the stages, at least one.
	Commands []*Command
}

// Command is one stage of a pipeline: a function and its arguments, or one
// other operand.
type Command struct {
	// Operands has at least one element, and several only when the first one is a
	// *Function.
	Operands []Operand
}

// Operand is a *Path, *Function, *Literal or *Group.
type Operand interface {
	// Position returns where the operand starts, in bytes of the action's code.
	Position() int
	// String returns the operand as it would be written.
	String() string
}

// Path reads a value by its name: `.spectro.system.cluster.name`.
type Path struct {
	// Offset is the start, in bytes of the action's code.
	Offset int
	// Root reports whether the path starts with `$`, which does not change its value.
	Root bool
	// Steps are the parts between the dots: at least one, and all have text.
	Steps []string
}

// Function calls a function. As the first operand of a command it takes the others as
// its arguments; as an argument itself it has no arguments.
type Function struct {
	// Offset is the start, in bytes of the action's code.
	Offset int
	Name   string
}

// Literal is a value that is written in the code.
type Literal struct {
	// Offset is the start, in bytes of the action's code.
	Offset int
	// Text is the literal as written, quotes included.
	Text string
	// Value is a string, an int64, a float64, a bool, or nil. A character is
	// an int64, as in Go templates.
	Value any
}

// Group is a pipeline in parentheses. Fields are the names after the closing one, as
// in `(split "." .spectro.var.X)._0`; usually there are none.
type Group struct {
	// Offset is the offset of the opening parenthesis.
	Offset int
	// Pipeline is the code between the parentheses.
	Pipeline *Pipeline
	Fields   []string
}

// Position returns where the path starts.
func (p *Path) Position() int { return p.Offset }

// Position returns where the name starts.
func (f *Function) Position() int { return f.Offset }

// Position returns where the literal starts.
func (l *Literal) Position() int { return l.Offset }

// Position returns where the parenthesis opens.
func (g *Group) Position() int { return g.Offset }

// Name returns the path without `$`: the name that users know.
func (p *Path) Name() string { return "." + strings.Join(p.Steps, ".") }

// String returns the path as it was written.
func (p *Path) String() string {
	if p.Root {
		return "$" + p.Name()
	}
	return p.Name()
}

// String returns the name of the function.
func (f *Function) String() string { return f.Name }

// String returns the literal as it was written.
func (l *Literal) String() string { return l.Text }

// String returns the group with its parentheses.
func (g *Group) String() string {
	var b strings.Builder
	g.print(&b)
	return b.String()
}

// print writes the group as code.
func (g *Group) print(b *strings.Builder) {
	b.WriteByte('(')
	g.Pipeline.print(b)
	b.WriteByte(')')
	for _, field := range g.Fields {
		b.WriteByte('.')
		b.WriteString(field)
	}
}

// String returns the pipeline with single spaces. Parsing it again returns the same
// pipeline.
func (p *Pipeline) String() string {
	var b strings.Builder
	p.print(&b)
	return b.String()
}

// print writes the pipeline as code, with single blanks.
func (p *Pipeline) print(b *strings.Builder) {
	for i, command := range p.Commands {
		if i > 0 {
			b.WriteString(" | ")
		}
		for j, operand := range command.Operands {
			if j > 0 {
				b.WriteByte(' ')
			}
			if group, ok := operand.(*Group); ok {
				group.print(b)
			} else {
				b.WriteString(operand.String())
			}
		}
	}
}

// Walk calls visit for every operand of the pipeline in the order of the code,
// including those in parentheses.
func (p *Pipeline) Walk(visit func(Operand)) {
	for _, command := range p.Commands {
		for _, operand := range command.Operands {
			visit(operand)
			if group, ok := operand.(*Group); ok {
				group.Pipeline.Walk(visit)
			}
		}
	}
}
