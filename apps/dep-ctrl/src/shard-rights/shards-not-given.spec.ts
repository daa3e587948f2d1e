import { describe, expect, it } from '@jest/globals';
import { shardsNotGiven } from './shards-not-given.js';

const root = { name: 'root', url: 'https://10.0.0.1:6443' };
const other = { name: 'shard-1', url: 'https://10.0.0.2:6443' };
const unknown = (url: string) => ({ name: undefined, url });

describe(shardsNotGiven, () => {
  it.each([
    { given: 'each shard', kubeconfigs: [root, other], notGiven: [] },
    { given: 'one shard of two', kubeconfigs: [root], notGiven: [other] },
    { given: 'the same shard twice', kubeconfigs: [root, root], notGiven: [other] },
    { given: 'a shard by another address, which says its name', kubeconfigs: [root, { ...other, url: 'https://tunnel' }], notGiven: [] },
    { given: 'a shard of another kcp', kubeconfigs: [root, { name: 'stranger', url: 'https://elsewhere' }], notGiven: [other] },
    { given: 'as many addresses that say no name as are missing', kubeconfigs: [root, unknown('https://tunnel')], notGiven: [] },
    { given: 'one address that says no name, for two shards', kubeconfigs: [unknown('https://tunnel')], notGiven: [root, other] },
    {
      given: 'that address twice',
      kubeconfigs: [unknown('https://tunnel'), unknown('https://tunnel')],
      notGiven: [root, other],
    },
  ])('given $given, then what may not have been looked at is named', ({ kubeconfigs, notGiven }) => {
    expect(shardsNotGiven([root, other], kubeconfigs)).toEqual(notGiven);
  });
});
