package staging

import "testing"

// No path leads out of a folder or into git's own files, however it is spelt.
func TestCheckPath(t *testing.T) {
	for name, want := range map[string]bool{
		"edge": true, "edge/platform": true, ".github/x": true, "a.git/b": true, "git": true, "a/.gitignore": true, "..a/b": true,
		"edge/.git": false, ".git": false, ".GIT/hooks": false, "a/.Git./x": false, "a/.git /x": false, "a/.git. .": false, `a\.git\config`: false, "GIT~1/config": false,
		"..": false, "a/../../b": false, "/etc": false, "": false,
	} {
		if err := CheckPath(name); (err == nil) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
}
