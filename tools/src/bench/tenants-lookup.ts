// Looking up who guards a type among 10 000 rules of 100 providers, each question asked once after a change: nothing is remembered.

import { CLUSTER_ANNOTATION, logicalCluster, parseWorkspacePath } from '@dep-ctrl/kcp-names';
import { createRegistry, parseRule, type Rule } from '@dep-ctrl/rule-registry';
import type { Measured } from './measure.js';

const ENDPOINT = 'https://kcp.example.com/services/apiexport/abc/dependencies.opendefense.cloud';
const PROVIDERS = 100;
const RULES_OF_EACH = 100;
const ROUNDS = 20;

/** Microseconds of one look-up, the least of many rounds. */
export function lookup(): readonly Measured[] {
  const { reader, writer } = createRegistry();
  const providers = Array.from({ length: PROVIDERS }, (_, index) => logicalCluster(`network${index}`));
  writer.endpointsRead([ENDPOINT]);
  writer.guardsListed(ENDPOINT, []);
  writer.workspacesListed(ENDPOINT, [...providers, ...providers.map((_, author) => logicalCluster(`compute${author}`))]);
  for (const cluster of providers) writer.pathResolved(workspacePath(`root:${cluster}`), cluster);
  const rules = providers.flatMap((_, author) => Array.from({ length: RULES_OF_EACH }, (__, index) => ruleOf(author, index)));
  writer.rulesListed(ENDPOINT, rules);
  const questions = providers.flatMap((cluster, author) => {
    // A consumer binds what it uses: here the exports of one author.
    const authors = new Set([logicalCluster(`compute${author}`)]);
    return Array.from({ length: RULES_OF_EACH }, (_, index) => ({ cluster, authors, type: typeOf(index) }));
  });
  const [first] = rules;
  if (first === undefined) throw new Error('there are rules');

  let least = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    writer.ruleApplied(ENDPOINT, first);
    const begunMs = performance.now();
    let found = 0;
    for (const { cluster, authors, type } of questions) found += reader.guarding(cluster, type, authors).matches.length;
    least = Math.min(least, ((performance.now() - begunMs) / questions.length) * 1_000);
    if (found !== rules.length) throw new Error(`${found} matches for ${rules.length} rules`);
  }
  return [{ what: '10 000 rules of 100 providers: a look-up, asked once after a change', value: least, unit: 'us', goal: { atMost: 5 } }];
}

function ruleOf(author: number, index: number): Rule {
  const rule = parseRule({
    apiVersion: 'dependencies.opendefense.cloud/v1alpha1',
    kind: 'DependencyRule',
    metadata: { name: `rule-${index}`, uid: `${author}-${index}`, annotations: { [CLUSTER_ANNOTATION]: `compute${author}` } },
    spec: {
      dependent: {
        apiExportName: 'compute.example.com',
        group: 'compute.example.com',
        version: 'v1',
        kind: 'VirtualMachine',
        resource: 'virtualmachines',
      },
      dependencies: [
        {
          apiExportRef: { path: `root:network${author}`, name: 'network.example.com' },
          ...typeOf(index),
          version: 'v1',
          fieldRef: { path: '.spec.ref.name' },
        },
      ],
    },
  });
  if (!rule.ok) throw new Error(rule.problem[0].message);
  return rule.value;
}

function typeOf(index: number): { readonly group: string; readonly resource: string } {
  return { group: 'network.example.com', resource: `vpcs${index}` };
}

function workspacePath(text: string) {
  const parsed = parseWorkspacePath(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
