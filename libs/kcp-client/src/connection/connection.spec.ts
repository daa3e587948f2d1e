import type { RequestListener } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { logicalCluster, workspacePath } from '@dep-ctrl/kcp-names';
import {
  Connection,
  KcpError,
  parseVirtualWorkspaceUrl,
  type ClusterClient,
  type Credentials,
  type CredentialSource,
  type VirtualWorkspaceUrl,
} from '../index.js';
import { SpecAuthority } from '../spec-support/certificates.js';
import { json, serve, text, unusedUrl } from '../spec-support/serve.js';

const never = new AbortController().signal;
const secrets = { group: '', version: 'v1', resource: 'secrets' };
const ref = { namespace: 'default', name: 'a' };
const secret = { kind: 'Secret', metadata: { name: 'a' } };

describe('a connection that works', () => {
  it('given a server address with a workspace, when its objects are read, then the request names workspace, namespace and object', async () => {
    const seen: string[] = [];
    await using kcp = await serve((request, response) => {
      seen.push(`${String(request.method)} ${String(request.url)} ${String(request.headers.authorization)}`);
      json(200, secret)(request, response);
    });

    const object = await ask(`${kcp.url}/clusters/root:a`, { credentials: { token: 't' } });

    expect(object).toEqual(secret);
    expect(seen).toEqual(['GET /clusters/root:a/api/v1/namespaces/default/secrets/a Bearer t']);
  });

  it('given several workspaces and a virtual one, then each client asks under its own address', async () => {
    const seen: string[] = [];
    await using kcp = await serve((request, response) => {
      seen.push(String(request.url));
      json(200, secret)(request, response);
    });
    const connection = new Connection({ server: kcp.url });
    const type = { group: 'x.io', version: 'v1', resource: 'vms' };

    await connection.cluster(workspacePath('root:b')).get(type, { name: 'a:b/c' }, { signal: never });
    await connection.ownWorkspace().get(type, { name: 'a', subresource: 'status' }, { signal: never });
    await connection
      .virtualWorkspace(virtual(`${kcp.url}/services/apiexport/c1/e`))
      .cluster(logicalCluster('c2'))
      .get(type, { name: 'a' }, { signal: never });
    await connection.close();

    expect(seen).toEqual([
      '/clusters/root:b/apis/x.io/v1/vms/a%3Ab%2Fc',
      '/apis/x.io/v1/vms/a/status',
      '/services/apiexport/c1/e/clusters/c2/apis/x.io/v1/vms/a',
    ]);
  });

  it('given many requests at once, then they share ten connections', async () => {
    const sockets = new Set<unknown>();
    await using kcp = await serve((request, response) => {
      sockets.add(request.socket);
      json(200, secret)(request, response);
    });
    const connection = new Connection({ server: kcp.url });

    await Promise.all(Array.from({ length: 100 }, () => connection.cluster(workspacePath('root')).get(secrets, ref, { signal: never })));
    await connection.close();

    expect(sockets.size).toBe(10);
  });

  it.each(['', '.', '..'])('given the name %j, then nothing is sent: it would address something else', async (bad) => {
    const client = new Connection({ server: 'http://127.0.0.1:1' }).cluster(workspacePath('root'));

    await expect(client.delete(secrets, { name: bad }, { signal: never })).rejects.toMatchObject({ code: 'invalid' });
    await expect(client.get(secrets, { name: 'a', namespace: bad }, { signal: never })).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('the stack of a failure', () => {
  it.each<{ given: string; answer: RequestListener | undefined }>([
    { given: 'a refusal of the server', answer: text(404, '404 page not found') },
    { given: 'no server', answer: undefined },
    { given: 'a server that says nothing', answer: () => undefined },
  ])('given $given, then it names the caller', async ({ answer }) => {
    await using kcp = await serve(answer ?? (() => undefined));
    const connection = new Connection({ server: answer === undefined ? await unusedUrl() : kcp.url, requestTimeoutMs: 100 });

    async function readMySecret(): Promise<unknown> {
      return await connection.cluster(workspacePath('root:a')).get(secrets, ref, { signal: never });
    }
    const failure = await failureOf(readMySecret());
    await connection.close();

    expect(failure.stack).toContain('readMySecret');
  });
});

describe('answers that are failures', () => {
  const status = (code: number, reason: string, more: object = {}): RequestListener =>
    json(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'says why', reason, code, ...more });
  const rows: readonly {
    readonly given: string;
    readonly answer: RequestListener;
    readonly expected: Partial<KcpError>;
    readonly says: string;
  }[] = [
    { given: '401', answer: status(401, 'Unauthorized'), expected: { code: 'unauthorized', retryable: false }, says: 'renew them' },
    { given: '403', answer: status(403, 'Forbidden'), expected: { code: 'forbidden', reason: 'Forbidden' }, says: 'says why' },
    {
      given: '404 about the object',
      answer: status(404, 'NotFound', { details: { name: 'a', kind: 'secrets' } }),
      expected: { code: 'not-found', retryable: false },
      says: 'says why',
    },
    {
      given: '404 about something else',
      answer: status(404, 'NotFound'),
      expected: { code: 'not-served', retryable: true },
      says: 'says why',
    },
    { given: '404 as text', answer: text(404, '404 page not found\n'), expected: { code: 'not-served' }, says: '404 page not found' },
    { given: '409', answer: status(409, 'Conflict'), expected: { code: 'conflict' }, says: 'says why' },
    { given: '409 AlreadyExists', answer: status(409, 'AlreadyExists'), expected: { code: 'already-exists' }, says: 'says why' },
    { given: '410', answer: status(410, 'Expired'), expected: { code: 'expired' }, says: 'says why' },
    { given: '422', answer: status(422, 'Invalid'), expected: { code: 'invalid', status: 422 }, says: 'says why' },
    {
      given: '429 with Retry-After',
      answer: text(429, 'storage is (re)initializing', { 'retry-after': '1' }),
      expected: { code: 'throttled', retryable: true, retryAfterMs: 1_000 },
      says: 'storage is (re)initializing',
    },
    {
      given: '500',
      answer: text(500, 'Internal Server Error'),
      expected: { code: 'server-error', retryable: true },
      says: 'Internal Server Error',
    },
    { given: '502 without a body', answer: text(502, ''), expected: { code: 'unavailable', retryable: true }, says: '502' },
    {
      given: '503 that says when in its Status',
      answer: status(503, 'ServiceUnavailable', { details: { retryAfterSeconds: 2 } }),
      expected: { code: 'unavailable', retryAfterMs: 2_000 },
      says: 'says why',
    },
    {
      given: '504',
      answer: status(504, 'Timeout', { details: { retryAfterSeconds: 1 } }),
      expected: { code: 'timeout', retryable: true, retryAfterMs: 1_000 },
      says: 'says why',
    },
    {
      given: 'a redirect',
      answer: text(302, '', { location: 'https://elsewhere/' }),
      expected: { code: 'invalid-response', status: 302 },
      says: '"https://elsewhere/"; redirects are not followed',
    },
    { given: 'a login page', answer: text(200, '<html>'), expected: { code: 'invalid-response' }, says: 'is this address a kcp server?' },
    {
      given: 'half JSON',
      answer: (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"kind":"Sec'),
      expected: { code: 'invalid-response' },
      says: 'the answer of 12 bytes is not valid JSON',
    },
    { given: 'JSON that is no object', answer: json(200, ['a']), expected: { code: 'invalid-response' }, says: 'no Kubernetes object' },
    {
      given: 'a failure with status 200',
      answer: json(200, { kind: 'Status', status: 'Failure', code: 403, message: 'says why' }),
      expected: { code: 'forbidden' },
      says: 'says why',
    },
    {
      given: 'a connection reset in the middle',
      answer: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"kind":');
        setImmediate(() => response.socket?.resetAndDestroy());
      },
      expected: { code: 'unreachable', retryable: true },
      says: 'the connection was',
    },
    {
      given: 'a body that stops',
      answer: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"kind":');
      },
      expected: { code: 'timeout', retryable: true },
      says: 'only 8 bytes of the answer within 150 ms',
    },
    { given: 'silence', answer: () => undefined, expected: { code: 'timeout', retryable: true }, says: 'no answer within 150 ms' },
  ];

  it.each(rows)('given $given, then the error is one line with what, where and why', async ({ answer, expected, says }) => {
    await using kcp = await serve(answer);

    const failure = await failureOf(ask(`${kcp.url}/clusters/root:a`, { requestTimeoutMs: 150 }));

    expect(failure).toMatchObject(expected);
    expect(failure.message).toContain(`cannot get secrets "a" in namespace "default" in "root:a" at ${kcp.url}: `);
    expect(failure.message).toContain(says);
    expect(failure.message).not.toContain('\n');
  });

  it('given redirects without end, then not even the first is followed: nobody else gets the credentials', async () => {
    let asked = 0;
    await using kcp = await serve((request, response) => {
      asked += 1;
      text(307, '', { location: String(request.url) })(request, response);
    });

    const failure = await failureOf(ask(kcp.url, { credentials: { token: 't' } }));

    expect(failure).toMatchObject({ code: 'invalid-response', retryable: false });
    expect(asked).toBe(1);
  });

  it('given nobody who listens, then the error asks whether the server runs', async () => {
    const failure = await failureOf(ask(await unusedUrl()));

    expect(failure).toMatchObject({
      code: 'unreachable',
      retryable: true,
      message: expect.stringContaining('is the server running there?'),
    });
  });

  it('given more bytes than allowed, then the error says so', async () => {
    await using kcp = await serve(json(200, { kind: 'SecretList', apiVersion: 'v1', metadata: {}, items: ['x'.repeat(1_000)] }));
    const client = clientOf(kcp.url);

    const failure = await failureOf(client.list(secrets, { maxBytes: 500 }, { signal: never }).next());

    expect(failure).toMatchObject({ code: 'too-large', message: expect.stringContaining('larger than 500 bytes') });
  });

  it('given a caller that gives up, before or while it waits, then the error says aborted', async () => {
    await using kcp = await serve(() => undefined);
    const client = clientOf(kcp.url);
    const later = new AbortController();

    const before = failureOf(client.get(secrets, ref, { signal: AbortSignal.abort() }));
    const during = failureOf(client.get(secrets, ref, { signal: later.signal }));
    later.abort();

    expect(await before).toMatchObject({ code: 'aborted' });
    expect(await during).toMatchObject({ code: 'aborted', retryable: false });
  });
});

describe('credentials that change', () => {
  it('given a token that was rotated, when the server answers 401, then it is read again and tried once more', async () => {
    const tokens: string[] = [];
    await using kcp = await serve((request, response) => {
      tokens.push(String(request.headers.authorization));
      (request.headers.authorization === 'Bearer new' ? json(200, secret) : text(401, 'Unauthorized'))(request, response);
    });
    let known = 'old';

    const object = await ask(kcp.url, {
      credentials: ({ fresh }) => {
        if (fresh) known = 'new';
        return Promise.resolve({ token: known });
      },
    });

    expect(object).toEqual(secret);
    expect(tokens).toEqual(['Bearer old', 'Bearer new']);
  });

  it('given credentials that stay refused, then it is tried twice at most', async () => {
    let asked = 0;
    await using kcp = await serve((request, response) => {
      asked += 1;
      text(401, 'Unauthorized')(request, response);
    });

    const failure = await failureOf(ask(kcp.url, { credentials: ({ fresh }) => Promise.resolve({ token: fresh ? 'b' : 'a' }) }));

    expect(failure.code).toBe('unauthorized');
    expect(asked).toBe(2);
  });

  it('given a source that fails, then the error carries its reason', async () => {
    const failure = await failureOf(
      ask('http://127.0.0.1:1', { credentials: () => Promise.reject(new Error('plugin "x" printed garbage')) }),
    );

    expect(failure).toMatchObject({ code: 'unauthorized', message: expect.stringContaining('no credentials: plugin "x" printed garbage') });
  });

  it('given a certificate authority that was rotated, when the server is not believed, then it is read again and tried once more', async () => {
    const [old, renewed] = [await SpecAuthority.create(), await SpecAuthority.create()];
    await using kcp = await serve(json(200, secret), await renewed.issue('127.0.0.1'));

    const object = await ask(kcp.url, { credentials: ({ fresh }) => Promise.resolve({ ca: fresh ? renewed.pem : old.pem }) });

    expect(object).toEqual(secret);
  });
});

describe('TLS', () => {
  it('given the wrong authority, then the error names it', async () => {
    const [ours, theirs] = [await SpecAuthority.create(), await SpecAuthority.create()];
    await using kcp = await serve(json(200, secret), await theirs.issue('127.0.0.1'));

    const failure = await failureOf(ask(kcp.url, { credentials: { ca: ours.pem } }));

    expect(failure).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('not signed by the configured certificate authority'),
    });
  });

  it('given the server certificate itself as the authority, then it is believed, as kcp writes it into its own kubeconfigs', async () => {
    const pair = await (await SpecAuthority.create()).issue('127.0.0.1');
    await using kcp = await serve(json(200, secret), pair);

    expect(await ask(kcp.url, { credentials: { ca: pair.cert } })).toEqual(secret);
  });

  it('given a certificate for another logicalCluster, then the error says so, and serverName or skip help', async () => {
    const authority = await SpecAuthority.create();
    await using kcp = await serve(json(200, secret), await authority.issue('kcp.example.com'));

    const failure = await failureOf(ask(kcp.url, { credentials: { ca: authority.pem } }));

    expect(failure.message).toContain('for another name; fix the address or set tls-server-name');
    await expect(ask(kcp.url, { credentials: { ca: authority.pem, serverName: 'kcp.example.com' } })).resolves.toEqual(secret);
    await expect(ask(kcp.url, { credentials: { verify: 'skip' } })).resolves.toEqual(secret);
  });

  it('given a server certificate that expired, then the error says so', async () => {
    const authority = await SpecAuthority.create();
    await using kcp = await serve(json(200, secret), await authority.issue('127.0.0.1', { notAfter: new Date(Date.now() - 1_000) }));

    const failure = await failureOf(ask(kcp.url, { credentials: { ca: authority.pem } }));

    expect(failure.message).toContain('the certificate of the server has expired');
  });

  it('given a client certificate, then the server sees it', async () => {
    const authority = await SpecAuthority.create();
    const [server, user] = [await authority.issue('127.0.0.1'), await authority.issue('alice')];
    await using kcp = await serve(json(200, secret), { ...server, ca: authority.pem, requestCert: true, rejectUnauthorized: true });

    await expect(ask(kcp.url, { credentials: { ca: authority.pem, clientCert: user.cert, clientKey: user.key } })).resolves.toEqual(secret);
  });

  it('given a key that does not match its certificate, then the error says so', async () => {
    const authority = await SpecAuthority.create();
    const [alice, bob] = [await authority.issue('alice'), await authority.issue('bob')];

    const failure = await failureOf(ask('https://127.0.0.1:1', { credentials: { clientCert: alice.cert, clientKey: bob.key } }));

    expect(failure).toMatchObject({ code: 'unauthorized', message: expect.stringContaining('key values mismatch') });
  });
});

describe('a server address', () => {
  it.each(['', 'kcp.example.com', 'ftp://a', 'https://u:p@a', 'https://a/?b=c', 'https://a/clusters/A'])(
    'given %j, then it is refused',
    (server) => {
      expect(() => new Connection({ server })).toThrow(TypeError);
    },
  );

  it.each([
    ['https://a:6443', 'https://a:6443', undefined],
    ['https://a:6443/clusters/root:b/', 'https://a:6443', 'root:b'],
    ['https://a/clusters/system:admin', 'https://a', 'system:admin'],
    ['https://a/services/apiexport/c/e/clusters/*', 'https://a/services/apiexport/c/e', undefined],
    ['https://a/prefix/clusters/root%3Ab', 'https://a/prefix', 'root:b'],
  ])('given %j, then base and workspace are told apart', (server, baseUrl, workspace) => {
    const connection = new Connection({ server });

    expect({ baseUrl: connection.baseUrl, workspace: connection.workspace }).toEqual({ baseUrl, workspace });
  });
});

interface AskOptions {
  readonly credentials?: Credentials | CredentialSource;
  readonly requestTimeoutMs?: number;
}

async function ask(server: string, options: AskOptions = {}): Promise<unknown> {
  const connection = new Connection({ server, ...options });
  try {
    return await connection.ownWorkspace().get(secrets, ref, { signal: never });
  } finally {
    await connection.close();
  }
}

async function failureOf(promise: Promise<unknown>): Promise<KcpError> {
  try {
    await promise;
  } catch (failure) {
    if (failure instanceof KcpError) return failure;
    throw failure;
  }
  throw new Error('it succeeded');
}

function clientOf(server: string): ClusterClient {
  return new Connection({ server }).cluster(workspacePath('root'));
}

function virtual(value: string): VirtualWorkspaceUrl {
  const parsed = parseVirtualWorkspaceUrl(value);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
