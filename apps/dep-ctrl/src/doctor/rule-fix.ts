// The command that fixes a rule or guard that is not ready, by the reason in its status. Pure.
import { parseLogicalClusterName, parseWorkspacePath } from '@dep-ctrl/kcp-names';
import { GUARD_NAME, type ConditionReason, isConditionReason } from '@dep-ctrl/rule-registry';
import { bootstrapShards, depCtrl, kubectl, shardFlags, type Access } from './precondition.js';

/** A rule or guard that is not ready. */
export interface Unready {
  /** The workspace that it is in. */
  readonly workspace: string;
  readonly name: string;
  readonly reason: string;
  /** The workspaces of the targets that are not installed. */
  readonly targets: readonly string[];
  /** Those of them at which kcp has no workspace. */
  readonly lost: readonly string[];
}

/** One command line. */
export function ruleFix({ workspace, name, reason, targets, lost }: Unready, access: Access): string {
  // The status of a rule says them, which its author may write.
  const named = targets.filter((path) => !lost.includes(path) && (parseWorkspacePath(path).ok || parseLogicalClusterName(path).ok));
  const isTypo = named.length === 0 && lost.length > 0;
  const [target = workspace] = named;
  if (!isConditionReason(reason)) return depCtrl(access, 'doctor');
  const fixer = FIXED_BY[reason];
  switch (fixer === 'bind-target' && isTypo ? 'author' : fixer) {
    case 'author':
      return kubectl(access, workspace, `edit dependencyrules.dependencies.opendefense.cloud ${name}`);
    case 'fewer-rules':
      return kubectl(access, workspace, `delete dependencyrules.dependencies.opendefense.cloud ${name}`);
    case 'consent':
      return kubectl(access, target, `edit dependencyguards.dependencies.opendefense.cloud ${GUARD_NAME}`);
    case 'bind-target':
      return depCtrl(access, 'bind', ...(named.length > 0 ? named : [workspace]));
    case 'grant':
      return depCtrl(access, 'bind', workspace, ...shardFlags(access));
    case 'bootstrap':
      return bootstrapShards(access);
    case 'owner-of-configuration':
      return kubectl(access, target, `get validatingwebhookconfiguration ${GUARD_NAME} -o yaml`);
    default:
      return depCtrl(access, 'doctor');
  }
}

type Fixer = 'author' | 'fewer-rules' | 'consent' | 'bind-target' | 'grant' | 'bootstrap' | 'owner-of-configuration' | 'doctor';

const FIXED_BY: Readonly<Partial<Record<ConditionReason, Fixer>>> = {
  Invalid: 'author',
  OverBound: 'author',
  BuiltInType: 'author',
  UnpairedPaths: 'author',
  ImpossiblePath: 'author',
  OverQuota: 'fewer-rules',
  NotBound: 'bind-target',
  ConsentRefused: 'consent',
  ExportNotFound: 'author',
  ResourceNotExported: 'author',
  VersionNotServed: 'author',
  KindNotServed: 'author',
  FieldNotFound: 'author',
  FieldNotAString: 'author',
  NotVerified: 'bootstrap',
  GrantMissing: 'grant',
  NoRoom: 'author',
  ClaimNotAccepted: 'bind-target',
  Conflict: 'owner-of-configuration',
  Forbidden: 'bootstrap',
  Uninstalled: 'bootstrap',
};
