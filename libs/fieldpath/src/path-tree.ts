import { EACH, type PathStep } from './field-path.js';

// Up to so many keys are asked for one by one; beyond, it costs less to go through those that the object has.
const FEW = 16;

/**
 * Visits the values that a JSON object or array and the paths have in common, one step on. So a walk meets each value of an object at most once,
 * however many paths there are: whoever makes both must not hold up everybody else.
 */
export function stepInto<B extends { readonly next: ReadonlyMap<PathStep, B> }>(
  node: object,
  { next }: B,
  visit: (value: unknown, branch: B) => void,
): void {
  if (Array.isArray(node)) {
    const each = next.get(EACH);
    if (each !== undefined) for (const element of node) visit(element, each);
    return;
  }
  const fields = node as Readonly<Record<string, unknown>>;
  if (next.size > FEW) {
    for (const [key, value] of Object.entries(fields)) {
      const branch = next.get(key);
      if (branch !== undefined) visit(value, branch);
    }
    return;
  }
  for (const [step, branch] of next) if (typeof step === 'string' && Object.hasOwn(fields, step)) visit(fields[step], branch);
}

/** The branch one step on, which `makeBranch` makes where there is none. */
export function branchAt<B extends { readonly next: Map<PathStep, B> }>({ next }: B, step: PathStep, makeBranch: () => B): B {
  const known = next.get(step);
  if (known !== undefined) return known;
  const made = makeBranch();
  next.set(step, made);
  return made;
}
