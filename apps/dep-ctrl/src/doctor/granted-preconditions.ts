// The rights and objects that bootstrap makes for the roles in the workspace of dep-ctrl.
import { X509Certificate } from 'node:crypto';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { HOME_NAMESPACE, homeManifests, OWN_SECRETS, WEBHOOK_ROLE } from '../bootstrap/manifests.js';
import { tokenSecretOf } from '../bootstrap/plan-bootstrap.js';
import { mergeDesired } from '@dep-ctrl/kcp-objects';
import type { HomeFacts } from '../installation/facts.js';
import { inHome } from './home-preconditions.js';
import {
  BOOTSTRAP,
  bootstrap,
  bootstrapKubeconfigs,
  broken,
  kubectl,
  met,
  notChecked,
  type DoctorFacts,
  type Judgement,
  type Precondition,
} from './precondition.js';
import { SOON_MS } from './server-preconditions.js';

/** Where nobody is to be bound, there are no bindings. */
const ROLES = homeManifests({ controller: [], webhook: [], ownSecrets: [] }).filter(({ kind }) => kind !== 'Secret');
const CLUSTER_BINDINGS = ['ClusterRoleBinding/dep-ctrl:controller', `ClusterRoleBinding/${WEBHOOK_ROLE}`] as const;

/** Roles first, then their bindings, then the Secrets. */
export const GRANTED_PRECONDITIONS: readonly Precondition[] = [
  {
    id: 'roles-there',
    must: 'The ClusterRoles and Roles of the workspace are as this version of dep-ctrl wants them.',
    otherwise: 'A role of dep-ctrl is refused by kcp, and says so in its log.',
    fix: BOOTSTRAP,
    judge: inRights(
      (found, { path }, { access }) =>
        ROLES.map((wanted) => {
          const { kind, metadata } = wanted;
          const where = `${[kind, metadata.name].join(' ')} in ${path}`;
          const observed = found.get([kind, metadata.name].join('/'));
          if (observed === undefined) return broken(where, 'is missing', bootstrap(access));
          return mergeDesired(observed, wanted) === undefined ? met(where) : broken(where, 'grants something else', bootstrap(access));
        }),
      { isFirst: true },
    ),
  },
  {
    id: 'roles-bound',
    must: 'Somebody is bound to the rights of each role.',
    otherwise: 'kcp refuses the identity of the role.',
    fix: BOOTSTRAP,
    judge: inRights((found, { path }, { access }) =>
      [...CLUSTER_BINDINGS, 'RoleBinding/dep-ctrl:controller'].map((key) => {
        const where = `${key.replace('/', ' ')} in ${path}`;
        return subjectsOf(found.get(key)).length > 0 ? met(where) : broken(where, 'binds nobody', bootstrap(access));
      }),
    ),
  },
  {
    id: 'accounts-there',
    must: 'Each ServiceAccount that a role is bound to exists.',
    otherwise: 'kcp does not know the identity of the role.',
    fix: BOOTSTRAP,
    judge: inRights((found, { path }, { access }) =>
      ownAccounts(found).map((name) => {
        const where = `ServiceAccount ${HOME_NAMESPACE}/${name} in ${path}`;
        return found.has(`ServiceAccount/${name}`) ? met(where) : broken(where, 'is missing', bootstrap(access));
      }),
    ),
  },
  {
    id: 'account-tokens',
    must: 'Each of these ServiceAccounts has the Secret with its token.',
    otherwise: 'Kubeconfigs that hold the token are refused: a token counts as long as its Secret exists.',
    fix: 'dep-ctrl bootstrap --kubeconfig FILE --kubeconfig-dir DIR',
    judge: inRights((found, { path, secrets }, { access }) => {
      if (secrets.state === 'unread') return [];
      return ownAccounts(found)
        .filter((name) => found.has(`ServiceAccount/${name}`))
        .map((name) => {
          const where = `Secret ${HOME_NAMESPACE}/${tokenSecretOf(name)} in ${path}`;
          const isThere = secrets.value.some((secret) => secret.name === tokenSecretOf(name) && secret.isFilled);
          return isThere ? met(where) : broken(where, 'is missing or has no token', bootstrapKubeconfigs(access));
        });
    }),
  },
  {
    id: 'own-secrets',
    must: 'The Secrets for the own CA and the URL token exist.',
    otherwise: '`dep-ctrl all` cannot keep its CA and its URL token, for it may not create Secrets.',
    fix: BOOTSTRAP,
    judge: inRights((_, { path, secrets }, { access }) => {
      if (secrets.state === 'unread') return [];
      return OWN_SECRETS.map((name) => {
        const where = `Secret ${HOME_NAMESPACE}/${name} in ${path}`;
        return secrets.value.some((secret) => secret.name === name) ? met(where) : broken(where, 'is missing', bootstrap(access));
      });
    }),
  },
  {
    id: 'own-ca-dates',
    must: 'The CA that `all` made is valid for another seven days.',
    otherwise: 'kcp refuses every guarded delete once it has expired.',
    fix: `kubectl patch secret ${OWN_SECRETS[0]} --type merge -p '{"data":null}'`,
    judge: inHome(({ secrets, path, presence }, { nowMs, access }) => {
      if (presence.state !== 'found') return [];
      if (secrets.state === 'unread') return [notChecked(`ages of the CA and the tokens in ${path}`, secrets)];
      return secrets.value.flatMap(({ name, certificate }) => {
        const validToMs = certificate === undefined ? undefined : expiryOf(certificate);
        if (validToMs === undefined) return [];
        const where = `Secret ${HOME_NAMESPACE}/${name} in ${path}`;
        const renew = kubectl(access, path, `patch secret ${name} -n ${HOME_NAMESPACE} --type merge -p '{"data":null}'`);
        const isLong = validToMs - SOON_MS > nowMs;
        return [isLong ? met(where) : broken(where, `holds a CA that is valid until ${new Date(validToMs).toISOString()}`, renew)];
      });
    }),
  },
];

/** Whether bootstrap granted anything to roles here. `dep-ctrl dev` does not. */
export function isBootstrapped({ rights }: Pick<HomeFacts, 'rights'>): boolean {
  // No ServiceAccount has such a name: it takes no colon.
  return rights.state === 'read' && [...rights.value.keys()].some((key) => key.includes('/dep-ctrl:'));
}

/** Judges what bootstrap granted. `dep-ctrl dev` grants nothing: its roles run as the admin, and so may those of others. */
function inRights(
  judge: (found: ReadonlyMap<string, KubeObject>, home: HomeFacts, facts: DoctorFacts) => readonly Judgement[],
  { isFirst = false }: { readonly isFirst?: boolean } = {},
): Precondition['judge'] {
  return inHome((home, facts) => {
    const { rights, presence, path } = home;
    if (presence.state !== 'found') return [];
    // Once is enough.
    if (rights.state === 'unread') return isFirst ? [notChecked(`rights of the roles in ${path}`, rights)] : [];
    if (isBootstrapped(home)) return judge(rights.value, home, facts);
    return isFirst ? [notChecked('rights of the roles', NONE_GRANTED)] : [];
  });
}

const NONE_GRANTED = {
  because: 'not-asked',
  why: 'bootstrap has granted none here: the roles run with other credentials',
} as const;

function subjectsOf(binding: KubeObject | undefined): readonly { readonly kind: string; readonly name: string }[] {
  return (binding?.['subjects'] ?? []) as readonly { readonly kind: string; readonly name: string }[];
}

/** The ServiceAccounts that the roles are bound to. */
function ownAccounts(found: ReadonlyMap<string, KubeObject>): readonly string[] {
  const names = CLUSTER_BINDINGS.flatMap((key) =>
    subjectsOf(found.get(key)).flatMap(({ kind, name }) => (kind === 'ServiceAccount' ? [name] : [])),
  );
  return [...new Set(names)].sort();
}

/** Undefined too where it is none that can be read. */
function expiryOf(pem: string): number | undefined {
  try {
    return Date.parse(new X509Certificate(pem).validTo);
  } catch {
    return undefined;
  }
}
