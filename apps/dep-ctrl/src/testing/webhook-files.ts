import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mintAuthority, mintServingPair } from '@dep-ctrl/admission-server';

/** A certificate for this machine, its CA and a URL token, as files below a folder. */
export async function webhookFiles(parent: string) {
  const dir = join(parent, 'tls');
  await mkdir(dir, { recursive: true });
  const authority = await mintAuthority(Date.now());
  const pair = await mintServingPair(authority, ['127.0.0.1', 'localhost'], Date.now());
  const [ca, token] = [join(dir, 'ca.crt'), join(dir, 'token')];
  await Promise.all([
    writeFile(join(dir, 'tls.crt'), pair.certificate),
    writeFile(join(dir, 'tls.key'), pair.key),
    writeFile(ca, authority.certificate),
    writeFile(token, `${randomBytes(32).toString('base64url')}\n`),
  ]);
  return { dir, ca, token, authority };
}
