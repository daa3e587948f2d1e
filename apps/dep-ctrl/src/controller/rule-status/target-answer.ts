/*
 * One target of a rule: its entry in the status, and its part in the rule's conditions. Pure.
 */
import { nameOfPath, printGroupResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import type { RuleDependency, RuleTarget, ConditionReason } from '@dep-ctrl/rule-registry';
import type { Verification, WrongReason } from '@dep-ctrl/exported-types';
import { bindCommand } from '../../command-line/bind-command.js';
import type { DecidedCondition } from '../../own-objects/conditions.js';
import type { Installation } from '../configuration/installation.js';

/** The facts about one dependency of a rule. */
export interface TargetFacts {
  readonly dependency: RuleDependency;
  /**
   * The workspace of the target. `not-bound`: no workspace at that path binds dep-ctrl, whether it exists or not; undefined: kcp has not been asked yet.
   */
  readonly place: LogicalClusterName | 'not-bound' | undefined;
  /** Why the guarded provider does not admit this rule, if it does not. */
  readonly consentRefused: string | undefined;
  readonly verification: Verification;
  /** Of the guarded workspace; undefined: not reconciled yet with this version of the rule. */
  readonly installation: Installation | undefined;
  /** The path of dep-ctrl's own workspace, where it is known. */
  readonly home?: WorkspacePath | undefined;
}

/** The condition that says whether everything that a rule names was found. */
export const RESOLVED = 'TargetsResolved';
/** The condition that says whether what a rule wants is written to kcp. True exactly where every target counts as installed. */
export const INSTALLED = 'WebhooksInstalled';

/** The entry of a target in the status, and its problem with each condition. */
export interface TargetAnswer {
  readonly target: RuleTarget;
  readonly resolved: DecidedCondition | undefined;
  readonly installed: DecidedCondition | undefined;
}

const NO_SUCH_TYPE: readonly string[] = ['ExportNotFound', 'ResourceNotExported'] satisfies readonly WrongReason[];

/** The answer for one target. */
export function answerFor(facts: TargetFacts): TargetAnswer {
  const { dependency, place, consentRefused, verification } = facts;
  const named = { path: dependency.export.path, resource: printGroupResource(dependency) };
  if (place === undefined) return pendingTarget(named);
  if (place === 'not-bound') return notBoundTarget(named, facts);
  const resolved = verificationProblem(verification) ?? meaninglessNamespace(dependency, verification);
  if (consentRefused !== undefined) return refusedTarget(named, consentRefused, resolved);
  const installed = installationProblem(facts.installation, dependency);
  if (resolved !== undefined && NO_SUCH_TYPE.includes(resolved.reason)) return notExportedTarget(named, facts, resolved, installed);
  const message = installed?.message ?? resolved?.message;
  const state = installed === undefined ? 'Installed' : installed.reason === 'Pending' ? 'Pending' : 'Failed';
  return { target: { ...named, state, ...(message !== undefined && { message }) }, resolved, installed };
}

/**
 * The configuration is written for a type that the named export does not serve, too. If another export of that workspace serves it, kcp calls the webhook
 * and the target counts as installed; otherwise kcp does not.
 */
function notExportedTarget(
  found: Pick<RuleTarget, 'path' | 'resource'>,
  { verification }: TargetFacts,
  resolved: DecidedCondition,
  installed: DecidedCondition | undefined,
): TargetAnswer {
  if (installed !== undefined) return { target: { ...found, state: 'Missing', message: resolved.message }, resolved, installed };
  const servedBy = verification.state === 'wrong' ? verification.servedBy : undefined;
  if (servedBy !== undefined && servedBy.length > 0) {
    const message = `in force as written, although ${resolved.message}`;
    return { target: { ...found, state: 'Installed', message }, resolved: { ...resolved, message }, installed };
  }
  const message = `${resolved.message}; the configuration is written, and takes effect ${servedBy === undefined ? 'if' : 'once'} that workspace exports the type`;
  const said: DecidedCondition = { ...resolved, message };
  return { target: { ...found, state: 'Missing', message }, resolved: said, installed: { ...said, type: INSTALLED } };
}

/**
 * The same answer for a workspace that does not bind dep-ctrl and for one that does not exist: authors must not learn which workspaces exist.
 */
function notBoundTarget(named: Pick<RuleTarget, 'path' | 'resource'>, { dependency, home }: TargetFacts): TargetAnswer {
  const { path } = dependency.export;
  const name = nameOfPath(path);
  const remedy =
    name === undefined || name === ROOT
      ? `correct the path, or have its owner bind it: ${bindCommand(path, home)}`
      : `a workspace path begins with "root:", such as "root:${path}"; "${path}" alone names a logical cluster`;
  const message = `no workspace at "${path}" binds dep-ctrl: ${remedy}`;
  const no = { status: 'False', reason: 'NotBound', message } as const;
  return {
    target: { ...named, state: 'Missing', message },
    resolved: { type: RESOLVED, ...no },
    installed: { type: INSTALLED, ...no },
  };
}

// A path of one segment that everybody knows.
const ROOT = 'root';

function pendingTarget(named: Pick<RuleTarget, 'path' | 'resource'>): TargetAnswer {
  const message = `"${named.path}" has not been looked up yet`;
  return {
    target: { ...named, state: 'Pending', message },
    resolved: { type: RESOLVED, status: 'Unknown', reason: 'Pending', message },
    installed: { type: INSTALLED, status: 'False', reason: 'Pending', message },
  };
}

function refusedTarget(
  found: Pick<RuleTarget, 'path' | 'resource'>,
  message: string,
  resolved: DecidedCondition | undefined,
): TargetAnswer {
  return {
    target: { ...found, state: 'Refused', message },
    resolved,
    installed: { type: INSTALLED, status: 'False', reason: 'ConsentRefused', message },
  };
}

/** A wrong name in the rule, or one that cannot be verified. */
export function verificationProblem(verification: Verification): DecidedCondition | undefined {
  switch (verification.state) {
    case 'verified':
      return undefined;
    case 'not-verified':
      return { type: RESOLVED, status: 'Unknown', reason: 'NotVerified', message: verification.problem };
    case 'wrong':
      return { type: RESOLVED, status: 'False', reason: verification.reason, message: verification.message };
    default:
      return verification satisfies never;
  }
}

/** Refused at the door where the scope can be read in time. What is stored all the same is judged by name alone, as the rule is in force. */
function meaninglessNamespace(dependency: RuleDependency, verification: Verification): DecidedCondition | undefined {
  const { index, namespacePath } = dependency;
  if (namespacePath === undefined || verification.state !== 'verified' || verification.isClusterScoped !== true) return undefined;
  const place = `.spec.dependencies[${index}].fieldRef.namespacePath`;
  const message = `${place}: remove this field, as ${printGroupResource(dependency)} are cluster-scoped`;
  return { type: RESOLVED, status: 'False', reason: 'MeaninglessNamespace', message };
}

/** In the words of kcp, which name clusters and addresses, and may be the words of a policy there: they are for that workspace, whose guard has them. */
const OF_THE_GUARD: ReadonlySet<ConditionReason> = new Set(['Forbidden', 'Invalid', 'Unreachable']);

function installationProblem(installation: Installation | undefined, wanted: RuleDependency): DecidedCondition | undefined {
  const no = (reason: ConditionReason, message: string): DecidedCondition => ({ type: INSTALLED, status: 'False', reason, message });
  if (installation === undefined) return no('Pending', 'the guarded workspace is about to be looked at');
  switch (installation.state) {
    case 'installed':
      return installation.resources.some(({ group, resource }) => group === wanted.group && resource === wanted.resource)
        ? undefined
        : no('Pending', 'the configuration is about to be written');
    case 'waiting':
    case 'pending':
      return no('Pending', installation.message);
    case 'failed':
      return no(
        installation.reason,
        OF_THE_GUARD.has(installation.reason)
          ? `the configuration for "${wanted.export.path}" could not be written: the status of the guard there says why`
          : installation.message,
      );
    default:
      return installation satisfies never;
  }
}
