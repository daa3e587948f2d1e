// The commands that install dep-ctrl and start it, as they can be copied: with the flags that the caller gave. Pure.
import { join } from 'node:path';
import { DEFAULT_WORKSPACE, depCtrl, type Access } from './precondition.js';

/** The folder of the kubeconfigs in all documents. */
const USUAL_DIR = 'identities';
const DEFAULT_WEBHOOK = new URL('https://127.0.0.1:9443');

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
export function startRoles({ kubeconfigDir = USUAL_DIR }: Pick<Access, 'kubeconfigDir'>, origin = DEFAULT_WEBHOOK.origin): string {
  const { hostname, port } = new URL(origin);
  const isOwn = hostname === DEFAULT_WEBHOOK.hostname;
  const address = origin === DEFAULT_WEBHOOK.origin ? [] : isOwn ? ['--webhook-port', port || '443'] : ['--webhook-url', origin];
  return ['dep-ctrl all --kubeconfig', join(kubeconfigDir, 'all.kubeconfig'), ...address].join(' ');
}

function shardsOf({ shardKubeconfigs = [] }: Pick<Access, 'shardKubeconfigs'>): readonly string[] {
  return shardKubeconfigs.length > 0 ? shardKubeconfigs : ['FILE'];
}
