// Instructions for problems of the certificate and the URL of the webhook, in the words of our flags.
import type { CertificateWords, HandshakeFailure } from '@dep-ctrl/admission-server';

/** For problems of the process's own certificate. */
export const CERTIFICATE_WORDS: CertificateWords = {
  certificate: '--tls-cert-dir',
  url: '--webhook-url',
  caBundle: '--webhook-ca-bundle-path',
  consequence: 'kcp refuses every guarded delete',
};

const FIXES: Readonly<Record<HandshakeFailure['cause'], (host: string) => string>> = {
  host: (host) => `give --webhook-url a host that the certificate is for, or the webhook a certificate for "${host}"`,
  dates: () => 'renew the certificate of the webhook, and compare the clocks',
  authority: () =>
    'give --webhook-ca-bundle-path FILE, with the CA that signed the certificate of the webhook, and put what is between them into its tls.crt behind the certificate',
  network: () => 'give --webhook-url where every shard of kcp reaches the webhook, and see that the webhook runs and listens there',
};

/** For problems at the URL of the webhook, as the controller sees them. */
export const URL_FIXES = {
  host: (host: string) => whileSo(FIXES.host(host)),
  dates: (host: string) => whileSo(FIXES.dates(host)),
  authority: (host: string) => whileSo(FIXES.authority(host)),
  network: (host: string) => whileSo(FIXES.network(host)),
};

function whileSo(fix: string): string {
  return `${fix}: while kcp meets the same, it refuses every guarded delete`;
}
