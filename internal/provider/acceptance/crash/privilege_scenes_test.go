package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tofu-estate/terraform-provider-estate/internal/provider"
	"github.com/tofu-estate/terraform-provider-estate/internal/provider/acceptance"
)

// life is one object on its way through a scene.
type life struct {
	*instance
	sub *subject
}

// scene is a part of an object's life.
type scene struct {
	name string
	// option is the argument that asks for the scene's calls; "" where every object makes them.
	option string
	// prepare brings a new life to where the scene begins, by whoever may do everything.
	prepare func(ctx context.Context, s *site, l *life) error
	// act is the scene.
	act func(ctx context.Context, l *life) error
}

// lifetime are the scenes of a type: the operations of the matrix but for replacements, which are a create and a destroy; what the
// matrix does not strike; and what single arguments ask for.
func lifetime(sub *subject) []scene {
	var out []scene
	for _, op := range []operation{create, update, adopt, rename, destroy} {
		if sub.has(op) {
			out = append(out, inMatrix(sub, op))
		}
	}
	for _, v := range variants[sub.typ] {
		out = append(out, v.scenes(sub)...)
	}
	out = append(out,
		scene{name: dataSources, prepare: made(sub.first), act: func(ctx context.Context, l *life) error {
			if err := l.look(ctx, keyOf(l)); err != nil || !sub.tagged() {
				return err
			}
			return l.look(ctx, conf{"tofu_address": sub.address(), "tofu_estate": l.site.estate})
		}},
		scene{name: "import", prepare: made(sub.first), act: func(ctx context.Context, l *life) error {
			ids := []string{l.id()}
			if sub.tagged() {
				ids = append(ids, sub.address())
			}
			for _, id := range ids {
				l.forget()
				if err := l.take(ctx, id); err != nil {
					return err
				}
				if err := l.run(ctx, l.target(sub.first)); err != nil {
					return err
				}
			}
			return nil
		}},
	)
	if sub.beside != nil {
		out = append(out, crowd(sub))
	}
	return out
}

// dataSources is the scene of the type's data source.
const dataSources = "data sources"

// inMatrix is an operation of the matrix as a scene.
func inMatrix(sub *subject, op operation) scene {
	t := trial{sub: sub, op: op}
	return scene{
		name: string(op),
		prepare: func(ctx context.Context, s *site, l *life) (err error) {
			l.instance, err = t.prepare(ctx, s)
			return err
		},
		act: func(ctx context.Context, l *life) error { return l.run(ctx, t.goal(l.site.vars)) },
	}
}

// made prepares an object.
func made(first func(map[string]string) conf) func(context.Context, *site, *life) error {
	return func(ctx context.Context, s *site, l *life) error {
		s.open()
		l.instance = s.instance(l.sub)
		return l.run(ctx, l.target(first))
	}
}

// target is a configuration of the type under the address of all lives.
func (l *life) target(says func(map[string]string) conf) target {
	return target{config: l.sub.config(says, l.site.vars, l.sub.address())}
}

// crowd refreshes so many objects in one run that listing them is cheaper than reading each, for the types that can do both.
// All but one are gone: those are never in what a listing shows.
func crowd(sub *subject) scene {
	var gone *object
	return scene{
		name: "refresh of many",
		prepare: func(ctx context.Context, s *site, l *life) error {
			if err := made(sub.beside)(ctx, s, l); err != nil {
				return err
			}
			gone = l.current
			if err := l.run(ctx, target{}); err != nil {
				return err
			}
			return made(sub.first)(ctx, s, l)
		},
		act: func(ctx context.Context, l *life) error {
			p, err := newProcess(ctx, l.site, l.attempts)
			if err != nil {
				return err
			}
			defer p.interrupt()
			for range readOneByOne {
				if _, err := l.read(p, gone); err != nil {
					return err
				}
			}
			now, err := l.read(p, l.current)
			if err == nil && now == nil {
				err = errors.New("the refresh does not find the object")
			}
			return err
		},
	}
}

// readOneByOne is how many objects of a type the engine reads one by one.
const readOneByOne = 8

// keyOf names the object to its data source.
func keyOf(l *life) conf {
	keys := map[string][]string{
		"estate_iam_role": {"name"}, "estate_iam_role_policy": {"role", "name"}, "estate_s3_bucket": {"bucket"},
		"estate_iam_role_policy_attachment": {"role", "policy_arn"}, "estate_cloudwatch_log_group": {"name"},
		"estate_route53_record": {"zone_id", "name", "type"},
	}
	names := keys[l.sub.typ]
	if names == nil {
		names = []string{"id"}
	}
	out := conf{}
	for _, name := range names {
		out[name] = text(l.current.value, name)
	}
	return out
}

// look reads the type's data source.
func (l *life) look(ctx context.Context, says conf) error {
	p, err := newProcess(ctx, l.site, l.attempts)
	if err != nil {
		return err
	}
	defer p.interrupt()
	kind, err := dataKind(ctx, l.sub.typ)
	if err != nil {
		return err
	}
	value, err := raw(kind.value, kind.fields, says)
	if err != nil {
		return err
	}
	config, err := dynamic(value)
	if err != nil {
		return err
	}
	resp, err := call(p, func(ctx context.Context) (*tfprotov6.ReadDataSourceResponse, error) {
		return p.server.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{TypeName: l.sub.typ, Config: config})
	})
	if err != nil {
		return err
	}
	return l.heed(resp.Diagnostics)
}

// dataKind is the schema of a data source.
func dataKind(ctx context.Context, typ string) (kind, error) {
	said, err := provider.Server("crash")().GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return kind{}, err
	}
	s, ok := said.DataSourceSchemas[typ]
	if !ok {
		return kind{}, fmt.Errorf("the provider has no data source %s", typ)
	}
	return kind{value: s.ValueType(), fields: blockLevel(s.Block)}, nil
}

// variant is a way of life that arguments ask for beyond those of the matrix.
type variant struct {
	name, option string
	// first is how the object is made; changed what it becomes then, nil for no scene of that.
	first, changed func(map[string]string) conf
	// fill puts something into the object past the provider, before a destroy that is a scene. Nil for no such scene.
	fill func(ctx context.Context, a *acceptance.AWS, l *life) error
}

// scenes are those of a variant; calls of its create are its own only where nothing else is.
func (v variant) scenes(sub *subject) []scene {
	create := scene{
		name: "create " + v.name, option: v.option,
		prepare: func(_ context.Context, s *site, l *life) error {
			s.open()
			l.instance = s.instance(sub)
			return nil
		},
		act: func(ctx context.Context, l *life) error { return l.run(ctx, l.target(v.first)) },
	}
	out := []scene{create}
	if v.changed != nil {
		out = append(out, scene{
			name: "update " + v.name, option: v.option, prepare: made(v.first),
			act: func(ctx context.Context, l *life) error { return l.run(ctx, l.target(v.changed)) },
		})
	}
	if v.fill != nil {
		out = append(out, scene{
			name: "delete " + v.name, option: v.option,
			prepare: func(ctx context.Context, s *site, l *life) error {
				if err := made(v.first)(ctx, s, l); err != nil {
					return err
				}
				return v.fill(ctx, s.AWS, l)
			},
			act: func(ctx context.Context, l *life) error { return l.run(ctx, target{}) },
		})
	}
	return out
}

// unfilled is a variant's destroy of an object as it was made.
func unfilled(context.Context, *acceptance.AWS, *life) error { return nil }

// sceneOf finds a scene by its name.
func sceneOf(all []scene, name string) (scene, bool) {
	n := slices.IndexFunc(all, func(s scene) bool { return s.name == name })
	if n < 0 {
		return scene{}, false
	}
	return all[n], true
}
