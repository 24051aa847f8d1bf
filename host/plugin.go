package host

// PluginFiles gives the files of the plugin for Claude Code that stands in plugin/ of this repository, by their paths in
// it: the same hooks and commands that Install writes. Under the plugin's name, gsd, hydrate.md is /gsd:hydrate, too.
func PluginFiles() (map[string][]byte, error) {
	hooks, err := insertEntries(nil, setupOf(Claude, Project, program, false).entries, kindOf)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"hooks/hooks.json": hooks}
	for _, c := range commandList {
		files["commands/"+c.name+".md"] = []byte(c.claude())
	}
	return files, nil
}
