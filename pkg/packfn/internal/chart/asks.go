package chart

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"
)

// Failure describes where Helm's engine fails.
type Failure struct {
	// File is the path of the template, such as `charts/sub/templates/a.yaml`, and Line the line
	// in it. They are "" and 0 if the message names no template.
	File string
	Line int
	// Key is the path of the value that the template reads there, in the values of the chart, or
	// nil if it is unknown.
	Key []string
	// Words is the message without locations. Literal is true if the words are written in a
	// template.
	Words   string
	Literal bool
}

var (
	failingAt = regexp.MustCompile(`[^\s():"]+?/((?:charts/[^\s():"/]+/)*templates/[^\s():"]+?):(\d+)(?::(\d+))?`)
	// failingIn matches the message about a file that does not render to YAML.
	failingIn  = regexp.MustCompile(`YAML parse error on [^\s():"]+?/((?:charts/[^\s():"/]+/)*templates/[^\s():"]+?): `)
	nilPointer = regexp.MustCompile(`nil pointer evaluating interface \{\}\.([^\s:]+)`)
	// valueInText matches a value that a message names, such as `.Values.image.tag`.
	valueInText = regexp.MustCompile(`\.Values((?:\.[A-Za-z_][A-Za-z0-9_-]*)+)`)
)

// Locate returns the origin of an error message of Helm's engine. A typical message is:
//
//	execution error at (vault/templates/a.yaml:3:4): the image is required
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
	// The helper that fails may belong to a parent chart or a subchart. It reads the values of
	// the chart that calls it.
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

// words returns the message without the stack of templates.
//
//	execution error at (vault/templates/a.yaml:3:4): the image is required   # the image is required
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

// LooksUp reports whether the template in which Helm fails also looks up resources in the
// cluster. If so, it may not fail in a cluster.
func (c *Chart) LooksUp(message string) bool {
	sub, _, file := c.at(c.Locate(message).File)
	return sub != nil && strings.Contains(string(sub.files[file]), "lookup ")
}

// at returns the subchart that contains a template, the path of its values, and the name of the
// template in it. It returns nil if no chart contains the template.
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

// trees parses a template file of the chart. It returns the trees of the file and of the named
// templates in it.
func (c *Chart) trees(file string) map[string]*parse.Tree {
	tree, trees := parse.New(file), map[string]*parse.Tree{}
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(string(c.files[file]), "", "", trees); err != nil {
		return nil
	}
	return trees
}

// saying finds the call of required or fail with a message, in the chart and its subcharts.
// folder is the folder of the chart in the top-level chart. It finds, for example, the message
// "set the image" in:
//
//	image: {{ required "set the image" .Values.image }}
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

// callSaying returns the node of the function name if a pipeline calls required or fail with a
// message, or nil if it does not.
//
//	{{ required "set the image" .Values.image }}   # required
//	{{ fail "set the image" }}                     # fail
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

// asked returns the path of the value that the action at a position of a template reads.
//
// For example, at `required` it is image, tag:
//
//	image: {{ .Values.image.tag | required "set the tag" }}
func (c *Chart) asked(file string, line, column int) []string {
	lines := strings.SplitAfter(string(c.files[file]), "\n")
	if line < 1 || line > len(lines) {
		return nil
	}
	at := len(strings.Join(lines[:line-1], "")) + column
	var keys []string
	for _, tree := range c.trees(file) {
		var pipe parse.Node // the pipeline that contains the position
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

// loopedBy returns the path of the value that the innermost range or with around a node iterates
// over, if the node is one of its elements, or nil if there is none.
//
// For example, for `.port` it is hosts:
//
//	{{ range .Values.hosts }}{{ .port }}{{ end }}
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
				keys = nil // the innermost branch decides
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

// isFrom reports whether a node reads an element of a pipe: it is a field, or a variable that the
// pipe declares.
func isFrom(pipe *parse.PipeNode, n parse.Node) bool {
	variable, ok := n.(*parse.VariableNode)
	return !ok || slices.ContainsFunc(pipe.Decl, func(declared *parse.VariableNode) bool { return declared.Ident[0] == variable.Ident[0] })
}

// valueIn returns the path of the first value that a node reads, or nil if it reads none. The
// path in `.Values.image.tag` is image, tag.
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

// visit calls look with a node and its descendants. It skips the descendants of a node for which
// look returns false. condition is the condition of the innermost if or with around the node, or
// nil if there is none.
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
