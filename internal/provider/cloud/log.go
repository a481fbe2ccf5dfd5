package cloud

import (
	"context"
	"maps"
	"time"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/hashicorp/aws-sdk-go-base/v2/logging"
	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// subsystem is the name of AWS's part of the log.
const subsystem = "aws"

// withLog adds the subsystem to a context of a provider call; without such a context nothing is logged.
func withLog(ctx context.Context) context.Context {
	ctx = tflog.NewSubsystem(ctx, subsystem, tflog.WithRootFields())
	return tflog.SubsystemMaskFieldValuesWithFieldKeys(ctx, subsystem, "tf_aws.assume_role.external_id")
}

// logger lets aws-sdk-go-base write into our subsystem instead of one of its own.
type logger struct{}

var _ logging.Logger = logger{}

func (l logger) SubLogger(ctx context.Context, _ string) (context.Context, logging.Logger) {
	return ctx, l
}

func (logger) IsDebug(ctx context.Context) bool { return tflog.SubsystemIsDebug(ctx, subsystem) }

func (logger) Warn(ctx context.Context, msg string, fields ...map[string]any) {
	tflog.SubsystemWarn(ctx, subsystem, msg, clean(fields)...)
}

func (logger) Info(ctx context.Context, msg string, fields ...map[string]any) {
	tflog.SubsystemInfo(ctx, subsystem, msg, clean(fields)...)
}

func (logger) Debug(ctx context.Context, msg string, fields ...map[string]any) {
	tflog.SubsystemDebug(ctx, subsystem, msg, clean(fields)...)
}

func (logger) Trace(ctx context.Context, msg string, fields ...map[string]any) {
	tflog.SubsystemTrace(ctx, subsystem, msg, clean(fields)...)
}

func (logger) SetField(ctx context.Context, key string, value any) context.Context {
	return tflog.SubsystemSetField(ctx, subsystem, key, value)
}

// clean takes secrets out of errors, since AWS quotes the whole request where a signature is wrong, and passwords out of URLs.
func clean(fields []map[string]any) []map[string]any {
	out := make([]map[string]any, len(fields))
	for i, f := range fields {
		out[i] = maps.Clone(f)
		for key, value := range f {
			switch value := value.(type) {
			case error:
				out[i][key] = Message(value)
			case string:
				out[i][key] = redact(value)
			}
		}
	}
	return out
}

// logCalls adds one log line for each attempt of each call. It holds no header and no body: those carry
// signatures, tokens, and whatever secret a resource type sends.
func logCalls(stack *middleware.Stack) error {
	return stack.Deserialize.Add(middleware.DeserializeMiddlewareFunc("EstateCallLog", logCall), middleware.Before)
}

func logCall(ctx context.Context, in middleware.DeserializeInput, next middleware.DeserializeHandler) (
	middleware.DeserializeOutput, middleware.Metadata, error,
) {
	start := time.Now()
	out, metadata, err := next.HandleDeserialize(ctx, in)
	fields := map[string]any{
		"service":      awsmiddleware.GetServiceID(ctx),
		"operation":    awsmiddleware.GetOperationName(ctx),
		"region":       awsmiddleware.GetRegion(ctx),
		"milliseconds": time.Since(start).Milliseconds(),
	}
	if id, ok := awsmiddleware.GetRequestIDMetadata(metadata); ok {
		fields["request_id"] = id
	}
	if response, ok := out.RawResponse.(*smithyhttp.Response); ok {
		fields["status"] = response.StatusCode
	}
	if code := Code(err); code != "" {
		fields["code"] = code
	} else if err != nil {
		fields["unreachable"] = IsUnreachable(err)
	}
	tflog.SubsystemDebug(withLog(ctx), subsystem, "AWS call", fields)
	return out, metadata, err
}
