package chart

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"
)

// Failure is the place where Helm's engine fails.
type Failure struct {
	// File is the template, `templates/a.yaml`, with the folders of subcharts, and Line its
	// line. They are "" and 0 if the message names none.
	File string
	Line int
	// Key is the path of the value that the template asks for there, in the values of the
	// chart; nil if that is unknown.
	Key []string
	// Words are what the message says without the places, and Literal says that they are
	// those of the template.
	Words   string
	Literal bool
}

var (
	failingAt = regexp.MustCompile(`[^\s():"]+?/((?:charts/[^\s():"/]+/)*templates/[^\s():"]+?):(\d+)(?::(\d+))?`)
	// failingIn is a file that renders to what is not YAML.
	failingIn  = regexp.MustCompile(`YAML parse error on [^\s():"]+?/((?:charts/[^\s():"/]+/)*templates/[^\s():"]+?): `)
	nilPointer = regexp.MustCompile(`nil pointer evaluating interface \{\}\.([^\s:]+)`)
	// valueInText is a value that a message names.
	valueInText = regexp.MustCompile(`\.Values((?:\.[A-Za-z_][A-Za-z0-9_-]*)+)`)
)

// Locate finds where a message of Helm's engine comes from.
func (c *Chart) Locate(message string) Failure {
	message = strings.TrimSpace(message)
	var f Failure
	column := 0
	if found := failingAt.FindAllStringSubmatch(message, -1); len(found) > 0 {
		last := found[len(found)-1] // the innermost
		f.File = last[1]
		f.Line, _ = strconv.Atoi(last[2])
		column, _ = strconv.Atoi(last[3])
	} else if found := failingIn.FindStringSubmatch(message); found != nil {
		f.File = found[1]
	}
	words := f.words(message)
	sub, prefix, file := c.at(f.File)
	// The helper that fails may be that of a chart around it or below it. It gets the values
	// of the chart that uses it.
	for _, from := range []*Chart{sub, c} {
		if from == nil {
			continue
		}
		folder := strings.TrimSuffix(f.File, file)
		if from == c {
			folder = ""
		}
		if at := from.saying(words, folder); at != nil {
			if at.Key != nil {
				at.Key = slices.Concat(prefix, at.Key)
			}
			at.Words = words
			return *at
		}
	}
	f.Words = words
	if sub != nil && column > 0 {
		if keys := sub.asked(file, f.Line, column); keys != nil {
			if found := nilPointer.FindStringSubmatch(message); found != nil {
				if at := slices.Index(keys, found[1]); at > 0 { // its parent is missing
					keys = keys[:at]
				}
			}
			f.Key = slices.Concat(prefix, keys)
		}
	}
	if named := valueInText.FindStringSubmatch(words); f.Key == nil && named != nil {
		f.Key = slices.Concat(prefix, strings.Split(named[1][1:], "."))
	}
	return f
}

// words returns what a message says without the templates that ran.
func (f *Failure) words(message string) string {
	if _, after, ok := strings.Cut(message, "execution error at ("); ok {
		_, after, _ = strings.Cut(after, "): ")
		return strings.TrimSpace(after)
	}
	if _, after, ok := strings.Cut(message, "YAML parse error on "); ok && f.Line == 0 && f.File != "" {
		_, after, _ = strings.Cut(after, ": ")
		return "it renders to what is not YAML: " + after
	}
	if at := strings.LastIndex(message, " at <"); at >= 0 {
		return strings.TrimSpace(message[at+len(" at "):])
	}
	return message
}

// LooksUp reports whether the template in which Helm fails also asks the cluster for
// resources. In a cluster it may not fail.
func (c *Chart) LooksUp(message string) bool {
	sub, _, file := c.at(c.Locate(message).File)
	return sub != nil && strings.Contains(string(sub.files[file]), "lookup ")
}

// at returns the subchart that has a template, the path of its values, and the name of the
// template in it; nil for none.
func (c *Chart) at(file string) (*Chart, []string, string) {
	rest, ok := strings.CutPrefix(file, "charts/")
	if !ok {
		if c.files[file] == nil {
			return nil, nil, ""
		}
		return c, nil, file
	}
	name, below, _ := strings.Cut(rest, "/")
	real := name
	for _, d := range c.dependencies {
		if d.alias == name {
			real = d.name
		}
	}
	for _, sub := range c.subcharts {
		if sub.Name == real {
			found, prefix, file := sub.at(below)
			return found, append([]string{name}, prefix...), file
		}
	}
	return nil, nil, ""
}

// trees parses a template of the chart, with the named ones in it.
func (c *Chart) trees(file string) map[string]*parse.Tree {
	tree, trees := parse.New(file), map[string]*parse.Tree{}
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(string(c.files[file]), "", "", trees); err != nil {
		return nil
	}
	return trees
}

// saying finds the call of required or fail that has a message, in the chart, which is in a
// folder, and its subcharts.
func (c *Chart) saying(words, folder string) *Failure {
	for _, file := range slices.Sorted(maps.Keys(c.files)) {
		text := string(c.files[file])
		if !strings.HasPrefix(file, templates) || !strings.Contains(text, "required") && !strings.Contains(text, "fail") {
			continue
		}
		var first parse.Node
		var keys []string
		for _, tree := range c.trees(file) {
			visit(tree.Root, nil, func(n, condition parse.Node) bool {
				pipe, ok := n.(*parse.PipeNode)
				if !ok {
					return true
				}
				if call := callSaying(pipe, words); call != nil && (first == nil || call.Position() < first.Position()) {
					first = call
					if keys = valueIn(pipe); keys == nil && condition != nil {
						keys = valueIn(condition)
					}
				}
				return true
			})
		}
		if first != nil {
			return &Failure{File: folder + file, Line: 1 + strings.Count(text[:first.Position()], "\n"), Key: keys, Literal: true}
		}
	}
	for _, sub := range c.subcharts {
		name := sub.Name
		for _, d := range c.dependencies {
			if d.name == sub.Name && d.alias != "" {
				name = d.alias
			}
		}
		if at := sub.saying(words, folder+"charts/"+name+"/"); at != nil {
			return at
		}
	}
	return nil
}

// callSaying returns the name of the function required or fail in a pipeline that has a message,
// nil for none.
func callSaying(pipe *parse.PipeNode, words string) parse.Node {
	isSaid := slices.ContainsFunc(pipe.Cmds, func(command *parse.CommandNode) bool {
		return slices.ContainsFunc(command.Args, func(arg parse.Node) bool {
			text, ok := arg.(*parse.StringNode)
			return ok && strings.TrimSpace(text.Text) == words
		})
	})
	for _, command := range pipe.Cmds {
		if name, ok := command.Args[0].(*parse.IdentifierNode); ok && isSaid && (name.Ident == "required" || name.Ident == "fail") {
			return name
		}
	}
	return nil
}

// asked returns the path of the value that the action at a place of a template reads.
func (c *Chart) asked(file string, line, column int) []string {
	lines := strings.SplitAfter(string(c.files[file]), "\n")
	if line < 1 || line > len(lines) {
		return nil
	}
	at := len(strings.Join(lines[:line-1], "")) + column
	var keys []string
	for _, tree := range c.trees(file) {
		var pipe parse.Node // the one around the place
		visit(tree.Root, nil, func(n, _ parse.Node) bool {
			if p, ok := n.(*parse.PipeNode); ok {
				pipe = p
			}
			if keys == nil && int(n.Position()) == at {
				switch n := n.(type) {
				case *parse.FieldNode, *parse.VariableNode:
					if keys = valueIn(n); keys == nil {
						keys = loopedBy(tree.Root, n)
					}
				case *parse.ChainNode, *parse.CommandNode, *parse.PipeNode:
					keys = valueIn(n)
				case *parse.IdentifierNode: // a function, which may get its value from the pipe
					keys = valueIn(pipe)
				}
			}
			return keys == nil
		})
	}
	return keys
}

// loopedBy returns the path of the value that the range or with around a node takes the node from,
// nil for none.
func loopedBy(root, n parse.Node) (keys []string) {
	visit(root, nil, func(around, _ parse.Node) bool {
		var branch *parse.BranchNode
		switch around := around.(type) {
		case *parse.RangeNode:
			branch = &around.BranchNode
		case *parse.WithNode:
			branch = &around.BranchNode
		default:
			return true
		}
		visit(branch.List, nil, func(inner, _ parse.Node) bool {
			if inner == n {
				keys = nil // that of the innermost one
				if isFrom(branch.Pipe, n) {
					keys = valueIn(branch.Pipe)
				}
			}
			return true
		})
		return true
	})
	return keys
}

// isFrom reports whether a field is one of the elements of a pipe, or a variable one of its own.
func isFrom(pipe *parse.PipeNode, n parse.Node) bool {
	variable, ok := n.(*parse.VariableNode)
	return !ok || slices.ContainsFunc(pipe.Decl, func(declared *parse.VariableNode) bool { return declared.Ident[0] == variable.Ident[0] })
}

// valueIn returns the path of the first value in a node, nil for none.
func valueIn(n parse.Node) (keys []string) {
	visit(n, nil, func(n, _ parse.Node) bool {
		var names []string
		switch n := n.(type) {
		case *parse.FieldNode:
			names = n.Ident
		case *parse.VariableNode:
			if n.Ident[0] == "$" {
				names = n.Ident[1:]
			}
		}
		if len(names) > 1 && names[0] == "Values" && keys == nil {
			keys = names[1:]
		}
		return keys == nil
	})
	return keys
}

// visit calls look with a node and those below it, as long as it returns true. condition is that
// of the if or with around the node, nil for none.
func visit(n, condition parse.Node, look func(n, condition parse.Node) bool) {
	if !look(n, condition) {
		return
	}
	below := func(n parse.Node) { visit(n, condition, look) }
	branch := func(n *parse.BranchNode, condition parse.Node) {
		visit(n.List, condition, look)
		if n.ElseList != nil {
			visit(n.ElseList, condition, look)
		}
	}
	switch n := n.(type) {
	case *parse.ListNode:
		for _, one := range n.Nodes {
			below(one)
		}
	case *parse.ActionNode:
		below(n.Pipe)
	case *parse.PipeNode:
		for _, command := range n.Cmds {
			below(command)
		}
	case *parse.CommandNode:
		for _, arg := range n.Args {
			below(arg)
		}
	case *parse.ChainNode:
		below(n.Node)
	case *parse.IfNode:
		visit(n.Pipe, nil, look)
		branch(&n.BranchNode, n.Pipe)
	case *parse.WithNode:
		visit(n.Pipe, nil, look)
		branch(&n.BranchNode, n.Pipe)
	case *parse.RangeNode:
		below(n.Pipe)
		branch(&n.BranchNode, condition)
	case *parse.TemplateNode:
		if n.Pipe != nil {
			below(n.Pipe)
		}
	}
}
