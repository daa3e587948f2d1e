// Looking up who guards a type, at ten, a thousand and a hundred thousand rules; what a rule costs in memory; what a change costs.

import { CLUSTER_ANNOTATION, logicalCluster, parseWorkspacePath, type GroupResource, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { createRegistry, parseRule, type Rule } from '@dep-ctrl/rule-registry';
import { cpuMillisecondsOf, heapOf, microsecondsOf, report, type Measured } from './measure.js';

const ENDPOINT = 'https://kcp.example.com/services/apiexport/abc/dependencies.opendefense.cloud';
const RULES_PER_WORKSPACE = 10;
// As many as are in force.
const RULES_PER_AUTHOR = 100;

const sizes = [10, 1000, 100_000].map((size) => ({ size, ...measure(size) }));
const [ten, , most] = sizes;
if (ten === undefined || most === undefined) throw new Error('there are three sizes');

const targets = ruleObject(0, 10_000);
const lines: Measured[] = sizes.flatMap(({ size, kept, fresh, bytesPerRule }) => [
  { what: `lookup at ${String(size)} rules`, value: kept, unit: 'us', ...(size === most.size && { goal: { atMost: 2 } }) },
  { what: `lookup at ${String(size)} rules, first after a change`, value: fresh, unit: 'us' },
  // Ten rules are fewer bytes than the heap moves by itself.
  ...(size > 10 ? [{ what: `memory per rule at ${String(size)} rules, index included`, value: bytesPerRule / 1024, unit: 'KiB' }] : []),
]);
report('registry', [
  ...lines,
  { what: 'lookup at 100 000 rules, against 10', value: most.kept / ten.kept, unit: 'x', goal: { atMost: 8 } },
  { what: 'first lookup after a change at 100 000 rules, against 10', value: most.fresh / ten.fresh, unit: 'x' },
  { what: 'parsing a rule', value: microsecondsOf(() => parseRule(ruleObject(0, 1))), unit: 'us' },
  {
    what: 'CPU of parsing a rule with 10 000 targets',
    value: cpuMillisecondsOf(() => parseRule(targets)),
    unit: 'ms',
    goal: { atMost: 100 },
  },
]);

function measure(size: number) {
  const workspaces = Math.ceil(size / RULES_PER_WORKSPACE);
  // Objects as they come from JSON.parse: no text is shared between them.
  const objects = JSON.stringify(Array.from({ length: size }, (_, index) => ruleObject(index, 1)));
  const { bytes, kept: registry } = heapOf(() => {
    const made = createRegistry();
    made.writer.endpointsRead([ENDPOINT]);
    made.writer.guardsListed(ENDPOINT, []);
    made.writer.workspacesListed(
      ENDPOINT,
      Array.from({ length: workspaces }, (_, index) => logicalCluster(`network${String(index)}`)),
    );
    for (let index = 0; index < workspaces; index += 1) {
      made.writer.pathResolved(workspacePath(`root:network${String(index)}`), logicalCluster(`network${String(index)}`));
    }
    made.writer.rulesListed(ENDPOINT, (JSON.parse(objects) as unknown[]).map(mustParse));
    return made;
  });
  const { reader, writer } = registry as ReturnType<typeof createRegistry>;
  const questions = shuffled(
    Array.from({ length: Math.min(size, 10_000) }, (_, index) => ({
      where: whereOf(index * Math.ceil(size / 10_000)),
      type: typeOf(index * Math.ceil(size / 10_000)),
      // What the consumer has bound: a few providers.
      authors: new Set([0, 1, 2].map((more) => authorOf(index * Math.ceil(size / 10_000) + more * RULES_PER_AUTHOR)).map(logicalCluster)),
    })),
  );
  const first = mustParse(ruleObject(0, 1));
  if (questions.some(({ where, type, authors }) => reader.guarding(where, type, authors).matches.length === 0))
    throw new Error('a question has no answer');

  let asked = 0;
  const ask = () => {
    const { where, type, authors } = questions[asked++ % questions.length] ?? { where: whereOf(0), type: typeOf(0), authors: new Set() };
    return reader.guarding(where, type, authors);
  };
  const kept = microsecondsOf(ask);
  const change = microsecondsOf(() => writer.ruleApplied(ENDPOINT, first));
  const changeAndAsk = microsecondsOf(() => {
    writer.ruleApplied(ENDPOINT, first);
    return ask();
  });
  return { kept, fresh: changeAndAsk - change, bytesPerRule: bytes / size };
}

function ruleObject(index: number, targetCount: number): unknown {
  return {
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyRule',
    metadata: { name: `rule-${String(index)}`, uid: String(index), annotations: { [CLUSTER_ANNOTATION]: authorOf(index) } },
    spec: {
      dependent: {
        apiExportName: 'compute.example.com',
        group: 'compute.example.com',
        version: 'v1alpha1',
        kind: 'VirtualMachine',
        resource: 'virtualmachines',
      },
      dependencies: Array.from({ length: targetCount }, (_, target) => ({
        apiExportRef: { path: `root:${whereOf(index)}`, name: 'network.example.com' },
        ...typeOf(index),
        version: 'v1alpha1',
        fieldRef: { path: `.spec.ref${String(target)}.name` },
      })),
    },
  };
}

function authorOf(index: number): string {
  return `compute${String(Math.floor(index / RULES_PER_AUTHOR))}`;
}

function whereOf(index: number): LogicalClusterName {
  return logicalCluster(`network${String(Math.floor(index / RULES_PER_WORKSPACE))}`);
}

function typeOf(index: number): GroupResource {
  return { group: 'network.example.com', resource: `vpcs${String(index % RULES_PER_WORKSPACE)}` };
}

function mustParse(object: unknown): Rule {
  const rule = parseRule(object);
  if (!rule.ok) throw new Error(rule.problem[0].message);
  return rule.value;
}

function workspacePath(text: string) {
  const parsed = parseWorkspacePath(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

/** In an order that no cache foresees, and the same in every run. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item, index) => ({ item, at: (index * 7919) % items.length }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
