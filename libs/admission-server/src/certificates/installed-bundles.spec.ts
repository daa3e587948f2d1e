import { describe, expect, it } from '@jest/globals';
import { installedBundles } from './installed-bundles.js';

describe(installedBundles, () => {
  it('given entries with and without bundles, and garbage, then each bundle is found once', () => {
    const bundle = Buffer.from('PEM').toString('base64');
    const webhooks = [{ clientConfig: { caBundle: bundle } }, { clientConfig: { caBundle: bundle } }, { clientConfig: {} }, null, 7];

    expect(installedBundles([{ metadata: {}, webhooks }, { metadata: {}, webhooks: 'x' }, { metadata: {} }])).toEqual(['PEM']);
  });
});
