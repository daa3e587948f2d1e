import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

/** The fingerprint of the certificate that is served on a port, of this machine unless told otherwise; given a `ca`, only where that vouches for it. */
export async function servedCertificate(port: number, host = '127.0.0.1', ca?: string): Promise<string> {
  // Whom it vouches for: kcp may know this address by another name.
  const socket: TLSSocket = connect({ host, port, ca, rejectUnauthorized: ca !== undefined, checkServerIdentity: () => undefined });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().fingerprint256;
  } finally {
    socket.destroy();
  }
}
