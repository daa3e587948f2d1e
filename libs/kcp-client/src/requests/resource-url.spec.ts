import { describe, expect, it } from '@jest/globals';
import type { ClusterAddress } from '@dep-ctrl/kcp-names';
import { clusterUrl, pathRequest, resourceRequest, type ClusterLocation, type Query, type ResourceRef } from './resource-url.js';

const VPCS = { group: 'network.example.com', version: 'v1', resource: 'vpcs' };
const CONFIGMAPS = { group: '', version: 'v1', resource: 'configmaps' };
const at = (address?: string): ClusterLocation =>
  address === undefined ? { baseUrl: 'https://kcp' } : { baseUrl: 'https://kcp', address: address as ClusterAddress };

describe(resourceRequest, () => {
  it.each<{ type: typeof VPCS; ref: ResourceRef; query?: Query; url: string; asked: string; names: object }>([
    { type: VPCS, ref: {}, url: '/apis/network.example.com/v1/vpcs', asked: 'get vpcs.network.example.com', names: {} },
    {
      type: VPCS,
      ref: { name: 'a' },
      url: '/apis/network.example.com/v1/vpcs/a',
      asked: 'get vpcs.network.example.com "a"',
      names: { name: 'a' },
    },
    {
      type: CONFIGMAPS,
      ref: { namespace: 'default', name: 'a' },
      url: '/api/v1/namespaces/default/configmaps/a',
      asked: 'get configmaps "a" in namespace "default"',
      names: { namespace: 'default', name: 'a' },
    },
    {
      type: VPCS,
      ref: { name: 'a', subresource: 'status' },
      url: '/apis/network.example.com/v1/vpcs/a/status',
      asked: 'get vpcs.network.example.com/status "a"',
      names: {},
    },
    {
      type: VPCS,
      ref: { name: 'a/b?c' },
      url: '/apis/network.example.com/v1/vpcs/a%2Fb%3Fc',
      asked: 'get vpcs.network.example.com "a/b?c"',
      names: { name: 'a/b?c' },
    },
    {
      type: VPCS,
      ref: {},
      query: { limit: 5, watch: true, continue: undefined },
      url: '/apis/network.example.com/v1/vpcs?limit=5&watch=true',
      asked: 'get vpcs.network.example.com',
      names: {},
    },
    {
      type: VPCS,
      ref: {},
      query: { continue: undefined },
      url: '/apis/network.example.com/v1/vpcs',
      asked: 'get vpcs.network.example.com',
      names: {},
    },
  ])('given $ref and $query, then the address is $url', ({ type, ref, query, url, asked, names }) => {
    const { group, resource } = type;

    expect(resourceRequest('get', at('root:a'), type, ref, query)).toEqual({
      url: `https://kcp/clusters/root:a${url}`,
      asked: `${asked} in "root:a"`,
      object: { group, resource, ...names },
    });
  });

  it.each(['', '.', '..'])('given the name "%s", which would change what the address means, then it is refused', (name) => {
    for (const ref of [{ name }, { namespace: name }, { name: 'a', subresource: name }]) {
      expect(() => resourceRequest('get', at(), VPCS, ref)).toThrow(
        expect.objectContaining({ code: 'invalid', at: 'https://kcp', message: expect.stringMatching(/: "\.*" is no name$/) as unknown }),
      );
    }
  });

  it.each([
    { given: 'no cluster', location: at(), url: 'https://kcp', where: '' },
    { given: 'all clusters', location: at('*'), url: 'https://kcp/clusters/*', where: ' in all clusters' },
    { given: 'one cluster', location: at('root'), url: 'https://kcp/clusters/root', where: ' in "root"' },
  ])('given $given, then it says so', ({ location, url, where }) => {
    const request = resourceRequest('list', location, VPCS, {});

    expect([clusterUrl(location), request.url, request.asked]).toEqual([
      url,
      `${url}/apis/network.example.com/v1/vpcs`,
      `list vpcs.network.example.com${where}`,
    ]);
  });
});

describe(pathRequest, () => {
  it('given a path with a query, then all of it is asked for, and the query is no part of the description', () => {
    expect(pathRequest('get', at('root'), '/version?timeout=1s')).toStrictEqual({
      url: 'https://kcp/clusters/root/version?timeout=1s',
      asked: 'get /version in "root"',
    });
  });

  it.each([
    { path: '/api/v1/namespaces/a', names: { group: '', resource: 'namespaces', name: 'a' } },
    { path: '/api/v1/namespaces', names: { group: '', resource: 'namespaces' } },
    { path: '/api/v1/namespaces/a/configmaps', names: { group: '', resource: 'configmaps', namespace: 'a' } },
    { path: '/api/v1/namespaces/a/configmaps/b', names: { group: '', resource: 'configmaps', namespace: 'a', name: 'b' } },
    { path: '/api/v1/namespaces/a/pods/b/log', names: { group: '', resource: 'pods', namespace: 'a' } },
    { path: '/apis/network.example.com/v1/vpcs', names: { group: 'network.example.com', resource: 'vpcs' } },
    { path: '/apis/network.example.com/v1/vpcs/a%3Ab', names: { group: 'network.example.com', resource: 'vpcs', name: 'a:b' } },
    { path: '/apis/network.example.com/v1/vpcs/100%', names: { group: 'network.example.com', resource: 'vpcs', name: '100%' } },
    { path: '/apis/network.example.com/v1/vpcs/a/status', names: { group: 'network.example.com', resource: 'vpcs' } },
    {
      path: '/apis/network.example.com/v1/namespaces/a/vpcs/b?x=y',
      names: { group: 'network.example.com', resource: 'vpcs', namespace: 'a', name: 'b' },
    },
    { path: '/apis/network.example.com/v1', names: undefined },
    { path: '/apis', names: undefined },
    { path: '/api/v1', names: undefined },
    { path: '/openapi/v3/apis/network.example.com/v1', names: undefined },
    { path: '/version', names: undefined },
  ])('given $path, then it is about $names', ({ path, names }) => {
    expect(pathRequest('get', at(), path).object).toEqual(names);
  });
});
