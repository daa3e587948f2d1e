import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { EndpointEvent, Observed, ReflectorEvent } from '@dep-ctrl/kcp-client';
import { followedStore, names } from '../spec-support/followed-store.js';
import { widget, endpointOf, clusterNamed, parseWidget, WIDGETS, type Widget } from '../spec-support/widgets.js';
import { FedStores } from '../testing/index.js';
import { changesOf, StoreContent } from './store-content.js';
import type { Entry, Stored, StoreChange } from './stored.js';

const place = { endpoint: endpointOf('a'), cluster: clusterNamed('cluster-1') };
const red: Stored<string> = { ...place, metadata: { name: 'x', uid: 'u1', resourceVersion: '1' }, value: 'red' };
const blue: Stored<string> = { ...red, metadata: { ...red.metadata, resourceVersion: '2' }, value: 'blue' };
const other: Stored<string> = { ...red, metadata: { ...red.metadata, uid: 'u2' } };
const broken: Entry<string> = { ...place, metadata: { name: 'x', uid: 'u1', resourceVersion: '3' }, problem: 'no color' };

interface Row {
  readonly given: string;
  readonly last?: Stored<string>;
  readonly after?: Entry<string>;
  readonly expected: readonly unknown[];
}

describe(changesOf, () => {
  it.each<Row>([
    { given: 'a new object', after: red, expected: [{ kind: 'stored', now: red }] },
    { given: 'a new version', last: red, after: blue, expected: [{ kind: 'stored', now: blue, before: red }] },
    { given: 'a version that is broken', last: red, after: broken, expected: [{ kind: 'broken', now: broken, before: red }] },
    { given: 'a new object that is broken', after: broken, expected: [{ kind: 'broken', now: broken }] },
    { given: 'an object that went', last: red, expected: [{ kind: 'gone', before: red, because: 'deleted' }] },
    { given: 'an object that was never whole and went', expected: [] },
    {
      given: 'an object that was made anew under the same name',
      last: red,
      after: other,
      expected: [
        { kind: 'gone', before: red, because: 'deleted' },
        { kind: 'stored', now: other },
      ],
    },
  ])('given $given, then that is what is told', ({ last, after, expected }) => {
    expect(changesOf(last, after, 'deleted')).toEqual(expected);
  });
});

describe(StoreContent, () => {
  it('given that the slice was not read, then no endpoint is known to be withdrawn, and what is shown stays', () => {
    const content = contentOfWidgets();

    content.take(shown({ kind: 'replaced', objects: [observed(widget('x'))] }));

    expect([content.named(), content.withdrawn(), [...content.clustersWithdrawn()]]).toEqual(['unread', [], []]);
    expect(content.size).toBe(1);
  });

  it('given what can be read as no object at all, then that is told, and nothing changes', () => {
    expect(contentOfWidgets().take(shown({ kind: 'undecodable', problem: 'no name' }))).toEqual({ changes: [], undecodable: 'no name' });
  });

  it('given an object without a version, when it is shown again, then it counts as changed', () => {
    const content = contentOfWidgets();
    for (const color of ['red', 'blue']) content.take(shown({ kind: 'applied', object: observed(widget('x', { color })) }));

    expect([...content.by('color', 'blue')]).toHaveLength(1);
  });

  it('given a version that is held, when it is shown again, then nothing is told', () => {
    const content = contentOfWidgets();
    const again = shown({ kind: 'applied', object: observed(widget('x', { resourceVersion: '7' })) });
    content.take(again);

    expect(content.take(again)).toEqual({ changes: [] });
  });

  it('given versions that change no value of an index, then what is found by it keeps its order', () => {
    const content = contentOfWidgets();
    const apply = (name: string, resourceVersion: string): void =>
      void content.take(shown({ kind: 'applied', object: observed(widget(name, { color: 'red', resourceVersion })) }));
    for (const name of ['x', 'y', 'z']) apply(name, '1');

    for (const name of ['y', 'x']) apply(name, '2');

    expect([...content.by('color', 'red')].map(({ metadata: { name, resourceVersion } }) => `${name} ${resourceVersion}`)).toEqual([
      'x 2',
      'y 2',
      'z 1',
    ]);
  });

  it.each(['', undefined])('given an object without a namespace, then it is found by its name with the namespace %j', (namespace) => {
    const content = contentOfWidgets();
    const objects = [widget('x', { color: 'red' }), widget('x', { namespace: 'n', color: 'blue' })].map(observed);
    content.take(shown({ kind: 'replaced', objects }));

    expect(content.get({ cluster: place.cluster, namespace, name: 'x' })).toMatchObject({ value: { color: 'red' } });
    expect(content.get({ cluster: place.cluster, namespace: 'n', name: 'x' })).toMatchObject({ value: { color: 'blue' } });
  });

  it.each([
    { given: 'nothing else is wanted', options: {}, size: 0 },
    { given: 'what withdrawn endpoints showed is kept', options: { keepsWithdrawn: true }, size: 1 },
  ])(
    'given that $given, when all endpoints of the slice have listed, then $size objects of a withdrawn one are left',
    ({ options, size }) => {
      const content = contentOfWidgets(options);
      content.take(shown({ kind: 'replaced', objects: [observed(widget('x'))] }));

      content.take({ kind: 'named', endpoints: [] });

      expect(content.size).toBe(size);
    },
  );

  it('given a withdrawn endpoint that shows nothing, then it has no workspaces, and it is forgotten once the others have listed', () => {
    const content = contentOfWidgets({ keepsWithdrawn: true });
    content.take(shown({ kind: 'replaced', objects: [] }));
    content.take({ kind: 'named', endpoints: [endpointOf('b')] });
    expect([content.withdrawn(), [...content.clustersWithdrawn()]]).toEqual([[place.endpoint], []]);

    content.take({ ...shown({ kind: 'replaced', objects: [] }), endpoint: endpointOf('b') });

    expect([content.withdrawn(), content.hasListed(place.endpoint)]).toEqual([[], false]);
  });
});

describe('broken objects', () => {
  it.each<{ given: string; versions: readonly Version[]; expected: readonly string[] }>([
    {
      given: 'it breaks and is whole again',
      versions: ['red', 'no color', 'no color', 'blue', 'green'],
      expected: ['red', 'broken, was red', 'broken, was red', 'blue, was red', 'green, was blue'],
    },
    { given: 'it breaks and goes', versions: ['red', 'no color', 'goes'], expected: ['red', 'broken, was red', 'red is gone'] },
    { given: 'it was never whole and goes', versions: ['no color', 'goes'], expected: ['broken'] },
    {
      given: 'it breaks, goes and comes again',
      versions: ['red', 'no color', 'goes', 'no color', 'blue'],
      expected: ['red', 'broken, was red', 'red is gone', 'broken', 'blue'],
    },
    {
      given: 'it breaks, is whole again, goes and comes again',
      versions: ['red', 'no color', 'blue', 'goes', 'no color'],
      expected: ['red', 'broken, was red', 'blue, was red', 'blue is gone', 'broken'],
    },
    {
      given: 'it breaks and another broken one takes its name',
      versions: ['red', 'no color', 'made anew, no color', 'made anew, blue'],
      expected: ['red', 'broken, was red', 'red is gone', 'broken', 'blue'],
    },
  ])('given an object, when $given, then each change is told with the last version that could be read', ({ versions, expected }) => {
    const content = contentOfWidgets();

    const changes = versions.flatMap((version) => content.take(shown(showing(version))).changes);

    expect(changes.map(toldOf)).toEqual(expected);
  });

  it('given a broken object that counts again after another one did in its place, then it has no version that could be read', () => {
    const content = contentOfWidgets();
    const at = { endpoint: endpointOf('b') };
    content.take({ kind: 'appeared', ...at });
    content.take({ kind: 'named', endpoints: [place.endpoint, endpointOf('b')] });
    for (const version of ['red', 'no color'] as const) content.take(shown(showing(version)));
    content.take({ ...shown(showing('made anew, no color')), ...at });

    const again = content.take({ ...shown(showing('goes')), ...at });
    const gone = content.take(shown(showing('goes')));

    expect([...again.changes, ...gone.changes].map(toldOf)).toEqual(['broken']);
  });

  it('given an object that the parser refuses, then the others are there, and it is told once, until it can be read again', () => {
    const { fed, store, logger } = followedStore();
    fed.begin();

    fed.list(WIDGETS, [widget('bad', { color: 1, resourceVersion: '7' }), widget('good', { resourceVersion: '8' })]);
    fed.list(WIDGETS, [widget('bad', { color: 1, resourceVersion: '7' }), widget('good', { resourceVersion: '8' })]);
    fed.apply(WIDGETS, widget('bad', { color: 1, resourceVersion: '9' }));

    expect(names(store)).toEqual(['good']);
    expect(store.broken().map(({ problem }) => problem)).toEqual(['spec.color is no text']);
    expect(logger.lines).toHaveLength(1);
    expect(logger.lines[0]).toContain('"name":"bad","resourceVersion":"7","problem":"spec.color is no text"');
    fed.apply(WIDGETS, widget('bad', { resourceVersion: '10' }));
    fed.apply(WIDGETS, widget('bad', { color: 1, resourceVersion: '11' }));
    expect(logger.lines).toHaveLength(2);
  });

  it('given an object that breaks, then it is not gone, but in no index; and whole again it is found again', () => {
    const { fed, store, told } = followedStore();
    fed.begin();
    fed.apply(WIDGETS, widget('x'));

    fed.apply(WIDGETS, widget('x', { color: 1 }));
    expect(store.by('color', 'red')).toEqual([]);
    expect(store.brokenAt({ cluster: clusterNamed('cluster-1'), name: 'x' })).toMatchObject({ problem: 'spec.color is no text' });
    fed.apply(WIDGETS, widget('x', { color: 'blue' }));

    expect(store.by('color', 'blue')).toHaveLength(1);
    expect(told).toEqual(['x', 'broken x', 'x']);
  });

  it('given a parser or an index that throws, then that is the problem of this object alone', () => {
    const fed = new FedStores();
    const store = fed.store({
      type: WIDGETS,
      parse: (object) => {
        if (object.metadata.name === 'parser') throw new Error('a bug');
        return parseWidget(object);
      },
      indexes: {
        bad: ({ metadata }) => {
          if (metadata.name === 'index') throw new Error('another bug');
          return [];
        },
      },
    });
    fed.begin();

    fed.list(WIDGETS, [widget('parser'), widget('index'), widget('good')]);

    expect(store.list()).toHaveLength(1);
    expect(store.broken().map(({ problem }) => problem)).toEqual(['the parser threw: a bug', 'index bad: another bug']);
  });
});

/** What an object becomes next. */
type Version = 'red' | 'blue' | 'green' | 'no color' | 'made anew, no color' | 'made anew, blue' | 'goes';

let shownVersions = 0;

function showing(version: Version): ReflectorEvent {
  shownVersions += 1;
  const color = version.endsWith('no color') ? 1 : (version.split(', ').at(-1) ?? version);
  const uid = version.startsWith('made anew') ? 'u2' : 'u1';
  return {
    kind: version === 'goes' ? 'deleted' : 'applied',
    object: observed(widget('x', { uid, color, resourceVersion: String(shownVersions) })),
  };
}

function shown(event: ReflectorEvent): EndpointEvent & { readonly kind: 'observed' } {
  return { kind: 'observed', endpoint: place.endpoint, type: WIDGETS, event };
}

function observed(object: KubeObject): Observed {
  return { cluster: place.cluster, object };
}

function toldOf(change: StoreChange<Widget>): string {
  const was = change.before?.value.color ?? '';
  if (change.kind === 'gone') return `${was} is gone`;
  return `${change.kind === 'stored' ? change.now.value.color : 'broken'}${was === '' ? '' : `, was ${was}`}`;
}

function contentOfWidgets(options: { readonly keepsWithdrawn?: boolean } = {}): StoreContent<Widget, 'color'> {
  return new StoreContent({ parse: parseWidget, indexes: { color: ({ value }) => [value.color] }, ...options });
}
