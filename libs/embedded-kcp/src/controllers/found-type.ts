import { NotYet } from '../background/work-queue.js';
import type { ShardControl } from '../background/controller-context.js';
import { BrokenType, typeClosure, type TypeReference } from '../kcp/kinds/workspace-types.js';
import type { StoredObject } from '../storage/stored-object.js';

/** A type with all that it extends. */
export interface FoundType {
  readonly type: StoredObject;
  readonly closure: readonly StoredObject[];
}

/** The type of a workspace, as a shard knows it; what is not there yet is looked for again later. */
export function foundType({ findType }: ShardControl, reference: TypeReference): FoundType {
  const type = findType(reference);
  if (type === undefined) throw new NotYet(`workspace type ${reference.path}:${reference.name} is not there`);
  try {
    return { type, closure: typeClosure(type, findType) };
  } catch (error) {
    if (error instanceof BrokenType) throw new NotYet(error.message);
    throw error;
  }
}
