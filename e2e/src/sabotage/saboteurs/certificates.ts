import type { Saboteur } from '../saboteur.js';

const RENEWAL = 'libs/admission-server/src/certificates/certificate-renewal.ts';
const IN_TIME = 'if (isUseless || isOver(pending, nowMs) || isOutOfTrust(served, pending, installedBundles)) {';

/** The webhook changes its certificate or its tokens at a wrong time. */
export const certificates: readonly Saboteur[] = [
  {
    name: 'first-certificate-stays',
    does: 'serves its first certificate for ever',
    changes: [{ file: RENEWAL, now: IN_TIME, instead: 'if (served === undefined || isUseless) {' }],
    fails: {
      'S5.5': 'the new certificate is served',
      'S7.10': 'the new certificate is served',
      'S11.6': 'the new certificate is served',
      'S8.2': 'the new certificate is served',
    },
  },
  {
    name: 'new-certificate-at-once',
    does: 'serves a new certificate before kcp has the CA that verifies it',
    changes: [{ file: RENEWAL, now: IN_TIME, instead: 'if (pending.sinceMs <= nowMs) {' }],
    fails: { 'S7.12': 'it is served before kcp has its CA', 'S7.11': 'a connection failed' },
  },
  {
    name: 'new-certificate-closes-connections',
    does: 'closes every connection and does not listen for half a second when it gets a new certificate',
    changes: [
      {
        file: 'libs/admission-server/src/server/admission-server.ts',
        now: "this.#server.setSecureContext({ cert: certificate, key, minVersion: 'TLSv1.2' });",
        instead: `this.#server.setSecureContext({ cert: certificate, key, minVersion: 'TLSv1.2' });
    if (!this.#connections.isEmpty) {
      this.#server.close();
      this.#connections.closeAll();
      setTimeout(() => this.#server.listen({ port: this.#options.port }), 500);
    }`,
      },
    ],
    fails: { 'S5.5': ['failed calling webhook', 'a connection failed'], 'S7.10': ['failed calling webhook', 'a connection failed'] },
  },
  {
    name: 'rotates-to-the-same',
    does: 'rotates the URL tokens to the secret that they are made of already',
    changes: [
      {
        file: 'apps/dep-ctrl/src/token-rotation/run-rotate-token.ts',
        now: "const steps = secretSteps(before, randomBytes(32).toString('base64url'));",
        instead:
          "const steps = secretSteps(before, before.split('\\n').find((line) => /^[^#]/.test(line)) ?? randomBytes(32).toString('base64url'));",
      },
    ],
    fails: { 'S7.21': 'a URL of before is left' },
  },
  {
    name: 'only-the-first-secret',
    does: 'accepts only tokens of the first secret in the file',
    changes: [
      {
        file: 'libs/admission-server/src/url-tokens/url-token.ts',
        now: 'for (const secret of secrets) {',
        instead: 'for (const secret of secrets.slice(0, 1)) {',
      },
    ],
    fails: { 'S11.6': 'until the webhook accepts it' },
  },
  {
    name: 'old-ca-dropped',
    does: 'takes the old CA out of the configurations as soon as there is a new one, and waits all the same before it serves the new certificate',
    changes: [
      { file: 'libs/webhook-installer/src/ca-bundle-source.ts', now: 'const OVERLAP_MS = 10 * 60_000;', instead: 'const OVERLAP_MS = 0;' },
      {
        // Else the webhook would change over at its next look, which may be before the next delete.
        file: RENEWAL,
        now: IN_TIME,
        instead: 'if (isUseless || isOver(pending, nowMs)) {',
      },
    ],
    fails: { 'S7.11': ['failed calling webhook', 'a connection failed'], 'S11.6': 'failed calling webhook' },
  },
  {
    name: 'first-ca-stays',
    does: 'installs for ever the CA that it read first',
    changes: [
      {
        file: 'libs/webhook-installer/src/ca-bundle-source.ts',
        now: 'this.#bundle = followCaBundle(this.#bundle ?? startCaBundle(certificates.value), certificates.value, now, this.#overlapMs);',
        instead: 'this.#bundle ??= followCaBundle(startCaBundle(certificates.value), certificates.value, now, this.#overlapMs);',
      },
    ],
    patienceMs: 90_000,
    fails: { 'S9.8': 'the new CA is installed', 'S11.6': 'the new CA is installed', 'S7.11': 'the new certificate is served' },
  },
  {
    name: 'keeps-the-old-secret',
    does: 'ends a rotation of the URL token without taking the old secret out',
    changes: [
      {
        file: 'apps/dep-ctrl/src/token-rotation/run-rotate-token.ts',
        now: 'await store.write({ before: first, after: alone }, { signal });',
        instead: 'await store.write({ before: first, after: alone === undefined ? alone : first }, { signal });',
      },
    ],
    fails: { 'S7.21': 'the URL of before is answered' },
  },
];
