import { describe, expect, it } from '@jest/globals';
import { installedBundles } from './installed-bundles.js';

describe(installedBundles, () => {
  it('given entries with and without bundles, and garbage, then each bundle is found once', () => {
    const bundle = Buffer.from('PEM').toString('base64');
    const others = [{}, { clientConfig: null }, { clientConfig: { caBundle: '' } }, { clientConfig: { caBundle: 7 } }, undefined];
    const webhooks = [
      { clientConfig: { caBundle: bundle } },
      { clientConfig: { caBundle: bundle } },
      { clientConfig: {} },
      null,
      7,
      ...others,
    ];

    expect(installedBundles([{ metadata: {}, webhooks }, { metadata: {}, webhooks: 'x' }, { metadata: {} }])).toEqual(['PEM']);
  });

  it('given two bundles of two configurations, then both are found', () => {
    const webhookOf = (pem: string) => ({ clientConfig: { caBundle: Buffer.from(pem).toString('base64') } });

    const configurations = ['ONE', 'OTHER ż'].map((pem) => ({ metadata: {}, webhooks: [webhookOf(pem)] }));

    expect(installedBundles(configurations)).toEqual(['ONE', 'OTHER ż']);
  });
});
