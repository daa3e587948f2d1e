import { describe, expect, it } from '@jest/globals';
import { silentLogger, type Clock, type Logger } from '@dep-ctrl/kcp-client';
import { FollowedCaBundle } from './ca-bundle-source.js';

const a = pem('AAAA');
const b = pem('BBBB');

describe(FollowedCaBundle, () => {
  it('given a file that rotates, then old and new are handed out until the overlap is over', async () => {
    const source = await follow(async ({ rounds, seen }) => {
      await rounds([a, a, b, b, b]);

      expect(seen).toEqual([a, a + b, b]);
    });

    expect(source.current()).toEqual({ kind: 'pem', pem: b });
  });

  it('given a CA that was replaced, then it is logged once until when the old one is trusted, and once that it is no more', async () => {
    const logged: string[] = [];
    const record = (message: string, fields = {}) => void logged.push(`${message} ${JSON.stringify(fields)}`);
    const logger = { debug: record, info: record, warn: record, error: record };

    await follow(({ rounds }) => rounds([a, a, b, b, b, b, b]), { logger });

    expect(logged).toEqual([
      'CA bundle changed {"leaving":1,"trustedUntil":"1970-01-01T00:00:00.350Z"}',
      'CA bundle changed {"leaving":0}',
    ]);
  });

  it('given a file that is missing or half written for a while, then the bundle stays', async () => {
    const source = await follow(async ({ rounds, seen }) => {
      await rounds([a, new Error('ENOENT'), '-----BEGIN CERTIFICATE-----\nAA', a]);

      expect(seen).toEqual([a]);
    });

    expect(source.current()).toEqual({ kind: 'pem', pem: a });
  });

  it('given a file that was never readable, then it says why', async () => {
    const source = await follow(({ rounds }) => rounds([new Error('ENOENT: no such file')]));

    expect(source.current()).toEqual({ kind: 'unread', problem: 'ENOENT: no such file' });
  });

  it('given a rotation while nobody looked, when what is installed is remembered, then it overlaps', async () => {
    await follow(async ({ rounds, seen, source }) => {
      source.remember(a, 'ours');
      await rounds([b]);
      expect(source.current('ours')).toEqual({ kind: 'pem', pem: a + b });

      await rounds([b, b]);
      expect(source.current('ours')).toEqual({ kind: 'pem', pem: b });
      expect(seen).toEqual([b, b]); // told again when it faded
    });
  });

  it('given a CA that somebody wrote into one configuration, then no other one comes to trust it', async () => {
    await follow(async ({ rounds, seen, source }) => {
      await rounds([a]);
      source.remember(b, 'theirs');
      await rounds([a]);

      expect(source.current('theirs')).toEqual({ kind: 'pem', pem: a + b });
      expect([source.current(), source.current('ours')]).toEqual([
        { kind: 'pem', pem: a },
        { kind: 'pem', pem: a },
      ]);
      expect(seen).toEqual([a]);
    });
  });
});

interface Followed {
  readonly source: FollowedCaBundle;
  readonly seen: string[];
  /** Lets one poll after the other find this. */
  readonly rounds: (found: readonly (string | Error)[]) => Promise<void>;
}

/** Runs a source on a clock that moves only from poll to poll: 100 ms each, 150 ms of overlap. */
async function follow(
  test: (followed: Followed) => Promise<void>,
  { logger = silentLogger }: { readonly logger?: Logger } = {},
): Promise<FollowedCaBundle> {
  const stop = new AbortController();
  const seen: string[] = [];
  const waiting: ((found: string | Error) => void)[] = [];
  let ms = 0;
  const clock: Clock = { now: () => ms, monotonic: () => ms, sleep: (pause) => Promise.resolve().then(() => void (ms += pause)) };
  const read = () =>
    new Promise<string>((resolve, reject) => {
      waiting.push((found) => (typeof found === 'string' ? resolve(found) : reject(found)));
    });
  const source = new FollowedCaBundle({ read, clock, pollMs: 100, overlapMs: 150, logger });
  source.subscribe(() => {
    const current = source.current();
    seen.push(current.kind === 'pem' ? current.pem : current.kind);
  });
  const rounds = async (found: readonly (string | Error)[]) => {
    for (const next of found) {
      (await shift(waiting))(next);
      await shift(waiting, { leave: true });
    }
  };
  const running = source.run(stop.signal);
  await test({ source, seen, rounds });
  stop.abort();
  for (const settle of waiting) settle(new Error('stopped'));
  await running;
  return source;
}

async function shift<T>(list: T[], { leave = false } = {}): Promise<T> {
  while (list.length === 0) await Promise.resolve();
  return leave ? list[0]! : list.shift()!;
}

function pem(body: string): string {
  return `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
}
