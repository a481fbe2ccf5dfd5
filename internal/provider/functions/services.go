package functions

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// service is what IAM lets a policy say about the tags of one AWS service, from its page of the Service Authorization
// Reference. Only what that page states is in the table: an action that no list names cannot be granted by tag.
//
// Lists are names of actions, or of the ends of ARNs, with spaces between them.
type service struct {
	// page is the last part of the page's address.
	page string
	// tags and untags write and remove tags, and take aws:TagKeys. The first of tags is the one that creates need too.
	tags, untags string
	// whole are calls that write or remove tags and do not tell IAM which.
	whole string
	// bare are those of untags that remove all tags when they name none.
	bare string
	// deny is tags and untags once more, shorter, for a policy that denies them; empty where they are short.
	deny string
	// createAction says that the service tells IAM which create call the tags belong to, in SERVICE:CreateAction.
	createAction bool

	// blind says why tags open nothing, and what to do instead; with it, only reads can be granted.
	blind string
	// reads show what an object is, and are allowed on every object: to tell an object that is absent from one that is
	// somebody else's, a look-up has to see both. An entry that ends in a star stands for all actions that begin so.
	reads string
	// owned are changes, deletions, and reads of contents, whose every resource takes aws:ResourceTag.
	owned string
	// makes are the creates, and other calls that need more than owned ones.
	makes map[string]making
	// scope is region and account in the ARNs of new objects; empty means any of both.
	scope string
	// refused are actions whose reason is worth telling.
	refused map[string]string
}

// making is what a create asks IAM about. The call is allowed when each of its resources is.
type making struct {
	// new are the ends of the ARNs of what is made: the call has to give it the estate's tag. One with "::" in it begins
	// with the region. anywhere is for calls that IAM asks about without a resource.
	new      string
	anywhere bool
	// in says that the call names other objects as well, such as a parent, which have to carry the estate's tag.
	in bool
	// inside is the same where IAM is asked about the parent alone: it has to carry the tag, and the call to give it.
	inside bool
	// with are the ends of the ARNs of what is allowed as it is, since it carries no tags of ours and is not changed.
	with string
	// tag is the action that writes the tags, where it is not the service's first.
	tag string
}

const reference = "https://docs.aws.amazon.com/service-authorization/latest/reference/"

// use is how an action is granted.
type use int

const (
	reading use = iota
	owning
	tagging
	creating
)

var actionForm = regexp.MustCompile(`^([a-z][a-z0-9-]*):([A-Z][A-Za-z0-9]*)$`)

// lookUp finds an action in the table. The error names the action and says what to do instead.
func lookUp(action string) (name, verb string, as use, err error) {
	if strings.ContainsAny(action, "*?") {
		return "", "", 0, fmt.Errorf("%s: a wildcard stands for actions of all kinds, and for those that AWS adds later; name each action", action)
	}
	parts := actionForm.FindStringSubmatch(action)
	if parts == nil {
		return "", "", 0, fmt.Errorf("%q is no action; one looks like ec2:CreateVpc", action)
	}
	name, verb = parts[1], parts[2]
	s, ok := services[name]
	if !ok {
		return "", "", 0, fmt.Errorf("%s: nothing is known here about tags in policies for %s; allow it in a policy of your own", action, name)
	}
	_, made := s.makes[verb]
	switch {
	case s.refused[verb] != "":
		return "", "", 0, fmt.Errorf("%s: %s", action, s.refused[verb])
	case slices.Contains(names(s.owned), verb), s.blind == "" && slices.Contains(names(s.untags), verb):
		return name, verb, owning, nil
	case s.blind == "" && slices.Contains(names(s.tags), verb):
		return name, verb, tagging, nil
	case made:
		return name, verb, creating, nil
	case slices.ContainsFunc(names(s.reads), func(read string) bool { return covers(read, verb) }):
		return name, verb, reading, nil
	case s.blind != "":
		return "", "", 0, fmt.Errorf("%s: %s", action, s.blind)
	}
	return "", "", 0, fmt.Errorf("%s is not among the actions that are known to go by tags; see %s, and allow it in a policy of your own",
		action, reference+s.page)
}

// covers tells whether an entry of reads names an action.
func covers(entry, verb string) bool {
	prefix, star := strings.CutSuffix(entry, "*")
	return entry == verb || star && strings.HasPrefix(verb, prefix)
}

// arns are the ARNs that end so, in whichever partition.
func (s service) arns(name, ends string) []string {
	out := names(ends)
	for i, end := range out {
		scope := s.scope
		switch {
		case strings.Contains(end, "::"):
			scope = ""
		case scope == "":
			scope = "*:*:"
		}
		out[i] = "arn:*:" + name + ":" + scope + end
	}
	return out
}

// tagger is the action that writes the tags of what a call makes.
func (s service) tagger(m making) string {
	if m.tag != "" {
		return m.tag
	}
	return names(s.tags)[0]
}

// lookUpAll looks every action up once, in order, and complains of all at once.
func lookUpAll(given []string) ([]string, error) {
	given = slices.Clone(given)
	slices.Sort(given)
	given = slices.Compact(given)
	var faults []error
	for _, action := range given {
		if _, _, _, err := lookUp(action); err != nil {
			faults = append(faults, err)
		}
	}
	return given, errors.Join(faults...)
}
