// What rules held before they were edited into something that cannot be read: who refers to it, nobody can tell. Only that nobody does is
// known where the consumer has bound nothing of its dependent's group from the rule's workspace, which is where the export of it lives.
import type { GuardRuleRef, HeldResource } from '@dep-ctrl/rule-registry';
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import type { Subject } from '../review/admission-review.js';
import { mayHoldOf, type ConsumerBinding } from './consumer-bindings.js';
import type { LookupOptions } from './dependent-lookup.js';
import type { Finding, Lookup } from '../review/lookup.js';
import { lookupFailureOf } from './lookup-failure.js';
import type { WorkspaceReads } from '../lists/workspace-reads.js';

/** What a rule held, with the path of the rule's workspace where it is known. */
export interface HeldByRule extends HeldResource {
  readonly path?: WorkspacePath;
}

/** Looks up what cannot be read from rules any more. */
export class HeldLookup {
  readonly #reads: Pick<WorkspaceReads, 'bindings'>;

  constructor({ reads }: { readonly reads: Pick<WorkspaceReads, 'bindings'> }) {
    this.#reads = reads;
  }

  /** A finding for everything that was held. Never rejects for what kcp answers or fails to. */
  async find(subject: Subject, held: readonly HeldByRule[], options: LookupOptions): Promise<readonly Finding[]> {
    try {
      const bindings = await this.#reads.bindings(subject.cluster, options);
      return held.map((each) => findingOf(each, lookupIn(bindings, each)));
    } catch (failure) {
      const lookup: Lookup = { answer: 'cannot-tell', failure: lookupFailureOf(failure, options) };
      return held.map((each) => findingOf(each, lookup));
    }
  }
}

function lookupIn(bindings: readonly ConsumerBinding[], { rule, ref, path }: HeldByRule): Lookup {
  const { group } = dependentOf(ref);
  if (!mayHoldOf(bindings, { exporter: rule.cluster, exporterPath: path, group })) return { answer: 'not-bound' };
  const [{ path: where, message }] = rule.problems;
  return { answer: 'cannot-tell', failure: { code: 'rule-unreadable', lasting: true, problem: `${where}: ${message}` } };
}

function findingOf({ rule, ref, path }: HeldByRule, lookup: Lookup): Finding {
  const { group, kind } = dependentOf(ref);
  const { cluster, name } = rule;
  return {
    rule: { cluster, name, ...(path !== undefined && { path }), enforcement: ref.enforcement, whileTerminating: 'Block' },
    // The guard does not say the resource, and nothing is listed.
    type: { group, resource: '', kind },
    fieldPath: '',
    lookup,
  };
}

/** From its spelling for people (`VirtualMachine.compute.example.com`): no kind holds a dot. */
function dependentOf({ dependent }: GuardRuleRef): { readonly kind: string; readonly group: string } {
  const [kind = '', ...group] = dependent.split('.');
  return { kind, group: group.join('.') };
}
