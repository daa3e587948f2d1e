import { printGroupResource, type GroupResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import type { KcpError } from '@dep-ctrl/kcp-client';
import type { GuardRuleEntry, Rule, RuleDependency } from '@dep-ctrl/rule-registry';
import type { InstallOutcome } from '@dep-ctrl/webhook-installer';
import { bindCommand } from '../../command-line/bind-command.js';
import { resourceOf } from '../../rules/guard-entries.js';

/** Why the configuration of a guarded workspace is not as the rules want it; the reason of conditions on rules and guards. */
export type InstallFailure = 'NoRoom' | 'NotBound' | 'ClaimNotAccepted' | 'Conflict' | 'Forbidden' | 'Invalid' | 'Unreachable';

/** How far the configuration of one guarded workspace has come. */
export type Installation =
  /** Too little is known for an answer: the previous status stays. */
  | { readonly state: 'waiting'; readonly message: string }
  /** `named`: the rules and resources that the guard names, as keys of `naming`. `noRoom`: keys of those that did not fit. */
  | {
      readonly state: 'installed';
      readonly resources: readonly GroupResource[];
      readonly named: ReadonlySet<string>;
      readonly noRoom: ReadonlySet<string>;
    }
  | { readonly state: 'pending'; readonly message: string }
  | { readonly state: 'failed'; readonly reason: InstallFailure; readonly message: string };

/** The guarded workspace of an outcome. */
export interface InstallationContext {
  readonly cluster: LogicalClusterName;
  /** Of the workspace, where it is known. */
  readonly path: WorkspacePath | undefined;
  readonly exportName: string;
  /** The path of dep-ctrl's own workspace, where it is known. */
  readonly home?: WorkspacePath | undefined;
  /** The entries of its configuration. */
  readonly entries: readonly GuardRuleEntry[];
  /** The entries that it should have. */
  readonly wanted: readonly GuardRuleEntry[];
}

/** A workspace in words: its path if that is known. */
export function printWorkspace(cluster: LogicalClusterName, path: WorkspacePath | undefined): string {
  return path === undefined ? `logical cluster ${cluster}` : `workspace "${path}"`;
}

/** The installation that follows from an outcome, with what to do about it. */
export function installationOf(
  outcome: InstallOutcome,
  { cluster, path, exportName, home, entries, wanted }: InstallationContext,
): Installation {
  const workspace = printWorkspace(cluster, path);
  switch (outcome.state) {
    case 'installed':
    case 'unchanged':
      return installed(entries, wanted);
    case 'removed':
    case 'absent':
      return { state: 'pending', message: `the configuration in ${workspace} was removed` };
    case 'pending':
      return { state: 'pending', message: outcome.problem };
    case 'conflict':
      return failed('Conflict', conflictMessage(workspace, outcome.owner, bindCommand(path ?? cluster, home)));
    case 'unseen':
      return failed(
        'Conflict',
        `${workspace} has a ValidatingWebhookConfiguration dependency-controller that dep-ctrl may not see, most likely of an installation that is gone: bind the workspace again (${bindCommand(path ?? cluster, home)}), which hands it over`,
      );
    case 'not-bound':
      return failed(
        'NotBound',
        `${workspace} does not bind ${exportName}: its owner should bind it (${bindCommand(path ?? cluster, home)})`,
      );
    case 'claim-not-accepted':
      return failed(
        'ClaimNotAccepted',
        `in ${workspace} ${outcome.problem}: its owner should accept validatingwebhookconfigurations there; until then a configuration that was written before stays and keeps refusing`,
      );
    case 'forbidden':
      return failed('Forbidden', `may not write to ${workspace}: ${outcome.problem}`);
    case 'invalid':
      return failed('Invalid', `kcp does not accept the configuration for ${workspace}: ${outcome.problem}`);
    case 'unreachable':
      return failed('Unreachable', `cannot write to ${workspace}: ${outcome.problem}`);
    default:
      return outcome satisfies never;
  }
}

/** The installation while another writer changes the configuration again and again. */
export const FOUGHT_ABOUT = {
  state: 'pending',
  message:
    'another writer changes the configuration again and again, most likely another controller of dep-ctrl for the same export: start no "all" and no "controller" with --leader-elect=false; until then it is repaired with growing pauses',
} as const satisfies Installation;

/** The installation that follows from a failed call. */
export function installationAfter(error: KcpError): Installation {
  if (error.code !== 'forbidden') return failed('Unreachable', error.message);
  return failed('Forbidden', `${error.message}: ${OWN_RIGHTS}`);
}

/** A key for a rule, in the version that the guard names, and a resource. */
export function naming({ cluster, rule, uid, generation, resource }: Omit<GuardRuleEntry, 'dependent' | 'enforcement'>): string {
  return [cluster, rule, resource, uid, generation].join('/');
}

/**
 * The installation as one target of a rule sees it. Undefined: the guard does not name this version of the rule yet. A webhook that cannot read the rule
 * relies on the guard, so the rule is not in force there before the guard names it.
 */
export function installationFor(
  { cluster, name: rule, uid, generation }: Rule,
  dependency: RuleDependency,
  installation: Installation | undefined,
): Installation | undefined {
  if (installation?.state !== 'installed') return installation;
  const own = naming({ cluster, rule, uid, generation, resource: printGroupResource(dependency) });
  if (installation.noRoom.has(own)) return failed('NoRoom', NO_ROOM);
  return installation.named.has(own) ? installation : undefined;
}

const NO_ROOM =
  'the rules of this workspace name more types there than find room in the configuration, and types that its exports do not serve: name fewer';

function installed(entries: readonly GuardRuleEntry[], wanted: readonly GuardRuleEntry[]): Installation {
  const named = new Set(entries.map(naming));
  return {
    state: 'installed',
    resources: entries.map(resourceOf),
    named,
    noRoom: new Set(wanted.map(naming).filter((each) => !named.has(each))),
  };
}

/** Whether only people can fix it, in a rule or by binding: no work of this process fails. */
export function isUnbound(installation: Installation): boolean {
  return installation.state === 'failed' && installation.reason === 'NotBound';
}

const OWN_RIGHTS =
  'the operator of dep-ctrl should give the controller the kubeconfig that bootstrap wrote for it (controller.kubeconfig, or all.kubeconfig for "all"), not that of another role, or run dep-ctrl bootstrap again';

function failed(reason: InstallFailure, message: string): Installation {
  return { state: 'failed', reason, message };
}

function conflictMessage(workspace: string, owner: string | undefined, bind: string): string {
  const has = `${workspace} has a ValidatingWebhookConfiguration dependency-controller made`;
  if (owner === undefined) return `${has} by an unknown owner: it stays as it is; delete it there to let dep-ctrl install its own`;
  return `${has} by another installation: it stays as it is; if that is gone, bind the workspace again (${bind}), which hands it over`;
}
