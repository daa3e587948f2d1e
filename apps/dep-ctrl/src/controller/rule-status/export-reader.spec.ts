import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { printGroupResource, type KubeObject } from '@dep-ctrl/kcp-names';
import { parseFieldPath, type FieldPath } from '@dep-ctrl/fieldpath';
import { systemClock, type Clock } from '@dep-ctrl/kcp-client';
import { API_EXPORTS, API_RESOURCE_SCHEMAS } from '@dep-ctrl/kcp-objects';
import { ExportReader, type NamedType } from '@dep-ctrl/exported-types';
import { computeProvider, VIRTUAL_MACHINES, VPCS } from '../../dev/provider-manifests.js';
import { connectTo } from '../../testing/embedded-world.js';
import { ControllerStage, type Place } from '../testing/controller-stage.js';

jest.setTimeout(120_000);
const signal = AbortSignal.timeout(600_000);

describe(ExportReader, () => {
  let stage: ControllerStage;
  let provider: Place;

  beforeAll(async () => {
    stage = await ControllerStage.start();
    provider = await stage.provider();
  });

  afterAll(() => stage.stop());

  it.each<{ given: string; change: Partial<NamedType>; expected: object }>([
    { given: 'a type that is there, with a path to a string', change: {}, expected: { state: 'verified' } },
    { given: 'an export that is not there', change: { exportName: 'none' }, expected: { state: 'wrong', reason: 'ExportNotFound' } },
    { given: 'a resource of another export', change: VPCS, expected: { state: 'wrong', reason: 'ResourceNotExported' } },
    { given: 'a version that is not served', change: { version: 'v9' }, expected: { state: 'wrong', reason: 'VersionNotServed' } },
    { given: 'a kind with a typo', change: { kind: 'Virtualmachine' }, expected: { state: 'wrong', reason: 'KindNotServed' } },
    {
      given: 'a path that leads nowhere',
      change: { fieldPaths: [path('.spec.none')] },
      expected: { state: 'wrong', reason: 'FieldNotFound' },
    },
  ])('given $given, then it says so', async ({ change, expected }) => {
    expect(await reader().verify(named(change), { signal })).toMatchObject(expected);
  });

  it('given a resource that the export does not export, then the message says what it does export', async () => {
    expect(await reader().verify(named({ resource: 'machines' }), { signal })).toEqual({
      state: 'wrong',
      reason: 'ResourceNotExported',
      message: `APIExport ${VIRTUAL_MACHINES.group} in workspace "${provider.path}" does not export machines.${VIRTUAL_MACHINES.group}: it exports virtualmachines.${VIRTUAL_MACHINES.group}`,
      servedBy: [],
    });
  });

  it('given an export that exists and does not have the type, then the message names the one that does', async () => {
    expect(await reader().verify(named({ exportName: VPCS.group }), { signal })).toEqual({
      state: 'wrong',
      reason: 'ResourceNotExported',
      message: `APIExport ${VPCS.group} in workspace "${provider.path}" does not export virtualmachines.${VIRTUAL_MACHINES.group}: it exports vpcs.${VPCS.group}; name ${VIRTUAL_MACHINES.group}, which does`,
      servedBy: [VIRTUAL_MACHINES.group],
    });
  });

  it('given an export with a typo, then the message names the one that has the type, or what exports there are', async () => {
    const { path: where } = provider;
    const typo = `there is no APIExport compte.example.com in workspace "${where}"`;

    expect(await reader().verify(named({ exportName: 'compte.example.com' }), { signal })).toEqual({
      state: 'wrong',
      reason: 'ExportNotFound',
      message: `${typo}; name ${VIRTUAL_MACHINES.group}, which exports virtualmachines.${VIRTUAL_MACHINES.group} there`,
      servedBy: [VIRTUAL_MACHINES.group],
    });
    const { cluster } = await stage.provider();
    expect(await reader().verify(named({ cluster, exportName: 'compte.example.com', resource: 'machines' }), { signal })).toEqual({
      state: 'wrong',
      reason: 'ExportNotFound',
      message: `${typo}: it has ${VIRTUAL_MACHINES.group}, ${VPCS.group}`,
      servedBy: [],
    });
  });

  it.each<{ given: string; change: Partial<NamedType>; message: string; servedBy: readonly string[] }>([
    {
      given: 'a resource that the export does not export',
      change: { resource: 'machines' },
      message: `APIExport ${VIRTUAL_MACHINES.group} in workspace "theirs" does not export machines.${VIRTUAL_MACHINES.group}`,
      servedBy: [],
    },
    {
      given: 'an export that does not have the type, while another has it',
      change: { exportName: VPCS.group },
      message: `APIExport ${VPCS.group} in workspace "theirs" does not export virtualmachines.${VIRTUAL_MACHINES.group}`,
      servedBy: [VIRTUAL_MACHINES.group],
    },
    {
      given: 'an export with a typo',
      change: { exportName: 'compte.example.com' },
      message: 'there is no APIExport compte.example.com in workspace "theirs"',
      servedBy: [VIRTUAL_MACHINES.group],
    },
  ])(
    'given $given, in a workspace of somebody else, then the message names nothing that there is',
    async ({ change, message, servedBy }) => {
      const theirs = named({ ...change, workspace: 'workspace "theirs"', isOwn: false });

      const verification = await reader().verify(theirs, { signal });

      expect(verification).toMatchObject({ state: 'wrong', message, servedBy });
    },
  );

  it('given a workspace, then the types that its exports serve are told; given no right to read them, then nothing', async () => {
    const connection = connectTo(stage.kcp.kubeconfig({ user: 'nobody' }));
    const stranger = new ExportReader({ connection, clock: systemClock });

    const types = await reader().exportedTypes(provider.cluster, { signal });
    const unknown = await stranger.exportedTypes(provider.cluster, { signal });

    await connection.close();
    expect(types?.map((type) => printGroupResource(type)).toSorted()).toEqual(
      [VIRTUAL_MACHINES, VPCS].map((type) => printGroupResource(type)),
    );
    expect(unknown).toBeUndefined();
  });

  it('given nobody who grants the right to read, then nothing is said to be wrong', async () => {
    const connection = connectTo(stage.kcp.kubeconfig({ user: 'nobody' }));

    const verification = await new ExportReader({ connection, clock: systemClock }).verify(named(), { signal });

    await connection.close();
    expect(verification).toEqual({
      state: 'not-verified',
      problem: `APIExport ${VIRTUAL_MACHINES.group} in workspace "${provider.path}": no right to read it`,
    });
  });

  it('given an export that appears, then it is seen a second later: bad news is not believed from memory', async () => {
    let ms = 0;
    const clock: Clock = { ...systemClock, monotonic: () => ms };
    const asked = reader(clock);
    const late = named({ exportName: 'late.example.com', resource: 'lates', group: 'late.example.com' });
    const before = await asked.verify(late, { signal });
    const apiExport = { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIExport', metadata: { name: 'late.example.com' }, spec: {} };
    await provider.client.create(API_EXPORTS, apiExport, { signal });

    ms = 999;
    const soon = await asked.verify(late, { signal });
    ms = 1_000;
    const later = await asked.verify(late, { signal });

    expect([before, soon, later].map((each) => 'reason' in each && each.reason)).toEqual([
      'ExportNotFound',
      'ExportNotFound',
      'ResourceNotExported',
    ]);
  });

  it('given an export of more than a megabyte beside the one that is named, then nothing of that workspace is verified, and its owner is told why', async () => {
    const { cluster, client } = await stage.provider();
    const metadata = { name: 'large.example.com', annotations: { 'example.com/note': 'x'.repeat(200 * 1024) } };
    const permissionClaims = Array.from({ length: 2_500 }, (_, index) => ({
      group: `${'x'.repeat(100)}${index}.example.com`,
      resource: 'things',
      verbs: ['get'],
      identityHash: 'x'.repeat(64),
    }));
    const large = { apiVersion: 'apis.kcp.io/v1alpha2', kind: 'APIExport', metadata, spec: { permissionClaims } };
    await client.create(API_EXPORTS, large, { signal });

    const verification = await reader().verify(named({ cluster }), { signal });

    expect(verification).toEqual({
      state: 'not-verified',
      problem: `APIExport ${VIRTUAL_MACHINES.group} in workspace "${provider.path}": the exports of that workspace are more than 8 MiB, or one of them is more than 1 MiB: dep-ctrl reads no more`,
    });
  });

  it('given an export that serves a type no longer, then that is seen within 20 s, and not asked for before', async () => {
    let ms = 0;
    const asked = reader({ ...systemClock, monotonic: () => ms });
    const { cluster, client } = await stage.provider();
    const type = named({ cluster, fieldPaths: [] });
    const before = await asked.verify(type, { signal });
    await client.delete(API_EXPORTS, { name: VIRTUAL_MACHINES.group }, { signal });

    ms = 19_999;
    const soon = await asked.verify(type, { signal });
    ms = 20_000;
    const later = await asked.verify(type, { signal });

    expect([before, soon, later]).toMatchObject([
      { state: 'verified' },
      { state: 'verified' },
      { state: 'wrong', reason: 'ExportNotFound' },
    ]);
  });

  it('given a schema that was made again under its name with other content, then the new one is seen within a minute', async () => {
    let ms = 0;
    const asked = reader({ ...systemClock, monotonic: () => ms });
    const { cluster, client } = await stage.provider();
    const type = named({ cluster, fieldPaths: [] });
    const before = await asked.verify(type, { signal });
    const text = JSON.stringify(computeProvider().schema).replaceAll(`"name":"${VIRTUAL_MACHINES.version}"`, '"name":"v9"');
    const other = JSON.parse(text) as KubeObject;
    const name = computeProvider().schema.metadata.name ?? '';
    await client.delete(API_RESOURCE_SCHEMAS, { name }, { signal });
    await client.create(API_RESOURCE_SCHEMAS, { ...other, metadata: { name } }, { signal });

    ms = 60_000;
    const after = await asked.verify(type, { signal });

    expect([before, after]).toMatchObject([{ state: 'verified' }, { state: 'wrong', reason: 'VersionNotServed' }]);
  });

  function reader(clock: Clock = systemClock): ExportReader {
    return new ExportReader({ connection: stage.connection, clock });
  }

  function named(change: Partial<NamedType> = {}): NamedType {
    return {
      ...VIRTUAL_MACHINES,
      cluster: provider.cluster,
      exportName: VIRTUAL_MACHINES.group,
      workspace: `workspace "${provider.path}"`,
      isOwn: true,
      fieldPaths: [path('.spec.vpcRef.name')],
      ...change,
    };
  }
});

function path(text: string): FieldPath {
  const parsed = parseFieldPath(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.value;
}
