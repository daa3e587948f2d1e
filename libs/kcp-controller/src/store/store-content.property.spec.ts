// The law of a store: after any mix of lists, events, and endpoints that come and go, it equals a naive model of what the endpoints showed last.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CLUSTER_ANNOTATION, notParsed, parsed, parseLogicalClusterName, type KubeObject, type Parsed } from '@dep-ctrl/kcp-names';
import { parseVirtualWorkspaceUrl, type EndpointEvent, type Observed, type VirtualWorkspaceUrl } from '@dep-ctrl/kcp-client';
import { StoreContent } from './store-content.js';
import { keyOf, nameOf, type StoreChange } from './stored.js';

const TYPE = { group: 'example.com', version: 'v1', resource: 'widgets' };
const ENDPOINTS = ['a', 'b', 'c'].map(urlOf);

interface Shown {
  readonly cluster: 'one' | 'two';
  readonly namespace: '' | 'n';
  readonly name: 'x' | 'y';
  readonly uid: 'u1' | 'u2';
  readonly version: number;
  readonly color: 'red' | 'blue' | 'none';
}

type Command =
  | { readonly do: 'name'; readonly endpoints: readonly number[] }
  | { readonly do: 'list'; readonly endpoint: number; readonly objects: readonly Shown[] }
  | { readonly do: 'apply' | 'delete'; readonly endpoint: number; readonly object: Shown }
  | { readonly do: 'forget'; readonly endpoint: number; readonly cluster: Shown['cluster'] };

const shown = fc.record<Shown>({
  cluster: fc.constantFrom('one', 'two'),
  namespace: fc.constantFrom('', 'n'),
  name: fc.constantFrom('x', 'y'),
  uid: fc.constantFrom('u1', 'u2'),
  version: fc.integer({ min: 1, max: 4 }),
  color: fc.constantFrom('red', 'blue', 'none'),
});
const endpoint = fc.integer({ min: 0, max: ENDPOINTS.length - 1 });
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constant('name' as const), endpoints: fc.uniqueArray(endpoint) }),
  fc.record({ do: fc.constant('list' as const), endpoint, objects: fc.uniqueArray(shown, { selector: keyIn, maxLength: 6 }) }),
  fc.record({ do: fc.constantFrom('apply' as const, 'delete' as const), endpoint, object: shown }),
  fc.record({ do: fc.constant('forget' as const), endpoint, cluster: fc.constantFrom('one' as const, 'two' as const) }),
);

/** What counts, worked out anew from everything each time. */
class NaiveModel {
  named: readonly number[] | undefined;
  readonly shows = new Map<number, Map<string, Shown>>();
  readonly listed = new Set<number>();
  /** The endpoints by how much they count, the least first. */
  #order: readonly number[] = [];
  readonly #keepsWithdrawn: boolean;

  constructor(keepsWithdrawn: boolean) {
    this.#keepsWithdrawn = keepsWithdrawn;
  }

  name(endpoints: readonly number[]): void {
    const former = this.named ?? [];
    const [gone, come] = [former.filter((each) => !endpoints.includes(each)), endpoints.filter((each) => !former.includes(each))];
    for (const each of [...gone, ...come]) this.listed.delete(each);
    const rest = this.#order.filter((each) => !gone.includes(each) && !come.includes(each));
    const withdrawn = rest.filter((each) => !endpoints.includes(each));
    const standing = rest.filter((each) => endpoints.includes(each));
    this.#order = [...withdrawn, ...gone, ...standing, ...come];
    this.named = endpoints;
    this.#drop();
  }

  list(from: number, objects: readonly Shown[]): void {
    const held = this.shows.get(from) ?? new Map<string, Shown>();
    this.shows.set(from, new Map(objects.map((object) => [keyIn(object), sameVersion(held.get(keyIn(object)), object)])));
    this.listed.add(from);
    this.#drop();
  }

  apply(from: number, object: Shown): void {
    const held = this.shows.get(from) ?? new Map<string, Shown>();
    this.shows.set(from, held.set(keyIn(object), sameVersion(held.get(keyIn(object)), object)));
  }

  delete(from: number, object: Shown): void {
    this.shows.get(from)?.delete(keyIn(object));
  }

  forget(from: number, cluster: string): void {
    if (this.named?.includes(from) !== false) return;
    for (const key of [...(this.shows.get(from)?.keys() ?? [])]) if (key.startsWith(`${cluster}/`)) this.shows.get(from)?.delete(key);
  }

  counting(): ReadonlyMap<string, Shown> {
    return new Map(this.#order.flatMap((each) => [...(this.shows.get(each) ?? [])]));
  }

  #drop(): void {
    const { named } = this;
    if (this.#keepsWithdrawn || named?.every((each) => this.listed.has(each)) !== true) return;
    for (const each of [...this.shows.keys()]) if (!named.includes(each)) this.shows.delete(each);
  }
}

describe(StoreContent, () => {
  it('given any mix of lists, events and endpoints that come and go, then objects, indexes and told changes equal a naive model', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), fc.boolean(), (commands, keepsWithdrawn) => {
        const content = new StoreContent({ parse, indexes: { color: ({ value }) => [value] }, keepsWithdrawn });
        const model = new NaiveModel(keepsWithdrawn);
        const told = new Map<string, string>();
        for (const each of commands) {
          if (each.do === 'forget') {
            model.forget(each.endpoint, each.cluster);
            for (const change of content.forget(endpointAt(each.endpoint), clusterOf(each.cluster))) hear(told, change);
          } else {
            const events = run(each, model);
            for (const event of events) for (const change of content.take(event).changes) hear(told, change);
          }

          const expected = new Map([...model.counting()].map(([key, object]) => [key, versionOf(object)]));
          const isWhole = (key: string): boolean => model.counting().get(key)?.color !== 'none';
          expect(new Map([...content.entries()].map((entry) => [keyOf(nameOf(entry)), versionIn(entry.metadata)]))).toEqual(expected);
          const good = [...expected].filter(([key]) => isWhole(key));
          expect(content.size).toBe(good.length);
          expect(new Map([...told].filter(([key]) => isWhole(key)))).toEqual(new Map(good));
          for (const color of ['red', 'blue'] as const) {
            const found = [...content.by('color', color)].map((stored) => keyOf(nameOf(stored))).sort();
            expect(found).toEqual([...model.counting()].flatMap(([key, object]) => (object.color === color ? [key] : [])).sort());
          }
          for (const cluster of ['one', 'two']) {
            const here = [...content.entries(clusterOf(cluster))].map((entry) => keyOf(nameOf(entry))).sort();
            expect(here).toEqual([...expected.keys()].filter((key) => key.startsWith(`${cluster}/`)).sort());
          }
        }
      }),
      { numRuns: 600 },
    );
  });
});

/** Runs a command on the model; answers with what the endpoints tell of it. Only named endpoints tell anything. */
function run(each: Exclude<Command, { readonly do: 'forget' }>, model: NaiveModel): readonly EndpointEvent[] {
  if (each.do === 'name') {
    const former = model.named ?? [];
    model.name(each.endpoints);
    const named = each.endpoints.map((index) => endpointAt(index));
    return [
      ...former
        .filter((index) => !each.endpoints.includes(index))
        .map((index) => ({ kind: 'withdrawn', endpoint: endpointAt(index) }) as const),
      ...each.endpoints
        .filter((index) => !former.includes(index))
        .map((index) => ({ kind: 'appeared', endpoint: endpointAt(index) }) as const),
      { kind: 'named', endpoints: named },
    ];
  }
  if (model.named?.includes(each.endpoint) !== true) return [];
  const observed = (event: (EndpointEvent & { readonly kind: 'observed' })['event']): readonly EndpointEvent[] => [
    { kind: 'observed', endpoint: endpointAt(each.endpoint), type: TYPE, event },
  ];
  if (each.do === 'list') {
    model.list(each.endpoint, each.objects);
    return observed({ kind: 'replaced', objects: each.objects.map(observe) });
  }
  if (each.do === 'apply') {
    model.apply(each.endpoint, each.object);
    return observed({ kind: 'applied', object: observe(each.object) });
  }
  model.delete(each.endpoint, each.object);
  return observed({ kind: 'deleted', object: observe(each.object) });
}

/** What a reader knows who only hears the changes. Each change says what he knew. */
function hear(told: Map<string, string>, change: StoreChange<string>): void {
  const key = keyOf(nameOf(change.kind === 'gone' ? change.before : change.now));
  if (change.before !== undefined && told.get(key) !== undefined) expect(told.get(key)).toBe(versionIn(change.before.metadata));
  if (change.kind === 'stored') told.set(key, versionIn(change.now.metadata));
  else if (change.kind === 'gone') told.delete(key);
}

function parse(object: KubeObject): Parsed<string> {
  if (object['color'] === 'none') return notParsed('it has no color');
  return parsed(String(object['color']));
}

function observe({ cluster, namespace, name, uid, version, color }: Shown): Observed {
  const at = clusterOf(cluster);
  const metadata = { name, uid, resourceVersion: String(version), annotations: { [CLUSTER_ANNOTATION]: cluster } };
  return { cluster: at, object: { metadata: namespace === '' ? metadata : { ...metadata, namespace }, color } };
}

/** One version is one content: the first that was shown. */
function sameVersion(held: Shown | undefined, next: Shown): Shown {
  return held !== undefined && versionOf(held) === versionOf(next) ? held : next;
}

function versionOf({ uid, version }: Shown): string {
  return `${uid} ${String(version)}`;
}

function versionIn({ uid, resourceVersion }: KubeObject['metadata']): string {
  return `${String(uid)} ${String(resourceVersion)}`;
}

function keyIn({ cluster, namespace, name }: Shown): string {
  return `${cluster}/${namespace}/${name}`;
}

function clusterOf(text: string): Observed['cluster'] {
  const cluster = parseLogicalClusterName(text);
  if (!cluster.ok) throw new Error(cluster.problem);
  return cluster.value;
}

function endpointAt(index: number): VirtualWorkspaceUrl {
  return ENDPOINTS[index]!;
}

function urlOf(shard: string): VirtualWorkspaceUrl {
  const url = parseVirtualWorkspaceUrl(`https://${shard}.example.com/services/apiexport/root/example`);
  if (!url.ok) throw new Error(url.problem);
  return url.value;
}
