import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { systemClock } from '@dep-ctrl/kcp-client';
import type { GroupVersionResource, KubeObject } from '@dep-ctrl/kcp-names';
import { apiResourceSchemas, EXPORT_NAME, GUARDS, RULES } from '@dep-ctrl/rule-registry';
import { API_EXPORTS, API_RESOURCE_SCHEMAS } from '@dep-ctrl/kcp-objects';
import { bootstrapExport } from '../bootstrap/bootstrap-export.js';
import { ControllerStage, type Place } from './testing/controller-stage.js';
import { eventually, eventuallyIs, statusOf } from './testing/observations.js';

jest.setTimeout(120_000);
const signal = AbortSignal.timeout(600_000);
const INSTALLED = 'True Installed 1/1';

describe('an installation whose schemas are of the release before', () => {
  let stage: ControllerStage;

  beforeAll(async () => {
    stage = await ControllerStage.start();
    await pointAtFormerSchemas();
  });

  afterAll(() => stage.stop());

  it('given running roles and rules in force, when bootstrap runs again, then all goes on, and the new columns are there and filled', async () => {
    const network = await stage.provider();
    stage.run();
    await stage.rule(network, network);
    await eventuallyIs(() => stage.ruleState(network), INSTALLED);
    // Fields that the former schema does not know are pruned, and the roles work all the same.
    expect(statusOf(await stage.guard(network))).not.toHaveProperty('enforcement');
    expect(await columns(network, RULES)).not.toContain('Enforcement');

    await bootstrapExport({
      connection: stage.connection,
      path: stage.depCtrlExport.path,
      clock: systemClock,
      signal,
      adopt: false,
      onEnsured: () => undefined,
    });
    await eventually(
      () => columns(network, GUARDS),
      (names) => names.includes('Enforcement'),
    );
    await eventually(
      () => columns(network, RULES),
      (names) => names.includes('Enforcement'),
    );
    await stage.rule(network, network, { name: 'advice', enforcement: 'Warn' });

    await eventuallyIs(() => stage.ruleState(network, 'advice'), INSTALLED);
    await eventuallyIs(async () => statusOf(await stage.guard(network))['enforcement'], '1 Deny, 1 Warn');
    expect(await stage.ruleState(network)).toBe(INSTALLED);
    expect(await shown(network, GUARDS)).toMatchObject([{ Rules: 2, Enforcement: '1 Deny, 1 Warn', Allowed: 'everyone', Ready: 'True' }]);
    expect(await shown(network, RULES)).toMatchObject([
      { Name: 'advice', Enforcement: 'Warn', Targets: '1/1', Ready: 'True' },
      { Name: 'vms', Enforcement: 'Deny', Targets: '1/1', Ready: 'True' },
    ]);
  });

  /** As an installation stands that the release before has made. */
  async function pointAtFormerSchemas(): Promise<void> {
    const former = apiResourceSchemas().map(asBefore);
    for (const schema of former) await stage.depCtrl.create(API_RESOURCE_SCHEMAS, schema, { signal });
    const resources = former.map(({ metadata: { name: schema = '' } }) => {
      const [, name = '', ...group] = schema.split('.');
      return { group: group.join('.'), name, schema, storage: { crd: {} } };
    });
    await stage.depCtrl.patch(API_EXPORTS, { name: EXPORT_NAME }, { kind: 'merge', body: { spec: { resources } } }, { signal });
  }
});

interface SchemaSpec {
  readonly versions: readonly {
    readonly additionalPrinterColumns: readonly { readonly name: string }[];
    readonly schema: { readonly properties: { readonly status: { readonly properties: Readonly<Record<string, unknown>> } } };
  }[];
}

/** The schema without what came with the columns for enforcement. */
function asBefore({ metadata, spec, ...schema }: KubeObject): KubeObject {
  const { versions, ...rest } = spec as SchemaSpec;
  const formerVersions = versions.map((version) => {
    const { enforcement: _enforcement, allowed: _allowed, ...properties } = version.schema.properties.status.properties;
    const status = { ...version.schema.properties.status, properties };
    return {
      ...version,
      additionalPrinterColumns: version.additionalPrinterColumns.filter(
        ({ name }) => !['Enforcement', 'Allowed', 'Message'].includes(name),
      ),
      schema: { ...version.schema, properties: { ...version.schema.properties, status } },
    };
  });
  const name = (metadata.name ?? '').replace(/^[^.]+/u, 'v0');
  return { ...schema, metadata: { name }, spec: { ...rest, versions: formerVersions } };
}

async function columns({ client }: Place, type: GroupVersionResource): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const page of client.listTable(type, {}, { signal })) names.push(...page.table().columns.map(({ name }) => name));
  return names;
}

/** The rows as `kubectl get` shows them. */
async function shown({ client }: Place, type: GroupVersionResource): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows: Readonly<Record<string, unknown>>[] = [];
  for await (const page of client.listTable(type, {}, { signal })) {
    const table = page.table();
    rows.push(...table.rows.map(({ cells }) => Object.fromEntries(table.columns.map(({ name }, at) => [name, cells[at]]))));
  }
  return rows;
}
