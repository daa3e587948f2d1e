// What a teardown waits for, as one line for the log. Pure.
import { printFirst } from '@dep-ctrl/exported-types';
import { compareText, printGroupResource, type GroupResource } from '@dep-ctrl/kcp-names';

/** An object that does not go, and why. */
export interface HeldObject {
  readonly type: GroupResource;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly because:
    | { readonly kind: 'finalizers'; readonly finalizers: readonly string[] }
    | { readonly kind: 'referenced' }
    | { readonly kind: 'refused'; readonly message: string }
    | { readonly kind: 'unanswered' };
}

/** Named in a line; the others are counted. */
export const MOST_NAMED = 10;

// Tenants write these texts, and a log is read by people.
const MOST_FINALIZERS = 3;
const MOST_OF_NAME = 100;
const MOST_OF_MESSAGE = 300;

/** Which objects are left, sorted. `more`: how many there are beside them. */
export function teardownLine(held: readonly HeldObject[], more = 0): string {
  const texts = held.map(describeHeld).toSorted(compareText);
  const unnamed = more + Math.max(0, texts.length - MOST_NAMED);
  return [...texts.slice(0, MOST_NAMED), ...(unnamed > 0 ? [`and ${unnamed} more`] : [])].join('; ');
}

/** A failure, as what a workspace waits for. */
export function failureLine(failure: unknown): string {
  return shortened(failure instanceof Error ? failure.message : String(failure), MOST_OF_MESSAGE);
}

function describeHeld({ type, namespace, name, because }: HeldObject): string {
  const object = `${printGroupResource(type)} ${namespace === undefined ? name : `${namespace}/${name}`}`;
  switch (because.kind) {
    case 'finalizers':
      return `${object} is held by ${printFirst(
        because.finalizers.map((each) => shortened(each, MOST_OF_NAME)),
        { most: MOST_FINALIZERS },
      )}`;
    case 'referenced':
      return `${object} is still referred to`;
    case 'refused':
      return `${object} is refused: ${shortened(because.message, MOST_OF_MESSAGE)}`;
    case 'unanswered':
      return `${object}: kcp does not answer its delete in time; a webhook may keep it waiting`;
    default:
      return because satisfies never;
  }
}

/** The text, or its beginning where it is longer. */
function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
