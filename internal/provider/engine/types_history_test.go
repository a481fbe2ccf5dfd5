package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// gizmoType is the widget under the newer name that it got, with two older versions: in the first the color was called
// colour, up to the second the size was a text of millimetres, a measure.
func gizmoType(w *world) ResourceType[widget] {
	d := widgetType(w)
	d.Name, d.MovesFrom, d.Upgrades = "gizmo", []string{"aws_doodad", "estate_widget"}, widgetUpgrades()
	return d
}

// agedWidgetType is the widget before it was renamed, of the same versions.
func agedWidgetType(w *world) ResourceType[widget] {
	d := widgetType(w)
	d.Upgrades = widgetUpgrades()
	return d
}

func widgetUpgrades() []Upgrade {
	return []Upgrade{
		func(state map[string]any) error {
			if colour, ok := state["colour"]; ok {
				state["color"] = colour
				delete(state, "colour")
			}
			return nil
		},
		func(state map[string]any) error {
			measure, ok := state["measure"].(string)
			if !ok {
				return errors.New("there is no measure")
			}
			size, ok := strings.CutSuffix(measure, "mm")
			if !ok {
				return fmt.Errorf("the measure %q is in no millimetres", measure)
			}
			state["size"] = json.Number(size)
			delete(state, "measure")
			return nil
		},
	}
}
