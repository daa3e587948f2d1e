import { EACH, type FieldPath, type PathStep } from './field-path.js';
import { nodesAt, stringsAt } from './read-field-path.js';

/** The value at a reference path, with the namespace that stands beside it, if any. */
export interface Reference {
  readonly name: string;
  /** Absent: no namespace is given, which means the object's own. */
  readonly namespace?: string;
}

/**
 * Whether each name has at most one namespace: every `[*]` of the namespace path is also one of the name path, with the same steps before it.
 * `.spec.disks[*].ref.name` pairs with `.spec.disks[*].ref.namespace` and with `.spec.namespace`, not with `.spec.others[*].namespace`.
 */
export function canPair(namePath: FieldPath, namespacePath: FieldPath): boolean {
  return sharedSteps(namePath, namespacePath) >= namespacePath.steps.lastIndexOf(EACH) + 1;
}

/**
 * Every reference that an object holds: the names at one path, paired element by element with the namespaces at the other.
 *
 * Empty names are no references. A namespace that is missing, empty or no string is absent. Of paths that cannot pair, every name
 * is combined with every namespace, so that no reference is missed.
 */
export function readReferences(object: unknown, namePath: FieldPath, namespacePath?: FieldPath): readonly Reference[] {
  if (namespacePath === undefined) return namesIn(object, namePath.steps).map((name) => ({ name }));
  const shared = sharedSteps(namePath, namespacePath);
  const nameSteps = namePath.steps.slice(shared);
  const namespaceSteps = namespacePath.steps.slice(shared);
  return nodesAt(object, namePath.steps.slice(0, shared)).flatMap((node) => {
    const namespaces = namesIn(node, namespaceSteps);
    return namesIn(node, nameSteps).flatMap((name) =>
      namespaces.length === 0 ? { name } : namespaces.map((namespace) => ({ name, namespace })),
    );
  });
}

function namesIn(node: unknown, steps: readonly PathStep[]): readonly string[] {
  return stringsAt(node, steps).filter((text) => text !== '');
}

/** How many steps both paths begin with. */
export function sharedSteps(a: FieldPath, b: FieldPath): number {
  const parting = a.steps.findIndex((step, index) => step !== b.steps[index]);
  return parting === -1 ? a.steps.length : parting;
}
