package engine

import (
	"context"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/tofu-estate/terraform-provider-estate/internal/markers"
)

// logSubsystem is the name of the engine's log lines; TF_LOG_PROVIDER_ESTATE_ENGINE sets its level.
const logSubsystem = "engine"

// logContext returns a context whose log lines name the instance.
func logContext(ctx context.Context, about subject) context.Context {
	ctx = tflog.NewSubsystem(ctx, logSubsystem, tflog.WithLevelFromEnv("TF_LOG_PROVIDER_ESTATE_ENGINE"))
	ctx = tflog.SubsystemSetField(ctx, logSubsystem, "resource_type", about.kind)
	return tflog.SubsystemSetField(ctx, logSubsystem, "object_address", about.address)
}

// logDecision records what a create does and why, which is what one asks first when an object is not where it was
// expected.
func logDecision(ctx context.Context, f finding, d decision) {
	action := "create"
	if d.adopt != nil {
		action = "adopt"
	}
	tflog.SubsystemInfo(ctx, logSubsystem, "looked for an existing object", map[string]any{
		"action": action, "candidates": len(f.candidates), "predecessors": len(f.predecessors), "holders": f.holders,
	})
}

// logVerdict records what a guard found.
func logVerdict(ctx context.Context, operation string, class markers.Classification) {
	tflog.SubsystemInfo(ctx, logSubsystem, "read the marker before acting", map[string]any{
		"operation": operation, "estate": class.Observed.Estate, "address": class.Observed.Value, "why": class.Why,
	})
}
