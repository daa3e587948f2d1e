import { describe, expect, it } from '@jest/globals';
import type { EndpointsState } from '@dep-ctrl/kcp-client';
import { createRegistry, parseGuard, reportRule, type RegistryReader } from '@dep-ctrl/rule-registry';
import { ManualClock, settled } from '@dep-ctrl/kcp-client/testing';
import { GuardingRules, type KnownRules } from './guarding-rules.js';
import { noProofs } from './rule-freshness.js';
import { pathOf } from '../../testing/path-of.js';
import { cluster } from '../testing/builders.js';

const VPCS = { group: 'network.example.com', resource: 'vpcs' };
const NETWORK = cluster('network');
const ENDPOINT = 'https://kcp/services/apiexport/d/e';
const { signal: forever } = new AbortController();

describe(GuardingRules, () => {
  it('given a rule that a lively watch shows, then it is believed without a look', async () => {
    const stage = new Stage({ watched: registry({ rules: ['a'] }), live: registry({ rules: [] }) });

    expect(print(await stage.ask())).toBe('a');
    expect(stage.looks).toBe(0);
  });

  it('given no rule, then a look decides: kcp asks only about what was configured', async () => {
    const stage = new Stage({ watched: registry({ rules: [] }), live: registry({ rules: ['a'] }) });

    expect(print(await stage.ask())).toBe('a');
  });

  it('given no rule after a look either, then nothing guards it', async () => {
    const stage = new Stage({ watched: registry({ rules: [] }), live: registry({ rules: [] }) });

    expect(print(await stage.ask())).toBe('');
    expect(stage.looks).toBe(1);
  });

  it('given a workspace that is not bound, then what guards it is not known to kcp, and nothing to somebody who wants to know', async () => {
    const none = createRegistry();
    none.writer.endpointsRead([]);

    expect(print(await new Stage({ watched: none.reader, live: none.reader }).ask())).toBe('not-bound');
    expect(print(await new Stage({ watched: none.reader, live: none.reader, isAskedByKcp: false }).ask())).toBe('');
  });

  it('given a workspace that is not bound, and rules of somebody that name it all the same, then that makes no difference', async () => {
    const named = registry({ rules: ['a'], isBound: false });

    expect(print(await new Stage({ watched: named, live: named }).ask())).toBe('not-bound');
  });

  it('given an endpoint slice that fills up and does not name the endpoint of the guarded workspace yet, then its rules are unknown', async () => {
    const none = createRegistry();
    none.writer.endpointsRead([]);

    expect(print(await new Stage({ watched: none.reader, live: none.reader, isFillingUp: true }).ask())).toBe('unknown');
    expect(print(await new Stage({ watched: none.reader, live: none.reader }).ask())).toBe('not-bound');
  });

  it('given an endpoint slice that fills up and an endpoint that shows the guarded workspace, then that is enough', async () => {
    const stage = new Stage({ watched: registry({ rules: [] }), live: registry({ rules: [] }), isFillingUp: true });

    expect(print(await stage.ask())).toBe('');
  });

  it('given rules that a silent watch showed long ago, then a look decides', async () => {
    const stage = new Stage({ watched: registry({ rules: ['a'] }), live: registry({ rules: ['a', 'b'] }) });
    await stage.clock.advance(30_001);

    expect(print(await stage.ask())).toBe('a b');
  });

  it('given that not everything is known yet, then a look decides', async () => {
    const stage = new Stage({
      watched: registry({ rules: ['a'], guard: ['a', 'b'], isListed: false }),
      live: registry({ rules: ['a', 'b'] }),
    });

    expect(print(await stage.ask())).toBe('a b');
  });

  it.each([
    { given: 'the rule', found: ['a', 'b'], expected: 'a b' },
    { given: 'no such rule', found: ['a'], expected: 'a' },
  ])('given a rule that the guard names and a lively watch does not show, when a look finds $given, then that counts', async (of) => {
    const stage = new Stage({
      watched: registry({ rules: ['a'], guard: ['a', 'b'] }),
      live: registry({ rules: of.found, guard: ['a', 'b'] }),
    });

    expect(print(await stage.ask())).toBe(of.expected);
    expect(stage.looks).toBe(1);
  });

  it('given that a look cannot tell either, then the rules are unknown', async () => {
    const unknown = registry({ rules: ['a'], guard: ['a', 'b'], isListed: false });
    const stage = new Stage({ watched: unknown, live: unknown });

    expect(print(await stage.ask())).toBe('unknown');
  });

  it('given a guard that names only rules that are known, then a dead endpoint elsewhere blocks nobody', async () => {
    const stage = new Stage({ watched: registry({ rules: [] }), live: registry({ rules: ['a'], guard: ['a'], isListed: false }) });

    expect(print(await stage.ask())).toBe('a');
  });

  it('given parallel questions, then they share a look that began after them', async () => {
    const stage = new Stage({ watched: registry({ rules: [] }), live: registry({ rules: ['a'] }) });

    const answers = await Promise.all([stage.ask(), stage.ask(), stage.ask(), stage.ask()]);

    expect(answers.map(print)).toEqual(['a', 'a', 'a', 'a']);
    expect(stage.looks).toBe(2);
  });

  it('given questions that come while a look takes long, then no other look begins beside it', async () => {
    const stage = new Stage({ watched: registry({ rules: [] }), live: registry({ rules: ['a'] }) });
    stage.hold = stage.clock.sleep(1, { signal: forever });
    const first = [stage.ask(), stage.ask()];
    await settled();
    stage.hold = stage.clock.sleep(500, { signal: forever });
    await stage.clock.advance(100);
    const others = [stage.ask(), stage.ask()];

    await stage.clock.advance(100);
    const looksBefore = stage.looks;
    await stage.clock.advance(2_000);

    expect(looksBefore).toBe(2);
    expect((await Promise.all([...first, ...others])).map(print)).toEqual(['a', 'a', 'a', 'a']);
  });

  it('given a rule of an author that the consumer has not bound, then it does not concern the consumer, and nothing is looked up for it', async () => {
    const stage = new Stage({ watched: registry({ rules: ['a'] }), live: registry({ rules: ['a'] }) });

    expect(print(await stage.ask({ bound: ['network'] }))).toBe('');
    expect(stage.looks).toBe(0);
  });

  it('given rules of an author that nobody has read, then only those who have bound that author wait for them', async () => {
    const unread = registry({ rules: ['a'], guard: ['a', 'b'], isListed: false });
    const stage = new Stage({ watched: unread, live: unread });

    expect(print(await stage.ask({ bound: ['network'] }))).toBe('');
    expect(print(await stage.ask({ bound: ['network', 'compute'] }))).toBe('unknown');
  });

  it('given a binding to an old author of a path that is the path of another one now, then the rules of that one concern the consumer', async () => {
    const stage = new Stage({ watched: registry({ rules: ['a'] }), live: registry({ rules: [] }) });

    expect(print(await stage.ask({ bound: ['old'], path: 'root:compute' }))).toBe('a');
    expect(print(await stage.ask({ bound: ['old'], path: 'root:nobody' }))).toBe('');
  });

  it('given a rule whose workspace is known by path, then the answer names it', async () => {
    const stage = new Stage({ watched: registry({ rules: ['a'] }), live: registry({ rules: [] }) });

    expect(await stage.ask()).toMatchObject({ matches: [{ rule: { path: 'root:compute' } }] });
  });

  it('given the same rules again, then the answer is the same list, until a rule or the path of its workspace is another', async () => {
    const { reader, writer } = createRegistry();
    writer.endpointsRead([ENDPOINT]);
    const show = (...names: readonly string[]) =>
      writer.rulesListed(
        ENDPOINT,
        names.map((name) => reportRule(cluster('compute'), ruleObject(name))),
      );
    show('a');
    writer.guardsListed(ENDPOINT, []);
    writer.workspacesListed(ENDPOINT, [NETWORK, cluster('compute')]);
    writer.pathResolved(pathOf('root:network'), NETWORK);
    const stage = new Stage({ watched: reader, live: reader });
    const ask = async () => {
      const answer = await stage.ask();
      return answer.state === 'known' ? answer.matches : [];
    };

    const first = await ask();
    expect(await ask()).toBe(first);

    writer.pathResolved(pathOf('root:compute'), cluster('compute'));
    const named = await ask();
    expect([first, named].map(([match]) => match?.rule.path)).toEqual([undefined, 'root:compute']);

    show('a', 'b');
    const both = await ask();
    expect(both.map(({ rule }) => rule.name)).toEqual(['a', 'b']);

    writer.ruleApplied(ENDPOINT, reportRule(cluster('compute'), edited(ruleObject('b'))));
    expect((await ask()).map(({ dependency }) => dependency.fieldPath.text)).toEqual(['.spec.vpcRef.name', '.spec.other']);
  });

  it('given that time runs out during a look, then the question rejects', async () => {
    const stage = new Stage({ watched: registry({ rules: [] }), live: registry({ rules: [] }) });
    stage.hold = new Promise(() => undefined);
    const deadline = new AbortController();

    const asked = stage.ask({ signal: deadline.signal });
    await settled();
    deadline.abort(new Error('time is over'));

    await expect(asked).rejects.toThrow('time is over');
  });
});

interface StageOptions {
  readonly watched: RegistryReader;
  readonly live: RegistryReader;
  readonly isFillingUp?: boolean;
  readonly isAskedByKcp?: boolean;
}

class Stage {
  readonly clock = new ManualClock();
  readonly rules: GuardingRules;
  looks = 0;
  hold: Promise<void> = Promise.resolve();

  constructor({ watched, live, isFillingUp = false, isAskedByKcp = true }: StageOptions) {
    const state: EndpointsState = { slice: { kind: 'read' }, sliceFreshness: { synced: true, lastSignOfLifeMs: 0 }, endpoints: new Map() };
    this.rules = new GuardingRules({
      registry: watched,
      source: { state: () => state },
      live: {
        proofs: noProofs,
        look: async () => {
          this.looks += 1;
          await this.hold;
          return { registry: live, isFillingUp };
        },
      },
      maxRuleAgeMs: 30_000,
      isAskedByKcp,
      clock: this.clock,
    });
  }

  /** Asks for a consumer that has bound the exports of some workspaces; by what path, where that matters. */
  ask({
    signal = forever,
    bound = ['compute'],
    path,
  }: { readonly signal?: AbortSignal; readonly bound?: readonly string[]; readonly path?: string } = {}): Promise<KnownRules> {
    const reference = path === undefined ? {} : { path: pathOf(path) };
    const bindings = bound.map((exporter) => ({ name: exporter, reference, exporter: cluster(exporter), bound: new Map() }));
    return this.rules.guarding({ where: NETWORK, type: VPCS, bindings }, { signal, patienceMs: 1_000 });
  }
}

function registry({
  rules,
  guard,
  isListed = true,
  isBound = true,
}: {
  rules: readonly string[];
  guard?: readonly string[];
  isListed?: boolean;
  isBound?: boolean;
}): RegistryReader {
  const { reader, writer } = createRegistry();
  const compute = cluster('compute');
  writer.endpointsRead(isListed ? [ENDPOINT] : [ENDPOINT, 'https://dead/services/apiexport/d/e']);
  writer.rulesListed(
    ENDPOINT,
    rules.map((name) => reportRule(compute, ruleObject(name))),
  );
  const parsed = guard === undefined ? undefined : parseGuard(guardObject(guard));
  if (parsed?.ok === false) throw new Error(JSON.stringify(parsed.problem));
  writer.guardsListed(ENDPOINT, parsed === undefined ? [] : [parsed.value]);
  writer.workspacesListed(ENDPOINT, [...(isBound ? [NETWORK] : []), ...(isListed ? [compute] : [])]);
  writer.pathResolved(pathOf('root:network'), NETWORK);
  writer.pathResolved(pathOf('root:compute'), compute);
  return reader;
}

function ruleObject(name: string) {
  return {
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyRule',
    metadata: { name, uid: name, generation: 1, annotations: { 'kcp.io/cluster': 'compute' } },
    spec: {
      dependent: {
        apiExportName: 'compute.example.com',
        group: 'compute.example.com',
        version: 'v1alpha1',
        kind: 'VirtualMachine',
        resource: 'virtualmachines',
      },
      dependencies: [
        {
          apiExportRef: { path: 'root:network', name: 'network.example.com' },
          ...VPCS,
          version: 'v1alpha1',
          fieldRef: { path: '.spec.vpcRef.name' },
        },
      ],
    },
  };
}

function edited(rule: ReturnType<typeof ruleObject>) {
  const dependencies = rule.spec.dependencies.map((each) => ({ ...each, fieldRef: { path: '.spec.other' } }));
  return { ...rule, metadata: { ...rule.metadata, generation: 2 }, spec: { ...rule.spec, dependencies } };
}

function guardObject(rules: readonly string[]) {
  return {
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyGuard',
    metadata: { name: 'dependency-controller', uid: 'g', generation: 1, annotations: { 'kcp.io/cluster': 'network' } },
    status: {
      observedGeneration: 1,
      ruleCount: rules.length,
      rules: rules.map((name) => ({
        cluster: 'compute',
        path: 'root:compute',
        rule: name,
        dependent: 'VirtualMachine.compute.example.com',
        resource: 'vpcs.network.example.com',
        enforcement: 'Deny',
      })),
    },
  };
}

function print(known: KnownRules): string {
  return known.state !== 'known' ? known.state : known.matches.map(({ rule }) => rule.name).join(' ');
}
