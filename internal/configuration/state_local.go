package configuration

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// LocalState reads the state that the tools keep beside the configuration, for a workspace. Where there is none yet it is empty.
// A state that is kept elsewhere is an error, which says how to get it.
func (t *Tree) LocalState(workspace string) (*State, error) {
	dir := t.Root.Dir
	settings, err := t.localBackend()
	if err != nil {
		return nil, err
	}
	path := "terraform.tfstate"
	if settings["path"] != "" {
		path = settings["path"]
	}
	if workspace != "" && workspace != "default" {
		folder := "terraform.tfstate.d"
		if settings["workspace_dir"] != "" {
			folder = settings["workspace_dir"]
		}
		path = filepath.Join(folder, workspace, "terraform.tfstate")
	}
	s, err := ReadState(within(dir, path))
	if errors.Is(err, fs.ErrNotExist) {
		return &State{}, nil
	}
	return s, err
}

// localBackend are the settings of a local backend: as init has noted them, or as the files say.
func (t *Tree) localBackend() (map[string]string, error) {
	kind, settings := "local", map[string]string{}
	if b := t.Root.Backend; b != nil {
		kind, settings = b.Type, b.Settings
	}
	path := filepath.Join(DataDir(t.Root.Dir), "terraform.tfstate")
	text, err := os.ReadFile(path) //nolint:gosec // G304: the file that init writes.
	switch {
	case err == nil:
		var noted struct {
			Backend *struct {
				Type   string         `json:"type"`
				Config map[string]any `json:"config"`
			} `json:"backend"`
		}
		if err := json.Unmarshal(text, &noted); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if noted.Backend != nil {
			kind, settings = noted.Backend.Type, map[string]string{}
			for name, value := range noted.Backend.Config {
				if text, ok := value.(string); ok {
					settings[name] = text
				}
			}
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	if kind != "local" {
		return nil, fmt.Errorf("the state is kept in the backend %q, which is not asked here; get it with `tofu state pull > FILE`, and give -state FILE", kind)
	}
	return settings, nil
}

// DataDir is where the tools, run in a folder, keep what init has found.
func DataDir(dir string) string {
	if data := strings.TrimSpace(os.Getenv("TF_DATA_DIR")); data != "" {
		return within(dir, data)
	}
	return filepath.Join(dir, ".terraform")
}
