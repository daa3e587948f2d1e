import { describe, expect, it } from '@jest/globals';
import { Connection, KcpError, systemClock, type KcpErrorCode } from '@dep-ctrl/kcp-client';
import { onEmbeddedKcp, type EmbeddedWorld, pathOf } from './spec-support/embedded-world.js';
import { ensureWorkspace } from './ensure-workspace.js';
import { lookForWorkspace, readFailure, sightingOf, type Asking } from './surely-missing.js';

const options = () => ({ signal: AbortSignal.timeout(20_000), clock: systemClock });

const TYPE = { group: 'example.com', resource: 'things' };

function failure(code: KcpErrorCode, name?: string): KcpError {
  const details = { ...(name !== undefined && { name }), group: TYPE.group, kind: TYPE.resource };
  const statusBody = { kind: 'Status', details } as const;
  return new KcpError({ code, asked: 'get it', at: 'https://kcp', problem: 'no', statusBody });
}

describe(readFailure, () => {
  it.each<{ given: string; error: KcpError; expected: Asking }>([
    { given: 'a "not found" of the object', error: failure('not-found', 'b'), expected: 'absent' },
    { given: 'a "not found" of another object', error: failure('not-found', 'c'), expected: 'refused' },
    { given: 'a 404 of the path, as a shard says it', error: failure('not-served', 'root:a'), expected: 'refused' },
    { given: 'a 404 of a shard that starts', error: failure('not-served'), expected: 'refused' },
    { given: 'a 403', error: failure('forbidden', 'b'), expected: 'refused' },
    { given: 'a server that is busy', error: failure('throttled'), expected: 'refused' },
  ])('given $given, then it is $expected', ({ error, expected }) => {
    expect(readFailure(error, TYPE, 'b')).toBe(expected);
  });

  it.each([failure('unreachable'), failure('unauthorized'), new Error('a bug')])('given no answer of kcp, then it is thrown', (error) => {
    expect(() => readFailure(error, TYPE, 'b')).toThrow(error);
  });
});

describe(sightingOf, () => {
  const [workspace, parent, root] = [pathOf('root:a:b'), pathOf('root:a'), pathOf('root')];

  it.each<{ given: string; askings: readonly Asking[]; expected: object }>([
    { given: 'a parent that has it', askings: ['found'], expected: { state: 'there' } },
    { given: 'a parent that does not have it', askings: ['absent'], expected: { state: 'missing', path: workspace } },
    { given: 'a parent that is not there', askings: ['refused', 'absent'], expected: { state: 'missing', path: parent } },
    { given: 'a parent that is there and refuses', askings: ['refused', 'found'], expected: { state: 'in-doubt' } },
    { given: 'nobody who answers', askings: ['refused', 'refused', 'refused'], expected: { state: 'in-doubt' } },
    { given: 'nobody who answers but the top', askings: ['refused', 'refused', 'found'], expected: { state: 'in-doubt' } },
  ])('given $given, then it is known as that', ({ askings, expected }) => {
    const paths = [workspace, parent, root];

    expect(sightingOf(askings.map((asking, at) => ({ path: paths[at]!, asking })))).toEqual(expected);
  });
});

describe(lookForWorkspace, () => {
  const doors = {
    'the front-proxy': ({ kcp }: EmbeddedWorld) => ({ server: kcp.baseUrl, token: kcp.token('kcp-admin', ['system:kcp:admin']) }),
    'the shard': ({ kcp }: EmbeddedWorld) => ({ server: kcp.shards[0]!.url, token: kcp.token('kcp-admin', ['system:kcp:admin']) }),
    'the front-proxy, without rights': ({ kcp }: EmbeddedWorld) => ({ server: kcp.baseUrl, token: kcp.token('anna') }),
  };

  // kcp says other things at each door, and the same follows.
  const toTheAdmin = {
    'root:a:b': 'there',
    'root:a:no': 'missing root:a:no',
    'root:no:b': 'missing root:no',
    'root:no:b:c': 'missing root:no',
    no: 'in-doubt',
    root: 'there',
  };

  it.each<{ door: keyof typeof doors; expected: Record<string, string> }>([
    { door: 'the front-proxy', expected: toTheAdmin },
    { door: 'the shard', expected: toTheAdmin },
    {
      door: 'the front-proxy, without rights',
      // Every user that kcp knows may read the workspaces of root.
      expected: { 'root:a': 'there', 'root:no:b': 'missing root:no', 'root:a:b': 'in-doubt', 'root:a:no': 'in-doubt', no: 'in-doubt' },
    },
  ])('given $door, then workspaces are known as far as their parents tell', ({ door, expected }) =>
    onEmbeddedKcp(async (world) => {
      for (const path of ['root:a', 'root:a:b']) await ensureWorkspace(world.admin, pathOf(path), options());
      const { server, token } = doors[door](world);
      const connection = new Connection({ server, credentials: { ca: world.kcp.ca, token } });
      const seen: Record<string, string> = {};

      for (const path of Object.keys(expected)) {
        const sighting = await lookForWorkspace(connection, pathOf(path), options());
        seen[path] = sighting.state === 'missing' ? `missing ${sighting.path}` : sighting.state;
      }
      await connection.close();

      expect(seen).toEqual(expected);
    }),
  );
});
