/*
 * What one target of a rule comes to: how it stands in the status, and what it has to say to the conditions of the rule. Pure.
 */
import { printGroupResource, type GroupResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import type { RuleDependency, RuleTarget } from '@dep-ctrl/rule-registry';
import { printResolution, type Resolution } from '@dep-ctrl/workspace-resolver';
import { bindCommand } from './bind-command.js';
import type { DecidedCondition } from '../../kcp-objects/conditions.js';
import type { Installation } from '../configuration/installation.js';
import type { Verification, WrongReason } from './verify-schema.js';

/** What is known about one dependency of a rule. */
export interface TargetFacts {
  readonly dependency: RuleDependency;
  /** Undefined: nobody has asked yet. */
  readonly resolution: Resolution | undefined;
  /** Why the guarded provider does not admit this rule, if it does not. */
  readonly consentRefused: string | undefined;
  readonly verification: Verification;
  /** Of the guarded workspace; undefined: it was not reconciled yet with the rule as it is now. */
  readonly installation: Installation | undefined;
  /** The path of dep-ctrl's own workspace, where it is known. */
  readonly home?: WorkspacePath | undefined;
}

/** The condition that says whether everything that a rule names was found. */
export const RESOLVED = 'TargetsResolved';
/** The condition that says whether what a rule wants is written to kcp. True exactly where every target counts as installed. */
export const INSTALLED = 'WebhooksInstalled';

/** A target as the status names it, and what it says against each condition. */
export interface TargetAnswer {
  readonly target: RuleTarget;
  readonly resolved: DecidedCondition | undefined;
  readonly installed: DecidedCondition | undefined;
}

const NO_SUCH_TYPE: readonly string[] = ['ExportNotFound', 'ResourceNotExported'] satisfies readonly WrongReason[];

/** What is to be said about one target. */
export function answerFor(facts: TargetFacts): TargetAnswer {
  const { dependency, resolution, consentRefused, verification } = facts;
  const named = { path: dependency.export.path, resource: printGroupResource(dependency) };
  if (resolution?.state !== 'found') return unresolved(named, facts);
  const found = { ...named, cluster: resolution.cluster };
  const resolved = verificationProblem(verification);
  if (consentRefused !== undefined) {
    return refusedTarget(found, consentRefused, resolved);
  }
  const installed = installationProblem(facts.installation, dependency);
  if (installed?.reason === 'UnknownCluster') return nowhere(named, installed);
  if (resolved !== undefined && NO_SUCH_TYPE.includes(resolved.reason)) return notExportedTarget(found, facts, resolved, installed);
  const message = installed?.message ?? resolved?.message;
  const state =
    installed === undefined ? 'Installed' : installed.status === 'False' && installed.reason !== 'Pending' ? 'Failed' : 'Pending';
  return { target: { ...found, state, ...(message !== undefined && { message }) }, resolved, installed };
}

/**
 * The configuration is written for such a type too. kcp asks about it where another export of that workspace serves it, and about nothing where
 * none does: only the former counts as installed.
 */
function notExportedTarget(
  found: Pick<RuleTarget, 'path' | 'resource'> & { readonly cluster: LogicalClusterName },
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
  const message = `${resolved.message}; it is written to kcp all the same, and in force ${servedBy === undefined ? 'if' : 'once'} that workspace exports such a type`;
  const said: DecidedCondition = { ...resolved, message };
  return { target: { ...found, state: 'Missing', message }, resolved: said, installed: { ...said, type: INSTALLED } };
}

function unresolved(named: Pick<RuleTarget, 'path' | 'resource'>, { dependency, resolution, home }: TargetFacts): TargetAnswer {
  if (resolution === undefined || resolution.state === 'found') {
    const message = `workspace "${dependency.export.path}" has not been looked up yet`;
    return pendingTarget(named, message, 'Unknown', 'Pending');
  }
  const { path } = dependency.export;
  const message = resolution.state === 'forbidden' ? notLookedUp(path, resolution, home) : printResolution(path, resolution);
  if (resolution.state === 'forbidden') return likelyNotFound(pendingTarget(named, message, 'Unknown', 'NotVerified'), resolution);
  if (resolution.state !== 'missing') return pendingTarget(named, message, 'Unknown', 'NotVerified');
  return {
    target: { ...named, state: 'Missing', message },
    resolved: { type: RESOLVED, status: 'False', reason: 'WorkspaceNotFound', message },
    installed: { type: INSTALLED, status: 'False', reason: 'WorkspaceNotFound', message },
  };
}

/** No proof, but what the author should look at first. */
function likelyNotFound(answer: TargetAnswer, { isUnknown }: Resolution & { readonly state: 'forbidden' }): TargetAnswer {
  const { installed } = answer;
  return isUnknown && installed !== undefined ? { ...answer, installed: { ...installed, reason: 'WorkspaceNotFound' } } : answer;
}

/**
 * Nobody needs a right for us to look it up, and a ServiceAccount cannot get it: the provider has to bind dep-ctrl in any case, and then the
 * binding says which workspace it is.
 */
function notLookedUp(
  path: WorkspacePath,
  { workspace, isUnknown }: Resolution & { readonly state: 'forbidden' },
  home: WorkspacePath | undefined,
): string {
  const what = isUnknown ? `kcp knows no workspace "${path}"` : `workspace "${path}" does not exist or does not bind dep-ctrl`;
  const why = isUnknown ? '' : `; which of both cannot be told, as dep-ctrl may not list the workspaces of "${workspace}"`;
  return `${what}: correct the path, or have the provider bind it: ${bindCommand(path, home)}${why}`;
}

/** Whether what is named there exists is no question where nothing is. */
function nowhere(named: Pick<RuleTarget, 'path' | 'resource'>, installed: DecidedCondition): TargetAnswer {
  const { message } = installed;
  return { target: { ...named, state: 'Missing', message }, resolved: { ...installed, type: RESOLVED }, installed };
}

function pendingTarget(named: Pick<RuleTarget, 'path' | 'resource'>, message: string, status: 'Unknown', reason: string): TargetAnswer {
  return {
    target: { ...named, state: 'Pending', message },
    resolved: { type: RESOLVED, status, reason, message },
    installed: { type: INSTALLED, status: 'False', reason: 'Pending', message },
  };
}

function refusedTarget(
  found: Pick<RuleTarget, 'path' | 'resource'> & { readonly cluster: LogicalClusterName },
  message: string,
  resolved: DecidedCondition | undefined,
): TargetAnswer {
  return {
    target: { ...found, state: 'Refused', message },
    resolved,
    installed: { type: INSTALLED, status: 'False', reason: 'ConsentRefused', message },
  };
}

/** What is wrong with a name in the rule, or cannot be known. */
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

function installationProblem(installation: Installation | undefined, wanted: GroupResource): DecidedCondition | undefined {
  const no = (reason: string, message: string): DecidedCondition => ({ type: INSTALLED, status: 'False', reason, message });
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
      return no(installation.reason, installation.message);
    default:
      return installation satisfies never;
  }
}
