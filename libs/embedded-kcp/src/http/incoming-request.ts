import type { IncomingHttpHeaders } from 'node:http';

/** One request, independent of its socket. */
export interface IncomingRequest {
  readonly method: string;
  /** Decoded path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The client certificate's subject; undefined without one, 'invalid' when it was not signed by the client CA or has expired. */
  readonly certificate?: CertificateSubject | 'invalid' | undefined;
  /** Reads the body once; later calls give the same bytes. */
  readonly body: () => Promise<Buffer>;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** The subject of a client certificate as Kubernetes reads it. */
export interface CertificateSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}
