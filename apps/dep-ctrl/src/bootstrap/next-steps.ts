// The next steps after `bootstrap`, as command lines. Pure.
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { connectionFlags, type ConnectionSettings } from '../command-line/connect.js';
import { VERSION } from '../command-line/version.js';
import { serviceAccounts, type Identities } from './identities.js';
import type { WantedAccess } from './write-shards.js';

/** What bootstrap made, and with which settings; the connection is that of the admin who ran it. */
export interface Bootstrapped extends ConnectionSettings {
  readonly workspace: WorkspacePath;
  readonly shardKubeconfigs: readonly string[];
  readonly readAccess: WantedAccess;
  readonly kubeconfigDir: string | undefined;
  readonly urlTokenFile: string | undefined;
  /** Whether its workspace was made just now: then no shard has rights for it. */
  readonly isNew: boolean;
  /** The controller that leads, if the roles run already. */
  readonly leader?: string | undefined;
}

/** What to do next, in this order. */
export function nextSteps(bootstrapped: Bootstrapped, identities: Identities): readonly string[] {
  const { workspace, shardKubeconfigs, readAccess, isNew } = bootstrapped;
  // The webhook reads the types that a provider exports. Unless everything is granted, bind grants that.
  const granting = readAccess === 'wildcard' ? [] : orFile(shardKubeconfigs).flatMap((file) => ['--shard-kubeconfig', file]);
  return [
    ...(shardKubeconfigs.length > 0 ? [] : [isNew ? NO_SHARD_RIGHTS : SHARD_RIGHTS_UNSEEN]),
    ...startOrRestart(bootstrapped, identities),
    ['bind each provider: dep-ctrl bind root:my-provider --workspace', workspace, ...connectionFlags(bootstrapped), ...granting].join(' '),
  ];
}

const HOW_TO_GRANT = 'give --shard-kubeconfig once per shard, or apply the system:admin part of --dry-run there';
const NO_SHARD_RIGHTS = `no shard has the rights of the roles yet, and every guarded delete is refused without them: run this again and ${HOW_TO_GRANT}`;
const SHARD_RIGHTS_UNSEEN = `the rights of the webhook on the shards were not checked: if they are missing, ${HOW_TO_GRANT}`;

/** Roles that run have their kubeconfigs and flags. */
function startOrRestart(bootstrapped: Bootstrapped, identities: Identities): readonly string[] {
  const { leader, kubeconfigDir, workspace } = bootstrapped;
  if (leader !== undefined) {
    return [
      `the roles run already (${leader} leads): if they are of another version than ${VERSION}, restart each with this program, one process after the other, as it was started`,
    ];
  }
  return kubeconfigDir === undefined ? withoutKubeconfigs(workspace, identities) : start(kubeconfigDir, bootstrapped, identities);
}

function orFile(files: readonly string[]): readonly string[] {
  return files.length > 0 ? files : ['FILE'];
}

/** How to start the roles. */
function start(dir: string, { urlTokenFile }: Bootstrapped, identities: Identities): readonly string[] {
  const fill = serviceAccounts(identities).length < 2 ? [fillIn(dir)] : [];
  return [...fill, ...commands(identities, { kubeconfigOf: (role) => `${dir}/${role}.kubeconfig`, urlTokenFile })];
}

/** Whole commands: one process if one identity may run both roles, or two. The parts in capitals are to be filled in. */
function commands(
  { all }: Identities,
  { kubeconfigOf, urlTokenFile }: Pick<Bootstrapped, 'urlTokenFile'> & { readonly kubeconfigOf: (role: string) => string },
): readonly string[] {
  const token = urlTokenFile === undefined ? '' : ` --url-token-file ${urlTokenFile}`;
  const line = (role: string, flags = ''): string => `dep-ctrl ${role} --kubeconfig ${kubeconfigOf(role)}${flags}`;
  const [webhook, controller] =
    all === undefined ? ['start the webhook', 'start the controller'] : ['or apart: the webhook', 'and the controller'];
  return [
    ...(all === undefined ? [] : [`start both roles in one process: ${line('all')}`]),
    `${webhook}, with tls.crt and tls.key for HOST in TLS_DIR: ${line('webhook', `${token} --tls-cert-dir TLS_DIR`)}`,
    `${controller}, with the CA of tls.crt in CA_FILE, or without that flag if the CA is a public one: ${line('controller', `${token} --webhook-url https://HOST:9443 --webhook-ca-bundle-path CA_FILE`)}`,
  ];
}

function fillIn(dir: string): string {
  const kubectl = `kubectl config set-credentials USER --client-certificate CRT --client-key KEY --embed-certs --kubeconfig ${dir}/ROLE.kubeconfig`;
  return `fill the credentials of the named users into the kubeconfigs: ${kubectl}`;
}

/** The steps if bootstrap wrote no kubeconfigs. */
function withoutKubeconfigs(workspace: WorkspacePath, identities: Identities): readonly string[] {
  const accounts = serviceAccounts(identities);
  if (accounts.length > 0) {
    return [
      `get kubeconfigs of ${accounts.length === 1 ? 'the ServiceAccount' : 'the ServiceAccounts'} ${accounts.join(', ')}, and how to start with them: run this again with --kubeconfig-dir DIR added`,
    ];
  }
  return [
    `have for each role a kubeconfig FILE of its user whose server ends in /clusters/${workspace}`,
    ...commands(identities, { kubeconfigOf: () => 'FILE', urlTokenFile: undefined }),
  ];
}
