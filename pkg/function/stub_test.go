package function

// stub is a processor whose parts tests replace.
type stub struct {
	config  any
	wants   func(*Item) bool
	process func(*Run)
}

func (s *stub) Config() any {
	if s.config == nil {
		s.config = &struct{ Options }{}
	}
	return s.config
}

func (s *stub) Wants(item *Item) bool { return s.wants != nil && s.wants(item) }

func (s *stub) Process(r *Run) {
	if s.process != nil {
		s.process(r)
	}
}
