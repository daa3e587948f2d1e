import { EACH, type FieldPath, type PathStep } from './field-path.js';

/**
 * Every string at the path, in the order of the object; arrays fan out at `[*]`.
 *
 * Never throws on any JSON value. Reads own properties only, so a prototype is never a field. Numbers, booleans, objects and
 * missing fields are no names and yield nothing; so do a name on an array and `[*]` on anything but an array.
 */
export function readFieldPath(object: unknown, path: FieldPath): readonly string[] {
  return stringsAt(object, path.steps);
}

/** Every string that the steps lead to. */
export function stringsAt(node: unknown, steps: readonly PathStep[]): readonly string[] {
  return nodesAt(node, steps).filter((found) => typeof found === 'string');
}

/** Every JSON value that the steps lead to. */
export function nodesAt(node: unknown, steps: readonly PathStep[]): readonly unknown[] {
  const found: unknown[] = [];
  collect(node, steps, 0, found);
  return found;
}

// Recursion is as deep as a path has `[*]`, and a path's length is bounded.
function collect(start: unknown, steps: readonly PathStep[], from: number, found: unknown[]): void {
  let node = start;
  for (let index = from; index < steps.length; index++) {
    const step = steps[index];
    if (step === EACH) {
      if (!Array.isArray(node)) return;
      for (const element of node) collect(element, steps, index + 1, found);
      return;
    }
    if (step === undefined || !hasKey(node, step)) return;
    node = node[step];
  }
  found.push(node);
}

function hasKey<K extends string>(node: unknown, key: K): node is Record<K, unknown> {
  return typeof node === 'object' && node !== null && !Array.isArray(node) && Object.hasOwn(node, key);
}
