import { describe, expect, it } from '@jest/globals';
import { Readiness, silentLogger } from '@dep-ctrl/kcp-client';
import { HealthServer } from './health-server.js';

const anyPort = (flag: string) => ({ flag, address: { host: '127.0.0.1', port: 0 } });

async function serving<T>(readiness: Readiness, work: (urls: { health: string; metrics: string }) => Promise<T>): Promise<T> {
  const server = new HealthServer({
    health: anyPort('--health-probe-bind-address'),
    metrics: anyPort('--metrics-bind-address'),
    readiness,
    renderMetrics: () => Promise.resolve({ contentType: 'text/plain; version=0.0.4', text: 'up 1\n' }),
    logger: silentLogger,
  });
  await server.start();
  const [health, metrics] = server.ports();
  try {
    return await work({ health: `http://127.0.0.1:${String(health)}`, metrics: `http://127.0.0.1:${String(metrics)}` });
  } finally {
    await server.stop();
  }
}

const read = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
};

describe(HealthServer, () => {
  it('given a part that is not ready, then readyz names what is missing and healthz is ok', async () => {
    const readiness = new Readiness();
    readiness.add({ name: 'tls', check: () => ({ ready: true }) });
    readiness.add({ name: 'rules', check: () => ({ ready: false, missing: 'no endpoint has listed its rules yet' }) });

    await serving(readiness, async ({ health }) => {
      expect(await read(`${health}/healthz`)).toEqual({ status: 200, text: 'ok' });
      expect(await read(`${health}/readyz`)).toEqual({
        status: 503,
        text: '[+]tls ok\n[-]rules no endpoint has listed its rules yet\nreadyz check failed\n',
      });
    });
  });

  it('given a ready process, then readyz is short and verbose lists the parts; draining makes it not ready', async () => {
    const readiness = new Readiness();
    readiness.add({ name: 'tls', check: () => ({ ready: true }) });

    await serving(readiness, async ({ health }) => {
      expect(await read(`${health}/readyz`)).toEqual({ status: 200, text: 'ok' });
      expect(await read(`${health}/readyz?verbose`)).toEqual({ status: 200, text: '[+]tls ok\nreadyz check passed\n' });

      readiness.drain();

      expect((await read(`${health}/readyz`)).status).toBe(503);
    });
  });

  it('given a ready part that knows of something wrong elsewhere, then verbose says so, and the process stays ready', async () => {
    const readiness = new Readiness();
    readiness.add({ name: 'rights', check: () => ({ ready: true, note: 'one shard refuses' }) });

    await serving(readiness, async ({ health }) => {
      expect(await read(`${health}/readyz`)).toEqual({ status: 200, text: 'ok' });
      expect(await read(`${health}/readyz?verbose`)).toEqual({
        status: 200,
        text: '[+]rights ok, but one shard refuses\nreadyz check passed\n',
      });
    });
  });

  it('given a part that has a remark on what it does, then verbose says so without an objection', async () => {
    const readiness = new Readiness();
    readiness.add({ name: 'leadership', check: () => ({ ready: true, remark: 'standing by: other leads' }) });

    await serving(readiness, async ({ health }) => {
      expect(await read(`${health}/readyz?verbose`)).toEqual({
        status: 200,
        text: '[+]leadership ok, standing by: other leads\nreadyz check passed\n',
      });
    });
  });

  it('given two addresses, then each serves its own and nothing else', async () => {
    await serving(new Readiness(), async ({ health, metrics }) => {
      expect(await read(`${metrics}/metrics`)).toEqual({ status: 200, text: 'up 1\n' });
      expect(await read(`${health}/metrics`)).toEqual({ status: 404, text: 'not found: try /healthz, /readyz\n' });
      expect(await read(`${metrics}/readyz`)).toEqual({ status: 404, text: 'not found: try /metrics\n' });
    });
  });

  it('given a port that is taken, then the failure names flag and port, and nothing stays open', async () => {
    await serving(new Readiness(), async ({ health }) => {
      const port = Number(new URL(health).port);
      const second = new HealthServer({
        health: anyPort('--health-probe-bind-address'),
        metrics: { flag: '--metrics-bind-address', address: { host: '127.0.0.1', port } },
        readiness: new Readiness(),
        renderMetrics: () => Promise.resolve({ contentType: 'text/plain', text: '' }),
        logger: silentLogger,
      });

      await expect(second.start()).rejects.toThrow(
        `--metrics-bind-address: cannot listen on 127.0.0.1:${String(port)}: the port is taken, give another one (port 0 picks a free one)`,
      );
    });
  });
});
