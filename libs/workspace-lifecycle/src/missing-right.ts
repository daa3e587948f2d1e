// Which right a refusal is about, in one line with what to grant. Pure.
import { isKcpError, type KcpError } from '@dep-ctrl/kcp-client';
import { LIFECYCLE_WORDS, type LifecycleKind } from './lifecycle-kind.js';

/** What was refused. */
export type RefusedAsk =
  /** Reading the WorkspaceType. */
  | 'type'
  /** The LogicalClusters in a virtual workspace: listing, watching, taking an entry off. */
  | 'view'
  /** Anything in a workspace, through the virtual workspace. */
  | 'content';

/** About which type. */
export interface RefusalContext {
  readonly kind: LifecycleKind;
  readonly typeName: string;
  /** Whether the type says what may be done to the content. */
  readonly namesPermissions: boolean;
}

/** What to grant after a refusal; undefined where no right is missing. */
export function missingRight(error: unknown, asked: RefusedAsk, context: RefusalContext): string | undefined {
  if (!isKcpError(error, 'forbidden')) return undefined;
  const { verb } = LIFECYCLE_WORDS[context.kind];
  const onType = `workspacetypes.tenancy.kcp.io ${JSON.stringify(context.typeName)} and "access" on "/" in the workspace of the type`;
  switch (asked) {
    case 'type':
      return `grant "list" and "watch" on ${onType}`;
    case 'view':
      return `grant ${JSON.stringify(verb)} on ${onType} (kcp remembers a refusal for 5 s, before 0.32 for 30 s)`;
    case 'content':
      return rightInWorkspace(error, context);
    default:
      return asked satisfies never;
  }
}

// The virtual workspace itself refuses with plain text. With a Status the workspace refuses: about rights where it names what was asked for (a webhook does
// not), and that only where kcp acts as the creator, for the type's own permissions are final.
function rightInWorkspace({ statusBody }: KcpError, { kind, typeName, namesPermissions }: RefusalContext): string | undefined {
  const { permissions } = LIFECYCLE_WORDS[kind];
  const type = `WorkspaceType ${JSON.stringify(typeName)}`;
  if (statusBody === undefined) return namesPermissions ? `add a rule for this to spec.${permissions} of ${type}` : undefined;
  if (namesPermissions || statusBody.details?.kind === undefined) return undefined;
  return `the creator of the workspace may not do this: name what is needed in spec.${permissions} of ${type} (kcp 0.32 or newer)`;
}
