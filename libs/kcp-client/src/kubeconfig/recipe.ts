// How to come by the credentials of a context: what a kubeconfig says, understood but not fetched yet. Pure.
import { notParsed, parsed, quote, type Parsed } from '@dep-ctrl/kcp-names';
import { parseServerUrl } from '../http/server-url.js';
import { isFields, pathIn, textOf, type Entry, type Fields, type PickedContext } from './kubeconfig-entries.js';

/** Something that is in the kubeconfig or in a file of its own. */
export type Material = { readonly from: 'data'; readonly data: string } | { readonly from: 'file'; readonly path: string };

/** A program that prints credentials. */
export interface ExecRecipe {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly apiVersion: string;
  readonly installHint: string;
  /** What the program is told of the cluster, where it asked for that. */
  readonly cluster?: Fields;
}

/** How to come by the credentials of a context. */
export interface Recipe {
  readonly contextName: string;
  readonly userName: string;
  readonly server: string;
  readonly serverName?: string;
  readonly skipVerify: boolean;
  readonly proxyUrl?: string;
  readonly ca?: Material;
  readonly clientCert?: Material;
  readonly clientKey?: Material;
  readonly token?: Material;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly exec?: ExecRecipe;
  /** An auth-provider (oidc and its kin): left to @kubernetes/client-node. */
  readonly provider?: { readonly cluster: Entry; readonly user: Entry };
}

/** Understands a context. */
export function recipeOf({ contextName, cluster, user }: PickedContext): Parsed<Recipe> {
  const server = textOf(cluster.fields['server']);
  if (server === undefined) return notParsed(`cluster ${quote(cluster.name)} has no server`);
  const url = parseServerUrl(server);
  if (!url.ok) return notParsed(`cluster ${quote(cluster.name)}: ${url.problem}`);
  const proxyUrl = textOf(cluster.fields['proxy-url']);
  if (proxyUrl !== undefined && !/^(?:https?|socks5h?):\/\//u.test(proxyUrl)) {
    return notParsed(`cluster ${quote(cluster.name)}: proxy-url should begin with http://, https:// or socks5://`);
  }
  const ca = materialOf(cluster, 'certificate-authority');
  const serverName = textOf(cluster.fields['tls-server-name']);
  const base = {
    contextName,
    server,
    skipVerify: cluster.fields['insecure-skip-tls-verify'] === true,
    ...(serverName === undefined ? {} : { serverName }),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
    ...(ca === undefined ? {} : { ca }),
  };
  if (base.skipVerify && ca !== undefined) {
    return notParsed(`cluster ${quote(cluster.name)} has both insecure-skip-tls-verify and a certificate authority; remove one`);
  }
  return user === undefined ? parsed({ ...base, userName: '', headers: {} }) : withUser(base, cluster, user);
}

function withUser(base: Omit<Recipe, 'userName' | 'headers'>, cluster: Entry, user: Entry): Parsed<Recipe> {
  const [clientCert, clientKey] = [materialOf(user, 'client-certificate'), materialOf(user, 'client-key')];
  if ((clientCert === undefined) !== (clientKey === undefined)) {
    return notParsed(`user ${quote(user.name)} has a client certificate or a key, but not both`);
  }
  const exec = execOf(user, cluster);
  if (exec?.ok === false) return notParsed(`user ${quote(user.name)}: ${exec.problem}`);
  const token = tokenOf(user);
  return parsed({
    ...base,
    userName: user.name,
    headers: { ...basicHeader(user.fields), ...impersonationHeaders(user.fields) },
    ...(clientCert === undefined ? {} : { clientCert }),
    ...(clientKey === undefined ? {} : { clientKey }),
    ...(token === undefined ? {} : { token }),
    ...(exec === undefined ? {} : { exec: exec.value }),
    ...(isFields(user.fields['auth-provider']) ? { provider: { cluster, user } } : {}),
  });
}

/** `<field>-data` (base64) wins over the path in `<field>`, as in kubectl. */
function materialOf({ fields, folder }: Entry, field: string): Material | undefined {
  const data = textOf(fields[`${field}-data`]);
  if (data !== undefined) return { from: 'data', data: Buffer.from(data, 'base64').toString('utf8') };
  const path = textOf(fields[field]);
  return path === undefined ? undefined : { from: 'file', path: pathIn(folder, path) };
}

/** A token file wins over a token: it may have been rotated since. */
function tokenOf({ fields, folder }: Entry): Material | undefined {
  const path = textOf(fields['tokenFile']);
  if (path !== undefined) return { from: 'file', path: pathIn(folder, path) };
  const token = textOf(fields['token']);
  return token === undefined ? undefined : { from: 'data', data: token };
}

function basicHeader(fields: Fields): Record<string, string> {
  const username = textOf(fields['username']);
  if (username === undefined) return {};
  const pair = `${username}:${textOf(fields['password']) ?? ''}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function impersonationHeaders(fields: Fields): Record<string, string | readonly string[]> {
  const user = textOf(fields['as']);
  const uid = textOf(fields['as-uid']);
  const headers: Record<string, string | readonly string[]> = {};
  if (user !== undefined) headers['impersonate-user'] = user;
  if (uid !== undefined) headers['impersonate-uid'] = uid;
  const groups = textsOf(fields['as-groups']);
  if (groups.length > 0) headers['impersonate-group'] = groups;
  const extra = fields['as-user-extra'];
  for (const [key, values] of isFields(extra) ? Object.entries(extra) : []) {
    headers[`impersonate-extra-${encodeURIComponent(key)}`] = textsOf(values);
  }
  return headers;
}

function execOf({ fields, folder }: Entry, cluster: Entry): Parsed<ExecRecipe> | undefined {
  const exec = fields['exec'];
  if (!isFields(exec)) return undefined;
  const command = textOf(exec['command']);
  if (command === undefined) return notParsed('exec has no command');
  const apiVersion = textOf(exec['apiVersion']) ?? '';
  if (!/^client\.authentication\.k8s\.io\/v1(?:beta1)?$/u.test(apiVersion)) {
    return notParsed(`exec.apiVersion should be "client.authentication.k8s.io/v1", not ${quote(apiVersion)}`);
  }
  if (exec['interactiveMode'] === 'Always')
    return notParsed(`the exec plugin ${quote(command)} wants a terminal (interactiveMode: Always), there is none`);
  const env = Array.isArray(exec['env']) ? exec['env'].filter(isFields) : [];
  return parsed({
    command: command.includes('/') ? pathIn(folder, command) : command,
    args: textsOf(exec['args']),
    env: Object.fromEntries(env.map(({ name, value }) => [String(name), String(value)])),
    apiVersion,
    installHint: textOf(exec['installHint']) ?? '',
    ...(exec['provideClusterInfo'] === true ? { cluster: cluster.fields } : {}),
  });
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : [];
}
