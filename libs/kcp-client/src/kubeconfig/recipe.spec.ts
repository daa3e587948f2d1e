import { describe, expect, it } from '@jest/globals';
import type { Parsed } from '@dep-ctrl/kcp-names';
import type { Entry, Fields } from './kubeconfig-entries.js';
import { recipeOf, type Recipe } from './recipe.js';

const SERVER = 'https://kcp.example.com:6443/clusters/root:a';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('the recipe of a cluster', () => {
  const bare = { contextName: 'main', userName: '', server: SERVER, skipVerify: false, headers: {} };

  it.each<{ given: string; cluster: Fields; expected: object }>([
    { given: 'a server alone', cluster: {}, expected: {} },
    { given: 'a name of its own', cluster: { 'tls-server-name': 'n' }, expected: { serverName: 'n' } },
    { given: 'a name that is empty', cluster: { 'tls-server-name': '' }, expected: {} },
    { given: 'no check of certificates', cluster: { 'insecure-skip-tls-verify': true }, expected: { skipVerify: true } },
    { given: 'a switch that is no switch', cluster: { 'insecure-skip-tls-verify': 'true' }, expected: {} },
    { given: 'an http proxy', cluster: { 'proxy-url': 'http://p' }, expected: { proxyUrl: 'http://p' } },
    { given: 'an https proxy', cluster: { 'proxy-url': 'https://p' }, expected: { proxyUrl: 'https://p' } },
    { given: 'a socks5 proxy', cluster: { 'proxy-url': 'socks5://p' }, expected: { proxyUrl: 'socks5://p' } },
    { given: 'a socks5h proxy', cluster: { 'proxy-url': 'socks5h://p' }, expected: { proxyUrl: 'socks5h://p' } },
    {
      given: 'an authority inline',
      cluster: { 'certificate-authority-data': base64('CA ż') },
      expected: { ca: { from: 'data', data: 'CA ż' } },
    },
    {
      given: 'an authority in a file',
      cluster: { 'certificate-authority': 'ca.crt' },
      expected: { ca: { from: 'file', path: '/clusters/ca.crt' } },
    },
    {
      given: 'an authority in both',
      cluster: { 'certificate-authority': 'ca.crt', 'certificate-authority-data': base64('CA') },
      expected: { ca: { from: 'data', data: 'CA' } },
    },
  ])('given $given, then that is known', ({ cluster, expected }) => {
    expect(recipe({ cluster })).toStrictEqual({ ok: true, value: { ...bare, ...expected } });
  });

  it.each<{ given: string; cluster: Fields; problem: string }>([
    { given: 'no server', cluster: { server: undefined }, problem: 'cluster "kcp" has no server' },
    { given: 'a proxy without a scheme', cluster: { 'proxy-url': 'proxy:3128' }, problem: proxyProblem() },
    { given: 'a proxy whose scheme only ends alike', cluster: { 'proxy-url': 'xhttp://p' }, problem: proxyProblem() },
    { given: 'an old socks proxy', cluster: { 'proxy-url': 'socks4://p' }, problem: proxyProblem() },
    {
      given: 'an authority although no certificate is checked',
      cluster: { 'insecure-skip-tls-verify': true, 'certificate-authority': 'ca.crt' },
      problem: 'cluster "kcp" has both insecure-skip-tls-verify and a certificate authority; remove one',
    },
  ])('given $given, then that is the problem', ({ cluster, problem }) => {
    expect(recipe({ cluster })).toEqual({ ok: false, problem });
  });

  it('given a server that is no URL, then the problem names the cluster', () => {
    expect(recipe({ cluster: { server: 'kcp' } })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^cluster "kcp": "kcp" is not/u),
    });
  });

  function proxyProblem(): string {
    return 'cluster "kcp": proxy-url should begin with http://, https:// or socks5://';
  }
});

describe('the recipe of a user', () => {
  const bare = { contextName: 'main', userName: 'me', server: SERVER, skipVerify: false, headers: {} };

  it.each<{ given: string; user: Fields; expected: object }>([
    { given: 'nothing', user: {}, expected: {} },
    { given: 'a token', user: { token: 't' }, expected: { token: { from: 'data', data: 't' } } },
    { given: 'an empty token', user: { token: '' }, expected: {} },
    {
      given: 'a token file beside a token',
      user: { token: 't', tokenFile: 'token' },
      expected: { token: { from: 'file', path: '/users/token' } },
    },
    {
      given: 'a certificate and a key',
      user: { 'client-certificate': '/etc/me.crt', 'client-key-data': base64('KEY') },
      expected: { clientCert: { from: 'file', path: '/etc/me.crt' }, clientKey: { from: 'data', data: 'KEY' } },
    },
    {
      given: 'a name and a password',
      user: { username: 'u', password: 'p' },
      expected: { headers: { authorization: `Basic ${base64('u:p')}` } },
    },
    { given: 'a name without a password', user: { username: 'u' }, expected: { headers: { authorization: `Basic ${base64('u:')}` } } },
    { given: 'a password alone', user: { password: 'p' }, expected: {} },
    { given: 'somebody to act as', user: { as: 'alice' }, expected: { headers: { 'impersonate-user': 'alice' } } },
    {
      given: 'somebody to act as, with everything',
      user: {
        username: 'u',
        as: 'alice',
        'as-uid': '7',
        'as-groups': ['a', 8, 'b'],
        'as-user-extra': { 'example.com/x': ['y', 9], none: 'z' },
      },
      expected: {
        headers: {
          authorization: `Basic ${base64('u:')}`,
          'impersonate-user': 'alice',
          'impersonate-uid': '7',
          'impersonate-group': ['a', 'b'],
          'impersonate-extra-example.com%2Fx': ['y'],
          'impersonate-extra-none': [],
        },
      },
    },
    { given: 'groups that are none', user: { 'as-groups': [], 'as-user-extra': 'x' }, expected: {} },
    { given: 'a provider that is none', user: { 'auth-provider': 'oidc', exec: 'x' }, expected: {} },
  ])('given $given, then that is known', ({ user, expected }) => {
    expect(recipe({ user })).toStrictEqual({ ok: true, value: { ...bare, ...expected } });
  });

  it('given an auth-provider, then it is left to client-node, with cluster and user', () => {
    const user = { 'auth-provider': { name: 'oidc' } };

    expect(recipe({ user })).toStrictEqual({ ok: true, value: { ...bare, provider: { cluster: clusterOf({}), user: userOf(user) } } });
  });

  it.each([{ 'client-certificate': 'me.crt' }, { 'client-key': 'me.key' }])('given %j alone, then the other half is missing', (user) => {
    expect(recipe({ user })).toEqual({ ok: false, problem: 'user "me" has a client certificate or a key, but not both' });
  });
});

describe('the recipe of an exec plugin', () => {
  const plain = { command: 'login', apiVersion: 'client.authentication.k8s.io/v1' };
  const known = { ...plain, args: [], env: {}, installHint: '' };

  it.each<{ given: string; exec: Fields; expected: object }>([
    { given: 'a command on the path', exec: plain, expected: known },
    { given: 'a command beside the kubeconfig', exec: { ...plain, command: './login' }, expected: { ...known, command: '/users/login' } },
    { given: 'a command of its own', exec: { ...plain, command: '/bin/login' }, expected: { ...known, command: '/bin/login' } },
    {
      given: 'the older version',
      exec: { ...plain, apiVersion: 'client.authentication.k8s.io/v1beta1' },
      expected: { ...known, apiVersion: 'client.authentication.k8s.io/v1beta1' },
    },
    {
      given: 'arguments, variables and a hint',
      exec: { ...plain, args: ['-a', 7, 'b'], env: [{ name: 'A', value: 'b' }, 'x', { name: 'N', value: 7 }], installHint: 'get it' },
      expected: { ...known, args: ['-a', 'b'], env: { A: 'b', N: '7' }, installHint: 'get it' },
    },
    { given: 'lists that are none', exec: { ...plain, args: 'a', env: {}, installHint: 7 }, expected: known },
    { given: 'a wish for the cluster', exec: { ...plain, provideClusterInfo: true }, expected: { ...known, cluster: { server: SERVER } } },
    { given: 'no wish for the cluster', exec: { ...plain, provideClusterInfo: 'true' }, expected: known },
    { given: 'a terminal if there is one', exec: { ...plain, interactiveMode: 'IfAvailable' }, expected: known },
  ])('given $given, then that is known', ({ exec, expected }) => {
    const made = recipe({ user: { exec } });

    expect(made.ok && made.value.exec).toStrictEqual(expected);
  });

  it.each<{ given: string; exec: Fields; problem: string }>([
    { given: 'no command', exec: { ...plain, command: '' }, problem: 'exec has no command' },
    { given: 'no version', exec: { command: 'login' }, problem: versionProblem('""') },
    {
      given: 'an old version',
      exec: { ...plain, apiVersion: 'client.authentication.k8s.io/v1alpha1' },
      problem: versionProblem('"client.authentication.k8s.io/v1alpha1"'),
    },
    {
      given: 'a version that begins otherwise',
      exec: { ...plain, apiVersion: 'my.client.authentication.k8s.io/v1' },
      problem: versionProblem('"my.client.authentication.k8s.io/v1"'),
    },
    {
      given: 'a plugin that wants a terminal',
      exec: { ...plain, interactiveMode: 'Always' },
      problem: 'the exec plugin "login" wants a terminal (interactiveMode: Always), there is none',
    },
  ])('given $given, then the problem names the user', ({ exec, problem }) => {
    expect(recipe({ user: { exec } })).toEqual({ ok: false, problem: `user "me": ${problem}` });
  });

  function versionProblem(not: string): string {
    return `exec.apiVersion should be "client.authentication.k8s.io/v1", not ${not}`;
  }
});

function recipe({ cluster = {}, user }: { readonly cluster?: Fields; readonly user?: Fields }): Parsed<Recipe> {
  return recipeOf({ contextName: 'main', cluster: clusterOf(cluster), ...(user === undefined ? {} : { user: userOf(user) }) });
}

function clusterOf(fields: Fields): Entry {
  return { name: 'kcp', fields: { server: SERVER, ...fields }, folder: '/clusters' };
}

function userOf(fields: Fields): Entry {
  return { name: 'me', fields, folder: '/users' };
}
