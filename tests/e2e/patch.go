package e2e

import "strings"

// repository is a git repository that watches a folder from outside, so that the folder stays as its owner has it.
type repository struct{ gitDir, workTree string }

// watch commits the folder as it is, in a repository that is made for it.
func watch(workTree, gitDir string) (repository, error) {
	r := repository{gitDir, workTree}
	for _, args := range [][]string{
		{"init", "--quiet"},
		{"add", "--all", "--force"},
		{"commit", "--quiet", "--allow-empty", "--message", "before"},
	} {
		if _, err := r.git(args...); err != nil {
			return r, err
		}
	}
	return r, nil
}

// patch is what has changed since, in the form of `git diff`, and empty when nothing has.
func (r repository) patch() (string, error) {
	if _, err := r.git("add", "--all", "--force"); err != nil {
		return "", err
	}
	done, err := r.git("diff", "--cached", "--no-color", "--no-ext-diff", "--no-renames", "--abbrev=7", "HEAD")
	return done.stdout, err
}

// git runs git untouched by the settings of the user and the machine.
func (r repository) git(args ...string) (execution, error) {
	env := []string{
		"GIT_DIR=" + r.gitDir, "GIT_WORK_TREE=" + r.workTree, "GIT_INDEX_FILE=" + r.gitDir + "/index",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=test", "GIT_AUTHOR_EMAIL=test@example.com",
		"GIT_COMMITTER_NAME=test", "GIT_COMMITTER_EMAIL=test@example.com",
	}
	return succeed(r.workTree, env, "git", args...)
}

// samePatch compares two patches but for the ends of the whole text.
func samePatch(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }
