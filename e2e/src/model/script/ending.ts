// What becomes of many objects that kcp deletes together: by a delete of a collection, and in the teardown of a namespace, a binding or a workspace.
// kcp goes through a collection in the order of names and stops at the first refusal; a teardown begins anew with every collection until nothing
// is left, so it stays where an object is held by one that kcp never comes to.
import { holdersOf } from './expected.js';
import { isSameType, type ModelObject } from './referenced.js';
import { isSameObject, withoutObjects, type State } from './state.js';

/** What goes, and what stays for as long as nobody helps. */
export interface Ending {
  readonly gone: readonly ModelObject[];
  readonly left: readonly ModelObject[];
}

/** One delete of a collection. */
export function sweep(state: State, collection: readonly ModelObject[]): Ending {
  const ordered = [...collection].sort((one, other) => (one.name < other.name ? -1 : 1));
  let now = state;
  for (const [n, object] of ordered.entries()) {
    if (holdersOf(now, object).length > 0) return { gone: ordered.slice(0, n), left: ordered.slice(n) };
    now = withoutObjects(now, [object]);
  }
  return { gone: ordered, left: [] };
}

/** A teardown: the objects of a phase are deleted once nothing of the phase before is left. */
export function teardown(state: State, phases: readonly (readonly ModelObject[])[]): Ending {
  let now = state;
  const gone: ModelObject[] = [];
  for (const phase of phases) {
    for (let left = phase; ;) {
      const went = collectionsOf(left).flatMap((collection) => {
        const ending = sweep(now, collection);
        now = withoutObjects(now, ending.gone);
        return ending.gone;
      });
      gone.push(...went);
      left = left.filter((object) => !went.some((other) => isSameObject(other, object)));
      if (went.length === 0) {
        if (left.length > 0) return { gone, left: phases.flat().filter((object) => !gone.some((other) => isSameObject(other, object))) };
        break;
      }
    }
  }
  return { gone, left: [] };
}

/** The teardown of a workspace: kcp begins with what lives in namespaces; the rest goes with the bindings, which go last. */
export function phasesOfWorkspace(objects: readonly ModelObject[]): readonly (readonly ModelObject[])[] {
  return [objects.filter(({ namespace }) => namespace !== undefined), objects.filter(({ namespace }) => namespace === undefined)];
}

function collectionsOf(objects: readonly ModelObject[]): readonly (readonly ModelObject[])[] {
  const collections: ModelObject[][] = [];
  for (const object of objects) {
    const own = collections.find(
      ([first]) => first !== undefined && isSameType(first.type, object.type) && first.namespace === object.namespace,
    );
    if (own === undefined) collections.push([object]);
    else own.push(object);
  }
  return collections;
}
