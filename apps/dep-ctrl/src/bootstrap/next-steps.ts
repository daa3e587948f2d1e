// What a person should do after `bootstrap`, as the command lines for it. Pure.
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import { serviceAccounts, type Identities } from './identities.js';

/** What was bootstrapped, and how. */
export interface Bootstrapped {
  readonly workspace: WorkspacePath;
  /** Of the admin who ran it; absent where the environment says it. */
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly shardKubeconfigs: readonly string[];
  readonly kubeconfigDir: string | undefined;
  readonly urlTokenFile: string | undefined;
}

/** What to do next, in this order. */
export function nextSteps(bootstrapped: Bootstrapped, identities: Identities): readonly string[] {
  const { workspace, kubeconfig, context, shardKubeconfigs, kubeconfigDir } = bootstrapped;
  const asAdmin = [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined ? [] : ['--context', context]),
  ];
  return [
    ...(shardKubeconfigs.length > 0
      ? []
      : ['the webhook may not read consumers yet: give --shard-kubeconfig once per shard, or apply the last part of --dry-run there']),
    ...(kubeconfigDir === undefined ? withoutKubeconfigs(workspace, identities) : start(kubeconfigDir, bootstrapped, identities)),
    ['bind each provider: dep-ctrl bind root:my-provider --workspace', workspace, ...asAdmin].join(' '),
  ];
}

/** How to start what was bootstrapped: in one process where one identity may do both, or apart. */
function start(dir: string, { urlTokenFile }: Bootstrapped, identities: Identities): readonly string[] {
  const fill = serviceAccounts(identities).length < 2 ? [fillIn(dir)] : [];
  const apart = `dep-ctrl controller and dep-ctrl webhook, each with its own kubeconfig${urlTokenFile === undefined ? '' : ` and --url-token-file ${urlTokenFile}`}`;
  if (identities.all === undefined) return [...fill, `start both roles: ${apart}`];
  return [...fill, `start both roles in one process: dep-ctrl all --kubeconfig ${dir}/all.kubeconfig; or apart: ${apart}`];
}

function fillIn(dir: string): string {
  const kubectl = `kubectl config set-credentials USER --client-certificate CRT --client-key KEY --embed-certs --kubeconfig ${dir}/ROLE.kubeconfig`;
  return `fill the credentials of the named users into the kubeconfigs: ${kubectl}`;
}

/** Nobody can start what nobody has a kubeconfig for. */
function withoutKubeconfigs(workspace: WorkspacePath, identities: Identities): readonly string[] {
  const roles =
    identities.all === undefined ? 'dep-ctrl controller and dep-ctrl webhook' : 'dep-ctrl all, or dep-ctrl controller and dep-ctrl webhook';
  const accounts = serviceAccounts(identities);
  if (accounts.length > 0) {
    return [
      `get kubeconfigs of ${accounts.length === 1 ? 'the ServiceAccount' : 'the ServiceAccounts'} ${accounts.join(', ')}, and how to start with them: run this again with --kubeconfig-dir DIR added`,
    ];
  }
  return [`start both roles: ${roles}, each with --kubeconfig FILE of its user whose server ends in /clusters/${workspace}`];
}
