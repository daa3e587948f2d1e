// Finds the targets of a rule that lead back to its dependent: types that refer to each other in a circle. The search starts at this rule and is bounded:
// rules of others must not make a write slow.
import { groupResourceKey, type GroupResource, type LogicalClusterName } from '@dep-ctrl/kcp-names';
import { isCluster, type RegistryReader, type Rule } from '@dep-ctrl/rule-registry';

// References that are followed. A circle is a few types long; a type that is this popular says enough elsewhere.
const MOST_STEPS = 500;

interface Node extends GroupResource {
  readonly cluster: LogicalClusterName;
}

/** The positions of the dependencies that close a circle, with the rules as they are known and this one as it is written. */
export function closingTargets(rule: Rule, registry: BoundReader): ReadonlySet<number> {
  const referring = referringTypes(rule, registry);
  const closing = rule.dependencies.filter(({ export: { path }, group, resource }) => {
    const cluster = registry.paths.clusterOf(path);
    return isCluster(cluster) && referring.has(keyOf({ cluster, group, resource }));
  });
  return new Set(closing.map(({ index }) => index));
}

/** The dependent, and every type that refers to it, directly or through others. */
function referringTypes({ key, cluster, dependent }: Rule, registry: BoundReader): ReadonlySet<string> {
  const own: Node = { cluster, group: dependent.group, resource: dependent.resource };
  const found = new Set([keyOf(own)]);
  const ahead = [own];
  let steps = 0;
  for (let node = ahead.shift(); node !== undefined; node = ahead.shift()) {
    for (const { rule } of registry.naming(node.cluster, node)) {
      steps += 1;
      if (steps > MOST_STEPS) return found;
      // This rule is about to say something else.
      if (rule.key === key) continue;
      const referrer: Node = { cluster: rule.cluster, group: rule.dependent.group, resource: rule.dependent.resource };
      if (found.has(keyOf(referrer))) continue;
      found.add(keyOf(referrer));
      ahead.push(referrer);
    }
  }
  return found;
}

type BoundReader = Pick<RegistryReader, 'naming' | 'paths'>;

function keyOf({ cluster, group, resource }: Node): string {
  return `${cluster}/${groupResourceKey({ group, resource })}`;
}
