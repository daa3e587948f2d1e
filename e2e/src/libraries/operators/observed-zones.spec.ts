import { describe, expect, it } from '@jest/globals';
import { logicalCluster, type KubeObject } from '@dep-ctrl/kcp-names';
import { judgeZones, UNREADABLE } from './observed-zones.js';

const one = logicalCluster('one');
const zone = (name: string, resourceVersion: string, region: string, seen?: string): KubeObject => ({
  metadata: { name, resourceVersion },
  spec: { region },
  ...(seen === undefined ? {} : { status: { region: seen } }),
});
const stored = (name: string, resourceVersion: string) => ({ cluster: one, metadata: { name, resourceVersion } });

describe(judgeZones, () => {
  it.each<{
    given: string;
    zones: readonly KubeObject[];
    store: readonly ReturnType<typeof stored>[];
    unseen: string[];
    different: string[];
  }>([
    { given: 'what is seen and stored as it is', zones: [zone('a', '2', 'r', 'r')], store: [stored('a', '2')], unseen: [], different: [] },
    { given: 'a zone without a status', zones: [zone('a', '2', 'r')], store: [stored('a', '2')], unseen: ['one/a'], different: [] },
    { given: 'a status of before', zones: [zone('a', '2', 'r', 'q')], store: [stored('a', '2')], unseen: ['one/a'], different: [] },
    {
      given: 'an old version in the store',
      zones: [zone('a', '2', 'r', 'r')],
      store: [stored('a', '1')],
      unseen: [],
      different: ['one/a'],
    },
    { given: 'a zone that the store lacks', zones: [zone('a', '2', 'r', 'r')], store: [], unseen: [], different: ['one/a'] },
    { given: 'a zone that kcp lacks', zones: [], store: [stored('a', '2')], unseen: [], different: ['one/a'] },
    { given: 'an unreadable zone', zones: [zone('a', '2', UNREADABLE)], store: [], unseen: [], different: [] },
    {
      given: 'an unreadable zone in the store',
      zones: [zone('a', '2', UNREADABLE)],
      store: [stored('a', '1')],
      unseen: [],
      different: ['one/a'],
    },
  ])('given $given, then that is what it says', ({ zones, store, unseen, different }) => {
    const inKcp = zones.map((object) => ({ cluster: 'one', object }));

    expect(judgeZones(inKcp, store)).toEqual({ unseen, different });
  });
});
