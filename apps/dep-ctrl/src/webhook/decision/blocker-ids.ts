import { compareText, entryOf, printGroupResource } from '@dep-ctrl/kcp-names';
import type { Subject } from './admission-review.js';
import type { Blocker, References } from './decide-deletion.js';

/** One blocker as people read it, or a count of them. */
export interface ShownBlocker {
  readonly id: string;
  readonly fieldPath: string;
  readonly isTerminating: boolean;
}

/** One blocking object. */
export interface NamedBlocker extends ShownBlocker {
  /** What kubectl calls it. */
  readonly object: KubectlName;
}

/** The name of an object for kubectl. */
export interface KubectlName {
  /** The plural with the group. */
  readonly type: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** How many objects a refusal names, and how many are looked for. A longer list of names does not help a person. */
export const MOST_NAMED = 10;

/**
 * Names every blocking object once: `Kind/name`, with the namespace if it differs from the subject's, with the group if two kinds of the same name
 * block.
 */
export function nameBlockers(blockers: readonly Blocker[], subject: Pick<Subject, 'namespace'>): readonly NamedBlocker[] {
  const printKind = kindPrinter(blockers);
  const byId = new Map<string, NamedBlocker>();
  for (const { type, fieldPath, dependent } of blockers) {
    const { namespace, name, isTerminating } = dependent;
    const isElsewhere = namespace !== undefined && namespace !== subject.namespace;
    const id = `${printKind(type)}/${isElsewhere ? `${namespace}/` : ''}${name}`;
    const known = byId.get(id);
    const object = { type: printGroupResource(type), namespace, name };
    if (known === undefined || compareText(fieldPath, known.fieldPath) < 0) byId.set(id, { id, fieldPath, isTerminating, object });
  }
  return [...byId.values()].sort((a, b) => compareText(a.id, b.id));
}

/** The number of blocking objects of each kind, for callers that may not see names: `VirtualMachine (2)`. */
export function countBlockers(blockers: readonly Blocker[], isComplete: boolean): readonly ShownBlocker[] {
  const printKind = kindPrinter(blockers);
  const byKind = new Map<string, Blocker[]>();
  for (const blocker of blockers) entryOf(byKind, printKind(blocker.type), () => []).push(blocker);
  return [...byKind]
    .map(([kind, ofKind]) => {
      const objects = new Set(ofKind.map(({ dependent: { namespace, name } }) => JSON.stringify([namespace, name])));
      const [fieldPath = ''] = ofKind.map((each) => each.fieldPath).sort(compareText);
      const isTerminating = ofKind.every(({ dependent }) => dependent.isTerminating);
      return { id: `${kind} (${isComplete ? '' : 'at least '}${objects.size})`, fieldPath, isTerminating };
    })
    .sort((a, b) => compareText(a.id, b.id));
}

/** The part of the blockers that is shown. */
export function shownBlockers(named: readonly ShownBlocker[]): readonly ShownBlocker[] {
  return named.slice(0, MOST_NAMED);
}

/** `VirtualMachine/a, VirtualMachine/b (being deleted) and 3 more`. */
export function printBlockers(named: readonly ShownBlocker[], { isComplete }: Pick<References, 'isComplete'>): string {
  const ids = shownBlockers(named).map(({ id, isTerminating }) => (isTerminating ? `${id} (being deleted)` : id));
  const hidden = named.length - ids.length;
  if (!isComplete) return `${ids.join(', ')} and possibly more`;
  return hidden > 0 ? `${ids.join(', ')} and ${hidden} more` : ids.join(', ');
}

// More rules would not help the reader of a refusal.
const MOST_RULES_SHOWN = 3;

/** The rules by which these objects block, as `workspace/name`: `rule root:compute/vms`. */
export function printRules(blockers: readonly Blocker[]): string {
  const names = [...new Set(blockers.map(({ rule }) => `${rule.path ?? rule.cluster}/${rule.name}`))].sort(compareText);
  const shown = names.slice(0, MOST_RULES_SHOWN).join(', ');
  const more = names.length > MOST_RULES_SHOWN ? ` and ${names.length - MOST_RULES_SHOWN} more` : '';
  return `${names.length === 1 ? 'rule' : 'rules'} ${shown}${more}`;
}

/** The kubectl command that deletes all that are named. If one command is not enough, the names of their types for kubectl. */
export function printForKubectl(named: readonly NamedBlocker[]): string {
  const objects = named.filter(({ isTerminating }) => !isTerminating).map(({ object }) => object);
  const [first] = objects;
  if (first === undefined) return '';
  const isOneCommand =
    named.length <= MOST_NAMED && objects.every(({ type, namespace }) => type === first.type && namespace === first.namespace);
  if (!isOneCommand)
    return `kubectl knows them as ${[...new Set(objects.map(({ type }) => type))].sort(compareText).slice(0, MOST_NAMED).join(', ')}`;
  const inNamespace = first.namespace === undefined ? [] : ['-n', first.namespace];
  return ['kubectl delete', first.type, ...objects.map(({ name }) => name), ...inNamespace].join(' ');
}

function kindPrinter(blockers: readonly Blocker[]): (type: Blocker['type']) => string {
  const groups = new Map<string, Set<string>>();
  for (const { type } of blockers) entryOf(groups, type.kind, () => new Set<string>()).add(type.group);
  return ({ kind, group }) => ((groups.get(kind)?.size ?? 0) > 1 && group !== '' ? `${kind}.${group}` : kind);
}
