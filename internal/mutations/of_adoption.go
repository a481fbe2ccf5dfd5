package main

const adoptFile = engineDir + "/adopt.go"

// ofAdoption break how an object is taken over.
var ofAdoption = []mutation{
	{
		breaks: "an adoption keeps the binding of the entry before", section: 6, file: adoptFile,
		old: `tags, err := c.writeTags(ctx, c.walk, c.s, l.key, c.marker, knownTags(c.plan[attrTagsAll]), nil, l.tags)`,
		new: `if old := markers.Observe(l.tags, c.foldsCase()).Binding; old != "" {
		c.marker.Binding = old
	}
	tags, err := c.writeTags(ctx, c.walk, c.s, l.key, c.marker, knownTags(c.plan[attrTagsAll]), nil, l.tags)`,
		dir: engineDir, tests: []string{"TestFenceKeepsAnAdoptedObjectAlive"},
	},
	{
		breaks: "a failed adoption leaves a state, which the next apply destroys as tainted", section: 7, file: adoptFile,
		old: `c.resp.State.Raw = none(c.resp.State.Raw)
		c.resp.Diagnostics.Append(adoptionFailed`,
		new: `c.record(ctx, d.adopt.live.key, withoutUnknown(c.want.own))
		c.resp.Diagnostics.Append(adoptionFailed`,
		dir: engineDir, tests: []string{"TestAdoptionFailingAtEachStep"},
	},
	{
		breaks: "a failed adoption keeps its binding on the object", section: 7, file: adoptFile,
		old: `if err != nil {
		c.giveBack(ctx, before)
		return nil, err
	}
	return done, nil`,
		new: `if err != nil {
		return nil, err
	}
	return done, nil`,
		dir: engineDir, tests: []string{"TestFailedAdoptionGivesTheBindingBack"},
	},
	{
		breaks: "tags are not read again before an adoption", section: 7, file: adoptFile,
		old: `if c.tier != Marked {
		return found, nil
	}`,
		new: `if c.tier != Marked || found != nil {
		return found, nil
	}`,
		dir: engineDir, tests: []string{"TestAdoptionReadsAgain"},
	},
	{
		breaks: "an adopted object is not brought to what is planned", section: 7, file: adoptFile,
		old: `c.dueOnAdoption(ctx, c.want.own, l.own), limit)`,
		new: `nil, limit)`,
		dir: engineDir, tests: []string{"TestAdoptionSaysWhatAWSNeverShows", "TestAdoptionConvergesNestedValues"},
	},
	{
		breaks: "tags that others wrote are removed", section: 11, file: engineDir + "/tags.go",
		old: `for _, key := range sortedKeys(prior) {
		if markers.IsKey`,
		new: `for _, key := range sortedKeys(live) {
		if markers.IsKey`,
		dir: engineDir, tests: []string{"TestTagsComeAndGo"},
	},
}
