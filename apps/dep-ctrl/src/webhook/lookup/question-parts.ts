import { JsonProjection } from '@dep-ctrl/fieldpath';
import type { TypeQuestion } from './type-question.js';

// What a decision needs of any dependent, beside its references.
const OF_ALL = [['kind'], ...['name', 'namespace', 'uid', 'deletionTimestamp'].map((key) => ['metadata', key])];

// A question is the same until a rule changes, and so are its paths.
const projections = new WeakMap<TypeQuestion, JsonProjection>();

/** Which parts of the objects of a type are read to answer a question. */
export function partsOf(question: TypeQuestion): JsonProjection {
  const known = projections.get(question);
  if (known !== undefined) return known;
  const paths = question.queries.flatMap(({ fieldPath, namespacePath }) => [
    fieldPath.steps,
    ...(namespacePath === undefined ? [] : [namespacePath.steps]),
  ]);
  const made = new JsonProjection([...OF_ALL, ...paths]);
  projections.set(question, made);
  return made;
}
