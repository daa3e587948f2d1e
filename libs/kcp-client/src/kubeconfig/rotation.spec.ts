import type { RequestListener } from 'node:http';
import { TLSSocket } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { Connection, Reflector } from '../index.js';
import { SpecAuthority } from '../spec-support/certificates.js';
import { Scratch } from '../spec-support/scratch.js';
import { Script, vpcList, watchOf } from '../spec-support/script.js';
import { json, serve, text } from '../spec-support/serve.js';
import { Told } from '../spec-support/told.js';
import { loadKubeconfig } from './index.js';

const secret = { kind: 'Secret', metadata: { name: 'a' } };
const secrets = { group: '', version: 'v1', resource: 'secrets' };
const vpcs = { group: 'network.example.com', version: 'v1', resource: 'vpcs' };
const { signal } = new AbortController();

describe('files that rotate while a connection is in use', () => {
  it('given an authority file, when server and file change, then the next request believes the new server', async () => {
    using scratch = new Scratch();
    const [before, after] = [await SpecAuthority.create(), await SpecAuthority.create()];
    await using old = await serve(json(200, secret), await before.issue('127.0.0.1'));
    await using renewed = await serve(json(200, secret), await after.issue('127.0.0.1'));
    scratch.write('ca.crt', before.pem);
    const [here, there] = [old, renewed].map(({ url }) => connectBy(scratch, url, { 'certificate-authority': 'ca.crt' }, {}));
    if (here === undefined || there === undefined) throw new Error('two connections were expected');

    await expect(ask(here)).resolves.toEqual(secret);
    await expect(ask(there)).rejects.toThrow('not signed by the configured certificate authority');
    scratch.write('ca.crt', after.pem);

    await expect(ask(there)).resolves.toEqual(secret);
    await Promise.all([here.close(), there.close()]);
  });

  it('given a client certificate and its key, when both files change, then the server sees the new one', async () => {
    using scratch = new Scratch();
    const authority = await SpecAuthority.create();
    const names: string[] = [];
    const tls = { ...(await authority.issue('127.0.0.1')), ca: authority.pem, requestCert: true, rejectUnauthorized: true };
    let valid = 'one';
    const answer: RequestListener = (request, response) => {
      const CN = request.socket instanceof TLSSocket ? String(request.socket.getPeerCertificate().subject.CN) : 'no TLS';
      names.push(CN);
      (CN === valid ? json(200, secret) : text(401, 'Unauthorized'))(request, response);
    };
    await using kcp = await serve(answer, tls);
    const write = async (name: string): Promise<void> => {
      const { cert, key } = await authority.issue(name);
      scratch.write('tls.crt', cert);
      scratch.write('tls.key', key);
    };
    scratch.write('ca.crt', authority.pem);
    await write('one');
    const user = { 'client-certificate': 'tls.crt', 'client-key': 'tls.key' };
    const connection = connectBy(scratch, kcp.url, { 'certificate-authority': 'ca.crt' }, user);
    await ask(connection);

    await write('two');
    valid = 'two';
    await expect(ask(connection)).resolves.toEqual(secret);
    await connection.close();

    expect(names).toEqual(['one', 'one', 'two']);
  });

  it('given a token file, when the server refuses the old token on a watch, then the watch goes on with the new one', async () => {
    using scratch = new Scratch();
    scratch.write('token', 'old');
    let valid = 'old';
    const opened: string[] = [];
    const script = new Script([json(200, vpcList('7', []))], [watchOf([], 'end'), watchOf([], 'stay')]);
    await using kcp = await serve((request, response) => {
      const { authorization = '' } = request.headers;
      if (authorization !== `Bearer ${valid}`) {
        text(401, 'Unauthorized')(request, response);
        return;
      }
      if (request.url?.includes('watch=true') === true) opened.push(authorization);
      if (opened.length === 1) {
        scratch.write('token', 'brand-new');
        valid = 'brand-new';
      }
      script.listener(request, response);
      told.check();
    });
    const connection = connectBy(scratch, kcp.url, {}, { tokenFile: 'token' });
    const told = new Told<unknown>();
    const stop = new AbortController();
    const ended = new Reflector({ client: connection.wildcard(), type: vpcs, onEvent: told.take, random: () => 0 }).run(stop.signal);

    await told.until(() => opened.length === 2);
    stop.abort();
    await ended;
    await connection.close();

    expect(opened).toEqual(['Bearer old', 'Bearer brand-new']);
    expect(script.lists).toHaveLength(1);
  });
});

function connectBy(scratch: Scratch, server: string, cluster: object, user: object): Connection {
  const config = {
    'current-context': 'main',
    contexts: [{ name: 'main', context: { cluster: 'kcp', user: 'me' } }],
    clusters: [{ name: 'kcp', cluster: { server, ...cluster } }],
    users: [{ name: 'me', user }],
  };
  const loaded = loadKubeconfig({ file: scratch.write(`config-${new URL(server).port}`, JSON.stringify(config)), env: {} });
  if (!loaded.ok) throw new Error(loaded.problem);
  return new Connection(loaded.value);
}

function ask(connection: Connection): Promise<unknown> {
  return connection.ownWorkspace().get(secrets, { name: 'a' }, { signal });
}
