// Whom the roles run as: the ServiceAccounts that `bootstrap` makes, or, where these reach no other workspace, users with certificates.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { KeyPair } from '../backends/pki.js';
import type { Credentials } from '../https/caller.js';
import { writePrivate } from '../backends/work-dir.js';
import type { Stage } from '../stage/stage.js';
import type { World } from './world.js';

/** The users of both roles. */
export interface RoleUsers {
  readonly controller: string;
  readonly webhook: string;
}

// The gate GlobalServiceAccount is on from here.
const ACCOUNTS_REACH_OTHER_WORKSPACES = '0.31.0';

/** The users that an installation needs on this kcp; absent where ServiceAccounts do. */
export function usersFor(kcp: Stage, workspace: string): RoleUsers | undefined {
  if (kcp.since(ACCOUNTS_REACH_OTHER_WORKSPACES)) return undefined;
  return { controller: `${workspace}-controller`, webhook: `${workspace}-webhook` };
}

/** What tells `bootstrap` about them. */
export function userFlags(users: RoleUsers | undefined): readonly string[] {
  return users === undefined ? [] : ['--controller-user', users.controller, '--webhook-user', users.webhook];
}

/** Fills certificates into the kubeconfigs that `bootstrap` left without credentials, and answers them. */
export async function giveCertificates(kcp: Stage, dir: string, users: RoleUsers): Promise<readonly KeyPair[]> {
  const certified = async (role: keyof RoleUsers): Promise<KeyPair> => {
    const pair = await kcp.backend.clientCertificate({ name: users[role] });
    const file = `${role}.kubeconfig`;
    const kubeconfig = parse(readFileSync(join(dir, file), 'utf8')) as { readonly users: readonly { readonly name: string }[] };
    const user = { 'client-certificate-data': base64(pair.cert), 'client-key-data': base64(pair.key) };
    writePrivate(dir, file, stringify({ ...kubeconfig, users: kubeconfig.users.map(({ name }) => ({ name, user })) }));
    return pair;
  };
  return Promise.all([certified('webhook'), certified('controller')]);
}

/** By what a role of an installation reaches kcp. */
export function credentialsOf({ product }: World, role: keyof RoleUsers): Credentials {
  const kubeconfig = parse(readFileSync(join(product.dir, `${role}.kubeconfig`), 'utf8')) as {
    readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
  };
  const { token, 'client-certificate-data': cert = '', 'client-key-data': key = '' } = kubeconfig.users[0]?.user ?? {};
  return token === undefined ? { cert: fromBase64(cert), key: fromBase64(key) } : { token };
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
