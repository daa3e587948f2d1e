import { describe, expect, it } from '@jest/globals';
import { KubeConfig, type User } from '@kubernetes/client-node';
import type { ConnectionOptions, Credentials } from '../index.js';
import { Scratch } from '../spec-support/scratch.js';
import { connectionOptionsOf } from './index.js';

const { signal } = new AbortController();
const server = 'https://kcp.example.com:6443/clusters/root:a';
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const lasting = (name: string): string => `${encoded({ alg: 'none', name })}.${encoded({ exp: 4_102_444_800 })}.signature`;

describe(connectionOptionsOf, () => {
  it('given a KubeConfig with a token, then server, token and impersonated user are taken over', async () => {
    const options = optionsOf(kubeConfigOf({ me: { token: 't', impersonateUser: 'other' } }));

    expect(options.server).toBe(server);
    expect(await credentialsOf(options)).toMatchObject({ token: 't', headers: { 'impersonate-user': 'other' } });
  });

  it('given the KubeConfig of a Pod, then its token file is followed', async () => {
    using scratch = new Scratch();
    const tokenFile = scratch.write('token', 'first\n');
    const options = optionsOf(kubeConfigOf({ me: { authProvider: { name: 'tokenFile', config: { tokenFile } } } }));

    const before = await credentialsOf(options);
    scratch.write('token', 'second-one\n');

    expect(before).toMatchObject({ token: 'first' });
    expect(await credentialsOf(options)).toMatchObject({ token: 'second-one' });
  });

  it('given an exec plugin, then it runs as in loadKubeconfig: with what kubectl tells it', async () => {
    const print = `console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token: JSON.parse(process.env.KUBERNETES_EXEC_INFO).kind } }))`;
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: ['-e', print] };

    expect(await credentialsOf(optionsOf(kubeConfigOf({ me: { exec } })))).toMatchObject({ token: 'ExecCredential' });
  });

  it('given auth-providers of two users, when the current context moves on, then each connection keeps the user of its own', async () => {
    const oidc = (name: string): Omit<User, 'name'> => ({ authProvider: { name: 'oidc', config: { 'id-token': lasting(name) } } });
    const kubeConfig = kubeConfigOf({ me: oidc('me'), you: oidc('you') });
    const mine = optionsOf(kubeConfig);
    kubeConfig.setCurrentContext('you');
    const yours = optionsOf(kubeConfig);

    expect(await credentialsOf(mine)).toMatchObject({ headers: { authorization: `Bearer ${lasting('me')}` } });
    expect(await credentialsOf(yours)).toMatchObject({ headers: { authorization: `Bearer ${lasting('you')}` } });
  });

  it('given an authenticator that was added to the KubeConfig, then it is asked', async () => {
    const kubeConfig = kubeConfigOf({ me: { authProvider: { name: 'of-the-house' } } });
    kubeConfig.addAuthenticator({
      isAuthProvider: ({ authProvider }) => (authProvider as { readonly name?: string } | undefined)?.name === 'of-the-house',
      applyAuthentication: (_user, options: { headers?: Readonly<Record<string, string>> }) => {
        options.headers = { ...options.headers, Authorization: 'Bearer of-the-house' };
        return Promise.resolve();
      },
    });

    expect(await credentialsOf(optionsOf(kubeConfig))).toMatchObject({ headers: { authorization: 'Bearer of-the-house' } });
  });

  it('given a context by name, then that one; given none like it, then the problem names those that there are', () => {
    const kubeConfig = kubeConfigOf({ me: { token: 't' }, you: { token: 'u' } });

    expect(connectionOptionsOf(kubeConfig, { context: 'you' })).toMatchObject({ ok: true, value: { contextName: 'you' } });
    expect(connectionOptionsOf(kubeConfig, { context: 'nobody' })).toEqual({
      ok: false,
      problem: 'the kubeconfig has no context "nobody"; it has: me, you',
    });
  });
});

function kubeConfigOf(users: Readonly<Record<string, Omit<User, 'name'>>>): KubeConfig {
  const kubeConfig = new KubeConfig();
  const names = Object.keys(users);
  kubeConfig.loadFromOptions({
    clusters: [{ name: 'kcp', server, skipTLSVerify: false }],
    users: Object.entries(users).map(([name, user]) => ({ name, ...user })),
    contexts: names.map((name) => ({ name, cluster: 'kcp', user: name })),
    currentContext: names[0],
  });
  return kubeConfig;
}

function optionsOf(kubeConfig: KubeConfig): ConnectionOptions {
  const options = connectionOptionsOf(kubeConfig);
  if (!options.ok) throw new Error(options.problem);
  return options.value;
}

async function credentialsOf({ credentials }: ConnectionOptions): Promise<Credentials> {
  if (typeof credentials !== 'function') throw new Error('expected credentials that are asked for');
  return credentials({ fresh: true, signal });
}
