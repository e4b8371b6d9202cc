package chart

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"
)

// The limits of a walk. If one is exceeded, all values count as read.
const (
	maxSteps = 3_000_000
	maxCalls = 100
	// bytesOfStep is the number of bytes of a text that cost as much as a step.
	bytesOfStep = 8
)

// walker walks over the templates of a chart and its subcharts. It always visits them in the
// order of their names, because the result depends on the order if a limit is exceeded.
type walker struct {
	// defines are the named templates. If several charts define the same name, all of its
	// templates are walked.
	defines map[string][]*parse.Tree
	// done contains the arguments of finished walks, by template and argument. It keeps the
	// arguments alive, because keys contain their addresses, and a new value must not get the
	// address of a released one.
	done map[string]*abstract
	// changes are the templates that call functions which change their arguments.
	changes map[*parse.Tree]bool
	// steps counts nodes and texts, calls the depth of calls of named templates. failed is true once a
	// limit was exceeded: then nothing is known of the chart.
	steps  int
	calls  int
	failed bool
	// usesTpl is true if a template calls tpl. texts are the strings in templates that may be run
	// as templates.
	usesTpl bool
	texts   []string
	// runsUnknown is true if a template runs a text of unknown origin.
	runsUnknown bool
}

// read walks over the templates of a scope and its descendants, and reports whether the walk
// stayed within its limits. steps counts the steps of all walks that share a limit.
func read(top *scope, steps *int) bool {
	w := &walker{defines: map[string][]*parse.Tree{}, done: map[string]*abstract{}, changes: map[*parse.Tree]bool{}, steps: *steps}
	defer func() { *steps = w.steps }()
	files := map[*Chart][]*parse.Tree{}
	top.all(func(s *scope) {
		if _, ok := files[s.chart]; !ok {
			files[s.chart] = w.parse(s.chart)
		}
	})
	top.all(func(s *scope) {
		for _, tree := range files[s.chart] {
			w.walk(tree, &abstract{roots: []*scope{s}})
		}
	})
	if w.usesTpl {
		w.readTexts(top)
	}
	if w.runsUnknown {
		top.values.tpl = true
	}
	return !w.failed
}

// parse parses the templates of a chart, and returns the trees of the template files.
func (w *walker) parse(c *Chart) []*parse.Tree {
	var files []*parse.Tree
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		if !strings.HasPrefix(name, templates) {
			continue
		}
		trees := c.trees(name)
		if trees == nil {
			w.failed = true
			return nil
		}
		for _, of := range slices.Sorted(maps.Keys(trees)) {
			tree := trees[of]
			w.changes[tree] = changing.MatchString(tree.Root.String())
			if of == name {
				files = append(files, tree)
			} else {
				w.defines[of] = append(w.defines[of], tree)
			}
		}
	}
	return files
}

// walk walks over a template with an argument.
func (w *walker) walk(tree *parse.Tree, dot *abstract) {
	if w.failed {
		return
	}
	key := fmt.Sprintf("%p\x00%s", tree, dot.identity(6))
	if w.changes[tree] { // the template must be walked for each argument
		key += fmt.Sprintf("\x00%p", dot)
	}
	if w.steps += len(key) / bytesOfStep; w.steps > maxSteps {
		w.failed = true
	}
	if w.failed || w.done[key] != nil {
		return
	}
	w.done[key] = dot
	if w.calls++; w.calls > maxCalls { // a recursion that passes new arguments
		w.failed = true
		return
	}
	f := &frame{w: w, variables: []variable{{"$", dot}}}
	f.list(tree.Root, dot)
	w.calls--
}

var changing = regexp.MustCompile(`\b(set|unset|merge|mergeOverwrite|mustMerge|mustMergeOverwrite)\b`)

// call walks over the templates with a name.
func (w *walker) call(name *abstract, dot *abstract) {
	name.consume()
	if name.isFile { // each file is walked with its context anyway
		dot.withoutRoots(6).consume()
		return
	}
	if len(name.texts) == 0 || name.other {
		for _, text := range slices.Sorted(maps.Keys(w.defines)) {
			for _, tree := range w.defines[text] {
				w.walk(tree, dot)
			}
		}
		return
	}
	for _, text := range name.texts {
		if w.defines[text] == nil {
			dot.consume() // a template of another chart
		}
		for _, tree := range w.defines[text] {
			w.walk(tree, dot)
		}
	}
}

// frame is the state of the walk over a template.
type frame struct {
	// w is the walk, and variables are the variables in scope, the innermost last.
	w         *walker
	variables []variable
	// loops is the number of enclosing loops.
	loops int
}

// variable is a variable of a template with everything that it can be.
type variable struct {
	name  string
	value *abstract
}

// list walks over the nodes of a list.
func (f *frame) list(list *parse.ListNode, dot *abstract) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		f.node(n, dot)
	}
}

// node walks over a node, and counts it as a step.
func (f *frame) node(n parse.Node, dot *abstract) {
	if f.w.steps++; f.w.steps > maxSteps {
		f.w.failed = true
	}
	if f.w.failed {
		return
	}
	switch n := n.(type) {
	case *parse.TextNode:
		f.w.text(string(n.Text))
	case *parse.ActionNode:
		value := f.pipe(n.Pipe, dot)
		if len(n.Pipe.Decl) == 0 {
			value.consume()
		}
	case *parse.IfNode:
		f.branch(&n.BranchNode, dot, false)
	case *parse.WithNode:
		f.branch(&n.BranchNode, dot, true)
	case *parse.RangeNode:
		f.loop(n, dot)
	case *parse.TemplateNode:
		argument := unknown()
		if n.Pipe != nil {
			argument = f.pipe(n.Pipe, dot)
		}
		f.w.call(&abstract{texts: []string{n.Name}}, argument)
	}
}

// text keeps a text between actions that may be run as a template by tpl.
func (w *walker) text(text string) {
	if strings.Contains(text, ".Values") || strings.Contains(text, "{{") {
		w.texts = append(w.texts, text)
	}
}

// branch walks over both branches of a condition. Variables declared in a branch go out of scope
// at its end.
func (f *frame) branch(n *parse.BranchNode, dot *abstract, isWith bool) {
	kept := len(f.variables)
	value := f.pipe(n.Pipe, dot)
	value.test()
	inner, within := len(f.variables), dot
	if isWith {
		within = value
	}
	f.list(n.List, within)
	f.variables = f.variables[:inner]
	f.list(n.ElseList, dot)
	f.variables = f.variables[:kept]
}

// loop walks over a range. Its body sees the union of all elements.
func (f *frame) loop(n *parse.RangeNode, dot *abstract) {
	kept := len(f.variables)
	value := f.commands(n.Pipe, dot)
	value.test()
	element := value.element()
	switch decl := n.Pipe.Decl; len(decl) {
	case 1:
		f.declare(decl[0].Ident[0], element, n.Pipe.IsAssign)
	case 2:
		f.declare(decl[0].Ident[0], unknown(), n.Pipe.IsAssign)
		f.declare(decl[1].Ident[0], element, n.Pipe.IsAssign)
	}
	inner := len(f.variables)
	f.loops++
	for range 2 { // the second iteration sees the assignments of the first
		f.list(n.List, element)
		f.variables = f.variables[:inner]
	}
	f.loops--
	f.list(n.ElseList, dot)
	f.variables = f.variables[:kept]
}

// declare declares or assigns a variable. After an assignment, the variable can have the old or
// the new value, because the assignment may be in a branch. A value assigned in a loop counts as
// read, because the next iteration may look deeper into it.
func (f *frame) declare(name string, value *abstract, isAssign bool) {
	if !isAssign {
		f.variables = append(f.variables, variable{name, value})
		return
	}
	if f.loops > 0 {
		value.consume()
	}
	for i := len(f.variables) - 1; i >= 0; i-- {
		if f.variables[i].name == name {
			f.variables[i].value = union(f.variables[i].value, value)
			return
		}
	}
}

// variable returns the value of a variable.
func (f *frame) variable(name string) *abstract {
	for i := len(f.variables) - 1; i >= 0; i-- {
		if f.variables[i].name == name {
			return f.variables[i].value
		}
	}
	return unknown()
}

// pipe returns the value of a pipeline, and sets the variables that it declares.
func (f *frame) pipe(pipe *parse.PipeNode, dot *abstract) *abstract {
	value := f.commands(pipe, dot)
	for _, decl := range pipe.Decl {
		f.declare(decl.Ident[0], value, pipe.IsAssign)
	}
	return value
}

// commands returns the value of a pipeline without its declarations.
func (f *frame) commands(pipe *parse.PipeNode, dot *abstract) *abstract {
	var value *abstract
	for _, command := range pipe.Cmds { // the parser rejects an empty pipeline
		value = f.command(command, dot, value)
	}
	return value
}

// command returns the value of a command. last is the value of the previous command in the
// pipeline, or nil for the first command.
func (f *frame) command(command *parse.CommandNode, dot, last *abstract) *abstract {
	var arguments []*abstract
	for _, n := range command.Args[1:] {
		arguments = append(arguments, f.argument(n, dot))
	}
	if last != nil {
		arguments = append(arguments, last)
	}
	if function, ok := command.Args[0].(*parse.IdentifierNode); ok {
		return f.function(function.Ident, arguments)
	}
	value := f.argument(command.Args[0], dot)
	for _, argument := range arguments { // arguments of a method
		argument.consume()
	}
	return value
}

// argument returns the value of an argument of a command.
func (f *frame) argument(n parse.Node, dot *abstract) *abstract {
	switch n := n.(type) {
	case *parse.DotNode:
		return dot
	case *parse.FieldNode:
		return f.fields(dot, n.Ident)
	case *parse.VariableNode:
		return f.fields(f.variable(n.Ident[0]), n.Ident[1:])
	case *parse.ChainNode:
		return f.fields(f.argument(n.Node, dot), n.Field)
	case *parse.PipeNode:
		return f.pipe(n, dot)
	case *parse.IdentifierNode:
		return f.function(n.Ident, nil)
	case *parse.StringNode:
		f.w.text(n.Text)
		return &abstract{texts: []string{n.Text}}
	}
	return unknown()
}

// fields follows the names of a field chain, such as .a.b.
func (f *frame) fields(value *abstract, names []string) *abstract {
	for _, name := range names {
		f.w.steps += len(value.nodes) / 4
		value = value.field(name)
	}
	return value
}
