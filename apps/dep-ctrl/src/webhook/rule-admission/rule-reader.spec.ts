import { describe, expect, it } from '@jest/globals';
import { KcpError } from '@dep-ctrl/kcp-client';
import { createRegistry, parseGuard, type Guard } from '@dep-ctrl/rule-registry';
import type { Resolution } from '@dep-ctrl/workspace-resolver';
import { ManualClock, settled } from '@dep-ctrl/kcp-client/testing';
import type { FoundSchema } from '@dep-ctrl/exported-types';
import { cluster } from '../testing/builders.js';
import { path } from '../../rules/spec-support/objects.js';
import { ruleOf, vpcDependency, writtenGuard } from '../testing/written-rules.js';
import { RuleReader, type RuleReaderDependencies } from './rule-reader.js';
import { NOTHING_READ, type TargetReading } from './rule-readings.js';

const { signal } = new AbortController();
const NETWORK = cluster('network');

const schemaOf = (scope: string): FoundSchema => ({
  state: 'found',
  schema: { metadata: { name: 's' }, spec: { scope, versions: [{ name: 'v1alpha1', served: true, schema: {} }] } },
});
const found = (name: string): Resolution => ({ state: 'found', cluster: cluster(name), from: 'logicalcluster', terminating: false });

/** Reads a rule where everything answers at once: `root:network` binds dep-ctrl, and no other workspace does. */
function readerWith(
  change: Partial<RuleReaderDependencies> = {},
  { isKnown = true, guards = [] }: { readonly isKnown?: boolean; readonly guards?: readonly Guard[] } = {},
) {
  const { reader: registry, writer } = createRegistry();
  writer.endpointsRead(isKnown ? ['e'] : ['e', 'unread']);
  writer.rulesListed('e', []);
  writer.guardsListed('e', guards);
  writer.workspacesListed('e', [NETWORK]);
  const clock = new ManualClock();
  const asked: string[] = [];
  const reader = new RuleReader({
    registry,
    resolver: { resolve: (path) => Promise.resolve(path === 'root:network' ? found('network') : { state: 'missing', path }) },
    exports: () => ({
      find: ({ cluster: at, resource }) => {
        asked.push(`${at}/${resource}`);
        return Promise.resolve(schemaOf(resource === 'zones' ? 'Cluster' : 'Namespaced'));
      },
    }),
    clock,
    ...change,
  });
  return { reader, clock, asked };
}

function guardAdmitting(allowRulesFrom: readonly string[]): Guard {
  const guard = parseGuard(writtenGuard({ allowRulesFrom }));
  if (!guard.ok) throw new Error(JSON.stringify(guard.problem));
  return guard.value;
}

const at = (path: string) => vpcDependency({ apiExportRef: { path, name: 'x' } });
const withNamespace = (resource: string, path = 'root:network') =>
  vpcDependency({
    apiExportRef: { path, name: 'x' },
    resource,
    fieldRef: { path: '.spec.ref.name', namespacePath: '.spec.ref.namespace' },
  });

describe(RuleReader, () => {
  it('given targets that bind dep-ctrl, do not, and do not exist, then the last two are the same', async () => {
    const { reader } = readerWith({
      resolver: { resolve: (path) => Promise.resolve(path === 'root:gone' ? { state: 'missing', path } : found(path.slice(5))) },
    });

    const { targets } = await reader.read(ruleOf([at('root:network'), at('root:unbound'), at('root:gone')]), { signal });

    expect([...targets]).toEqual([
      [0, { isBound: true }],
      [1, { isBound: false }],
      [2, { isBound: false }],
    ]);
  });

  it('given a workspace that may not be looked at, then it is the same as none', async () => {
    const { reader } = readerWith({
      resolver: {
        resolve: (workspace) => Promise.resolve({ state: 'forbidden', workspace, missing: '', grant: '', isUnknown: false }),
      },
    });

    expect((await reader.read(ruleOf([at('root:a')]), { signal })).targets.get(0)).toEqual({ isBound: false });
  });

  it.each<{ given: string; change: Partial<RuleReaderDependencies>; isKnown: boolean }>([
    { given: 'a process that has not read every binding yet', change: {}, isKnown: false },
    {
      given: 'kcp that does not answer',
      change: { resolver: { resolve: () => Promise.resolve({ state: 'unreachable', problem: 'x', retryable: true }) } },
      isKnown: true,
    },
  ])('given $given, then nothing is said of a target, and the author is told that not all was checked', async ({ change, isKnown }) => {
    const { reader } = readerWith(change, { isKnown });

    const { targets, cutShort } = await reader.read(ruleOf([at('root:unbound')]), { signal });

    expect([targets.size, cutShort]).toEqual([0, 'not every workspace that it names could be looked up; apply it again later']);
  });

  it('given namespace paths, then the scope of those types is read that bind dep-ctrl, each once, and of no others', async () => {
    const { reader, asked } = readerWith();
    const dependencies = [
      withNamespace('zones'),
      vpcDependency({ ...withNamespace('zones'), fieldRef: { path: '.spec.b.name', namespacePath: '.spec.b.namespace' } }),
      withNamespace('vpcs'),
      withNamespace('vpcs', 'root:unbound'),
      at('root:network'),
    ];

    const { targets } = await reader.read(ruleOf(dependencies), { signal });

    expect([...targets.values()].map(({ isClusterScoped }) => isClusterScoped)).toEqual([true, true, false, undefined, undefined]);
    expect(asked).toEqual(['compute/virtualmachines', 'network/zones', 'network/vpcs']);
  });

  it.each<{ given: string; answer: FoundSchema; wrong: TargetReading['wrong'] }>([
    {
      given: 'an export that does not serve the type',
      answer: { state: 'not-exported', reason: 'ResourceNotExported', message: 'no vpcs', namesExports: false },
      wrong: { reason: 'ResourceNotExported', message: 'no vpcs' },
    },
    {
      given: 'a version that is not served',
      answer: { state: 'found', schema: { metadata: { name: 's' }, spec: { versions: [{ name: 'v7', served: true, schema: {} }] } } },
      wrong: {
        reason: 'VersionNotServed',
        message: 'vpcs.network.example.com is not served as v1alpha1: use a version that is served',
      },
    },
    { given: 'a type that is as the rule says', answer: schemaOf('Namespaced'), wrong: undefined },
    { given: 'an export that may not be read', answer: { state: 'not-verified', problem: 'no right to read it' }, wrong: undefined },
  ])('given $given, then that is read of it, and no other version or type there', async ({ answer, wrong }) => {
    const { reader } = readerWith({ exports: () => ({ find: () => Promise.resolve(answer) }) });

    expect((await reader.read(ruleOf(), { signal })).targets.get(0)).toEqual({ isBound: true, ...(wrong && { wrong }) });
  });

  it('given a provider that does not admit the author, then nothing is read of its exports', async () => {
    const { reader, asked } = readerWith({}, { guards: [guardAdmitting([])] });

    expect((await reader.read(ruleOf([withNamespace('zones')]), { signal })).targets.get(0)).toEqual({ isBound: true });
    expect(asked).toEqual(['compute/virtualmachines']);
  });

  it('given more types than are looked at, then those with a namespace come first', async () => {
    const { reader, asked } = readerWith();
    const others = Array.from({ length: 4 }, (_, n) =>
      vpcDependency({ apiExportRef: { path: 'root:network', name: 'x' }, resource: `r${String(n)}` }),
    );

    await reader.read(ruleOf([...others, withNamespace('zones')]), { signal });

    expect(asked).toEqual(['compute/virtualmachines', 'network/zones', 'network/r0', 'network/r1', 'network/r2']);
  });

  it('given more workspaces and types than are looked at, then the rest is left out', async () => {
    const { reader, asked } = readerWith({ resolver: { resolve: () => Promise.resolve(found('network')) } });
    const dependencies = Array.from({ length: 64 }, (_, n) => withNamespace(`r${String(n)}`, `root:p${String(n)}`));

    const { targets } = await reader.read(ruleOf(dependencies), { signal });

    expect(targets.size).toBe(8);
    expect(asked).toHaveLength(5);
  });

  it('given kcp that is slow, then the write waits 3 s, gets what was read by then, and the rest is not asked for', async () => {
    const late: AbortSignal[] = [];
    const { reader, clock, asked } = readerWith({
      resolver: {
        resolve: (_, { signal: given }) => {
          late.push(given);
          return new Promise((_resolve, reject) => given.addEventListener('abort', () => reject(given.reason as Error), { once: true }));
        },
      },
    });
    const reading = reader.read(ruleOf([withNamespace('zones')]), { signal });
    await settled();

    await clock.advance(3_000);

    expect(await reading).toMatchObject({
      dependent: { state: 'found' },
      targets: new Map(),
      cutShort: 'kcp took more than 3 s to show what it names; apply it again later',
    });
    expect(late.map((given) => given.aborted)).toEqual([true]);
    expect(asked).toEqual(['compute/virtualmachines']);
  });

  it('given a schema that may not be read, then nothing is said of it but why', async () => {
    const { reader } = readerWith({
      exports: () => ({ find: () => Promise.resolve({ state: 'not-verified', problem: 'no right to read it' }) }),
    });

    const { dependent, cutShort } = await reader.read(ruleOf(), { signal });

    expect([dependent, cutShort]).toEqual([undefined, 'no right to read it']);
  });

  it('given a call that fails, then what was read before is given', async () => {
    const failure = new KcpError({ code: 'unavailable', asked: 'x', at: 'y', problem: 'z' } as never);
    const { reader } = readerWith({ resolver: { resolve: () => Promise.reject(failure) } });

    expect(await reader.read(ruleOf(), { signal })).toMatchObject({ dependent: { state: 'found' }, targets: new Map() });
  });

  it('given an author whose other rule is being read about, then nothing is read, and that is said; once that is over, it is', async () => {
    let answer: (resolution: Resolution) => void = () => undefined;
    const { reader } = readerWith({ resolver: { resolve: () => new Promise((resolve) => (answer = resolve)) } });
    const first = reader.read(ruleOf(), { signal });
    await settled();

    expect(await reader.read(ruleOf(), { signal })).toEqual({
      ...NOTHING_READ,
      cutShort: 'other rules are being checked; apply it again later',
    });
    answer(found('network'));
    await first;
    const again = reader.read(ruleOf(), { signal });
    await settled();
    answer(found('network'));

    expect((await again).targets.get(0)).toEqual({ isBound: true });
  });
});

describe('the paths of a guard', () => {
  const paths = ['root:a', 'root:b', 'root:b'].map((each) => path(each));

  it('given workspaces that do not bind dep-ctrl, then each of their paths is answered with once; what binds is not', async () => {
    const { reader } = readerWith({
      resolver: { resolve: (workspace) => Promise.resolve(workspace === 'root:a' ? found('network') : found('elsewhere')) },
    });

    expect(await reader.unboundAmong(paths, cluster('network'), { signal })).toEqual(['root:b']);
  });

  it.each<{ given: string; change: Partial<RuleReaderDependencies>; isKnown: boolean }>([
    {
      given: 'a process that has not read every binding yet',
      change: { resolver: { resolve: () => Promise.resolve(found('elsewhere')) } },
      isKnown: false,
    },
    {
      given: 'kcp that does not answer',
      change: { resolver: { resolve: () => Promise.resolve({ state: 'unreachable', problem: 'x', retryable: true }) } },
      isKnown: true,
    },
    {
      given: 'a call that fails',
      change: {
        resolver: { resolve: () => Promise.reject(new KcpError({ code: 'unavailable', asked: 'x', at: 'y', problem: 'z' } as never)) },
      },
      isKnown: true,
    },
  ])('given $given, then nothing is said of them', async ({ change, isKnown }) => {
    const { reader } = readerWith(change, { isKnown });

    expect(await reader.unboundAmong(paths, cluster('network'), { signal })).toEqual([]);
  });

  it('given kcp that is slow, then a write waits for three seconds at most, and what was found by then is said', async () => {
    const { reader, clock } = readerWith({
      resolver: { resolve: (workspace) => (workspace === 'root:a' ? Promise.resolve(found('elsewhere')) : new Promise(() => undefined)) },
    });
    const reading = reader.unboundAmong(paths, cluster('network'), { signal });
    await settled();

    await clock.advance(3_000);

    expect(await reading).toEqual(['root:a']);
  });
});
