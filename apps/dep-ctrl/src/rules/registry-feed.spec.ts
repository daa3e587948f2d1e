import { describe, expect, it } from '@jest/globals';
import { createRegistry } from '@dep-ctrl/rule-registry';
import type { ReflectorEvent } from '@dep-ctrl/kcp-client';
import { PathHints } from '@dep-ctrl/workspace-resolver';
import { RegistryFeed, type SourceChange } from './registry-feed.js';
import { SeenObjects, type SeenKind } from './seen-objects.js';
import { binding, configuration, endpoint, EXPORT, guard, name, path, rule } from './spec-support/objects.js';

const a = endpoint('a');

describe(RegistryFeed, () => {
  it('given lists of everything, then the registry knows who guards what', () => {
    const { reader } = fed([
      ['bindings', listed(binding(), binding({ cluster: 'compute1', path: 'root:compute' }))],
      ['guards', listed(guard())],
      ['rules', listed(rule())],
    ]);

    expect(reader.completeness()).toEqual({ state: 'known' });
    expect(reader.guarded(name('network1')).matches.map((match) => match.rule.name)).toEqual(['vms']);
    expect(reader.isBound(name('compute1'))).toBe(true);
  });

  it('given bindings that carry paths, then these say what to ask for, and the registry takes none of them for an answer', () => {
    const { reader, hintsNow } = fed([
      ['bindings', listed(binding({ path: 'root:a' }), binding({ cluster: 'hostile1', path: 'root:network' }))],
    ]);

    expect(hintsNow()).toEqual(['network1 root:a', 'hostile1 root:network']);
    expect(reader.paths.clusterOf(path('root:a'))).toBe('unknown');
    expect(reader.paths.clusterOf(path('root:network'))).toBe('network1');
    expect(reader.paths.pathOf(name('hostile1'))).toBeUndefined();
  });

  it('given a binding whose path is none, then its workspace is bound all the same', () => {
    const { reader, hintsNow } = fed([['bindings', listed(binding({ path: 'NOT A PATH' }))]]);

    expect(reader.isBound(name('network1'))).toBe(true);
    expect(hintsNow()).toEqual([]);
  });

  it('given a rule that comes and goes, then its guarded workspace and itself are to be looked at', () => {
    const { take } = fed([['bindings', listed(binding())]]);

    const came = take('rules', { kind: 'applied', object: rule() });
    const went = take('rules', { kind: 'deleted', object: rule() });

    for (const change of [came, went]) expect(keys(change)).toEqual({ workspaces: ['network1'], rules: ['compute1/vms'] });
  });

  it('given only a status that changed, then the rule itself is looked at', () => {
    const { take } = fed([
      ['bindings', listed(binding())],
      ['rules', listed(rule())],
    ]);

    expect(keys(take('rules', { kind: 'applied', object: rule({ version: '2', status: {} }) })).rules).toEqual(['compute1/vms']);
  });

  it('given a rule that says nonsense, then it is known as refused and guards nothing', () => {
    const { reader } = fed([
      ['bindings', listed(binding())],
      ['rules', listed(rule({ resource: 'no such!' }))],
    ]);

    expect(reader.guarded(name('network1')).matches).toEqual([]);
    expect(reader.snapshot().rejected.map((rejected) => rejected.name)).toEqual(['vms']);
  });

  it('given a configuration that changed or went, then its workspace is looked at', () => {
    const { take } = fed([]);

    expect(keys(take('configurations', { kind: 'applied', object: configuration() })).workspaces).toEqual(['network1']);
    expect(keys(take('configurations', { kind: 'deleted', object: configuration() })).workspaces).toEqual(['network1']);
  });

  it('given two bindings in one workspace, when one goes, then the workspace stays bound', () => {
    const { take, reader, hintsNow } = fed([['bindings', listed(binding(), binding({ name: 'second' }))]]);

    take('bindings', { kind: 'deleted', object: binding({ name: 'second' }) });
    expect(reader.isBound(name('network1'))).toBe(true);
    expect(hintsNow()).toEqual(['network1 root:network']);

    take('bindings', { kind: 'deleted', object: binding() });
    expect(reader.isBound(name('network1'))).toBe(false);
    expect(hintsNow()).toEqual([]);
  });

  it('given a relist without a workspace, then that is not bound any more, and what its binding said of its path is forgotten', () => {
    const { take, reader, hintsNow } = fed([['bindings', listed(binding())]]);

    take('bindings', listed());

    expect(reader.isBound(name('network1'))).toBe(false);
    expect(hintsNow()).toEqual([]);
  });

  it('given a guard that cannot be read, then its workspace is looked at and the old consent stands', () => {
    const { take, reader } = fed([['guards', listed(guard({ consent: ['root:a'] }))]]);
    const broken = guard();

    take('guards', { kind: 'applied', object: { ...broken, object: { ...broken.object, spec: { allowRulesFrom: 7 } } } });

    expect(reader.guard(name('network1'))?.allowRulesFrom).toEqual(['root:a']);
  });
});

function fed(events: readonly (readonly [SeenKind, ReflectorEvent])[]) {
  const { reader, writer } = createRegistry();
  const seen = new SeenObjects();
  const hints = new PathHints();
  const feed = new RegistryFeed({ exportName: EXPORT, registry: writer, seen, hints });
  const take = (kind: SeenKind, event: ReflectorEvent): SourceChange => feed.take(a, kind, event);
  writer.endpointsRead([a]);
  writer.pathResolved(path('root:network'), name('network1'));
  for (const [kind, event] of events) take(kind, event);
  return { reader, take, hintsNow: () => [...hints.all()].map((hint) => `${hint.cluster} ${hint.path}`) };
}

function listed(...objects: (ReflectorEvent & { kind: 'replaced' })['objects'][number][]): ReflectorEvent {
  return { kind: 'replaced', objects };
}

function keys({ workspaces, rules }: SourceChange): { workspaces: string[]; rules: string[] } {
  return { workspaces: [...workspaces], rules: [...rules] };
}
