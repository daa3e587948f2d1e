import { describe, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { EmbeddedKcp } from '../index.js';

describe(EmbeddedKcp, () => {
  it('given a started server, when it is asked with its own CA, then it is ready, and after the stop the port is closed', async () => {
    const kcp = await EmbeddedKcp.start({ delays: 'fast' });
    const agent = new Agent({ connect: { ca: kcp.ca } });

    const ready = await request(`${kcp.baseUrl}/readyz`, { dispatcher: agent });
    expect([ready.statusCode, await ready.body.text()]).toEqual([200, 'ok']);

    await kcp.stop();
    await expect(request(`${kcp.baseUrl}/readyz`, { dispatcher: agent })).rejects.toThrow(/ECONNREFUSED/);
    await agent.close();
  });
});
