// The workspace of a network provider, guarded, and what endpoints show of it and of the workspaces with rules about it.
import type { WorkspacePath } from '@dep-ctrl/kcp-names';
import type { RegistryWriter } from '@dep-ctrl/rule-registry';
import type { Observed, VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { forbiddenIn, type Resolution } from '@dep-ctrl/workspace-resolver';
import { FedSource, type SeenKind } from '../../../rules/spec-support/fed-source.js';
import { binding, configuration, endpoint, EXPORT, name, path } from '../../../rules/spec-support/objects.js';
import { desiredWebhooks, type GuardedResource } from '../../configuration/desired-webhooks.js';
import { planWorkspace, type WorkspacePlan } from '../plan-workspace.js';
import { gatherFacts, type GatheredFacts } from '../workspace-facts.js';

export const a = endpoint('a');
export const b = endpoint('b');
const network = name('network1');
export const FORBIDDEN = forbiddenIn(path('root'), { isUnknown: false });
export const VPCS: GuardedResource = { group: 'network.example.com', resource: 'vpcs', enforcement: 'Deny' };

/** A configuration that guards VPCs. */
export function guarding({ object, ...at }: Observed): Observed {
  const { webhooks } = desiredWebhooks([VPCS], { guardedCluster: network, webhookUrl: 'https://dep-ctrl.example.com/validate' });
  return { ...at, object: { ...object, webhooks } };
}

/** What one endpoint has listed. */
export type Shows = Partial<Record<SeenKind, readonly Observed[]>>;

/** An endpoint has listed everything, and there was nothing. */
export const NOTHING = { bindings: [], guards: [], configurations: [], rules: [] } as const satisfies Shows;

/** What endpoints show, and what happens then. */
export interface World {
  /** The endpoints that the slice names. */
  readonly endpoints: readonly VirtualWorkspaceUrl[] | 'unread';
  /** What kcp answered about a path, where that is not which workspace it is of. */
  readonly resolutionOf?: (asked: WorkspacePath) => Resolution | undefined;
  readonly shows: readonly (readonly [VirtualWorkspaceUrl, Shows])[];
  readonly then?: (registry: RegistryWriter) => unknown;
}

/** What is known after the endpoints have listed what they show, and what is planned for the network workspace. */
export function world({ endpoints, shows, then, resolutionOf = () => FORBIDDEN }: World): {
  readonly facts: GatheredFacts;
  readonly plan: WorkspacePlan;
} {
  const source = new FedSource();
  const { reader, writer, seen } = source;
  if (endpoints !== 'unread') source.name(...endpoints);
  writer.pathResolved(path('root:network'), network);
  writer.pathResolved(path('root:compute'), name('compute1'));
  for (const [at, kinds] of shows) {
    for (const [kind, objects] of Object.entries(kinds)) source.list(at, kind as SeenKind, ...objects);
  }
  then?.(writer);
  const facts = gatherFacts(network, { registry: reader, seen, exportName: EXPORT, resolutionOf });
  return { facts, plan: planWorkspace(facts) };
}

/** The network workspace, guarded, and the compute workspace with its rule, both behind one endpoint. */
export function guarded({
  guard: guards,
  rule: listed,
  then,
}: Pick<World, 'then'> & { readonly guard: Observed; readonly rule: Observed | undefined }) {
  const bindings = [binding(), binding({ cluster: 'compute1', path: 'root:compute' })];
  const shows = { bindings, guards: [guards], configurations: [configuration()], rules: listed === undefined ? [] : [listed] };
  return world({ endpoints: [a], shows: [[a, shows]], ...(then !== undefined && { then }) });
}
