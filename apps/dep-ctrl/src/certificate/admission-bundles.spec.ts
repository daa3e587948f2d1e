import { describe, expect, it } from '@jest/globals';
import { KcpError } from '@dep-ctrl/kcp-client';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { isVerifiedBy } from '@dep-ctrl/admission-server';
import { testCertificates } from '@dep-ctrl/admission-server/testing';
import { admissionBundles } from './admission-bundles.js';

describe(admissionBundles, () => {
  const { signal } = new AbortController();
  const home = (get: () => Promise<KubeObject>) => ({ get });
  const refused = (code: 'not-found' | 'forbidden') => Promise.reject(new KcpError({ code, asked: 'get it', at: 'kcp', problem: 'no' }));

  it('given the configuration, then its bundle counts; given none, then none', async () => {
    const caBundle = Buffer.from('pem').toString('base64');
    const webhooks = [{ clientConfig: { caBundle } }];

    expect(
      await admissionBundles(
        home(() => Promise.resolve({ metadata: { name: 'x' }, webhooks })),
        { signal },
      ),
    ).toEqual(['pem']);
    expect(
      await admissionBundles(
        home(() => refused('not-found')),
        { signal },
      ),
    ).toEqual([]);
  });

  it('given one that cannot be read, then no certificate is taken for verified', async () => {
    const { pair } = await testCertificates();

    const bundles = await admissionBundles(
      home(() => refused('forbidden')),
      { signal },
    );

    expect(bundles.map((bundle) => isVerifiedBy(pair, bundle))).toEqual([false]);
  });
});
