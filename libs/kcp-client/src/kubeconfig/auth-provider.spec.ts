import { describe, expect, it } from '@jest/globals';
import type { CredentialSource } from '../http/credentials.js';
import { loadKubeconfig } from './index.js';

const { signal } = new AbortController();
const cluster = { server: 'https://kcp.example.com:6443/clusters/root:a' };
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const lasting = `${encoded({ alg: 'none' })}.${encoded({ exp: 4_102_444_800 })}.signature`;

describe('an auth-provider', () => {
  it('given oidc with a token that lasts, then requests carry it', async () => {
    const credentials = credentialsOf({ name: 'oidc', config: { 'id-token': lasting } });

    expect(await credentials({ fresh: false, signal })).toMatchObject({ headers: { authorization: `Bearer ${lasting}` } });
    expect(await credentials({ fresh: false, signal })).toMatchObject({ headers: { authorization: `Bearer ${lasting}` } });
  });

  it('given a provider without a token, then requests carry none', async () => {
    const { headers } = await credentialsOf({ name: 'oidc', config: {} })({ fresh: false, signal });

    expect(headers).toEqual({});
  });
});

function credentialsOf(provider: object): CredentialSource {
  const loaded = loadKubeconfig({
    object: {
      clusters: [{ name: 'kcp', cluster }],
      users: [{ name: 'me', user: { 'auth-provider': provider } }],
      contexts: [{ name: 'main', context: { cluster: 'kcp', user: 'me' } }],
      'current-context': 'main',
    },
  });
  if (!loaded.ok || typeof loaded.value.credentials !== 'function') throw new Error('expected credentials that are asked for');
  return loaded.value.credentials;
}
