import { describe, expect, it } from '@jest/globals';
import { runAll, silentLogger, systemClock, type ClusterClient } from '@dep-ctrl/kcp-client';
import { EXPORT_NAME } from '@dep-ctrl/rule-registry';
import { hurriedClock } from '@dep-ctrl/kcp-client/testing';
import { type Authority, isVerifiedBy, mintAuthority } from '@dep-ctrl/admission-server';
import { ensureWorkspace } from '@dep-ctrl/kcp-objects';
import { DEV_PATHS } from '../dev/dev-paths.js';
import { CA_SECRET, SECRETS, sharedAuthority, URL_TOKEN_SECRET } from '../certificate/shared-secrets.js';
import { onEmbeddedKcp } from '../testing/embedded-world.js';
import { prepareRoles } from './prepare-roles.js';

const OLD = 'old-secret-of-32-characters-here';
const NEW = 'new-secret-of-32-characters-here';

/** Both roles in one process that is given no file: what they need stands in Secrets. */
const bothRoles = (workspace: ClusterClient, signal: AbortSignal) =>
  prepareRoles({
    roles: { controller: { leaderElect: false }, webhook: { port: 0, maxRuleAgeMs: 30_000 } },
    files: {},
    home: { exportName: EXPORT_NAME, workspace },
    clock: hurriedClock(100),
    logger: silentLogger,
    signal,
  });

describe(prepareRoles, () => {
  it('given the Secret of the URL token changes while both roles run, then so does what is installed and accepted', () =>
    onEmbeddedKcp(async ({ admin }) => {
      const { signal } = new AbortController();
      await ensureWorkspace(admin, DEV_PATHS.depCtrl, { clock: systemClock, signal });
      const workspace = admin.cluster(DEV_PATHS.depCtrl);
      const { urlSecrets, followers } = await bothRoles(workspace, signal);
      const stop = new AbortController();
      const changed = new Promise<void>((resolve) => urlSecrets?.subscribe(resolve));
      const running = runAll(followers, stop.signal);

      const found = await workspace.get(SECRETS, { name: URL_TOKEN_SECRET, namespace: 'default' }, { signal });
      const data = { token: Buffer.from(`${NEW}\n${OLD}\n`).toString('base64') };
      await workspace.replace(SECRETS, { ...found, data }, { signal });
      await changed;

      expect(urlSecrets?.current()).toEqual([NEW, OLD]);
      stop.abort();
      await running;
    }));

  it('given the Secret of the own CA changes while both roles run, then both CAs are trusted, and the new one signs', () =>
    onEmbeddedKcp(async ({ admin }) => {
      const { signal } = new AbortController();
      await ensureWorkspace(admin, DEV_PATHS.depCtrl, { clock: systemClock, signal });
      const workspace = admin.cluster(DEV_PATHS.depCtrl);
      const { caBundle, readServingPair, followers } = await bothRoles(workspace, signal);
      const trusted = () => {
        const current = caBundle.current();
        return current.kind === 'pem' ? current.pem : '';
      };
      const stop = new AbortController();
      const running = runAll(followers, stop.signal);
      const found = await workspace.get(SECRETS, { name: CA_SECRET, namespace: 'default' }, { signal });
      const old = await sharedAuthority(workspace, Date.now(), { signal });
      const next = await mintAuthority(Date.now());
      const encoded = (text: string) => Buffer.from(text).toString('base64');
      const write = async (authority: Authority) => {
        const { metadata } = await workspace.get(SECRETS, { name: CA_SECRET, namespace: 'default' }, { signal });
        const data = { 'tls.crt': encoded(authority.certificate), 'tls.key': encoded(authority.key) };
        await workspace.replace(SECRETS, { ...found, metadata, data }, { signal });
      };

      const changed = new Promise<void>((resolve) => {
        const leave = caBundle.subscribe(() => {
          if (!trusted().includes(next.certificate.trim())) return;
          leave();
          resolve();
        });
      });
      // One whose key is another's is worth nothing, and changes nothing.
      await write({ certificate: next.certificate, key: old.key });
      await write(next);
      await changed;

      expect(trusted()).toContain(old.certificate.trim());
      const pair = await readServingPair?.({ signal });
      expect(pair !== undefined && isVerifiedBy(pair, next.certificate)).toBe(true);
      stop.abort();
      await running;
    }));
});
