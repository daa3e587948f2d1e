// Judges one precondition by its id, for tables of facts and judgements.
import type { Unread } from '../../installation/reading.js';
import { doctorFacts, type DoctorFacts, type Judgement } from '../precondition.js';
import { PRECONDITIONS } from '../preconditions.js';
import { facts, installation, NOW_MS, server } from './whole-facts.js';

/** A row of such a table. */
export interface Row {
  readonly given: string;
  readonly facts: DoctorFacts;
  readonly judgements: readonly Judgement[];
}

/** What a precondition says of the facts. */
export function judge(id: string, given: DoctorFacts): readonly Judgement[] {
  const precondition = PRECONDITIONS.find((each) => each.id === id);
  if (precondition === undefined) throw new Error(`there is no precondition "${id}"`);
  return precondition.judge(given);
}

/** Something that these credentials may not read. */
export const REFUSED: Unread = { state: 'unread', what: 'it', because: 'refused', why: 'role missing: some role' };

/** Something that did not answer. */
export const SILENT: Unread = { state: 'unread', what: 'it', because: 'silent', why: 'no answer' };

/** A kcp of which nothing was read. */
export const NOTHING_READ: DoctorFacts = doctorFacts({ nowMs: NOW_MS, server: server() }, facts().access);

/** An installation where all is well, but for the workspace of dep-ctrl. */
export function inHome(changes: NonNullable<Parameters<typeof installation>[0]>['home'] & object): DoctorFacts {
  return facts({ installation: installation({ home: changes }) });
}

/** A kcp without the workspace of dep-ctrl. */
export const NOT_INSTALLED = { presence: { state: 'missing', what: 'workspace', text: 'there is none' } } as const;

/** `dep-ctrl all` for these facts. */
export const START_ROLES = 'dep-ctrl all --kubeconfig identities/all.kubeconfig';

/** kubectl for these facts. */
export function kubectlIn(workspace: string, command: string): string {
  return `kubectl --server https://kcp.example.com:6443/clusters/${workspace} ${command}`;
}
