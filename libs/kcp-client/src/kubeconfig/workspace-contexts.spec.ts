import { describe, expect, it } from '@jest/globals';
import { workspacePath } from '@dep-ctrl/kcp-names';
import { parse } from 'yaml';
import { withWorkspaceContexts } from './workspace-contexts.js';

const WORKSPACES = new Map([
  ['root', workspacePath('root')],
  ['team-a', workspacePath('root:teams:team-a')],
]);
const KUBECONFIG = `
apiVersion: v1
kind: Config
current-context: root
clusters:
- {name: root, cluster: {server: "https://kcp:6443/clusters/root", certificate-authority: ca.crt}}
- {name: shard, cluster: {server: "https://shard:6443"}}
contexts:
- {name: root, context: {cluster: root, user: admin}}
- {name: system:admin, context: {cluster: shard, user: shard-admin}}
users:
- {name: admin, user: {client-certificate: a.crt, client-key: a.key}}
- {name: shard-admin, user: {token: t}}
`;
const files: Readonly<Record<string, string>> = { 'ca.crt': 'CA', 'a.crt': 'CERT', 'a.key': 'KEY' };
const readFile = (file: string) => files[file];

interface Printed {
  readonly 'current-context': string;
  readonly clusters: readonly { readonly name: string; readonly cluster: object }[];
  readonly contexts: readonly { readonly name: string; readonly context: object }[];
  readonly users: readonly { readonly name: string; readonly user: object }[];
}

function extended(from?: string): Printed {
  const text = withWorkspaceContexts(KUBECONFIG, WORKSPACES, { from, readFile });
  if (!text.ok) throw new Error(text.problem);
  return parse(text.value) as Printed;
}

describe(withWorkspaceContexts, () => {
  it('given workspaces, then each has a context with the credentials of the current one, and other contexts stay', () => {
    const { contexts, clusters, 'current-context': current } = extended();

    expect(current).toBe('root');
    expect(contexts).toEqual([
      { name: 'system:admin', context: { cluster: 'shard', user: 'shard-admin' } },
      { name: 'root', context: { cluster: 'root', user: 'admin' } },
      { name: 'team-a', context: { cluster: 'team-a', user: 'admin' } },
    ]);
    expect(clusters.find(({ name }) => name === 'team-a')?.cluster).toMatchObject({
      server: 'https://kcp:6443/clusters/root:teams:team-a',
    });
  });

  it('given credentials in files, then they are inlined', () => {
    const { clusters, users } = extended();

    expect(clusters.find(({ name }) => name === 'root')?.cluster).toEqual({
      server: 'https://kcp:6443/clusters/root',
      'certificate-authority-data': Buffer.from('CA').toString('base64'),
    });
    expect(users.find(({ name }) => name === 'admin')?.user).toEqual({
      'client-certificate-data': Buffer.from('CERT').toString('base64'),
      'client-key-data': Buffer.from('KEY').toString('base64'),
    });
  });

  it('given a context to start from, then its server and user are taken, and root is the current one', () => {
    const { contexts, clusters, 'current-context': current } = extended('system:admin');

    expect(current).toBe('root');
    expect(contexts.find(({ name }) => name === 'team-a')?.context).toEqual({ cluster: 'team-a', user: 'shard-admin' });
    expect(clusters.find(({ name }) => name === 'team-a')?.cluster).toEqual({ server: 'https://shard:6443/clusters/root:teams:team-a' });
  });

  it('given entries of other contexts that are empty, or whose files are gone, then they stay as they are', () => {
    const others = '- {name: gone, user: {client-key: gone.key}}\n- {name: empty}\n';

    const text = withWorkspaceContexts(`${KUBECONFIG}${others}`, WORKSPACES, { readFile });

    const { users } = text.ok ? (parse(text.value) as Printed) : { users: [] };
    expect(users.slice(-2)).toEqual([
      { name: 'gone', user: { 'client-key': 'gone.key' } },
      { name: 'empty', user: {} },
    ]);
  });

  it.each(['https://kcp:6443', 'https://kcp:6443/', 'https://kcp:6443/clusters', 'https://kcp:6443/clusters/root:not-there'])(
    'given the server %s, then only where kcp is counts',
    (server) => {
      const text = withWorkspaceContexts(KUBECONFIG.replace('https://kcp:6443/clusters/root', server), WORKSPACES, { readFile });

      const { clusters } = text.ok ? (parse(text.value) as Printed) : { clusters: [] };
      expect(clusters.find(({ name }) => name === 'team-a')?.cluster).toMatchObject({
        server: 'https://kcp:6443/clusters/root:teams:team-a',
      });
    },
  );

  it('given a server whose path only begins alike, then it stays', () => {
    const text = withWorkspaceContexts(KUBECONFIG.replace('6443/clusters/root', '6443/clusters-of'), WORKSPACES, { readFile });

    expect(text.ok && text.value).toContain('server: https://kcp:6443/clusters-of/clusters/root:teams:team-a\n');
  });

  it('given an entry of another cluster with a file, then that is inlined too, and nothing is read but files', () => {
    const asked: string[] = [];
    const other = 'clusters:\n- {name: other, cluster: {server: "https://other", certificate-authority: ca.crt, tls-server-name: n}}\n';

    const text = withWorkspaceContexts(KUBECONFIG.replace('clusters:\n', other), new Map([['team-a', workspacePath('root:a')]]), {
      readFile: (file) => {
        asked.push(file);
        return files[file];
      },
    });

    const { clusters } = text.ok ? (parse(text.value) as Printed) : { clusters: [] };
    expect(clusters.find(({ name }) => name === 'other')?.cluster).toEqual({
      server: 'https://other',
      'tls-server-name': 'n',
      'certificate-authority-data': Buffer.from('CA').toString('base64'),
    });
    expect(new Set(asked)).toEqual(new Set(['ca.crt', 'a.crt', 'a.key']));
  });

  it('given no workspace that is called root, then the context that it started from is the current one', () => {
    const text = withWorkspaceContexts(KUBECONFIG, new Map(), { from: 'system:admin', readFile });

    expect(text.ok && (parse(text.value) as Printed)['current-context']).toBe('system:admin');
  });

  it('given a kubeconfig without users, then there are none', () => {
    const [withoutUsers = ''] = KUBECONFIG.split('users:');

    const text = withWorkspaceContexts(withoutUsers, WORKSPACES, { readFile });

    expect(text.ok && (parse(text.value) as Printed).users).toEqual([]);
  });

  const contexts = 'contexts: [{name: x, context: {cluster: c, user: u}}]';
  it.each([
    { text: '', name: '' },
    { text: 'a: b', name: '' },
    { text: 'current-context: x', name: 'x' },
    { text: 'current-context: x\nclusters: [{name: c, cluster: {server: "https://kcp"}}]\ncontexts: [{name: y}]', name: 'x' },
    { text: 'current-context: x\nclusters: [{cluster: {server: "https://kcp"}}]', name: 'x' },
    { text: `current-context: x\n${contexts}`, name: 'x' },
    { text: `current-context: x\n${contexts}\nclusters: [{name: d, cluster: {server: "https://kcp"}}]`, name: 'x' },
    { text: `current-context: x\n${contexts}\nclusters: [{name: c}]`, name: 'x' },
    { text: `current-context: x\n${contexts}\nclusters: [{name: c, cluster: {}}]`, name: 'x' },
  ])('given $text, then there is no context to start from', ({ text, name }) => {
    const problem = `the kubeconfig has no context "${name}" with a server`;

    expect(withWorkspaceContexts(text, WORKSPACES, { readFile })).toEqual({ ok: false, problem });
  });
});
