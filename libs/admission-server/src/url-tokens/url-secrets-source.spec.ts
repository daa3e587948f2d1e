import { describe, expect, it } from '@jest/globals';
import type { Clock, Logger } from '@dep-ctrl/kcp-client';
import { parseUrlSecrets, type UrlSecrets } from './url-token.js';
import { FollowedUrlSecrets } from './url-secrets-source.js';

const OLD = 'old-secret-of-32-characters-here';
const NEW = 'new-secret-of-32-characters-here';

describe(FollowedUrlSecrets, () => {
  it('given a rotation line by line, then the new secret is accepted, then installed, then the old one goes', async () => {
    const { seen } = await follow(OLD, [OLD, `${OLD}\n${NEW}`, `${NEW}\n${OLD}`, NEW]);

    expect(seen).toEqual([[OLD, NEW], [NEW, OLD], [NEW]]);
  });

  it('given a file that is gone or half written for a while, then the last secrets stay and each trouble is told once', async () => {
    const { seen, warned, source } = await follow(OLD, [new Error('no such file'), new Error('no such file'), 'short', OLD]);

    expect(seen).toEqual([]);
    expect(source.current()).toEqual([OLD]);
    expect(warned).toEqual(['no such file', 'line 1 is shorter than 16 characters']);
  });

  it('given a listener that has left, then it hears nothing more', async () => {
    const heard: string[] = [];

    await follow(OLD, [NEW], (source) => source.subscribe(() => heard.push('change'))());

    expect(heard).toEqual([]);
  });
});

/** Lets a source find one text after the other, on a clock that does not wait; stops it at the last one. */
async function follow(
  initial: string,
  found: readonly (string | Error)[],
  prepare: (source: FollowedUrlSecrets) => void = () => undefined,
) {
  const stop = new AbortController();
  const seen: (readonly string[])[] = [];
  const warned: string[] = [];
  const left = [...found];
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: () => {
      if (left.length === 0) stop.abort();
      return Promise.resolve();
    },
  };
  const logger: Logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: (_message, fields) => void warned.push(String(fields?.['problem'])),
    error: () => undefined,
  };
  const read = () => {
    const next = left.shift();
    return typeof next === 'string' ? Promise.resolve(next) : Promise.reject(next ?? new Error('read too often'));
  };
  const source = new FollowedUrlSecrets({ initial: secrets(initial), read, clock, logger });
  source.subscribe(() => seen.push(source.current()));
  prepare(source);
  await source.run(stop.signal);
  return { seen, warned, source };
}

function secrets(text: string): UrlSecrets {
  const parsed = parseUrlSecrets(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
