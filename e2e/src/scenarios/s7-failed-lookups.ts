import { match, ok } from 'node:assert/strict';
import { EVERY_WAY } from '../faults/every-way-to-break.js';
import { literal, type ProxyFault, type RequestMatch } from '../faults/fault.js';
import type { Break, FaultProxy } from '../faults/fault-proxy.js';
import type { Answer } from '../https/answer.js';
import { eventually } from '../stage/eventually.js';
import { compute, network, refersTo } from './cloud-types.js';
import { rule, vmRule } from './rules.js';
import type { Scenario } from './scenario.js';
import { throughProxy } from './through-proxy.js';
import { tenantOf, type Cloud, type Tenant, type World } from './world.js';

// As few as make three pages: the last one holds what blocks.
const PAGE = 2;
const HOSTS = 5;

/** A read of the decision, by what the webhook asks, and what is deleted meanwhile. */
interface Read {
  readonly of: string;
  readonly match: (tenant: Tenant) => RequestMatch;
  readonly kind: 'vpcs' | 'zones';
}

const isPath = (path: string): RegExp => new RegExp(`^${literal(path)}$`);

const NEXT_PAGE = /(?:^|&)continue=/;

const READS: readonly Read[] = [
  {
    of: 'the bindings',
    kind: 'vpcs',
    match: ({ workspace }) => ({ path: new RegExp(`^${literal(workspace.at)}/.*/apibindings(?:/[^/]+)?$`) }),
  },
  { of: 'the table', kind: 'vpcs', match: ({ vms }) => ({ path: isPath(vms), accept: /as=Table/ }) },
  { of: 'the second page of the table', kind: 'vpcs', match: ({ vms }) => ({ path: isPath(vms), accept: /as=Table/, query: NEXT_PAGE }) },
  { of: 'a candidate', kind: 'vpcs', match: ({ vms }) => ({ path: new RegExp(`^${literal(vms)}/`) }) },
  { of: 'the objects', kind: 'zones', match: ({ hosts }) => ({ path: isPath(hosts) }) },
  { of: 'the second page', kind: 'zones', match: ({ hosts }) => ({ path: isPath(hosts), query: NEXT_PAGE }) },
];
// What the webhook reads to know which workspace a path names.
const OF_A_PATH = /\/(?:logicalclusters|workspaces)\/[^/]+$/;
// What the webhook lists of an endpoint to know the rules.
const OF_AN_ENDPOINT = ['dependencyrules', 'dependencyguards', 'apibindings'] as const;

/** S7, promise 1: a lookup that failed is never an allow. */
export const failedLookups: readonly Scenario[] = [
  {
    id: 'S7.1',
    title: 'promise 1: whichever read of the decision breaks in whichever way, what is referred to is never deleted',
    slow: true,
    run: (world) =>
      throughProxy(world, { pageLimit: PAGE }, async (own, proxy) => {
        const cloud = await brokenCloud(own);

        await Promise.all(
          Object.entries(EVERY_WAY).map(async ([way, fault]) => {
            const tenant = await stocked(own, cloud);
            const [bindings, ...others] = READS;
            if (bindings !== undefined) await breakRead(own, { proxy, tenant, way, fault, read: bindings });
            // Side by side only where one broken read does not keep the other from being made.
            const broken = async (kind: Read['kind']): Promise<void> => {
              for (const read of others) if (read.kind === kind) await breakRead(own, { proxy, tenant, way, fault, read });
            };
            await Promise.all([broken('vpcs'), broken('zones')]);
            for (const used of [`${tenant.vpcs}/used`, `${tenant.zones}/used`]) await own.refuses(used);
            for (const free of [`${tenant.vpcs}/free`, `${tenant.zones}/free`]) await own.allows(free);
          }),
        );
      }),
  },
  {
    id: 'S7.2',
    title: 'promise 1: a schema that cannot be read, in whichever way, never lets go what is referred to',
    slow: true,
    run: (world) =>
      throughProxy(world, { pageLimit: PAGE }, async (own, proxy) => {
        const cloud = await brokenCloud(own);
        const tenant = await stocked(own, cloud);
        const used = `${tenant.vpcs}/used`;
        await own.refuses(used);

        // A schema is read once in the life of a webhook, so each way needs a new one.
        for (const [way, fault] of Object.entries(EVERY_WAY)) {
          const broken = await proxy.breakWhere({ caller: 'webhook', path: /\/apiresourceschemas\// }, fault);
          await own.product.webhook.kill();
          await own.product.webhook.start();
          await refusedWhile(own, { what: `${way} for the schema`, broken, object: used });
        }
        await own.refuses(used);
      }),
  },
  {
    id: 'S7.3',
    title: 'promise 1: rules that are too old to be trusted and cannot be read again, in whichever way, let nothing go',
    slow: true,
    run: (world) =>
      // No sign of life of a watch is young enough here, so that each review looks the rules up.
      throughProxy(world, { pageLimit: PAGE, webhookFlags: ['--max-rule-age', '1ms'] }, async (own, proxy) => {
        const cloud = await brokenCloud(own);
        const tenant = await stocked(own, cloud);
        const used = `${tenant.vpcs}/used`;
        await own.refuses(used);

        for (const [way, fault] of Object.entries(EVERY_WAY)) {
          const broken = await proxy.breakWhere({ caller: 'webhook', path: /\/apiexportendpointslices$/, isWatch: false }, fault);
          await refusedWhile(own, { what: `${way} for the rules`, broken, object: used });
        }
        await own.refuses(used);
        await own.allows(`${tenant.vpcs}/free`);
      }),
  },
  {
    id: 'S7.4',
    title:
      'promise 1: an endpoint of the rules that breaks in whichever way, while they are too old to be trusted, lets nothing go, whichever of its lists it is',
    slow: true,
    // Each with an installation of its own: for some seconds the webhook asks an endpoint that failed no more.
    run: async (world) => {
      await Promise.all(OF_AN_ENDPOINT.map((resource) => breakEndpoint(world, resource)));
    },
  },
  {
    id: 'S7.26',
    title: 'promise 1: paths of workspaces that cannot be looked up, in whichever way, let nothing go',
    slow: true,
    run: (world) =>
      throughProxy(world, {}, async (own, proxy) => {
        const { vpc, vm } = await own.guardedPair();

        // What a path names is remembered for minutes, so each way needs a new webhook.
        for (const [way, fault] of Object.entries(EVERY_WAY)) {
          await own.product.webhook.kill();
          const broken = await proxy.breakWhere({ caller: 'webhook', path: OF_A_PATH, isWatch: false }, fault);
          await own.product.webhook.start();
          await refusedWhile(own, { what: `${way} for the paths`, broken, object: vpc });
        }
        await own.refuses(vpc);
        (await own.kcp.admin.delete(vm)).expect(200);
        await own.allows(vpc);
      }),
  },
];

/** Breaks one list of the endpoints in every way, while no sign of life of a watch is young enough. */
function breakEndpoint(world: World, resource: string): Promise<void> {
  return throughProxy(world, { webhookFlags: ['--max-rule-age', '1ms'] }, async (own, proxy) => {
    const { vpc, tenant } = await own.guardedPair();
    await own.create(tenant.vpcs, network('VPC', 'free'));
    const path = new RegExp(`^/services/apiexport/.*/${resource}$`);
    for (const [way, fault] of Object.entries(EVERY_WAY)) {
      const broken = await proxy.breakWhere({ caller: 'webhook', path, isWatch: false }, fault);
      await refusedWhile(own, { what: `${way} for ${resource}`, broken, object: vpc });
    }
    await own.refuses(vpc);
    await own.allows(`${tenant.vpcs}/free`);
  });
}

/** Providers whose VMs are listed as a Table and whose Hosts, for want of a column, as objects. */
async function brokenCloud(own: World): Promise<Cloud> {
  const cloud = await own.cloud();
  await own.addRule(cloud, vmRule(cloud));
  await own.addRule(cloud, rule(cloud, 'hosts', 'Host', [{ resource: 'zones', path: '.spec.zoneRef.name' }]));
  return cloud;
}

/** A consumer with a VPC and a Zone that are referred to and one each that are not, once that is known. */
async function stocked(own: World, cloud: Cloud): Promise<Tenant> {
  const tenant = tenantOf(await own.consumer(cloud), 'default');
  await own.create(tenant.vpcs, ...['used', 'free'].map((name) => network('VPC', name)));
  await own.create(tenant.zones, ...['used', 'free'].map((name) => network('Zone', name)));
  const others = Array.from({ length: HOSTS - 1 }, (_, n) => compute('VM', `other-${n}`, {}));
  await own.create(tenant.vms, ...others, compute('VM', 'vm', refersTo('used')));
  const hosts = Array.from({ length: HOSTS }, (_, n) => compute('Host', `host-${n}`, n === HOSTS - 1 ? { zoneRef: { name: 'used' } } : {}));
  await own.create(tenant.hosts, ...hosts);
  await Promise.all([own.refuses(`${tenant.vpcs}/used`), own.refuses(`${tenant.zones}/used`)]);
  return tenant;
}

/** Deletes for real until the broken read was made, which a busy machine may not come to before time is up; each of the deletes is refused. */
async function refusedWhile(
  own: World,
  { what, broken, object }: { readonly what: string; readonly broken: Break; readonly object: string },
): Promise<Answer> {
  try {
    const refused = await eventually(`${what}: it is read`, async () => {
      const answer = await own.kcp.admin.delete(object);
      ok(answer.status < 400 || (await broken.hits()) > 0, `it was refused without: ${answer.text}`);
      return answer;
    });
    ok(refused.status >= 400, `${what}: the delete was allowed`);
    return refused;
  } finally {
    await broken.mend();
  }
}

async function breakRead(
  own: World,
  cell: {
    readonly proxy: FaultProxy;
    readonly tenant: Tenant;
    readonly way: string;
    readonly fault: ProxyFault;
    readonly read: Read;
  },
): Promise<void> {
  const { proxy, tenant, way, fault, read } = cell;
  const what = `${way} for ${read.of}`;
  const broken = await proxy.breakWhere({ caller: 'webhook', ...read.match(tenant) }, fault);
  const answer = await refusedWhile(own, { what, broken, object: `${tenant[read.kind]}/used` });
  if (answer.status === 403) match(answer.body.message ?? '', /still referenced by|cannot tell/, what);
  else ok([500, 503, 504].includes(answer.status), `${what}: ${answer.text}`);
}
