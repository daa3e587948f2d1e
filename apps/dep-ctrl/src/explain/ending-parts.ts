// Namespaces and bindings of a workspace that are being deleted, in kcp's own words about what they wait for. Their conditions quote our refusals; those of
// the workspace only count what is left. Pure.
import { elements, isRecord, recordAt, text, type KubeObject } from '@dep-ctrl/kcp-names';

/** One of them. */
export interface EndingPart {
  readonly what: 'namespace' | 'binding';
  readonly name: string;
  readonly since: string;
  /** What kcp says that it waits for; none: nothing yet. */
  readonly kcpSays: readonly string[];
}

// A condition of a namespace is about something that is still there; the one of a binding about a success.
const SAYS_WHY: Readonly<Record<EndingPart['what'], (type: string, status: string) => boolean>> = {
  namespace: (type, status) => status === 'True' && (type.startsWith('NamespaceDeletion') || /^Namespace\w+Remaining$/.test(type)),
  binding: (type, status) => status === 'False' && type === 'BindingResourceDeleteSuccess',
};

/** The object, if it is being deleted. */
export function endingPart(what: EndingPart['what'], object: KubeObject): EndingPart | undefined {
  const { deletionTimestamp: since, name = '' } = object.metadata;
  if (since === undefined) return undefined;
  const conditions = elements(recordAt(object, 'status')['conditions']).filter(isRecord);
  const telling = conditions.filter(({ type, status }) => SAYS_WHY[what](text(type) ?? '', text(status) ?? ''));
  return { what, name, since, kcpSays: telling.flatMap(({ message }) => text(message) ?? []) };
}

/** As a line. */
export function printEnding({ what, name, since, kcpSays }: EndingPart): string {
  return `  ${what} ${name} is being deleted (since ${since})${kcpSays.length === 0 ? '' : `; kcp says: ${kcpSays.join('; ')}`}`;
}
