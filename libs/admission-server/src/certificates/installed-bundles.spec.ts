import { describe, expect, it } from '@jest/globals';
import { calledHosts, installedBundles } from './installed-bundles.js';

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

  it('given entries, then the host of each URL is found once', () => {
    const urls = [
      'https://a.example.com:9443/validate',
      'https://a.example.com/',
      'https://[::1]:9443/validate',
      'no url',
      ['https://b.example.com/'],
      7,
      undefined,
    ];
    const webhooks = [...urls.map((url) => ({ clientConfig: { url } })), {}, null];

    expect(calledHosts([{ metadata: {}, webhooks }, { metadata: {} }])).toEqual(['a.example.com', '::1']);
  });

  it('given two bundles of two configurations, then both are found', () => {
    const webhookOf = (pem: string) => ({ clientConfig: { caBundle: Buffer.from(pem).toString('base64') } });

    const configurations = ['ONE', 'OTHER ż'].map((pem) => ({ metadata: {}, webhooks: [webhookOf(pem)] }));

    expect(installedBundles(configurations)).toEqual(['ONE', 'OTHER ż']);
  });
});
