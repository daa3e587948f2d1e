// Builds the review that a delete of an object would cause, and turns the decision into text. Pure.
import { printGroupResource, type GroupVersionResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import { SKIP_ANNOTATION } from '@dep-ctrl/rule-registry';
import { HANDED_OVER } from '../own-objects/handed-over.js';
import type { DecidedReview } from '../webhook/decision/review-observer.js';
import type { Blocker, Decision } from '../webhook/decision/decide-deletion.js';
import type { ReviewMode } from '../webhook/decision/review-target.js';
import type { FoundObject, FoundSubject } from './find-subject.js';
import type { Asked } from './installed-configuration.js';
import type { UnreadyRule } from './unready-rules.js';

/** The answer of `explain`. */
export interface Explanation {
  readonly workspace: string;
  readonly object: string;
  readonly namespace?: string;
  readonly allowed: boolean;
  /** The decision's own word: `in-use`, `no-dependents`, `bypassed`, …; `not-installed` or `not-asked` where kcp does not ask for one. */
  readonly because: Decision['because'] | 'not-installed' | 'not-asked';
  /** The message of the refusal. */
  readonly message?: string;
  readonly warnings: readonly string[];
  readonly blockers: readonly ExplainedBlocker[];
  /** Rules about it that are not ready. */
  readonly unready?: readonly string[];
  /** The command that asks kcp itself, where only kcp can show that it gets this answer. */
  readonly check?: string;
}

/** One object that blocks the delete, and the rule. */
export interface ExplainedBlocker {
  readonly rule: string;
  readonly enforcement: string;
  /** Its type: `virtualmachines.compute.example.com`. */
  readonly type: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly fieldPath: string;
  readonly isTerminating: boolean;
}

/** The review that kcp would post for a delete of the object, and the entry of our configuration that would get it. */
export function reviewOf({ type, object }: FoundSubject, asked: Asked): { readonly body: Uint8Array; readonly mode: ReviewMode } {
  const { group, version, resource } = type;
  const review = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'explain',
      operation: 'DELETE',
      kind: { group, version, kind: object.kind ?? '' },
      resource: { group, version, resource },
      name: object.metadata.name,
      namespace: object.metadata.namespace,
      userInfo: { username: 'dep-ctrl-explain' },
      object: null,
      oldObject: object,
      dryRun: true,
    },
  };
  const isBypassed = object.metadata.annotations?.[SKIP_ANNOTATION] === 'true';
  const mode = asked === HANDED_OVER ? HANDED_OVER : 'enforcing';
  return { body: new TextEncoder().encode(JSON.stringify(review)), mode: isBypassed ? 'bypass' : mode };
}

/** The explanation of a decision. */
export function explanationOf({ review, decision, answer }: DecidedReview, workspace: LogicalClusterName | WorkspacePath): Explanation {
  const subject = review.kind === 'deletion' ? review.request.subject : undefined;
  return {
    workspace,
    object: subject === undefined ? '' : `${subject.resource}/${subject.name}`,
    ...(subject?.namespace === undefined ? {} : { namespace: subject.namespace }),
    allowed: answer.allowed,
    because: decision.because,
    ...(answer.allowed ? {} : { message: answer.status.message }),
    warnings: answer.warnings,
    blockers: blockersOf(decision).map(explained),
  };
}

/**
 * Adds the rules that are not ready, and what kcp makes of a refusal. Without a configuration kcp calls no webhook, and the delete goes through. If nobody
 * may read whether there is one, the statuses tell: only rules without a configuration block nothing.
 */
export function withUnready(explanation: Explanation, rules: readonly UnreadyRule[], asked: Asked): Explanation {
  const isSettled = explanation.allowed || asked === 'yes' || asked === HANDED_OVER;
  // A rule without a status says nothing against what is known.
  const unready = rules.filter(({ isSeen }) => isSeen || !isSettled).map(({ text }) => text);
  const told = unready.length === 0 ? explanation : { ...explanation, unready };
  if (isSettled) return told;
  if (asked === 'no' || !isRefusedByStatuses(explanation, rules)) {
    const { message: _, ...rest } = told;
    return { ...rest, allowed: true, because: explanation.because === 'in-use' ? 'not-installed' : 'not-asked' };
  }
  return rules.every(({ isSeen }) => isSeen) ? told : { ...told, warnings: [...told.warnings, UNSEEN] };
}

/** A warning: the answer may be another one. */
export const UNSEEN =
  'these credentials may not read whether kcp asks dep-ctrl: until a controller has looked at the rule, a delete may go through';

function isRefusedByStatuses({ because, blockers }: Explanation, rules: readonly UnreadyRule[]): boolean {
  const idle = new Set(rules.filter(({ isNotInstalled }) => isNotInstalled).map(({ rule }) => rule));
  return idle.size === 0 || because !== 'in-use' || blockers.some(({ rule, enforcement }) => enforcement === 'Deny' && !idle.has(rule));
}

// Allowed because of what was found for rules. No rule, the annotation, or a deletion that is under way needs no answer of ours.
const BY_RULES: ReadonlySet<Explanation['because']> = new Set(['no-dependents', 'tolerated', 'owner-waits']);

const CONFIGURED =
  'kcp still asks dep-ctrl about its type, because a configuration is installed: a delete may be refused until the rule is read or the configuration is removed';

/** Says that kcp asks for a type that no rule guards: right after dep-ctrl was made anew, or a rule was deleted. */
export function withConfiguration(explanation: Explanation): Explanation {
  return { ...explanation, warnings: [...explanation.warnings, CONFIGURED] };
}

/** How people reach this kcp. */
export interface Reached {
  readonly baseUrl: string;
  readonly flags: readonly string[];
}

/** Adds the command that asks kcp, where there is something to ask. */
export function withCheck(explanation: Explanation, { type, object }: FoundObject, reached: Reached): Explanation {
  const { workspace, namespace, allowed, because, warnings } = explanation;
  const isDoubtful = (allowed && (BY_RULES.has(because) || warnings.includes(CONFIGURED))) || warnings.includes(UNSEEN);
  if (!isDoubtful) return explanation;
  return { ...explanation, check: dryRunOf({ type, workspace, namespace, name: object.metadata.name ?? '' }, reached) };
}

/** An object, by what kubectl is told. */
export interface NamedObject {
  readonly type: GroupVersionResource;
  readonly workspace: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** The command that asks kcp whether a delete of the object would go through. */
export function dryRunOf({ type, workspace, namespace, name }: NamedObject, { baseUrl, flags }: Reached): string {
  const server = [...flags, '--server', `${baseUrl}/clusters/${workspace}`];
  const named = [printGroupResource(type), name, ...(namespace === undefined ? [] : ['-n', namespace])];
  return ['kubectl', ...server, 'delete', ...named, '--dry-run=server'].join(' ');
}

/** What to say about an object that no export serves. */
export function unguarded({ type, object }: FoundObject, workspace: LogicalClusterName | WorkspacePath): Explanation {
  const { name = '', namespace } = object.metadata;
  return {
    workspace,
    object: `${type.resource}/${name}`,
    ...(namespace === undefined ? {} : { namespace }),
    allowed: true,
    because: 'not-guarded',
    warnings: [],
    blockers: [],
  };
}

/** Adds a warning for an object whose delete makes kcp delete other objects. */
export function withContent(explanation: Explanation, found: FoundObject): Explanation {
  const holder = workspaceOfContent(found, explanation.workspace);
  if (holder === undefined || !explanation.allowed) return explanation;
  const content = `kcp then deletes what is in it one by one, and what is still referenced is held: dep-ctrl explain --workspace ${holder} names it`;
  return { ...explanation, warnings: [...explanation.warnings, content] };
}

/** Where the objects are that kcp deletes with this one; undefined where it goes alone. */
function workspaceOfContent({ type, object }: FoundObject, workspace: string): string | undefined {
  switch (printGroupResource(type)) {
    case 'namespaces':
    case 'apibindings.apis.kcp.io':
      return workspace;
    case 'workspaces.tenancy.kcp.io': {
      const { cluster } = (object['spec'] ?? {}) as { readonly cluster?: unknown };
      return typeof cluster === 'string' && cluster !== '' ? cluster : undefined;
    }
    default:
      return undefined;
  }
}

/** The explanation as text. */
export function printExplanation(explanation: Explanation): string {
  const { workspace, object, namespace, allowed, because, message, warnings, blockers, unready = [], check } = explanation;
  const where = namespace === undefined ? workspace : `${workspace}, namespace ${namespace}`;
  const lines = [
    `${object} in ${where}: a delete would ${allowed ? `go through (${ALLOWED_BECAUSE[because] ?? because})` : 'be refused'}`,
    ...(message === undefined ? [] : [`  ${message}`]),
    ...warnings.map((warning) => `  warning: ${warning}`),
    ...blockers.map(printBlocker),
    ...unready.map((rule) => `  but ${rule}`),
    ...(check === undefined ? [] : [`  this is the answer of dep-ctrl; to see that of kcp, run: ${check}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Why a delete goes through, for people. */
export const ALLOWED_BECAUSE: Partial<Record<Explanation['because'], string>> = {
  'not-installed': 'it is referred to, and kcp does not ask dep-ctrl: no configuration is installed for the rule',
  'not-asked': 'kcp does not ask dep-ctrl: no configuration is installed for its type',
  bypassed: 'its annotation lifts the protection',
  terminating: 'it is being deleted already',
  'not-guarded': 'no rule guards its type',
  'no-dependents': 'nothing refers to it',
  'owner-waits': 'what refers to it is being deleted, owns it and waits for it',
  tolerated: 'what refers to it is under rules that only warn or audit',
};

function printBlocker({ rule, enforcement, kind, namespace, name, fieldPath, isTerminating }: ExplainedBlocker): string {
  const id = namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
  return `  rule ${rule} (${enforcement}): ${id} ${fieldPath}${isTerminating ? ', which is being deleted' : ''}`;
}

function blockersOf(decision: Decision): readonly Blocker[] {
  const tolerated = 'tolerated' in decision ? decision.tolerated.blockers : [];
  if (decision.because === 'owner-waits') return [...decision.owners, ...tolerated];
  return decision.because === 'in-use' ? [...decision.blockers, ...tolerated] : tolerated;
}

function explained({ rule, type, fieldPath, dependent }: Blocker): ExplainedBlocker {
  return {
    rule: `${rule.path ?? rule.cluster}/${rule.name}`,
    enforcement: rule.enforcement,
    type: printGroupResource(type),
    kind: type.kind,
    ...(dependent.namespace === undefined ? {} : { namespace: dependent.namespace }),
    name: dependent.name,
    fieldPath,
    isTerminating: dependent.isTerminating,
  };
}
