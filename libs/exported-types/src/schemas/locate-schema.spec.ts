import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { locateSchema, type ExportedType } from './locate-schema.js';

const TYPE: ExportedType = {
  exportName: 'network',
  workspace: 'workspace "root:network"',
  isOwn: false,
  group: 'network.example.com',
  version: 'v1',
  resource: 'vpcs',
};

describe(locateSchema, () => {
  it.each([
    {
      given: 'an export of that name that serves the type, behind another one',
      exports: [exportOf('other', 'subnets'), exportOf('network', 'vpcs')],
      type: TYPE,
      expected: { state: 'located', schemaName: 'v1.vpcs.network.example.com' },
    },
    {
      given: 'no export of that name',
      exports: [exportOf('other', 'vpcs')],
      type: TYPE,
      expected: {
        state: 'not-exported',
        reason: 'ExportNotFound',
        message: 'there is no APIExport network in workspace "root:network"',
        namesExports: true,
      },
    },
    {
      given: 'an export of another workspace without the type',
      exports: [exportOf('network', 'subnets')],
      type: TYPE,
      expected: {
        state: 'not-exported',
        reason: 'ResourceNotExported',
        message: 'APIExport network in workspace "root:network" does not export vpcs.network.example.com',
        namesExports: false,
      },
    },
    {
      given: 'an export of the own workspace without the type',
      exports: [exportOf('network', 'subnets')],
      type: { ...TYPE, isOwn: true },
      expected: {
        state: 'not-exported',
        reason: 'ResourceNotExported',
        message:
          'APIExport network in workspace "root:network" does not export vpcs.network.example.com: it exports subnets.network.example.com',
        namesExports: false,
      },
    },
  ])('given $given, then it is $expected.state', ({ exports, type, expected }) => {
    expect(locateSchema(exports, type)).toEqual(expected);
  });
});

function exportOf(name: string, resource: string): KubeObject {
  const group = 'network.example.com';
  const resources = [{ group, name: resource, schema: `v1.${resource}.${group}` }];
  return { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIExport', metadata: { name }, spec: { resources } };
}
