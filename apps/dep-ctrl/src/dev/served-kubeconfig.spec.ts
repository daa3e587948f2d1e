import { describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { DEV_CONTEXTS } from './dev-paths.js';
import { serverOfDev } from './served-kubeconfig.js';

const contexts = [...DEV_CONTEXTS.keys()].map((name) => ({ name }));
const cluster = (name: string, server: unknown) => ({ name, cluster: { server } });
const clusters = [cluster('team-a', 'https://other:1/clusters/a'), cluster('root', 'https://kcp:6443/clusters/root')];

describe(serverOfDev, () => {
  it('given a kubeconfig with every context of dev, then the server of root', () => {
    expect(serverOfDev(stringify({ contexts: [null, { name: 'mine' }, ...contexts], clusters: [null, ...clusters] }))?.href).toBe(
      'https://kcp:6443/clusters/root',
    );
  });

  it.each([
    { given: 'one context of dev less', kubeconfig: { contexts: contexts.slice(1), clusters } },
    { given: 'no context', kubeconfig: { clusters } },
    { given: 'no cluster', kubeconfig: { contexts } },
    { given: 'no cluster of root', kubeconfig: { contexts, clusters: clusters.slice(0, 1) } },
    { given: 'a cluster without a server', kubeconfig: { contexts, clusters: [{ name: 'root' }] } },
    { given: 'a server that is no URL', kubeconfig: { contexts, clusters: [cluster('root', 'kcp')] } },
    { given: 'a server that is no text', kubeconfig: { contexts, clusters: [cluster('root', 1)] } },
    { given: 'nothing', kubeconfig: null },
    { given: 'a text', kubeconfig: 'x' },
  ])('given $given, then it is none of dev', ({ kubeconfig }) => {
    expect(serverOfDev(stringify(kubeconfig))).toBeUndefined();
  });

  it('given what is no YAML, then it is none of dev', () => {
    expect(serverOfDev('a: [')).toBeUndefined();
  });
});
