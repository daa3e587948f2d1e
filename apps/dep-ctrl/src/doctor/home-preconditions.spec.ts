import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { apiExport, apiResourceSchemas } from '@dep-ctrl/rule-registry';
import { homeProtection } from '../own-objects/home-protection.js';
import { HOME_PRECONDITIONS } from './home-preconditions.js';
import { broken, met, notChecked } from './precondition.js';
import { inHome, judge, kubectlIn, NOT_INSTALLED, NOTHING_READ, REFUSED, SILENT, type Row } from './spec-support/judge.js';
import { facts, HOME, read } from './spec-support/whole-facts.js';

const PATH = 'root:dep-ctrl';
const EXPORT = 'dependencies.opendefense.cloud';
const BOOTSTRAP = 'dep-ctrl bootstrap';
const INSTALL = 'dep-ctrl bootstrap --kubeconfig-dir identities';
const ELSEWHERE = 'if dep-ctrl is in another workspace, give that as --workspace; if it is not installed yet';

const NO_EXPORT = { presence: { state: 'missing', what: 'export', text: 'there is no export' } } as const;
const IN_DOUBT = { presence: { state: 'in-doubt', text: 'role missing: some role' } } as const;
const unread = { apiExport: SILENT, schemas: SILENT, slice: SILENT, protection: SILENT };

const WITHOUT_STATUS = apiExport();
const exported = ({ spec, status }: { readonly spec?: object; readonly status?: object }): KubeObject => ({
  ...WITHOUT_STATUS,
  spec: { ...(WITHOUT_STATUS['spec'] as object), ...spec },
  status: { identityHash: 'abc', ...status },
});
const withExport = (object: KubeObject | undefined) => inHome({ apiExport: read(object) });

it('given a kcp of which nothing was read, then nothing is judged', () => {
  expect(HOME_PRECONDITIONS.flatMap((each) => each.judge(NOTHING_READ))).toEqual([]);
});

it('given an installation, then all is met but for the protection, which is a choice', () => {
  const judgements = HOME_PRECONDITIONS.map(({ id }) => [id, judge(id, facts())]);

  expect(judgements).toEqual([
    ...['workspace-there', 'export-there', 'export-current', 'schemas-there', 'export-identity', 'export-open', 'endpoint-slice'].map(
      (id) => [id, [met(PATH)]],
    ),
    ['workspace-protected', []],
  ]);
});

describe('workspace-there', () => {
  it.each<Row>([
    { given: 'a workspace that has no export', facts: inHome(NO_EXPORT), judgements: [met(PATH)] },
    {
      given: 'one that cannot be seen',
      facts: inHome(IN_DOUBT),
      judgements: [notChecked(PATH, { because: 'refused', why: 'role missing: some role' })],
    },
    {
      given: 'none',
      facts: inHome(NOT_INSTALLED),
      judgements: [broken(PATH, `is no workspace of this kcp: there is none; ${ELSEWHERE}`, INSTALL)],
    },
  ])('given $given, then it is judged', ({ facts: given, judgements }) => {
    expect(judge('workspace-there', given)).toEqual(judgements);
  });

  it('given none where the caller named root, then what to run installs dep-ctrl in its usual workspace', () => {
    const given = inHome({ ...NOT_INSTALLED });

    const judgements = judge('workspace-there', { ...given, access: { ...given.access, workspace: 'root' } });

    expect(judgements).toEqual([expect.objectContaining({ run: INSTALL })]);
  });
});

describe('export-there', () => {
  const missing = broken(PATH, `has no export ${EXPORT}; ${ELSEWHERE}`, INSTALL);

  it.each<Row>([
    { given: 'no workspace', facts: inHome({ ...unread, ...NOT_INSTALLED }), judgements: [] },
    { given: 'a workspace that cannot be seen', facts: inHome({ ...unread, ...IN_DOUBT }), judgements: [] },
    { given: 'a workspace that has none', facts: inHome({ ...unread, ...NO_EXPORT }), judgements: [missing] },
    { given: 'one that is gone since', facts: withExport(undefined), judgements: [missing] },
    { given: 'one that may not be read', facts: inHome({ apiExport: REFUSED }), judgements: [notChecked(PATH, REFUSED)] },
  ])('given $given, then the export is judged', ({ facts: given, judgements }) => {
    expect(judge('export-there', given)).toEqual(judgements);
  });
});

describe('the export', () => {
  it.each(['export-current', 'schemas-there', 'export-identity', 'export-open'])(
    'given none, or one that may not be read, then %s says nothing: export-there tells it',
    (id) => {
      expect(judge(id, withExport(undefined))).toEqual([]);
      expect(judge(id, inHome({ apiExport: REFUSED }))).toEqual([]);
    },
  );

  it('given claims of another version, then it is not current', () => {
    expect(judge('export-current', withExport(exported({ spec: { permissionClaims: [] } })))).toEqual([
      broken(PATH, 'exports the API of another version of dep-ctrl than this one', BOOTSTRAP),
    ]);
  });

  it.each([
    { given: 'no identity', object: exported({ status: { identityHash: undefined } }) },
    { given: 'no status', object: WITHOUT_STATUS },
  ])('given $given, then its conditions are to be looked at', ({ object }) => {
    expect(judge('export-identity', withExport(object))).toEqual([
      broken(PATH, 'has an export without an identity, which its conditions explain', kubectlIn(PATH, `get apiexport ${EXPORT} -o yaml`)),
    ]);
  });

  it.each<{ given: string; object: KubeObject }>([
    { given: 'a policy of null', object: exported({ spec: { maximalPermissionPolicy: null } }) },
    { given: 'no spec', object: { metadata: {} } },
  ])('given $given, then it is open', ({ object }) => {
    expect(judge('export-open', withExport(object))).toEqual([met(PATH)]);
  });

  it('given a maximalPermissionPolicy, then what to run removes it', () => {
    const patch = '[{"op":"remove","path":"/spec/maximalPermissionPolicy"}]';

    expect(judge('export-open', withExport(exported({ spec: { maximalPermissionPolicy: { local: {} } } })))).toEqual([
      broken(
        PATH,
        'has an export with a maximalPermissionPolicy, which keeps providers from writing rules',
        kubectlIn(PATH, `patch apiexport ${EXPORT} --type json -p '${patch}'`),
      ),
    ]);
  });
});

describe('schemas-there', () => {
  const names = apiResourceSchemas().map(({ metadata }) => metadata.name ?? '');
  const notAsked = { ...REFUSED, because: 'not-asked' } as const;

  it.each<Row>([
    {
      given: 'none of them',
      facts: inHome({ schemas: read(new Set()) }),
      judgements: [broken(PATH, `lacks the schema ${names.join(', ')} of its export`, BOOTSTRAP)],
    },
    { given: 'an export that names none', facts: withExport({ metadata: {} }), judgements: [met(PATH)] },
    {
      given: 'an export that names one, and a resource without',
      facts: withExport({ metadata: {}, spec: { resources: [{ schema: 'v1.things' }, {}] } }),
      judgements: [broken(PATH, 'lacks the schema v1.things of its export', BOOTSTRAP)],
    },
    { given: 'some that may not be read', facts: inHome({ schemas: REFUSED }), judgements: [notChecked(PATH, REFUSED)] },
    { given: 'some that were not asked for', facts: inHome({ schemas: notAsked }), judgements: [] },
  ])('given $given, then those that are missing are named', ({ facts: given, judgements }) => {
    expect(judge('schemas-there', given)).toEqual(judgements);
  });
});

describe('endpoint-slice', () => {
  it.each<Row>([
    { given: 'no export', facts: inHome({ ...NO_EXPORT, slice: read(undefined) }), judgements: [] },
    { given: 'one that may not be read', facts: inHome({ slice: REFUSED }), judgements: [notChecked(PATH, REFUSED)] },
    {
      given: 'none',
      facts: inHome({ slice: read(undefined) }),
      judgements: [
        broken(
          PATH,
          'has no endpoint slice for its export: kcp makes one as the export changes',
          kubectlIn(PATH, `annotate apiexport ${EXPORT} --overwrite dep-ctrl/touched=now`),
        ),
      ],
    },
  ])('given $given, then the slice is judged', ({ facts: given, judgements }) => {
    expect(judge('endpoint-slice', given)).toEqual(judgements);
  });
});

describe('workspace-protected', () => {
  const objects = homeProtection(HOME).map((object): [string, KubeObject] => [object.kind ?? '', object]);
  const half = read(new Map(objects.slice(0, 1)));

  it.each<Row>([
    { given: 'both objects of the protection', facts: inHome({ protection: read(new Map(objects)) }), judgements: [met(PATH)] },
    {
      given: 'one of them',
      facts: inHome({ protection: half }),
      judgements: [
        broken(
          PATH,
          'is protected from deletion by half: its policy in root or the binding of that is missing or was changed',
          'dep-ctrl bootstrap --protect-workspace',
        ),
      ],
    },
    { given: 'none', facts: facts(), judgements: [] },
    { given: 'what a user may not read', facts: inHome({ protection: REFUSED }), judgements: [] },
    { given: 'no workspace', facts: inHome({ ...NOT_INSTALLED, protection: half }), judgements: [] },
  ])('given $given, then the protection is judged', ({ facts: given, judgements }) => {
    expect(judge('workspace-protected', given)).toEqual(judgements);
  });
});
