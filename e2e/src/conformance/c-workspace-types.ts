import { deepEqual, equal, match } from 'node:assert/strict';
import type { Answer } from '../https/answer.js';
import type { Caller } from '../https/caller.js';
import { at, type Tree } from '../https/kube-body.js';
import { eventually } from '../stage/eventually.js';
import { ACCESS, grant, group, user } from '../stage/identities.js';
import { typeIn } from '../stage/lifecycle-workspaces.js';
import type { Stage, Workspace } from '../stage/stage.js';
import type { ConformanceCase } from './conformance-case.js';

const CREATE: Tree = { apiGroups: ['tenancy.kcp.io'], resources: ['workspaces'], verbs: ['create'] };
const TYPES = '/apis/tenancy.kcp.io/v1alpha1/workspacetypes';
const UNIVERSAL = { name: 'universal', path: 'root' };
const WORKSPACES = '/apis/tenancy.kcp.io/v1alpha1/workspaces';

/** The type with that name in that workspace. */
interface TypePlace {
  readonly home: Workspace;
  readonly name: string;
}

function use(name: string): Tree {
  return { apiGroups: ['tenancy.kcp.io'], resources: ['workspacetypes'], resourceNames: [name], verbs: ['use'] };
}

function reference({ home, name }: TypePlace): Tree {
  return { name, path: home.path };
}

/** Makes a type that is extended with universal and with these. */
async function extending(kcp: Stage, home: Workspace, name: string, types: readonly TypePlace[] = [], spec: Tree = {}): Promise<TypePlace> {
  const extend = { with: types.length === 0 ? [UNIVERSAL] : types.map(reference) };
  return typeIn(kcp, home, name, { extend, ...spec }, 'terminator');
}

async function make(
  caller: Caller,
  parent: string,
  type: TypePlace,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const spec = { type: reference(type) };
  const object = { apiVersion: 'tenancy.kcp.io/v1alpha1', kind: 'Workspace', metadata: { name, labels }, spec };
  return caller.post(`/clusters/${parent}${WORKSPACES}`, object);
}

/** That kcp refuses the workspace with this reason. */
async function refused(what: string, attempt: () => Promise<Answer>, reason: string): Promise<void> {
  await eventually(what, async () => {
    const { status, body } = await attempt();
    equal(status, 403);
    equal(body.message?.replace(/^workspaces\.tenancy\.kcp\.io "[^"]*" is forbidden: /, ''), reason);
  });
}

function mayNotUse({ home, name }: TypePlace): string {
  return `unable to use workspace type ${home.path}:${name}: missing verb='use' permission on workspacetype`;
}

/** The user alice, who may make workspaces in a workspace of the last shard, and nothing more. */
async function aliceWithParent(kcp: Stage): Promise<{ readonly alice: Caller; readonly parent: Workspace }> {
  const parent = await kcp.workspace({ shard: kcp.backend.shards.length - 1 });
  const alice = kcp.front.with({ token: kcp.backend.token('alice') });
  await grant(kcp.admin, parent.at, 'alice', [ACCESS, CREATE], [user('alice')]);
  return { alice, parent };
}

/** C: workspace types: what a user needs to use one, and what it means that one extends another. */
export const workspaceTypes: readonly ConformanceCase[] = [
  {
    id: 'C20.17',
    title:
      'a user makes a workspace of a type of elsewhere with access and create in the parent and use of the type, and needs no access to the workspace of the type; without use it is 403 and names the type',
    run: async (kcp) => {
      const type = await extending(kcp, await kcp.workspace({ shard: 0 }), 'wanted');
      const parent = await kcp.workspace({ shard: kcp.backend.shards.length - 1 });
      const alice = kcp.front.with({ token: kcp.backend.token('alice') });
      const name = kcp.unique('own');
      const attempt = (): Promise<Answer> => make(alice, parent.cluster, type, name);

      equal((await attempt()).status, 403);
      await grant(kcp.admin, parent.at, 'enter', [ACCESS], [user('alice')]);
      await eventually('alice is let in', async () => void (await alice.get(`${parent.at}/api`)).expect(200));
      match((await attempt()).body.message ?? '', /User "alice" cannot create resource "workspaces" in API group "tenancy.kcp.io"/);
      await grant(kcp.admin, parent.at, 'create', [CREATE], [user('alice')]);
      await refused('use is missing', attempt, mayNotUse(type));
      await grant(kcp.admin, type.home.at, 'use', [use(type.name)], [group('system:authenticated')]);

      await eventually('it is made', async () => void (await attempt()).expect(201));

      const made = await kcp.ready(parent.path, name);
      (await alice.get(`${made.at}/api/v1/namespaces`)).expect(200);
      equal((await alice.get(`${type.home.at}/api`)).status, 403);
      equal((await alice.get(`${type.home.at}${TYPES}/${type.name}`)).status, 403);
    },
  },
  {
    id: 'C20.18',
    title:
      'to use a type that extends another one takes use of both, each in its own workspace, and the first one that is missing is named: what is extended comes first, also in the terminators',
    run: async (kcp) => {
      const base = await kcp.workspace({ shard: kcp.backend.shards.length - 1 });
      const inner = await typeIn(kcp, base, 'inner', { terminator: true, extend: { with: [UNIVERSAL] } }, 'terminator');
      const home = await kcp.workspace({ shard: 0 });
      const outer = await typeIn(kcp, home, 'outer', { terminator: true, extend: { with: [reference(inner)] } }, 'terminator');
      const { alice, parent } = await aliceWithParent(kcp);
      const name = kcp.unique('own');
      const attempt = (): Promise<Answer> => make(alice, parent.cluster, outer, name);

      await refused('both are missing', attempt, mayNotUse(inner));
      await grant(kcp.admin, inner.home.at, 'use', [use(inner.name)], [group('system:authenticated')]);
      await refused('one is missing', attempt, mayNotUse(outer));
      await grant(kcp.admin, outer.home.at, 'use', [use(outer.name)], [group('system:authenticated')]);

      await eventually('it is made', async () => void (await attempt()).expect(201));

      const made = await kcp.ready(parent.path, name);
      const { body } = (await kcp.admin.get(`${made.at}/apis/core.kcp.io/v1alpha1/logicalclusters/cluster`)).expect(200);
      deepEqual(at(body, 'spec', 'terminators'), [inner.entry, outer.entry]);
    },
  },
  {
    id: 'C20.19',
    title:
      'no workspace is made of a type that extends one that is not there, or itself; a type that is extended without a path is looked for upwards',
    run: async (kcp) => {
      const home = await kcp.workspace({ shard: 0 });
      const [one, other] = [
        { home, name: 'one' },
        { home, name: 'other' },
      ];
      const broken = await extending(kcp, home, 'broken', [{ home, name: 'nope' }]);
      await extending(kcp, home, 'one', [other]);
      await extending(kcp, home, 'other', [one]);
      const upwards = await extending(kcp, home, 'upwards', [], { extend: { with: [{ name: 'universal' }] } });
      const attempt = (type: TypePlace) => (): Promise<Answer> => make(kcp.admin, 'root', type, kcp.unique('w'));
      const [first, second] = [`${home.path}:one`, `${home.path}:other`];

      await refused('one is missing', attempt(broken), 'unable to find inherited workspace type nope');
      await refused('a ring', attempt(one), `circular dependency detected in workspace type ${first}: ${first} -> ${second}`);
      await eventually('the root has it', async () => void (await attempt(upwards)()).expect(201));
    },
  },
  {
    id: 'C20.20',
    title:
      'limits of a type and of those that it extends refuse a workspace with all reasons; labels come from the type alone and replace none',
    run: async (kcp) => {
      const home = await kcp.workspace({ shard: 0 });
      const limit = {
        types: [
          { home, name: 'zz' },
          { home, name: 'aa' },
        ].map(reference),
      };
      const limited = await extending(kcp, home, 'limited', [], {
        limitAllowedParents: limit,
        additionalWorkspaceLabels: { base: 'b', both: 'base' },
      });
      const alone = await extending(kcp, home, 'alone', [], { limitAllowedParents: { none: true } });
      const two = await extending(kcp, home, 'two', [limited, alone]);
      const labels = { additionalWorkspaceLabels: { leaf: 'l', both: 'leaf' } };
      const labelled = await extending(
        kcp,
        home,
        'labelled',
        [await extending(kcp, home, 'plain', [], { additionalWorkspaceLabels: { base: 'b' } })],
        labels,
      );
      const parents = { limitAllowedChildren: limit };
      const strict = await extending(kcp, home, 'strict', [await extending(kcp, home, 'picky', [], parents)]);
      const [type, allowed] = [(name: string): string => `${home.path}:${name}`, `[${home.path}:aa ${home.path}:zz]`];
      const only = `only allows ${allowed} parent workspaces, but parent type root:root only implements [root:root root:universal]`;
      const attempt =
        (one: TypePlace, parent = 'root') =>
        (): Promise<Answer> =>
          make(kcp.admin, parent, one, kcp.unique('w'));

      await refused('its own', attempt(limited), `workspace type ${type('limited')} ${only}`);
      const inherited = `workspace type ${type('two')} extends ${type('limited')}, which ${only}`;
      await refused('both', attempt(two), `[${inherited}, workspace type ${type('two')} cannot have any parent]`);
      const parent = await kcp.workspace({ type: { name: strict.name, path: home.path }, shard: 0 });
      const implemented = 'child workspaces, but child type root:universal only implements [root:universal]';
      await refused(
        'of the parent',
        attempt({ home: { ...home, path: 'root' }, name: 'universal' }, parent.cluster),
        `workspace type ${type('strict')} extends ${type('picky')}, which only allows ${allowed} ${implemented}`,
      );
      const made = await eventually('it is labelled', async () =>
        (await make(kcp.admin, 'root', labelled, kcp.unique('w'), { both: 'mine' })).expect(201),
      );
      deepEqual(made.body.metadata.labels, { both: 'mine', leaf: 'l' });
    },
  },
];
