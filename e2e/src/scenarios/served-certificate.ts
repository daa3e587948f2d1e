import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

/** The fingerprint of the certificate that is served on a port, of this machine unless told otherwise. */
export async function servedCertificate(port: number, host = '127.0.0.1'): Promise<string> {
  // Only looked at, never trusted.
  const socket: TLSSocket = connect({ host, port, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().fingerprint256;
  } finally {
    socket.destroy();
  }
}
