import { describe, expect, it } from '@jest/globals';
import type { ReflectorEvent } from '@dep-ctrl/kcp-client';
import { nameViews, NOTHING_NAMED, type NamedViews } from './named-views.js';
import { typeNaming, viewUrl } from './spec-support/seen.js';

const ONE = 'https://one:6443/services/terminatingworkspaces/home:ordered';
const TWO = 'https://two:6443/services/terminatingworkspaces/home:ordered';
const BEGIN = 'https://one:6443/services/initializingworkspaces/home:ordered';
const named = (url: unknown, type: unknown = 'terminating'): object => ({ url, type });
const replaced = (...objects: readonly ReturnType<typeof typeNaming>[]): ReflectorEvent => ({ kind: 'replaced', objects });
const knowingOne: NamedViews = { type: 'read', entry: 'home:ordered', namesPermissions: false, urls: new Set([viewUrl(ONE)]) };

describe(nameViews, () => {
  it.each([
    { given: 'one per shard and kind', status: [named(BEGIN, 'initializing'), named(ONE), named(TWO)], appeared: [ONE, TWO], problems: 0 },
    { given: 'the other kind alone', status: [named(BEGIN, 'initializing')], appeared: [], problems: 0 },
    { given: 'a status that is not filled yet', status: undefined, appeared: [], problems: 0 },
    { given: 'the same URL twice', status: [named(ONE), named(ONE)], appeared: [ONE], problems: 0 },
    { given: 'a trailing slash', status: [named(`${ONE}/`)], appeared: [ONE], problems: 0 },
    { given: 'a URL that is none beside one that is', status: [named('one'), named(ONE)], appeared: [ONE], problems: 1 },
    { given: 'the URL of another type', status: [named(ONE.replace('ordered', 'other'))], appeared: [], problems: 1 },
    { given: 'a URL of the other kind under this one', status: [named(BEGIN)], appeared: [], problems: 1 },
    { given: 'a server that is no kcp', status: [named('https://evil.example.com/')], appeared: [], problems: 1 },
    { given: 'entries that are no objects', status: [7, null, 'x'], appeared: [], problems: 0 },
    { given: 'a status that is no list', status: 'x', appeared: [], problems: 0 },
  ])('given $given, then only what is a virtual workspace of that type and kind counts', ({ status, appeared, problems }) => {
    const step = nameViews(NOTHING_NAMED, replaced(typeNaming(status)), 'terminating');

    expect(step.appeared).toEqual(appeared);
    expect(step.problems).toHaveLength(problems);
    expect(step.views).toMatchObject({ type: 'read', entry: 'home:ordered' });
  });

  it.each([
    { given: 'no URL', url: 7, problem: '"" is not' },
    {
      given: 'the URL of another type',
      url: ONE.replace('ordered', 'other'),
      problem: 'home:other" is not the virtual workspace of home:ordered',
    },
  ])('given $given, then the problem says what it is not', ({ url, problem }) => {
    expect(nameViews(NOTHING_NAMED, replaced(typeNaming([named(url)])), 'terminating').problems.join()).toContain(problem);
  });

  it('given what is not understood before the type was read, then nothing is named, and the problem is told', () => {
    expect(nameViews(NOTHING_NAMED, { kind: 'undecodable', problem: 'no object' }, 'terminating')).toEqual({
      views: { type: 'unknown', namesPermissions: false, urls: new Set() },
      appeared: [],
      withdrawn: [],
      problems: ['no object'],
    });
  });

  it('given initializers, then the other half counts', () => {
    const step = nameViews(NOTHING_NAMED, replaced(typeNaming([named(BEGIN, 'initializing'), named(ONE)])), 'initializing');

    expect(step.appeared).toEqual([BEGIN]);
  });

  it.each<{
    readonly given: string;
    readonly event: ReflectorEvent;
    readonly appeared?: readonly string[];
    readonly withdrawn?: readonly string[];
    readonly problems?: readonly string[];
    readonly type: NamedViews['type'];
  }>([
    { given: 'the type is deleted', event: { kind: 'deleted', object: typeNaming([named(ONE)]) }, type: 'gone' },
    { given: 'a list without the type', event: replaced(), type: 'gone' },
    { given: 'the type without a status', event: { kind: 'applied', object: typeNaming(undefined) }, type: 'read' },
    {
      given: 'a shard that is named too',
      event: { kind: 'applied', object: typeNaming([named(ONE), named(TWO)]) },
      appeared: [TWO],
      type: 'read',
    },
    {
      given: 'a shard that is not named any more',
      event: { kind: 'applied', object: typeNaming([named(TWO)]) },
      appeared: [TWO],
      withdrawn: [ONE],
      type: 'read',
    },
    { given: 'what is not understood', event: { kind: 'undecodable', problem: 'no object' }, problems: ['no object'], type: 'read' },
  ])(
    'given a known virtual workspace and $given, then it is withdrawn only if the type says so',
    ({ event, appeared = [], withdrawn = [], problems = [], type }) => {
      const step = nameViews(knowingOne, event, 'terminating');

      expect([step.appeared, step.withdrawn, step.problems]).toEqual([appeared, withdrawn, problems]);
      expect(step.views.type).toBe(type);
      expect(step.views.urls.has(viewUrl(ONE))).toBe(withdrawn.length === 0);
    },
  );

  it.each([
    { given: 'rules', spec: { terminatorPermissions: [{ verbs: ['get'] }] }, namesPermissions: true },
    { given: 'an empty list', spec: { terminatorPermissions: [] }, namesPermissions: false },
    { given: 'rules of the other kind', spec: { initializerPermissions: [{ verbs: ['get'] }] }, namesPermissions: false },
  ])('given $given, then it is known whether the type names permissions', ({ spec, namesPermissions }) => {
    expect(nameViews(NOTHING_NAMED, replaced(typeNaming([], spec)), 'terminating').views.namesPermissions).toBe(namesPermissions);
  });
});
