// What a teardown waits for, as one line for the log. Pure.
import { compareText, printGroupResource, type GroupResource } from '@dep-ctrl/kcp-names';

/** An object that does not go, and why. */
export interface HeldObject {
  readonly type: GroupResource;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly because:
    | { readonly kind: 'finalizers'; readonly finalizers: readonly string[] }
    | { readonly kind: 'referenced' }
    | { readonly kind: 'refused'; readonly message: string };
}

/** Named in a line; the others are counted. */
export const MOST_NAMED = 10;

/** Which objects are left, sorted. `more`: how many there are beside them. */
export function teardownLine(held: readonly HeldObject[], more = 0): string {
  const texts = held.map(describeHeld).toSorted(compareText);
  const unnamed = more + Math.max(0, texts.length - MOST_NAMED);
  return [...texts.slice(0, MOST_NAMED), ...(unnamed > 0 ? [`and ${unnamed} more`] : [])].join('; ');
}

function describeHeld({ type, namespace, name, because }: HeldObject): string {
  const object = `${printGroupResource(type)} ${namespace === undefined ? name : `${namespace}/${name}`}`;
  switch (because.kind) {
    case 'finalizers':
      return `${object} is held by ${because.finalizers.join(', ')}`;
    case 'referenced':
      return `${object} is still referred to`;
    case 'refused':
      return `${object} is refused: ${because.message}`;
    default:
      return because satisfies never;
  }
}
