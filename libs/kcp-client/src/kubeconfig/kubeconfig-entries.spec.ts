import { describe, expect, it } from '@jest/globals';
import {
  isFields,
  joinEntries,
  pathIn,
  pickContext,
  readEntries,
  textOf,
  type Entry,
  type KubeconfigEntries,
} from './kubeconfig-entries.js';

const FOLDER = '/home/me/.kube';
const NO_KUBECONFIG = 'is not a kubeconfig: expected a mapping with clusters, users and contexts';

describe(readEntries, () => {
  it('given a kubeconfig, then its parts are found by name, with the folder of the file', () => {
    const content = {
      'current-context': 'main',
      contexts: [{ name: 'main', context: { cluster: 'kcp', user: 'me' } }],
      clusters: [{ name: 'kcp', cluster: { server: 's' } }, { name: 'empty' }, { name: 'null', cluster: null }],
      users: [{ name: 'me', user: { token: 't' } }],
    };

    expect(readEntries(content, FOLDER)).toEqual({
      ok: true,
      value: {
        currentContext: 'main',
        contexts: entries({ main: { cluster: 'kcp', user: 'me' } }),
        clusters: entries({ kcp: { server: 's' }, empty: {}, null: {} }),
        users: entries({ me: { token: 't' } }),
      },
    });
  });

  it.each([
    { given: 'an empty mapping', content: {} },
    { given: 'lists that are null', content: { contexts: null, clusters: null, users: null, 'current-context': null } },
    { given: 'a current context that is no text', content: { 'current-context': 7 } },
  ])('given $given, then there is nothing in it', ({ content }) => {
    expect(readEntries(content, FOLDER)).toEqual({ ok: true, value: kubeconfig({}) });
  });

  it('given a name twice, then the first one counts', () => {
    const content = {
      users: [
        { name: 'me', user: { token: 'first' } },
        { name: 'me', user: { token: 'second' } },
      ],
    };

    expect(readEntries(content, FOLDER)).toEqual({ ok: true, value: kubeconfig({ users: { me: { token: 'first' } } }) });
  });

  it.each<{ given: string; content: unknown; problem: string }>([
    { given: 'a text', content: 'x', problem: NO_KUBECONFIG },
    { given: 'null', content: null, problem: NO_KUBECONFIG },
    { given: 'a list', content: [], problem: NO_KUBECONFIG },
    { given: 'contexts that are no list', content: { contexts: {} }, problem: 'contexts should be a list' },
    { given: 'clusters that are no list', content: { clusters: 'x' }, problem: 'clusters should be a list' },
    { given: 'users that are no list', content: { users: 7 }, problem: 'users should be a list' },
    { given: 'an entry that is a text', content: { users: [{ name: 'a' }, 'x'] }, problem: 'users[1] should have a name' },
    { given: 'an entry without a name', content: { clusters: [{ cluster: {} }] }, problem: 'clusters[0] should have a name' },
    { given: 'an entry with an empty name', content: { contexts: [{ name: '' }] }, problem: 'contexts[0] should have a name' },
    {
      given: 'a cluster that is a text',
      content: { clusters: [{ name: 'a', cluster: 'x' }] },
      problem: 'clusters[0].cluster should be a mapping',
    },
    {
      given: 'a context that is a list',
      content: { contexts: [{ name: 'a', context: [] }] },
      problem: 'contexts[0].context should be a mapping',
    },
    { given: 'a user that is a number', content: { users: [{ name: 'a', user: 7 }] }, problem: 'users[0].user should be a mapping' },
  ])('given $given, then that is the problem', ({ content, problem }) => {
    expect(readEntries(content, FOLDER)).toEqual({ ok: false, problem });
  });
});

describe(joinEntries, () => {
  it('given several files, then the first one that names something wins', () => {
    const first = kubeconfig({ contexts: { a: { cluster: '1' } }, clusters: { a: { server: '1' } } });
    const second = kubeconfig({
      currentContext: 'b',
      contexts: { a: { cluster: '2' }, b: { cluster: '2' } },
      clusters: { a: { server: '2' } },
      users: { a: { token: '2' } },
    });
    const third = kubeconfig({ currentContext: 'c', users: { a: { token: '3' }, c: { token: '3' } } });

    expect(joinEntries([first, second, third])).toEqual(
      kubeconfig({
        currentContext: 'b',
        contexts: { a: { cluster: '1' }, b: { cluster: '2' } },
        clusters: { a: { server: '1' } },
        users: { a: { token: '2' }, c: { token: '3' } },
      }),
    );
  });

  it('given no files, then there is nothing', () => {
    expect(joinEntries([])).toEqual(kubeconfig({}));
  });
});

describe(pickContext, () => {
  const all = kubeconfig({
    currentContext: 'main',
    contexts: {
      main: { cluster: 'kcp', user: 'me' },
      nobody: { cluster: 'kcp' },
      'no cluster': {},
      'lost cluster': { cluster: 'gone', user: 'me' },
      'lost user': { cluster: 'kcp', user: 'gone' },
    },
    clusters: { kcp: { server: 's' } },
    users: { me: { token: 't' }, you: { token: 'u' } },
  });

  it.each([
    { given: 'none', wanted: undefined, contextName: 'main', user: all.users.get('me') },
    { given: 'one without a user', wanted: 'nobody', contextName: 'nobody', user: undefined },
  ])('given $given by name, then it leads to its cluster and user', ({ wanted, contextName, user }) => {
    const picked = { contextName, cluster: all.clusters.get('kcp'), ...(user === undefined ? {} : { user }) };

    expect(pickContext(all, wanted)).toStrictEqual({ ok: true, value: picked });
  });

  it.each([
    { wanted: '', problem: 'has no current-context; choose one of: lost cluster, lost user, main, no cluster, nobody' },
    { wanted: 'x', problem: 'has no context "x"; it has: lost cluster, lost user, main, no cluster, nobody' },
    { wanted: 'no cluster', problem: 'context "no cluster" names the cluster "", which is not there; it has: kcp' },
    { wanted: 'lost cluster', problem: 'context "lost cluster" names the cluster "gone", which is not there; it has: kcp' },
    { wanted: 'lost user', problem: 'context "lost user" names the user "gone", which is not there; it has: me, you' },
  ])('given the context "$wanted", then the problem names what there is', ({ wanted, problem }) => {
    expect(pickContext(all, wanted)).toEqual({ ok: false, problem });
  });

  it.each([
    { count: 0, shown: 'none' },
    { count: 10, shown: 'c0, c1, c2, c3, c4, c5, c6, c7, c8, c9' },
    { count: 12, shown: 'c0, c1, c10, c11, c2, c3, c4, c5, c6, c7 and 2 more' },
  ])('given $count contexts and none that is current, then the first ten are named', ({ count, shown }) => {
    const contexts = Object.fromEntries(Array.from({ length: count }, (_each, index) => [`c${String(count - 1 - index)}`, {}]));

    expect(pickContext(kubeconfig({ contexts }), undefined)).toEqual({
      ok: false,
      problem: `has no current-context; choose one of: ${shown}`,
    });
  });
});

describe(textOf, () => {
  it.each([
    ['a', 'a'],
    ['', undefined],
    [7, undefined],
    [null, undefined],
  ])('given %j, then the text is %j', (value, expected) => expect(textOf(value)).toBe(expected));
});

describe(pathIn, () => {
  it.each([
    ['ca.crt', '/home/me/.kube/ca.crt'],
    ['../ca.crt', '/home/me/ca.crt'],
    ['/etc/ca.crt', '/etc/ca.crt'],
  ])('given %s, then it is %s', (path, expected) => expect(pathIn(FOLDER, path)).toBe(expected));
});

describe(isFields, () => {
  it.each([
    [{}, true],
    [[], false],
    [null, false],
    ['x', false],
    [undefined, false],
  ])('given %j, then it is a mapping: %s', (value, expected) => expect(isFields(value)).toBe(expected));
});

interface Parts {
  readonly currentContext?: string;
  readonly contexts?: Readonly<Record<string, Entry['fields']>>;
  readonly clusters?: Readonly<Record<string, Entry['fields']>>;
  readonly users?: Readonly<Record<string, Entry['fields']>>;
}

function kubeconfig({ currentContext = '', contexts = {}, clusters = {}, users = {} }: Parts): KubeconfigEntries {
  return { currentContext, contexts: entries(contexts), clusters: entries(clusters), users: entries(users) };
}

function entries(parts: Readonly<Record<string, Entry['fields']>>): ReadonlyMap<string, Entry> {
  return new Map(Object.entries(parts).map(([name, fields]) => [name, { name, fields, folder: FOLDER }]));
}
