import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { delimiter } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Connection, KcpError, type Credentials } from '../index.js';
import { SpecAuthority } from '../spec-support/certificates.js';
import { Scratch } from '../spec-support/scratch.js';
import { json, serve, text } from '../spec-support/serve.js';
import { loadKubeconfig, type KubeconfigQuery, type LoadedKubeconfig } from './index.js';

const signal = new AbortController().signal;
const server = 'https://kcp.example.com:6443/clusters/root:a';
const base64 = (value: string): string => Buffer.from(value).toString('base64');

describe('a kubeconfig that cannot work', () => {
  it.each([
    { given: 'an empty file', content: ' \n', says: 'is empty' },
    { given: 'half a file', content: 'apiVersion: v1\nclusters:\n- name: "a', says: 'is not valid YAML: ' },
    { given: 'a list', content: '[1]', says: 'is not a kubeconfig' },
    { given: 'a sentence', content: 'hello', says: 'is not a kubeconfig' },
    { given: 'contexts that are no list', content: 'contexts: {}', says: 'contexts should be a list' },
    { given: 'a context without a name', content: 'contexts: [{}]', says: 'contexts[0] should have a name' },
    { given: 'no current context', content: yaml({ 'current-context': '' }), says: 'has no current-context; choose one of: main' },
    { given: 'a current context that is not there', content: yaml({ 'current-context': 'x' }), says: 'has no context "x"; it has: main' },
    {
      given: 'no cluster of that name',
      content: yaml({ clusters: [] }),
      says: 'names the cluster "kcp", which is not there; it has: none',
    },
    { given: 'no user of that name', content: yaml({ users: [] }), says: 'names the user "me", which is not there; it has: none' },
    { given: 'no server', content: withCluster({ server: '' }), says: 'cluster "kcp" has no server' },
    { given: 'a server that is no URL', content: withCluster({ server: 'kcp' }), says: '"kcp" is not a server address' },
    { given: 'a proxy that is no URL', content: withCluster({ 'proxy-url': 'proxy:3128' }), says: 'proxy-url should begin with' },
    {
      given: 'an authority that is none',
      content: withCluster({ 'certificate-authority-data': 'eHl6' }),
      says: 'the certificate authority is not a PEM certificate',
    },
    { given: 'an authority that is not there', content: withCluster({ 'certificate-authority': 'ca.crt' }), says: 'there is no such file' },
    {
      given: 'an authority although any certificate is believed',
      content: withCluster({ 'certificate-authority-data': 'eHl6', 'insecure-skip-tls-verify': true }),
      says: 'has both insecure-skip-tls-verify and a certificate authority',
    },
    {
      given: 'a certificate without its key',
      content: withUser({ 'client-certificate-data': 'eHl6' }),
      says: 'a client certificate or a key, but not both',
    },
    {
      given: 'a certificate that is none',
      content: withUser({ 'client-certificate-data': 'eHl6', 'client-key-data': 'eHl6' }),
      says: 'the client certificate of user "me" is not a PEM certificate',
    },
    {
      given: 'a token file that is not there',
      content: withUser({ tokenFile: 'token' }),
      says: 'the token of user "me" cannot be read from',
    },
    { given: 'a token of two lines', content: withUser({ token: 'a\nb' }), says: 'characters that no header can carry' },
    { given: 'a plugin without a command', content: withUser({ exec: {} }), says: 'user "me": exec has no command' },
    {
      given: 'a plugin of an old kind',
      content: withUser({ exec: { command: 'x', apiVersion: 'client.authentication.k8s.io/v1alpha1' } }),
      says: 'exec.apiVersion should be',
    },
    {
      given: 'a plugin that wants a terminal',
      content: withUser({ exec: { command: 'x', apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Always' } }),
      says: 'the exec plugin "x" wants a terminal',
    },
  ])('given $given, then one line says so', ({ content, says }) => {
    using scratch = new Scratch();
    const file = scratch.write('config', content);

    const problem = problemOf({ file });

    expect(problem).toContain(`kubeconfig ${JSON.stringify(file)}`);
    expect(problem).toContain(says);
    expect(problem).not.toContain('\n');
  });

  it('given a file that is not there, a folder, and nothing at all, then one line says so', () => {
    expect(problemOf({ file: '/nowhere/config' })).toBe('kubeconfig "/nowhere/config" cannot be read: there is no such file');
    expect(problemOf({ file: '/' })).toBe('kubeconfig "/" cannot be read: it is a folder');
    expect(problemOf({ env: {} })).toBe('no kubeconfig: name a file, set KUBECONFIG, or run in a Pod');
    expect(problemOf({ env: { KUBECONFIG: ['/a', '/b'].join(delimiter) } })).toContain(
      '"/a" cannot be read: there is no such file; kubeconfig "/b"',
    );
    expect(problemOf({ object: yaml({}), context: 'x' })).toContain('is not a kubeconfig');
    expect(problemOf({ object: JSON.parse(yaml({})) as unknown, context: 'x' })).toBe('the kubeconfig has no context "x"; it has: main');
  });

  it('given a certificate that expired or a key of another one, then one line says so', async () => {
    const authority = await SpecAuthority.create();
    const [old, other] = [await authority.issue('me', { notAfter: new Date(1_700_000_000_000) }), await authority.issue('other')];

    const pair = (cert: string, key: string): string =>
      problemOf({ object: objectWithUser({ 'client-certificate-data': base64(cert), 'client-key-data': base64(key) }) });

    expect(pair(old.cert, old.key)).toContain('the client certificate of user "me" expired at 2023-11-14T22:13:20.000Z; renew it');
    expect(pair(other.cert, old.key)).toContain('the client key of user "me" does not match the client certificate');
    expect(pair(other.cert, 'x')).toContain('the client key of user "me" is not a PEM private key');
  });
});

describe('a kubeconfig that works', () => {
  it('given everything inline, then that is what a request carries', async () => {
    const authority = await SpecAuthority.create();
    const me = await authority.issue('me');
    const object = JSON.parse(
      yaml({
        clusters: [
          { name: 'kcp', cluster: { server, 'certificate-authority-data': base64(authority.pem), 'tls-server-name': 'other.example.com' } },
        ],
        users: [
          {
            name: 'me',
            user: {
              'client-certificate-data': base64(me.cert),
              'client-key-data': base64(me.key),
              token: 't',
              as: 'alice',
              'as-uid': '7',
              'as-groups': ['a', 'b'],
              'as-user-extra': { 'example.com/x': ['y'] },
            },
          },
        ],
      }),
    ) as unknown;

    const loaded = load({ object });

    expect(loaded).toMatchObject({ contextName: 'main', server });
    expect(await credentialsOf(loaded)).toEqual({
      ca: authority.pem,
      clientCert: me.cert,
      clientKey: me.key,
      token: 't',
      serverName: 'other.example.com',
      verify: 'full',
      headers: {
        'impersonate-user': 'alice',
        'impersonate-uid': '7',
        'impersonate-group': ['a', 'b'],
        'impersonate-extra-example.com%2Fx': ['y'],
      },
    });
  });

  it('given user and password, and any certificate believed, then that is what a request carries', async () => {
    const object = JSON.parse(
      yaml({
        clusters: [{ name: 'kcp', cluster: { server, 'insecure-skip-tls-verify': true } }],
        users: [{ name: 'me', user: { username: 'u', password: 'p' } }],
      }),
    ) as unknown;

    expect(await credentialsOf(load({ object }))).toEqual({ verify: 'skip', headers: { authorization: `Basic ${base64('u:p')}` } });
  });

  it('given a context without a user, then it is anonymous', async () => {
    const object = JSON.parse(yaml({ contexts: [{ name: 'main', context: { cluster: 'kcp' } }] })) as unknown;

    expect(await credentialsOf(load({ object }))).toEqual({ verify: 'full', headers: {} });
  });

  it('given several files, then the first that names something wins, and some may be missing', () => {
    using scratch = new Scratch();
    const first = scratch.write('first', yaml({ 'current-context': '', users: [{ name: 'me', user: { token: 'first' } }], clusters: [] }));
    const second = scratch.write('second', yaml({ users: [{ name: 'me', user: { token: 'second' } }] }));

    const loaded = load({ env: { KUBECONFIG: [first, '/nowhere', second].join(delimiter) } });

    expect(loaded).toMatchObject({ contextName: 'main', server });
    return expect(credentialsOf(loaded)).resolves.toMatchObject({ token: 'first' });
  });

  it('given a Pod, then its ServiceAccount is used', async () => {
    using scratch = new Scratch();
    const authority = await SpecAuthority.create();
    scratch.write('token', 'pod-token\n');
    scratch.write('ca.crt', authority.pem);

    const loaded = load({
      env: { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' },
      serviceAccountFolder: scratch.folder,
    });

    expect(loaded).toMatchObject({ contextName: 'in-cluster', server: 'https://[fd00::1]:443' });
    expect(await credentialsOf(loaded)).toMatchObject({ token: 'pod-token', ca: authority.pem });
  });
});

describe('files that change', () => {
  it('given relative paths, then they start from the kubeconfig; given other content later, then that is used', async () => {
    using scratch = new Scratch();
    const authority = await SpecAuthority.create();
    const [before, after] = [await authority.issue('me'), await authority.issue('me')];
    scratch.write('token', 'one');
    scratch.write('ca.crt', authority.pem);
    scratch.write('tls.crt', before.cert);
    scratch.write('tls.key', before.key);
    const file = scratch.write(
      'config',
      yaml({
        clusters: [{ name: 'kcp', cluster: { server, 'certificate-authority': 'ca.crt' } }],
        users: [{ name: 'me', user: { tokenFile: 'token', 'client-certificate': 'tls.crt', 'client-key': 'tls.key' } }],
      }),
    );
    const loaded = load({ file });
    expect(await credentialsOf(loaded)).toMatchObject({ token: 'one', clientCert: before.cert, ca: authority.pem });

    scratch.write('token', 'another');
    scratch.write('tls.crt', after.cert);
    const halfWritten = await credentialsOf(loaded, true);
    scratch.write('tls.key', after.key);

    // Certificate and key did not match for a moment: nothing of that was used.
    expect(halfWritten).toMatchObject({ token: 'one', clientCert: before.cert, clientKey: before.key });
    expect(await credentialsOf(loaded, true)).toMatchObject({ token: 'another', clientCert: after.cert, clientKey: after.key });
  });

  it('given a kubeconfig that is written anew, then its data is used, of the same context', async () => {
    using scratch = new Scratch();
    const file = scratch.write('config', withUser({ token: 'one' }));
    const loaded = load({ file });
    await credentialsOf(loaded);

    scratch.write('config', yaml({ 'current-context': 'other', users: [{ name: 'me', user: { token: 'another' } }] }));
    expect(await credentialsOf(loaded, true)).toMatchObject({ token: 'another' });
    scratch.write('config', 'apiVersion: v1\nusers:\n- na');
    expect(await credentialsOf(loaded, true)).toMatchObject({ token: 'another' });
  });

  it('given a token file that is rotated while the server already refuses the old one, then no request fails', async () => {
    using scratch = new Scratch();
    scratch.write('token', 'old');
    let valid = 'old';
    await using kcp = await serve((request, response) => {
      const answer =
        request.headers.authorization === `Bearer ${valid}` ? json(200, { kind: 'X', metadata: {} }) : text(401, 'Unauthorized');
      answer(request, response);
    });
    const file = scratch.write('config', withUser({ tokenFile: 'token' }, kcp.url));
    const connection = new Connection(load({ file }));

    await ask(connection);
    scratch.write('token', 'brand-new');
    valid = 'brand-new';
    const answer = await ask(connection);
    await connection.close();

    expect(answer).toEqual({ kind: 'X', metadata: {} });
  });
});

describe('an exec plugin', () => {
  const apiVersion = 'client.authentication.k8s.io/v1';
  const credential = (status: object): string => JSON.stringify({ apiVersion, kind: 'ExecCredential', status });

  it('given a plugin that prints a token, then it is run once for concurrent requests and told about the cluster', async () => {
    using scratch = new Scratch();
    const script = 'echo run >> "$LOG"; printf %s "$KUBERNETES_EXEC_INFO" > "$LOG.info"; printf %s "$ANSWER"';
    const env = [
      { name: 'LOG', value: scratch.write('log', '') },
      { name: 'ANSWER', value: credential({ token: 'from-plugin' }) },
    ];
    const loaded = loadExec({ command: 'sh', args: ['-c', script], env, apiVersion, provideClusterInfo: true });

    const answers = await Promise.all([credentialsOf(loaded), credentialsOf(loaded), credentialsOf(loaded)]);

    expect(answers.map(({ token }) => token)).toEqual(['from-plugin', 'from-plugin', 'from-plugin']);
    expect(scratch.read('log')).toBe('run\n');
    expect(JSON.parse(scratch.read('log.info'))).toEqual({
      apiVersion,
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server } },
    });
  });

  it('given a credential that expired, or was refused, then the plugin is run again', async () => {
    using scratch = new Scratch();
    const log = scratch.write('log', '');
    const script = `echo run >> ${log}; n=$(wc -l < ${log}); echo "{\\"apiVersion\\":\\"${apiVersion}\\",\\"kind\\":\\"ExecCredential\\",\\"status\\":{\\"token\\":\\"t$((n))\\",\\"expirationTimestamp\\":\\"$EXPIRY\\"}}"`;
    const of = (expiry: string): LoadedKubeconfig =>
      loadExec({ command: 'sh', args: ['-c', script], env: [{ name: 'EXPIRY', value: expiry }], apiVersion });
    const [expired, valid] = [of('2020-01-01T00:00:00Z'), of('2999-01-01T00:00:00Z')];

    expect([await tokenOf(expired), await tokenOf(expired)]).toEqual(['t1', 't2']);
    expect([await tokenOf(valid), await tokenOf(valid), await tokenOf(valid, true)]).toEqual(['t3', 't3', 't4']);
  });

  it('given a plugin that prints a certificate, then that is used', async () => {
    const me = await (await SpecAuthority.create()).issue('me');
    const loaded = loadExec(printing(credential({ clientCertificateData: me.cert, clientKeyData: me.key })));

    expect(await credentialsOf(loaded)).toMatchObject({ clientCert: me.cert, clientKey: me.key });
  });

  const printing = (output: string): object => ({
    command: 'sh',
    args: ['-c', 'printf %s "$ANSWER"'],
    env: [{ name: 'ANSWER', value: output }],
    apiVersion,
  });
  it.each([
    { given: 'garbage', exec: printing('<html>secret'), says: 'printed 12 characters that are not JSON' },
    { given: 'something else', exec: printing('{}'), says: 'printed no ExecCredential with a status' },
    {
      given: 'another version',
      exec: printing(credential({ token: 't' }).replace('/v1"', '/v1beta1"')),
      says: 'answered in another apiVersion',
    },
    { given: 'nothing to use', exec: printing(credential({})), says: 'printed neither a token nor a client certificate' },
    {
      given: 'a strange time',
      exec: printing(credential({ token: 't', expirationTimestamp: 'soon' })),
      says: 'expirationTimestamp that is no time',
    },
    {
      given: 'an exit code',
      exec: { command: 'sh', args: ['-c', 'echo first >&2; echo please log in >&2; exit 3'], apiVersion },
      says: 'failed with exit code 3: please log in',
    },
    {
      given: 'no program',
      exec: { command: 'no-such-plugin', installHint: 'get it\nthere', apiVersion },
      says: '"no-such-plugin" is not installed: get it',
    },
    {
      given: 'output without end',
      exec: { command: 'sh', args: ['-c', 'yes secret'], apiVersion },
      says: 'printed more than 1048576 characters',
    },
    { given: 'silence', exec: { command: 'sh', args: ['-c', 'sleep 60'], apiVersion }, says: 'gave no answer within 100 ms' },
  ])('given $given, then one line says so', async ({ exec, says }) => {
    const connection = new Connection(loadExec(exec, 'http://127.0.0.1:1'));

    const failure = await ask(connection).catch((thrown: unknown) => thrown);

    expect(failure).toBeInstanceOf(KcpError);
    expect(failure).toMatchObject({ code: 'unauthorized', message: expect.stringContaining(says) });
    expect((failure as KcpError).message).not.toMatch(/\n|secret/u);
  });

  function loadExec(exec: object, url = server): LoadedKubeconfig {
    return load({
      object: objectWithUser({ exec }, url),
      execTimeoutMs: 100 + ('args' in exec && String(exec.args).includes('sleep') ? 0 : 10_000),
    });
  }
});

describe('a proxy', () => {
  it('given a proxy-url, then requests go through it', async () => {
    await using kcp = await serve(json(200, { kind: 'X', metadata: {} }));
    const asked: string[] = [];
    const proxy = await tunnel(asked);
    const connection = new Connection(
      load({ object: objectWithUser({}, kcp.url, { 'proxy-url': `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}` }) }),
    );

    const answer = await ask(connection);
    await connection.close();
    proxy.closeAllConnections();
    proxy.close();

    expect(answer).toEqual({ kind: 'X', metadata: {} });
    expect(asked).toEqual([new URL(kcp.url).host]);
  });
});

function load(query: KubeconfigQuery): LoadedKubeconfig {
  const loaded = loadKubeconfig(query);
  if (!loaded.ok) throw new Error(loaded.problem);
  return loaded.value;
}

function problemOf(query: KubeconfigQuery): string {
  const loaded = loadKubeconfig(query);
  return loaded.ok ? 'it was loaded' : loaded.problem;
}

async function credentialsOf({ credentials }: LoadedKubeconfig, fresh = false): Promise<Credentials> {
  return typeof credentials === 'function' ? credentials({ fresh, signal }) : (credentials ?? {});
}

async function tokenOf(loaded: LoadedKubeconfig, fresh = false): Promise<string | undefined> {
  return (await credentialsOf(loaded, fresh)).token;
}

function ask(connection: Connection): Promise<unknown> {
  return connection.ownWorkspace().get({ group: '', version: 'v1', resource: 'configmaps' }, { name: 'x' }, { signal });
}

/** A kubeconfig as JSON, which is YAML. */
function yaml(more: object): string {
  return JSON.stringify({
    'current-context': 'main',
    contexts: [{ name: 'main', context: { cluster: 'kcp', user: 'me' } }],
    clusters: [{ name: 'kcp', cluster: { server } }],
    users: [{ name: 'me', user: {} }],
    ...more,
  });
}

function withCluster(cluster: object): string {
  return yaml({ clusters: [{ name: 'kcp', cluster: { server, ...cluster } }] });
}

function withUser(user: object, url = server): string {
  return yaml({ users: [{ name: 'me', user }], clusters: [{ name: 'kcp', cluster: { server: url } }] });
}

function objectWithUser(user: object, url = server, cluster: object = {}): unknown {
  return JSON.parse(yaml({ users: [{ name: 'me', user }], clusters: [{ name: 'kcp', cluster: { server: url, ...cluster } }] }));
}

/** A proxy that opens tunnels. */
async function tunnel(asked: string[]): Promise<Server> {
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    asked.push(String(request.url));
    const [host = '', port = ''] = String(request.url).split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}
