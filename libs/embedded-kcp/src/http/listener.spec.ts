import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { connect } from 'node:net';
import { CertificateAuthority } from './certificates.js';
import { Listener } from './listener.js';

describe(Listener, () => {
  it('given a connection that is in its TLS handshake, when stopped, then that is closed too', async () => {
    const authority = await CertificateAuthority.create('ca');
    const listener = new Listener({
      ...{ host: '127.0.0.1', port: 0, clientCa: authority.pem },
      serving: await authority.serving(['127.0.0.1']),
      handle: () => Promise.reject(new Error('nobody asks')),
    });
    await listener.start();
    const socket = connect(listener.port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve).resume());
    await once(socket, 'connect');
    // What asks after it was accepted after it.
    const [answer] = (await once(get({ port: listener.port, host: '127.0.0.1', ca: authority.pem }), 'response')) as [IncomingMessage];

    await listener.stop();

    await closed;
    expect(answer.statusCode).toBe(500);
  });
});
