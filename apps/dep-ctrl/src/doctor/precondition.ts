// The preconditions of dep-ctrl, each a pure judgement over facts. docs/reference/preconditions.md is generated from them.
import { join } from 'node:path';
import type { Facts } from '../installation/facts.js';
import { providersOf, workspaceNames, type Provider } from '../installation/providers.js';
import { ruleViews, type RuleView } from '../installation/rule-views.js';
import { webhookAddress } from '../installation/read-webhooks.js';
import { valueOr, type Unread } from '../installation/reading.js';
import type { Probes } from './probes/probes.js';

/** The facts for judgements. */
export interface DoctorFacts extends Facts {
  /** What was tried beyond reading; `status` tries less. */
  readonly probes: Partial<Probes>;
  /** How people reach this kcp, for the commands that are shown. */
  readonly access: Access;
  readonly providers: readonly Provider[];
  readonly rules: readonly RuleView[];
  /** What people call a workspace. */
  readonly nameOf: (cluster: string) => string;
}

/** The facts with conclusions from every rule. Pure. */
export function doctorFacts(facts: Facts, access: Access, probes: Partial<Probes> = {}): DoctorFacts {
  const { installation } = facts;
  if (installation === undefined) return { ...facts, access, probes, providers: [], rules: [], nameOf: (cluster) => cluster };
  const providers = providersOf(installation);
  const address = webhookAddress(valueOr(installation.home.admission, undefined));
  return {
    ...facts,
    access: address === undefined ? access : { ...access, webhookOrigin: new URL(address).origin },
    probes,
    providers,
    rules: ruleViews(installation, providers),
    nameOf: workspaceNames(providers, installation),
  };
}

/** Asks a process what it lacks. */
export const READYZ = "curl -s 'http://HOST:8081/readyz?verbose'";

/** The values for the commands that are shown. */
export interface Access {
  readonly baseUrl: string;
  readonly workspace: string;
  /** `--kubeconfig FILE --context NAME`, as they were given. */
  readonly flags: readonly string[];
  /** As they were given. */
  readonly shardKubeconfigs?: readonly string[];
  /** As it was given: the folder that bootstrap writes kubeconfigs to. */
  readonly kubeconfigDir?: string | undefined;
  /** Where kcp is told to call the webhook, once it is. */
  readonly webhookOrigin?: string | undefined;
}

/** One judgement about one thing. */
export type Judgement =
  | { readonly state: 'met'; readonly where: string }
  | { readonly state: 'broken'; readonly where: string; readonly says: string; readonly run: string }
  | { readonly state: 'not-checked'; readonly where: string; readonly because: Unread['because']; readonly why: string };

/** One precondition. */
export interface Precondition {
  /** Stable: scripts may rely on it. */
  readonly id: string;
  readonly must: string;
  /** What a delete, a rule or a command meets where it is not so. */
  readonly otherwise: string;
  /** The command that fixes it, as the page shows it. */
  readonly fix: string;
  /** Others that explain it: while one of them is broken, nothing is said of this one. */
  readonly follows?: readonly string[];
  /** Nothing where there is nothing to judge. */
  readonly judge: (facts: DoctorFacts) => readonly Judgement[];
}

/** A precondition, and what was judged. */
export interface Examined {
  readonly precondition: Precondition;
  readonly judgements: readonly Judgement[];
}

/** The precondition is met. */
export function met(where: string): Judgement {
  return { state: 'met', where };
}

/** The precondition is broken. */
export function broken(where: string, says: string, run: string): Judgement {
  return { state: 'broken', where, says, run };
}

/** The precondition could not be checked. */
export function notChecked(where: string, { because, why }: Pick<Unread, 'because' | 'why'>): Judgement {
  return { state: 'not-checked', where, because, why };
}

/** A `dep-ctrl` command with the caller's connection flags. */
export function depCtrl({ flags, workspace }: Access, command: string, ...more: readonly string[]): string {
  const where = workspace === DEFAULT_WORKSPACE ? [] : ['--workspace', workspace];
  return ['dep-ctrl', command, ...more, ...where, ...flags].join(' ');
}

/** kubectl in a workspace. */
export function kubectl({ flags, baseUrl }: Access, workspace: string, command: string): string {
  return ['kubectl', ...flags, '--server', `${baseUrl}/clusters/${workspace}`, command].join(' ');
}

/** The default workspace of dep-ctrl. */
export const DEFAULT_WORKSPACE = 'root:dep-ctrl';

// What follows installs dep-ctrl and starts it, with the flags that the caller gave, so that it can be copied.

/** The folder of the kubeconfigs in all documents. */
const USUAL_DIR = 'identities';
const DEFAULT_WEBHOOK = new URL('https://127.0.0.1:9443');

/** `dep-ctrl bootstrap` for any installation, as the catalogue shows it. */
export const BOOTSTRAP = 'dep-ctrl bootstrap --kubeconfig FILE --shard-kubeconfig FILE';

/** `dep-ctrl bootstrap` for this installation. */
export function bootstrap(access: Access, ...more: readonly string[]): string {
  const { shardKubeconfigs = [], kubeconfigDir } = access;
  const shards = shardKubeconfigs.length === 0 ? [] : shardFlags(access);
  const dir = kubeconfigDir === undefined ? [] : ['--kubeconfig-dir', kubeconfigDir];
  return depCtrl(access, 'bootstrap', ...shards, ...dir, ...more);
}

/** The same where the shards lack rights. */
export function bootstrapShards(access: Access): string {
  return bootstrap({ ...access, shardKubeconfigs: shardsOf(access) });
}

/** The same where the roles need their kubeconfigs next. */
export function bootstrapKubeconfigs(access: Access): string {
  return bootstrap({ ...access, kubeconfigDir: access.kubeconfigDir ?? USUAL_DIR });
}

/** The same where dep-ctrl may not be installed. It is never installed in root itself. */
export function install(access: Access): string {
  return bootstrapKubeconfigs(access.workspace.includes(':') ? access : { ...access, workspace: DEFAULT_WORKSPACE });
}

/** `--shard-kubeconfig` for each shard that the caller gave. */
export function shardFlags(access: Pick<Access, 'shardKubeconfigs'>): readonly string[] {
  return shardsOf(access).flatMap((file) => ['--shard-kubeconfig', file]);
}

/** Starts both roles with the kubeconfig that bootstrap wrote; the webhook at the origin that kcp calls. */
export function startRoles({
  kubeconfigDir = USUAL_DIR,
  webhookOrigin: origin = DEFAULT_WEBHOOK.origin,
}: Pick<Access, 'kubeconfigDir' | 'webhookOrigin'>): string {
  const { hostname, port } = new URL(origin);
  const isOwn = hostname === DEFAULT_WEBHOOK.hostname;
  const address = origin === DEFAULT_WEBHOOK.origin ? [] : isOwn ? ['--webhook-port', port || '443'] : ['--webhook-url', origin];
  return ['dep-ctrl all --kubeconfig', join(kubeconfigDir, 'all.kubeconfig'), ...address].join(' ');
}

function shardsOf({ shardKubeconfigs = [] }: Pick<Access, 'shardKubeconfigs'>): readonly string[] {
  return shardKubeconfigs.length > 0 ? shardKubeconfigs : ['FILE'];
}
