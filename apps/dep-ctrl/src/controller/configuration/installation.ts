import { printGroupResource, type GroupResource, type LogicalClusterName, type WorkspacePath } from '@dep-ctrl/kcp-names';
import type { KcpError } from '@dep-ctrl/kcp-client';
import type { GuardRuleEntry, Rule, RuleDependency } from '@dep-ctrl/rule-registry';
import type { InstallOutcome } from '@dep-ctrl/webhook-installer';
import { bindCommand } from '../../command-line/bind-command.js';
import { resourceOf } from '../../rules/guard-entries.js';

/** Why a guarded workspace does not have what rules want; the reason of conditions on rules and guards. */
export type InstallFailure = 'NoRoom' | 'NotBound' | 'ClaimNotAccepted' | 'Conflict' | 'Forbidden' | 'Invalid' | 'Unreachable';

/** How far the configuration of one guarded workspace has come. */
export type Installation =
  /** Too little is known to say anything: what was said before stands. */
  | { readonly state: 'waiting'; readonly message: string }
  /** `named`: what the guard says of each rule, in the words of `naming`. `noRoom`: what was wanted and did not fit, in the same words. */
  | {
      readonly state: 'installed';
      readonly resources: readonly GroupResource[];
      readonly named: ReadonlySet<string>;
      readonly noRoom: ReadonlySet<string>;
    }
  | { readonly state: 'pending'; readonly message: string }
  | { readonly state: 'failed'; readonly reason: InstallFailure; readonly message: string };

/** Where an outcome was met. */
export interface InstallationContext {
  readonly cluster: LogicalClusterName;
  /** Of the workspace, where it is known. */
  readonly path: WorkspacePath | undefined;
  readonly exportName: string;
  /** The path of dep-ctrl's own workspace, where it is known. */
  readonly home?: WorkspacePath | undefined;
  /** What its configuration guards, and for whom. */
  readonly entries: readonly GuardRuleEntry[];
  /** What it should guard. */
  readonly wanted: readonly GuardRuleEntry[];
}

/** A workspace as people should read it: its path where that is known. */
export function printWorkspace(cluster: LogicalClusterName, path: WorkspacePath | undefined): string {
  return path === undefined ? `logical cluster ${cluster}` : `workspace "${path}"`;
}

/** What an outcome means for those who wait for it, with what to do about it. */
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

/** What a call that failed means for those who wait. */
export function installationAfter(error: KcpError): Installation {
  if (error.code !== 'forbidden') return failed('Unreachable', error.message);
  return failed('Forbidden', `${error.message}: ${OWN_RIGHTS}`);
}

/** That a guard names a rule for a resource, as the rule was then. */
export function naming({ cluster, rule, uid = '', generation = 0, resource }: Omit<GuardRuleEntry, 'dependent' | 'enforcement'>): string {
  return `${cluster}/${rule}/${resource}/${uid}/${generation}`;
}

/**
 * What an installation means for one target of a rule. Undefined: the guard does not name the rule as it is now. Readers who are cut off from
 * the rule go by what the guard says, so the rule is not in force for them before that.
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

/** Whether it is for people to fix in a rule or by binding: nothing that this process wants to do fails. */
export function isUnbound(installation: Installation): boolean {
  return installation.state === 'failed' && installation.reason === 'NotBound';
}

const OWN_RIGHTS =
  'whoever runs dep-ctrl should give the controller the kubeconfig that bootstrap wrote for it (controller.kubeconfig, or all.kubeconfig for "all"), not that of another role, or run dep-ctrl bootstrap again';

function failed(reason: InstallFailure, message: string): Installation {
  return { state: 'failed', reason, message };
}

function conflictMessage(workspace: string, owner: string | undefined, bind: string): string {
  const has = `${workspace} has a ValidatingWebhookConfiguration dependency-controller made`;
  if (owner === undefined) return `${has} by nobody we know: it is left as it is, delete it there to hand over`;
  return `${has} by another installation: it is left as it is; if that is gone, bind the workspace again (${bind}), which hands it over`;
}
