package docs

import (
	"regexp"
	"strings"
)

// block is a fenced block of a document.
type block struct {
	language string
	// words are what follows the language, as NAME=VALUE.
	words map[string]string
	// begin and end are the lines of its text, as indexes.
	begin, end int
}

// command is a command of a ```console block with the output that is shown.
type command struct {
	text string
	dir  string
	// begin and end are the lines of the output, as indexes.
	begin, end int
}

// blocksOf finds the fenced blocks in the lines of a document.
func blocksOf(lines []string) []block {
	var blocks []block
	open := false
	for i, line := range lines {
		info, fence := strings.CutPrefix(line, "```")
		switch {
		case !fence:
		case open:
			blocks[len(blocks)-1].end = i
			open = false
		default:
			words := strings.Fields(info)
			b := block{begin: i + 1, words: map[string]string{}}
			if len(words) > 0 {
				b.language = words[0]
				for _, word := range words[1:] {
					name, value, _ := strings.Cut(word, "=")
					b.words[name] = value
				}
			}
			blocks = append(blocks, b)
			open = true
		}
	}
	return blocks
}

// commandsOf finds the commands of a block.
func commandsOf(lines []string, b block) []command {
	var commands []command
	for i := b.begin; i < b.end; i++ {
		text, ok := strings.CutPrefix(lines[i], "$ ")
		if !ok {
			continue
		}
		for strings.HasSuffix(text, `\`) && i+1 < b.end {
			i++
			text += "\n" + lines[i]
		}
		commands = append(commands, command{text: text, dir: b.words["dir"], begin: i + 1, end: b.end})
		if n := len(commands); n > 1 {
			commands[n-2].end = i - strings.Count(text, "\n")
		}
	}
	return commands
}

var duration = regexp.MustCompile(`\bin \d+(\.\d+)?(µs|ms|s)\b`)

// matches reports whether an output equals the output that a document shows.
func matches(shown, got string) bool {
	normalize := func(s string) string {
		return duration.ReplaceAllString(strings.TrimRight(s, "\n"), "in 0s")
	}
	parts := strings.Split(normalize(shown), "…")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(`(?s)\A` + strings.Join(parts, ".*?") + `\z`).MatchString(normalize(got))
}
