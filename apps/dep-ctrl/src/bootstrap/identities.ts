// The identities of the roles, and how each workspace names them. A ServiceAccount is one only in its own workspace; elsewhere kcp knows it as a user.
import type { LogicalClusterName } from '@dep-ctrl/kcp-names';
import { HOME_NAMESPACE, type RoleSubjects, type Subject } from './manifests.js';

/** The identity of a role: a user that exists, or a ServiceAccount that bootstrap makes. */
export type Identity = { readonly kind: 'user'; readonly name: string } | { readonly kind: 'service-account'; readonly name: string };

/** The identity of each command. `all` is absent if two different users were named: then no identity has both roles. */
export interface Identities {
  readonly controller: Identity;
  readonly webhook: Identity;
  readonly all?: Identity;
}

/** The identities that the flags ask for. */
export function chooseIdentities(users: {
  readonly controllerUser: string | undefined;
  readonly webhookUser: string | undefined;
}): Identities {
  const { controllerUser, webhookUser } = users;
  const controller = identityOf(controllerUser, 'dep-ctrl-controller');
  const webhook = identityOf(webhookUser, 'dep-ctrl-webhook');
  if (controllerUser === undefined && webhookUser === undefined) return { controller, webhook, all: identityOf(undefined, 'dep-ctrl-all') };
  return controllerUser === webhookUser ? { controller, webhook, all: controller } : { controller, webhook };
}

/** The subjects of RBAC in the dep-ctrl workspace. */
export function homeSubjects(identities: Identities): RoleSubjects {
  return subjects(identities, (name) => ({ kind: 'ServiceAccount', name, namespace: HOME_NAMESPACE }));
}

/** The subjects of RBAC everywhere else: ServiceAccounts go by the user name that kcp gives them in foreign workspaces. */
export function foreignSubjects(identities: Identities, home: LogicalClusterName | string): RoleSubjects {
  return subjects(identities, (name) => ({ kind: 'User', name: `system:kcp:serviceaccount:${home}:${HOME_NAMESPACE}:${name}` }));
}

/** The ServiceAccounts to make; none when users were named. */
export function serviceAccounts({ controller, webhook, all }: Identities): readonly string[] {
  return [controller, webhook, all].flatMap((each) => (each?.kind === 'service-account' ? [each.name] : []));
}

function identityOf(user: string | undefined, serviceAccount: string): Identity {
  return user === undefined ? { kind: 'service-account', name: serviceAccount } : { kind: 'user', name: user };
}

function subjects({ controller, webhook, all }: Identities, accountSubject: (name: string) => Subject): RoleSubjects {
  const of = (...identities: readonly (Identity | undefined)[]): readonly Subject[] => {
    const named = new Map(identities.flatMap((each) => (each === undefined ? [] : [[`${each.kind}/${each.name}`, each] as const])));
    return [...named.values()].map(({ kind, name }) => (kind === 'user' ? { kind: 'User', name } : accountSubject(name)));
  };
  return { controller: of(controller, all), webhook: of(webhook, all), ownSecrets: of(all) };
}
