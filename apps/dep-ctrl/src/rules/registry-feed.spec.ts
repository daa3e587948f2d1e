import { describe, expect, it } from '@jest/globals';
import { createRegistry } from '@dep-ctrl/rule-registry';
import type { ReflectorEvent } from '@dep-ctrl/kcp-client';
import { LivePaths } from './live-paths.js';
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
    expect(reader.paths.pathOf(name('compute1'))).toBe('root:compute');
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

  it('given two bindings in one workspace, when one goes, then the workspace stays', () => {
    const { take, reader, livePaths } = fed([['bindings', listed(binding(), binding({ name: 'second' }))]]);

    take('bindings', { kind: 'deleted', object: binding({ name: 'second' }) });
    expect(reader.paths.clustersOf(path('root:network'))).toEqual(['network1']);

    take('bindings', { kind: 'deleted', object: binding() });
    expect(reader.paths.clustersOf(path('root:network'))).toBeUndefined();
    expect(livePaths.clusterOf(path('root:network'))).toBeUndefined();
  });

  it('given a relist without a workspace, then its path is forgotten', () => {
    const { take, livePaths } = fed([['bindings', listed(binding())]]);
    expect(livePaths.clusterOf(path('root:network'))).toBe('network1');

    take('bindings', listed());

    expect(livePaths.clusterOf(path('root:network'))).toBeUndefined();
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
  const livePaths = new LivePaths();
  const feed = new RegistryFeed({ exportName: EXPORT, registry: writer, seen, livePaths });
  const take = (kind: SeenKind, event: ReflectorEvent): SourceChange => feed.take(a, kind, event);
  writer.endpointsRead([a]);
  for (const [kind, event] of events) take(kind, event);
  return { reader, livePaths, take };
}

function listed(...objects: (ReflectorEvent & { kind: 'replaced' })['objects'][number][]): ReflectorEvent {
  return { kind: 'replaced', objects };
}

function keys({ workspaces, rules }: SourceChange): { workspaces: string[]; rules: string[] } {
  return { workspaces: [...workspaces], rules: [...rules] };
}
