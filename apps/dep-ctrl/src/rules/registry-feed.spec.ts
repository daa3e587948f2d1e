import { describe, expect, it } from '@jest/globals';
import { silentLogger, type Observed } from '@dep-ctrl/kcp-client';
import { API_BINDINGS } from '@dep-ctrl/kcp-objects';
import { createRegistry, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { PathHints } from '@dep-ctrl/workspace-resolver';
import { feedOfLists, RegistryFeed } from './registry-feed.js';
import { FedSource, type SeenKind } from './spec-support/fed-source.js';
import { binding, configuration, endpoint, entry, EXPORT, guard, name, path, rule } from './spec-support/objects.js';

const a = endpoint('a');

describe(RegistryFeed, () => {
  it('given lists of everything, then the registry knows who guards what', () => {
    const { reader } = fed([
      ['bindings', 'list', binding(), binding({ cluster: 'compute1', path: 'root:compute' })],
      ['guards', 'list', guard()],
      ['rules', 'list', rule()],
    ]);

    expect(reader.completeness()).toEqual({ state: 'known' });
    expect(reader.guarded(name('network1')).matches.map((match) => match.rule.name)).toEqual(['vms']);
    expect(reader.isBound(name('compute1'))).toBe(true);
  });

  it('given bindings that carry paths, then these say what to ask for, and the registry takes none of them for an answer', () => {
    const { reader, hintsNow } = fed([
      ['bindings', 'list', binding({ path: 'root:a' }), binding({ cluster: 'hostile1', path: 'root:network' })],
    ]);

    expect(hintsNow()).toEqual(['network1 root:a', 'hostile1 root:network']);
    expect(reader.paths.clusterOf(path('root:a'))).toBe('unknown');
    expect(reader.paths.clusterOf(path('root:network'))).toBe('network1');
    expect(reader.paths.pathOf(name('hostile1'))).toBeUndefined();
  });

  it('given a binding whose path is none, then its workspace is bound all the same', () => {
    const { reader, hintsNow } = fed([['bindings', 'list', binding({ path: 'NOT A PATH' })]]);

    expect(reader.isBound(name('network1'))).toBe(true);
    expect(hintsNow()).toEqual([]);
  });

  it('given a rule that comes and goes, then its guarded workspace and itself are to be looked at', () => {
    const { take } = fed([['bindings', 'list', binding()]]);

    const came = take('rules', 'apply', rule());
    const went = take('rules', 'delete', rule());

    for (const change of [came, went]) expect(change).toEqual({ workspaces: ['network1'], rules: ['compute1/vms'] });
  });

  it('given a rule that comes, then workspaces that it does not guard are left alone', () => {
    const { take } = fed([['bindings', 'list', binding(), binding({ cluster: 'other1', path: 'root:other' })]]);

    expect(take('rules', 'apply', rule()).workspaces).toEqual(['network1']);
  });

  it('given only a status that changed, then the rule itself is looked at', () => {
    const { take } = fed([
      ['bindings', 'list', binding()],
      ['rules', 'list', rule()],
    ]);

    expect(take('rules', 'apply', rule({ version: '2', status: {} })).rules).toEqual(['compute1/vms']);
  });

  it('given a rule that says nonsense, then it is known as refused and guards nothing', () => {
    const { reader } = fed([
      ['bindings', 'list', binding()],
      ['rules', 'list', rule({ resource: 'no such!' })],
    ]);

    expect(reader.guarded(name('network1')).matches).toEqual([]);
    expect(reader.snapshot().rejected.map((rejected) => rejected.name)).toEqual(['vms']);
  });

  it('given a configuration that changed or went, then its workspace is looked at', () => {
    const { take } = fed([]);

    expect(take('configurations', 'apply', configuration()).workspaces).toEqual(['network1']);
    expect(take('configurations', 'delete', configuration()).workspaces).toEqual(['network1']);
  });

  it('given two bindings in one workspace, when one goes, then the workspace stays bound', () => {
    const { take, reader, hintsNow } = fed([['bindings', 'list', binding(), binding({ name: 'second' })]]);

    take('bindings', 'delete', binding({ name: 'second' }));
    expect(reader.isBound(name('network1'))).toBe(true);
    expect(hintsNow()).toEqual(['network1 root:network']);

    take('bindings', 'delete', binding());
    expect(reader.isBound(name('network1'))).toBe(false);
    expect(hintsNow()).toEqual([]);
  });

  it('given a relist without a workspace, then that is not bound any more, and what its binding said of its path is forgotten', () => {
    const { take, reader, hintsNow } = fed([['bindings', 'list', binding()]]);

    take('bindings', 'list');

    expect(reader.isBound(name('network1'))).toBe(false);
    expect(hintsNow()).toEqual([]);
  });

  it('given a guard that cannot be read, then its workspace is looked at and the old consent stands', () => {
    const { take, reader } = fed([['guards', 'list', guard({ consent: ['root:a'] })]]);
    const broken = guard();

    take('guards', 'apply', { ...broken, object: { ...broken.object, spec: { allowRulesFrom: 7 } } });

    expect(reader.guard(name('network1'))?.allowRulesFrom).toEqual(['root:a']);
  });

  it('given a guard whose spec cannot be read, and no consent of before, then it is the provider’s, admits everyone, and what its status names holds', () => {
    const named = guard({ names: [entry({ uid: 'u', generation: 2 })] });
    const { reader } = fed([['guards', 'list', { ...named, object: { ...named.object, spec: { allowRulesFrom: 7 } } }]]);

    expect(reader.guard(name('network1'))).toMatchObject({
      allowRulesFrom: 'everyone',
      madeByProvider: true,
      namesEveryRule: true,
      ruleRefs: [{ name: 'vms', version: { uid: 'u', generation: 2 } }],
    });
  });

  it('given a guard by another name than guards have, then it is none', () => {
    const { cluster, object } = guard();
    const { take, reader } = fed([]);

    take('guards', 'apply', { cluster, object: { ...object, metadata: { ...object.metadata, name: 'another' } } });

    expect(reader.guard(cluster)).toBeUndefined();
  });

  it('given a guard that comes and goes, then its consent holds as long as it is there', () => {
    const { take, reader } = fed([]);

    take('guards', 'apply', guard({ consent: ['root:a'] }));
    expect(reader.guard(name('network1'))?.allowRulesFrom).toEqual(['root:a']);

    take('guards', 'delete', guard());
    expect(reader.guard(name('network1'))).toBeUndefined();
  });

  it('given a binding that comes, then its workspace is bound', () => {
    const { take, reader } = fed([]);

    expect(take('bindings', 'apply', binding()).workspaces).toEqual(['network1']);
    expect(reader.isBound(name('network1'))).toBe(true);
  });

  it('given the binding of another export, then its workspace is not bound', () => {
    const { take, reader } = fed([]);
    const other = binding();

    const spec = { reference: { export: { path: 'root:x', name: 'x' } } };
    expect(take('bindings', 'apply', { ...other, object: { ...other.object, spec } }).workspaces).toEqual(['network1']);
    expect(reader.isBound(name('network1'))).toBe(false);
  });

  it('given a list that is empty, then every workspace that is bound is looked at: it may have waited for just that', () => {
    const { take } = fed([['bindings', 'list', binding()]]);

    expect(take('rules', 'list').workspaces).toEqual(['network1']);
  });
});

describe(feedOfLists, () => {
  it('given lists that were read, then the registry knows what they say', () => {
    const { reader, writer } = createRegistry();
    const feed = feedOfLists({ exportName: EXPORT, reader, writer });

    feed.take({ kind: 'named', endpoints: [a] });
    const event = { kind: 'replaced', objects: [binding()] } as const;
    const touched = feed.take({ kind: 'observed', endpoint: a, type: API_BINDINGS, event });

    expect(touched.guarded).toEqual(new Set(['network1']));
    expect(reader.isBound(name('network1'))).toBe(true);
  });

  it('given an object that is none, then there is nothing to look at', () => {
    const { reader, writer } = createRegistry();
    const event = { kind: 'undecodable', problem: 'no JSON' } as const;

    const touched = feedOfLists({ exportName: EXPORT, reader, writer }).take({ kind: 'observed', endpoint: a, type: RULES, event });

    expect(touched).toEqual({ guarded: new Set(), rules: new Set() });
  });

  it('given a guard with two problems, then the log has both', () => {
    const { reader, writer } = createRegistry();
    const lines: unknown[] = [];
    const logger = { ...silentLogger, warn: (...line: unknown[]) => void lines.push(line) };
    const feed = new RegistryFeed({ exportName: EXPORT, reader, writer, bindings: NONE, hints: new PathHints(), logger });
    const { cluster, object } = guard();
    const broken = { cluster, object: { ...object, spec: { allowRulesFrom: ['Not a path', 7] } } };

    feed.take({ kind: 'observed', endpoint: a, type: GUARDS, event: { kind: 'applied', object: broken } });

    expect(lines).toEqual([
      [
        'guard cannot be read',
        { cluster: 'network1', problem: expect.stringMatching(/^\.spec\.allowRulesFrom\[0\]: .+; \.spec\.allowRulesFrom\[1\]: .+$/) },
      ],
    ]);
  });
});

const NONE = { list: () => [], at: () => [] };

type Step = readonly [SeenKind, 'list' | 'apply' | 'delete', ...Observed[]];

function fed(steps: readonly Step[]) {
  const source = new FedSource();
  const { reader, writer, hints, told } = source;
  const take = (...[kind, act, ...objects]: Step): { workspaces: string[]; rules: string[] } => {
    told.splice(0);
    if (act === 'list') source.list(a, kind, ...objects);
    else for (const object of objects) source[act](a, kind, object);
    return {
      workspaces: [...new Set(told.flatMap(({ guarded }) => [...guarded]))],
      rules: [...new Set(told.flatMap(({ rules }) => [...rules]))],
    };
  };
  source.name(a);
  writer.pathResolved(path('root:network'), name('network1'));
  for (const step of steps) take(...step);
  return { reader, take, hintsNow: () => [...hints.all()].map((hint) => `${hint.cluster} ${hint.path}`) };
}
