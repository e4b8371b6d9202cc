package fleet

// Forget makes a preview compute everything again that it keeps otherwise.
func (o *Options) Forget() { o.forgets = true }
