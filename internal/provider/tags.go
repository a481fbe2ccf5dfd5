package provider

import (
	"maps"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The environment variables that hashicorp/aws reads for tags: one for each default tag, and lists of keys and prefixes to
// ignore, separated by commas.
const (
	defaultTagVariables    = "TF_AWS_DEFAULT_TAGS_"
	ignoreKeysVariable     = "TF_AWS_IGNORE_TAGS_KEYS"
	ignorePrefixesVariable = "TF_AWS_IGNORE_TAGS_KEY_PREFIXES"
)

// defaultTags returns default_tags.tags with those of the environment, over which they win. It may be null or unknown.
func (b block) defaultTags() types.Map {
	configured := b.writtenTags()
	variables := tagVariables()
	if len(variables) == 0 || configured.IsUnknown() {
		return configured
	}
	all := map[string]attr.Value{}
	for key, value := range variables {
		all[key] = types.StringValue(value)
	}
	maps.Copy(all, configured.Elements())
	return types.MapValueMust(types.StringType, all)
}

// writtenTags returns default_tags.tags as the block has it.
func (b block) writtenTags() types.Map {
	if b.DefaultTags.IsUnknown() {
		return types.MapUnknown(types.StringType)
	}
	if o := first(b.DefaultTags); o != nil {
		return member[types.Map](o, "tags")
	}
	return types.MapNull(types.StringType)
}

// tagSource says where a default tag stands.
func (b block) tagSource(key string) string {
	if _, written := b.writtenTags().Elements()[key]; written {
		return "default_tags"
	}
	return defaultTagVariables + key
}

// tagVariables returns the default tags of the environment.
func tagVariables() map[string]string {
	found := map[string]string{}
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if key, ok := strings.CutPrefix(name, defaultTagVariables); ok && key != "" {
			found[key] = value
		}
	}
	return found
}

// ignored returns ignore_tags' keys and key_prefixes, as far as they are known, with those of the environment.
func (b block) ignored() (keys, prefixes []string) {
	o := first(b.IgnoreTags)
	keys = append(known(member[types.Set](o, "keys")), listed(ignoreKeysVariable)...)
	prefixes = append(known(member[types.Set](o, "key_prefixes")), listed(ignorePrefixesVariable)...)
	return keys, prefixes
}

// listed returns the members of a variable that is a list.
func listed(variable string) []string {
	var members []string
	for member := range strings.SplitSeq(os.Getenv(variable), ",") {
		if member = strings.TrimSpace(member); member != "" {
			members = append(members, member)
		}
	}
	return members
}
