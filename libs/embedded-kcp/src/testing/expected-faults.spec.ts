import { afterEach, beforeAll, afterAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from './api-client.js';
import { ExpectedFaults } from './expected-faults.js';
import { EmbeddedKcp } from '../installation/embedded-kcp.js';

const NAMESPACES = '/clusters/root/api/v1/namespaces';
const REFUSED = { kind: 'answer', status: 503 } as const;

describe(ExpectedFaults, () => {
  let kcp: EmbeddedKcp;
  let admin: ApiClient;
  let faults: ExpectedFaults;
  beforeAll(async () => {
    kcp = await EmbeddedKcp.start({ delays: 0 });
    admin = new ApiClient(kcp, 'kcp-admin', ['system:kcp:admin']);
    faults = new ExpectedFaults(kcp);
  });
  afterEach(() => kcp.faults.clear());
  afterAll(async () => {
    await admin.close();
    await kcp.stop();
  });
  const status = async (): Promise<number> => (await admin.send('GET', `${kcp.baseUrl}${NAMESPACES}`)).status;

  it('given work that meets its fault, then the fault counts and is gone afterwards', async () => {
    const met = await faults.during({ path: NAMESPACES }, REFUSED, async (fault) => [await status(), await status(), fault.hits]);

    expect([met, await status()]).toEqual([[503, 503, 2], 200]);
    expect(() => faults.expectHits()).not.toThrow();
  });

  it('given work that never meets its fault, then it fails, and shows what came instead', async () => {
    const work = faults.during({ path: /\/widgets$/ }, REFUSED, status);

    await expect(work).rejects.toThrow(
      `the fault {"kind":"answer","status":503} on {"path":"/\\\\/widgets$/"} was never hit; 1 requests came meanwhile, the last ones:\n  proxy: GET ${NAMESPACES}`,
    );
    expect(() => faults.expectHits()).not.toThrow();
  });

  it('given work that fails by itself, then that is what is told, and the fault is gone', async () => {
    const work = faults.during({ path: NAMESPACES }, REFUSED, () => Promise.reject(new Error('its own failure')));

    await expect(work).rejects.toThrow('its own failure');
    expect(await status()).toBe(200);
  });

  it('given a watch that is to freeze, when only a list comes, then it was never hit', async () => {
    faults.add({ path: NAMESPACES }, { kind: 'freeze' });

    await status();

    expect(() => faults.expectHits()).toThrow('was never hit; 1 requests came meanwhile');
  });

  it('given several faults, then those that were never hit are named, all are gone, and are not named again', async () => {
    faults.add({ path: NAMESPACES }, REFUSED, { times: 1 });
    faults.add({ method: 'DELETE' }, { kind: 'drop' });
    faults.add({ path: NAMESPACES }, { kind: 'delay', ms: 1 });
    await status();

    expect(() => faults.expectHits()).toThrow(/^the fault \{"kind":"drop"\}.*\n.*\nthe fault \{"kind":"delay","ms":1\}/);
    expect(() => faults.expectHits()).not.toThrow();
    expect(await status()).toBe(200);
  });

  it('given a fault of a block, then the end of the block removes it, or fails', () => {
    const fault = faults.add({ method: 'DELETE' }, { kind: 'drop' });

    expect(() => fault[Symbol.dispose]()).toThrow('was never hit; 0 requests came meanwhile');
    expect(() => fault[Symbol.dispose]()).not.toThrow();
  });
});
