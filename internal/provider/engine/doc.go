// Package engine turns the description of an AWS resource type into a framework resource: looking up, adopting,
// creating, guarding, planning, importing and moving, each behaviour once for all types.
//
// The engine owns the lifecycle and every diagnostic; a type says what AWS calls there are and what its values
// mean (see ResourceType). The rules that keep users' objects safe stand each in one place:
//
//   - who owns an object: markers.Judge, asked by guard.go;
//   - what a create does with what exists: find.go judges, create.go and adopt.go act;
//   - what is believed of an object: expectation.go, private state that Read never writes;
//   - what is planned: plan.go, plan_update.go and values.go;
//   - what one run knows of itself: walk.go.
//
// The engine lacks anything of a single service: no AWS service client is used here.
package engine
