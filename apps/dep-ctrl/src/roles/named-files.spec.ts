import 'reflect-metadata';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { silentLogger, systemClock } from '@dep-ctrl/kcp-client';
import { mintAuthority, mintServingPair } from '@dep-ctrl/admission-server';
import { readNamedFiles } from './named-files.js';
import type { RoleSettings } from './role-settings.js';

const NO_CA = 'certificate in --tls-cert-dir is not of a public CA, and kcp is told of no other';

/** What is warned of while the files of the roles are read: a certificate for 127.0.0.1, its key, and the CA that signed it. */
async function warningsOf(rolesWith: (files: { readonly tlsCertDir: string; readonly caBundlePath: string }) => RoleSettings) {
  const dir = await mkdtemp(join(tmpdir(), 'named-files-'));
  const authority = await mintAuthority(Date.now());
  const { certificate, key } = await mintServingPair(authority, ['127.0.0.1'], Date.now());
  const caBundlePath = join(dir, 'ca.crt');
  const contents = { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': authority.certificate };
  await Promise.all(Object.entries(contents).map(([file, text]) => writeFile(join(dir, file), text)));
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
  const roles = rolesWith({ tlsCertDir: dir, caBundlePath });
  try {
    await readNamedFiles({ urlTokenFile: undefined, roles }, { clock: systemClock, logger, signal: new AbortController().signal });
  } finally {
    await rm(dir, { recursive: true });
  }
  return warnings;
}

const webhook = (tlsCertDir: string) => ({ port: 0, maxRuleAgeMs: 30_000, tlsCertDir });

describe(readNamedFiles, () => {
  it('given both roles and --tls-cert-dir without --webhook-ca-bundle-path, then it warns before kcp refuses the first delete', async () => {
    expect(await warningsOf(({ tlsCertDir }) => ({ controller: { leaderElect: false }, webhook: webhook(tlsCertDir) }))).toEqual([NO_CA]);
  });

  it('given the CA as well, then there is nothing to warn of', async () => {
    const roles = ({ tlsCertDir, caBundlePath }: { readonly tlsCertDir: string; readonly caBundlePath: string }): RoleSettings => ({
      controller: { leaderElect: false, caBundlePath },
      webhook: webhook(tlsCertDir),
    });

    expect(await warningsOf(roles)).toEqual([]);
  });

  it('given the webhook alone, which does not know what the controller tells kcp, then it does not warn', async () => {
    expect(await warningsOf(({ tlsCertDir }) => ({ webhook: webhook(tlsCertDir) }))).toEqual([]);
  });
});
