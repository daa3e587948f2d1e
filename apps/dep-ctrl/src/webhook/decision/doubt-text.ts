import { compareText, type GroupResource, printGroupResource, quote } from '@dep-ctrl/kcp-names';
import type { Doubt } from './decide-deletion.js';
import type { LookupFailure } from './lookup.js';

/** The reason of a doubt, and what to do about it. Without cluster names, because consumers read it. */
export interface DoubtText {
  readonly why: string;
  readonly remedy: string;
}

const OPERATOR = 'the log of dep-ctrl tells its operator what is missing';
const AGAIN = 'try again in a moment';

/** A doubt in words. */
export function describeDoubt({ rule, type, failure }: Doubt): DoubtText {
  return describeFailure(failure, { type, rule: rule.name });
}

/** Why something could not be read, in words. */
export function describeFailure(
  failure: LookupFailure,
  { type, rule }: { readonly type: GroupResource; readonly rule: string },
): DoubtText {
  const types = printGroupResource(type);
  switch (failure.code) {
    case 'unauthorized':
      return { why: 'kcp does not accept the credentials of dep-ctrl', remedy: OPERATOR };
    case 'forbidden':
      return {
        why: `dep-ctrl may not read ${types} here`,
        remedy: `an admin of kcp's shards must run, with FILE once per shard: dep-ctrl bind PATH --shard-kubeconfig FILE, where PATH is the workspace that exports ${types}`,
      };
    case 'version-not-served':
      return {
        why: `${types} is no longer served in version ${failure.version}`,
        remedy: `the author of rule ${quote(rule)} can name a version that is served`,
      };
    case 'export-recreated':
      return {
        why: `kcp has not yet moved APIBinding ${quote(failure.binding)} to the new export that replaced the one of the same name`,
        remedy: AGAIN,
      };
    case 'too-large':
      return { why: `single objects of ${types} are too large to be read`, remedy: 'make them smaller, or delete them' };
    case 'timeout':
      return { why: `${types} could not be read in time`, remedy: AGAIN };
    case 'throttled':
      return { why: `kcp has no capacity to list ${types} now`, remedy: AGAIN };
    case 'unavailable':
      return { why: `kcp could not list ${types}`, remedy: AGAIN };
    case 'unreachable':
      return { why: 'kcp could not be reached', remedy: AGAIN };
    case 'not-served':
      return { why: `${types} is bound here but not served at the moment`, remedy: AGAIN };
    case 'unreadable':
      return { why: `the list of ${types} could not be understood`, remedy: AGAIN };
    case 'changing':
      return { why: `the list of ${types} kept changing while it was read`, remedy: AGAIN };
    case 'not-finished':
      return { why: `${types} were not read to the end`, remedy: AGAIN };
    default:
      return failure satisfies never;
  }
}

/** Doubts in words: each text once, in stable order. If rules name one type by several kinds, the first kind. */
export function describeDoubts(doubts: readonly Doubt[]): readonly (DoubtText & { readonly kind: string })[] {
  const texts = doubts.map((doubt) => ({ ...describeDoubt(doubt), kind: doubt.type.kind, type: printGroupResource(doubt.type) }));
  const byText = new Map(
    texts.sort((a, b) => compareText(b.kind, a.kind)).map(({ type, ...each }) => [`${type}\n${each.why}\n${each.remedy}`, each]),
  );
  return [...byText.values()].sort((a, b) => compareText(printDoubt(a), printDoubt(b)));
}

function printDoubt({ kind, why, remedy }: DoubtText & { readonly kind: string }): string {
  return `${kind}\n${why}\n${remedy}`;
}
