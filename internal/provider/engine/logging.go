package engine

import (
	"context"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// logSubsystem is the name of the engine's log lines; TF_LOG_PROVIDER_ESTATE_ENGINE sets its level.
const logSubsystem = "engine"

// logContext returns a context whose log lines name the instance.
func logContext(ctx context.Context, about subject) context.Context {
	ctx = tflog.NewSubsystem(ctx, logSubsystem, tflog.WithLevelFromEnv("TF_LOG_PROVIDER_ESTATE_ENGINE"))
	ctx = tflog.SubsystemSetField(ctx, logSubsystem, "resource_type", about.kind)
	return tflog.SubsystemSetField(ctx, logSubsystem, "object_address", about.address)
}
