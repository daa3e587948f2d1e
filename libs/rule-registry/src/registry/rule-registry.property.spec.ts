import { describe, expect, it } from '@jest/globals';
import type { GroupResource, LogicalClusterName } from '@dep-ctrl/kcp-names';
import fc from 'fast-check';
import {
  compareMatches,
  createRegistry,
  ruleKeyOf,
  type RegistryReader,
  type RegistryWriter,
  type RuleMatch,
  type Touched,
} from '../index.js';
import { admission } from '../guarding/consent.js';
import { cluster, dependencySpec, guard, path, rule, ruleRef } from '../testing/builders.js';
import { effectiveRules } from '../testing/effective-rules.js';

// A small world, so that everything meets everything: few clusters, few paths, two types, two endpoints.
const CLUSTERS = ['a', 'b', 'c'].map(cluster);
const PATHS = ['root:a', 'root:b', 'user:x', 'c'].map(path);
const TYPES: readonly GroupResource[] = ['vpcs', 'subnets'].map((resource) => ({ group: 'network.example.com', resource }));
const ENDPOINTS = ['s0', 's1'];

const anyCluster = fc.constantFrom(...CLUSTERS);
const anyPath = fc.constantFrom(...PATHS);
const anyType = fc.constantFrom(...TYPES);
const anyEndpoint = fc.constantFrom(...ENDPOINTS);

const anyRule = fc
  .record({
    clusterName: anyCluster,
    name: fc.constantFrom('r1', 'r2'),
    generation: fc.integer({ min: 1, max: 3 }),
    targets: fc.array(fc.tuple(anyPath, anyType), { minLength: 1, maxLength: 3 }),
  })
  .map(({ clusterName, name, generation, targets }) => {
    // The content follows from the generation, as it does in Kubernetes.
    const dependencies = targets.map(([workspace, { resource }], index) =>
      dependencySpec({ resource, apiExportRef: { path: workspace, name: 'x' }, fieldRef: { path: `.spec.f${String(index)}` } }),
    );
    return rule({ dependencies }, { cluster: clusterName, name, generation, uid: JSON.stringify(targets) });
  });

const anyGuard = fc
  .record({
    cluster: anyCluster,
    allowRulesFrom: fc.oneof(fc.constant('everyone' as const), fc.array(anyPath, { maxLength: 2 })),
    ruleRefs: fc.array(
      fc.tuple(anyCluster, fc.constantFrom('r1', 'r2')).map(([name, ruleName]) => ruleRef(name, ruleName)),
      { maxLength: 2 },
    ),
    namesEveryRule: fc.boolean(),
    generation: fc.integer({ min: 1, max: 3 }),
  })
  .map((content) => guard({ ...content, uid: JSON.stringify(content) }));

type Write = (writer: RegistryWriter) => Touched;
const write = (write: Write): Write => write;

const anyWrite = fc.oneof(
  fc
    .tuple(anyEndpoint, fc.array(anyRule, { maxLength: 4 }))
    .map(([endpoint, rules]) => write((writer) => writer.rulesListed(endpoint, rules))),
  {
    weight: 3,
    arbitrary: fc.tuple(anyEndpoint, anyRule).map(([endpoint, given]) => write((writer) => writer.ruleApplied(endpoint, given))),
  },
  fc.tuple(anyEndpoint, anyRule).map(([endpoint, { key }]) => write((writer) => writer.ruleRemoved(endpoint, key))),
  fc
    .tuple(anyEndpoint, fc.array(anyGuard, { maxLength: 3 }))
    .map(([endpoint, guards]) => write((writer) => writer.guardsListed(endpoint, guards))),
  {
    weight: 2,
    arbitrary: fc.tuple(anyEndpoint, anyGuard).map(([endpoint, given]) => write((writer) => writer.guardApplied(endpoint, given))),
  },
  fc.tuple(anyEndpoint, anyCluster).map(([endpoint, name]) => write((writer) => writer.guardRemoved(endpoint, name))),
  fc
    .tuple(anyEndpoint, fc.array(anyCluster, { maxLength: 3 }))
    .map(([endpoint, workspaces]) => write((writer) => writer.workspacesListed(endpoint, workspaces))),
  {
    weight: 2,
    arbitrary: fc.tuple(anyEndpoint, anyCluster).map(([endpoint, given]) => write((writer) => writer.workspaceApplied(endpoint, given))),
  },
  fc.tuple(anyEndpoint, anyCluster).map(([endpoint, name]) => write((writer) => writer.workspaceRemoved(endpoint, name))),
  fc.subarray(ENDPOINTS).map((endpoints) => write((writer) => writer.endpointsRead(endpoints))),
  fc
    .tuple(anyPath, fc.oneof(anyCluster, fc.constantFrom('missing' as const, 'unknown' as const)))
    .map(([given, resolution]) => write((writer) => writer.pathResolved(given, resolution))),
  anyCluster.map((name) => write((writer) => writer.workspaceGone(name))),
  fc.tuple(anyCluster, anyCluster).map(([guarded, author]) => write((writer) => writer.authorGone(guarded, author))),
);

/** An endpoint that shows nothing. */
function listed(endpoint: string): Write {
  return (writer) => {
    writer.endpointsRead(ENDPOINTS);
    writer.rulesListed(endpoint, []);
    writer.guardsListed(endpoint, []);
    return writer.workspacesListed(endpoint, CLUSTERS);
  };
}

describe('laws of the registry', () => {
  it('a lookup gives what a naive scan of everything gives, after any writes', () => {
    fc.assert(
      fc.property(fc.array(anyWrite, { maxLength: 25 }), (writes) => {
        const { reader, writer } = createRegistry();
        for (const apply of writes) {
          apply(writer);
          // Answers are asked for all the time, so that one that was kept too long would show.
          for (const where of CLUSTERS) reader.guarding(where, TYPES[0]!, new Set(CLUSTERS));
        }

        for (const type of TYPES) {
          for (const where of CLUSTERS)
            for (const authors of [CLUSTERS, CLUSTERS.slice(1)])
              expect(reader.guarding(where, type, new Set(authors)).matches).toEqual(naiveGuarding(reader, { where, type, authors }));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('where rules of others do not guard a type, what the authors wrote about it is all there is to know', () => {
    let told = 0;
    fc.assert(
      fc.property(fc.array(anyWrite, { maxLength: 25 }), fc.subarray(CLUSTERS), (writes, authors) => {
        const { reader, writer } = createRegistry();
        for (const apply of [...ENDPOINTS.map(listed), ...writes]) apply(writer);

        for (const type of TYPES) {
          for (const where of CLUSTERS.filter((cluster) => !reader.isGuardedByOthers(cluster, type, new Set(authors)))) {
            told += 1;
            expect(reader.guarding(where, type, new Set(authors))).toEqual(reader.guarding(where, type, new Set(CLUSTERS)));
          }
        }
      }),
      { numRuns: 300 },
    );
    expect(told).toBeGreaterThan(100);
  });

  it('what the registry says of one workspace is what effectiveRules says of all', () => {
    fc.assert(
      fc.property(fc.array(anyWrite, { maxLength: 25 }), (writes) => {
        const { reader, writer } = createRegistry();
        for (const apply of writes) apply(writer);

        const effective = effectiveRules(reader.snapshot());

        for (const name of CLUSTERS) {
          const { cluster: itself, matches, refused } = reader.guarded(name);
          expect({ cluster: itself, matches, refused }).toEqual(effective.guarded.get(name) ?? { cluster: name, matches: [], refused: [] });
        }
        expect(reader.guardedWorkspaces()).toEqual(new Set(effective.guarded.keys()));
        expect(reader.unresolvedPaths()).toEqual(expect.arrayContaining([...effective.unresolved]));
      }),
      { numRuns: 200 },
    );
  });

  it('the order in which endpoints deliver is irrelevant', () => {
    const delivery = fc.record({
      rules: fc.array(anyRule, { maxLength: 4 }),
      guards: fc.array(anyGuard, { maxLength: 2 }),
      workspaces: fc.array(anyCluster, { maxLength: 3 }),
    });

    fc.assert(
      fc.property(delivery, delivery, fc.array(fc.nat()), (first, second, shuffle) => {
        const writes = [first, second].flatMap(({ rules, guards, workspaces }, index): Write[] => {
          const endpoint = ENDPOINTS[index]!;
          return [
            (writer) => writer.rulesListed(endpoint, rules),
            (writer) => writer.guardsListed(endpoint, guards),
            (writer) => writer.workspacesListed(endpoint, workspaces),
          ];
        });
        writes.push((writer) => writer.endpointsRead(ENDPOINTS));
        const shuffled = writes.map((apply, index) => ({ apply, at: shuffle[index] ?? 0 })).toSorted((a, b) => a.at - b.at);

        expect(stateAfter(shuffled.map(({ apply }) => apply))).toEqual(stateAfter(writes));
      }),
      { numRuns: 200 },
    );
  });

  it('no rule is dropped because endpoints vanished, nor because they came back', () => {
    fc.assert(
      fc.property(fc.array(anyWrite, { maxLength: 15 }), fc.subarray(ENDPOINTS), (writes, back) => {
        const { reader, writer } = createRegistry();
        for (const apply of writes) apply(writer);
        const before = reader.snapshot().rules;

        writer.endpointsRead([]);
        writer.endpointsRead(back);

        expect(reader.snapshot().rules).toEqual(before);
      }),
      { numRuns: 200 },
    );
  });

  it('whoever looks again at what was touched sees every change of every workspace', () => {
    fc.assert(
      fc.property(fc.array(anyWrite, { maxLength: 20 }), (writes) => {
        const { reader, writer } = createRegistry();
        const seen = new Map(CLUSTERS.map((name) => [name, look(reader, name)]));
        for (const apply of writes) {
          for (const name of apply(writer).guarded) seen.set(name, look(reader, name));

          expect(seen).toEqual(new Map([...seen.keys()].map((name) => [name, look(reader, name)])));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('a snapshot never changes', () => {
    fc.assert(
      fc.property(fc.array(anyWrite, { maxLength: 10 }), fc.array(anyWrite, { maxLength: 10 }), (before, after) => {
        const { reader, writer } = createRegistry();
        for (const apply of before) apply(writer);
        const snapshot = reader.snapshot();
        const then = JSON.stringify([snapshot, [...snapshot.guards], PATHS.map((given) => snapshot.paths.clusterOf(given))]);

        for (const apply of after) apply(writer);

        expect(JSON.stringify([snapshot, [...snapshot.guards], PATHS.map((given) => snapshot.paths.clusterOf(given))])).toBe(then);
      }),
    );
  });

  it('keys of different rules differ', () => {
    const name = fc.stringMatching(/^[a-z0-9.-]{1,8}$/);

    fc.assert(
      fc.property(anyCluster, name, anyCluster, name, (clusterA, nameA, clusterB, nameB) => {
        expect(ruleKeyOf(clusterA, nameA) === ruleKeyOf(clusterB, nameB)).toBe(clusterA === clusterB && nameA === nameB);
      }),
    );
  });
});

/** What a controller sees of one workspace. Completeness matters to those that have a guard. */
function look(reader: RegistryReader, name: LogicalClusterName): string {
  const { state, matches, refused } = reader.guarded(name);
  return JSON.stringify([reader.guard(name) === undefined ? '' : state, matches, refused]);
}

interface Question {
  readonly where: LogicalClusterName;
  readonly type: GroupResource;
  readonly authors: readonly LogicalClusterName[];
}

function naiveGuarding(reader: RegistryReader, { where, type, authors }: Question): readonly RuleMatch[] {
  const { rules, guards, paths } = reader.snapshot();
  const refs = guards.get(where)?.ruleRefs ?? [];
  return rules
    .filter((given) => authors.includes(given.cluster) && admission(guards.get(where), paths)(given))
    .flatMap((given) => given.dependencies.map((dependency) => ({ rule: given, dependency })))
    .filter(({ dependency }) => dependency.resource === type.resource && dependency.group === type.group)
    .filter(({ rule: given, dependency }) => {
      const isNamed = refs.some(({ key, resource }) => key === given.key && resource === `${type.resource}.${type.group}`);
      const { path } = dependency.export;
      const hasOtherPath = paths.pathOf(where)?.startsWith('root:') === true && path.startsWith('root:');
      const named = paths.clusterOf(path);
      return named === where || (named === 'unknown' && !hasOtherPath) || isNamed;
    })
    .toSorted(compareMatches);
}

/** Everything that a reader can ask, as text. */
function stateAfter(writes: readonly Write[]): string {
  const { reader, writer } = createRegistry();
  for (const apply of writes) apply(writer);
  return JSON.stringify([
    reader.snapshot(),
    reader.completeness(),
    reader.unresolvedPaths(),
    CLUSTERS.map((name) => [reader.guard(name), reader.guarded(name), reader.paths.pathOf(name)]),
    PATHS.map((given) => reader.paths.clusterOf(given)),
    TYPES.flatMap((type) => CLUSTERS.map((where) => reader.guarding(where, type, new Set(CLUSTERS)))),
  ]);
}
