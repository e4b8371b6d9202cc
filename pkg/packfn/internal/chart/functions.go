package chart

// function returns the abstract result of a function. An unknown function reads all of its
// arguments, and its result contains no values of the chart.
func (f *frame) function(name string, arguments []*abstract) *abstract {
	if len(arguments) > 0 {
		if value := f.known(name, arguments); value != nil {
			return value
		}
	}
	for _, argument := range arguments {
		argument.consume()
	}
	return madeOf(arguments...)
}

// known returns the result of a function that does not read all of its arguments. It returns nil
// for other functions, and for a wrong number of arguments. There is at least one argument.
func (f *frame) known(name string, arguments []*abstract) *abstract {
	n, first := len(arguments), arguments[0]
	switch name {
	case "and", "or", "coalesce", "default":
		for _, argument := range arguments {
			argument.test()
		}
		return union(append([]*abstract{unknown()}, arguments...)...)
	case "not", "empty", "kindOf", "typeOf":
		for _, argument := range arguments {
			argument.test()
		}
		return unknown()
	case "deepCopy", "mustDeepCopy", "compact", "mustCompact", "uniq", "mustUniq", "reverse", "mustReverse", "rest", "mustRest", "initial", "mustInitial", "sortAlpha":
		if n == 1 {
			return first
		}
	case "required", "kindIs", "typeIs", "typeIsLike":
		if n == 2 {
			first.consume()
			arguments[1].test()
			if name == "required" {
				return arguments[1]
			}
			return unknown()
		}
	case "ternary":
		if n == 3 {
			arguments[2].test()
			return union(first, arguments[1])
		}
	case "print", "printf":
		made := madeOf(arguments...)
		for _, argument := range arguments {
			argument.consume()
			made.isFile = made.isFile || argument.isFile
		}
		return made
	case "include":
		if n == 2 {
			f.w.call(first, arguments[1])
			return madeOf(arguments[1])
		}
	case "tpl":
		if n == 2 {
			f.w.usesTpl = true
			if !first.run() {
				f.w.runsUnknown = true
			}
			first.consume()
			arguments[1].withoutRoots(6).consume()
			return unknown()
		}
	case "index":
		for _, key := range arguments[1:] {
			first = first.at(key)
		}
		return first
	case "dig": // keys, default, dict
		if n < 3 {
			return nil
		}
		value := arguments[n-1]
		for _, key := range arguments[:n-2] {
			value = value.at(key)
		}
		return union(value, arguments[n-2])
	case "get", "hasKey", "unset":
		if n != 2 {
			return nil
		}
		value := first.at(arguments[1])
		if name == "get" {
			return value
		}
		value.test()
		if name == "unset" {
			return first
		}
		return unknown()
	case "set":
		if n != 3 {
			return nil
		}
		// Other variables may refer to the same dict, which only a run would show.
		arguments[2].withoutRoots(6).consume()
		arguments[1].consume()
		if len(arguments[1].texts) == 0 || len(first.roots) > 0 {
			arguments[2].consume()
		}
		for _, key := range arguments[1].texts {
			first.setField(key, arguments[2])
		}
		return first
	case "pick", "omit":
		for _, key := range arguments[1:] {
			key.consume()
		}
		return first
	case "pluck":
		found := &abstract{}
		for _, dict := range arguments[1:] {
			found.add(dict.at(first))
		}
		return &abstract{elements: found}
	case "keys", "len":
		for _, argument := range arguments {
			argument.element()
		}
		return unknown()
	case "values", "first", "mustFirst", "last", "mustLast":
		element := first.element()
		if name == "values" {
			return &abstract{elements: element}
		}
		return element
	case "dict":
		value := unknown()
		for i := 0; i < n; i += 2 {
			arguments[i].consume()
			switch {
			case i+1 == n:
			case len(arguments[i].texts) == 1 && !arguments[i].other:
				value.setField(arguments[i].texts[0], arguments[i+1])
			default:
				value.elements = union(value.elements, arguments[i+1])
			}
		}
		return value
	case "list", "tuple":
		return &abstract{elements: union(arguments...)}
	case "append", "push", "mustAppend", "mustPush", "prepend", "mustPrepend":
		return union(&abstract{elements: union(arguments[1:]...)}, first)
	case "concat":
		return union(append([]*abstract{unknown()}, arguments...)...)
	case "merge", "mustMerge", "mergeOverwrite", "mustMergeOverwrite":
		for _, other := range arguments[1:] {
			if len(first.nodes)+len(first.roots) > 0 {
				other.consume() // it becomes a part of the values
			}
			first.add(other)
		}
		return first
	}
	return nil
}
