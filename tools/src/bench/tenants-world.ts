// Two pairs of providers that know nothing of each other, and their consumers. The honest ones are small. The hostile ones are at every bound
// that a tenant has: 100 rules of 64 dependencies, half of them about the honest provider's type, 128 consents, objects of 1.4 MB.

import { atMost, systemClock, type Connection } from '@dep-ctrl/kcp-client';
import {
  parseWorkspacePath,
  type GroupVersionResource,
  type KubeObject,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { GUARDS, RULES } from '@dep-ctrl/rule-registry';
// The app exports nothing; these are the steps that its own commands take.
/* eslint-disable @nx/enforce-module-boundaries */
import { bindDepCtrl } from '../../../apps/dep-ctrl/src/bind/bind-dep-ctrl.js';
import { bindExport } from '@dep-ctrl/exported-types';
import { bootstrapExport } from '../../../apps/dep-ctrl/src/bootstrap/bootstrap-export.js';
import { API_EXPORTS, API_RESOURCE_SCHEMAS, ensureObject, ensureWorkspace, patiently, removeWorkspace } from '@dep-ctrl/kcp-objects';
/* eslint-enable @nx/enforce-module-boundaries */

/** What a tenant may have at most. */
export const BOUNDS = { rules: 100, dependencies: 64, consents: 128, objectBytes: 1_400_000 } as const;

const VERSION = 'v1';
const HOSTILE_CONSUMERS = 3;
const HOSTILE_OBJECTS = 4;
const HONEST_OBJECTS = 200;
const WRITERS = 8;
const MANY_PROVIDERS = 100;
const RULES_OF_EACH = 100;

/** Which of the two pairs. */
export type Side = 'honest' | 'hostile';

/** The type whose deletions are guarded, and the one whose objects refer to it. */
export const TYPES = {
  honest: { guarded: type('guarded.honest', 'targets'), dependent: type('dependents.honest', 'machines') },
  hostile: { guarded: type('guarded.hostile', 'targets'), dependent: type('dependents.hostile', 'machines') },
} as const;

/** The name that one honest object refers to. */
export const REFERRED = 'referred-to';

const options = { clock: systemClock, signal: new AbortController().signal };
const patience = { ...options, timeoutMs: 120_000 };

/** A consumer workspace and the provider that guards there. */
export interface Consumer {
  readonly cluster: LogicalClusterName;
  readonly guarded: LogicalClusterName;
}

/** The workspaces and what is in them. */
export class TenantsWorld {
  readonly connection: Connection;
  readonly depCtrl: WorkspacePath;
  readonly #mark = `tenants-bench-${process.pid}`;
  readonly #made: WorkspacePath[] = [];
  #export: Awaited<ReturnType<typeof bootstrapExport>> | undefined;

  constructor(connection: Connection) {
    this.connection = connection;
    this.depCtrl = this.#path('dep-ctrl');
  }

  /** Makes both sides. */
  async make(): Promise<{ readonly honest: Consumer; readonly hostile: readonly Consumer[] }> {
    this.#made.push(this.depCtrl);
    this.#export = await bootstrapExport({
      connection: this.connection,
      path: this.depCtrl,
      ...options,
      adopt: true,
      onEnsured: () => undefined,
    });
    const guarded = { honest: await this.#provider('honest', 'guarded'), hostile: await this.#provider('hostile', 'guarded') };
    const dependents = { honest: await this.#provider('honest', 'dependent'), hostile: await this.#provider('hostile', 'dependent') };
    await this.#add(dependents.honest, [rule('honest', 0, [dependency('honest', this.#path('honest-guarded'), '.spec.ref.name')])]);
    await this.#guardOfHostile(guarded.hostile);
    await this.#add(
      dependents.hostile,
      Array.from({ length: BOUNDS.rules }, (_, index) => this.#hostileRule(index)),
    );
    const honest = await this.#consumer(
      'honest',
      0,
      Array.from({ length: HONEST_OBJECTS }, (_, index) => honestObject(index)),
    );
    const hostile: Consumer[] = [];
    for (let index = 0; index < HOSTILE_CONSUMERS; index += 1) {
      const objects = Array.from({ length: HOSTILE_OBJECTS }, (_, object) => hostileObject(TYPES.hostile.dependent, `object-${object}`));
      hostile.push({ cluster: await this.#consumer('hostile', index, objects), guarded: guarded.hostile });
    }
    return { honest: { cluster: honest, guarded: guarded.honest }, hostile };
  }

  /** Adds so many providers with so many rules each that there are 10 000. */
  async addMany(): Promise<number> {
    for (let provider = 0; provider < MANY_PROVIDERS; provider += 1) {
      const path = this.#path(`many-${provider}`);
      const cluster = await this.#workspace(path);
      await this.#bind(cluster);
      const rules = Array.from({ length: RULES_OF_EACH }, (_, index) =>
        rule('honest', index, [dependency('honest', this.#path('honest-guarded'), `.spec.ref${index}.name`)]),
      );
      await this.#add(cluster, rules);
    }
    return MANY_PROVIDERS * RULES_OF_EACH;
  }

  /** Removes every workspace again. Answers what went wrong. */
  async remove(): Promise<readonly string[]> {
    const problems: string[] = [];
    for (const path of this.#made.toReversed())
      await removeWorkspace(this.connection, path, options).catch((failure: unknown) => problems.push(String(failure)));
    return problems;
  }

  #path(name: string): WorkspacePath {
    const parsed = parseWorkspacePath(`root:${this.#mark}-${name}`);
    if (!parsed.ok) throw new Error(parsed.problem);
    return parsed.value;
  }

  async #workspace(path: WorkspacePath): Promise<LogicalClusterName> {
    this.#made.push(path);
    return (await ensureWorkspace(this.connection, path, options)).cluster;
  }

  async #bind(cluster: LogicalClusterName): Promise<void> {
    if (this.#export === undefined) throw new Error('the export is made first');
    await bindDepCtrl(this.connection.cluster(cluster), this.#export, options);
  }

  async #provider(side: Side, part: 'guarded' | 'dependent'): Promise<LogicalClusterName> {
    const cluster = await this.#workspace(this.#path(`${side}-${part}`));
    const client = this.connection.cluster(cluster);
    const exported = TYPES[side][part];
    const exporting = async (): Promise<void> => {
      await ensureObject(client, API_RESOURCE_SCHEMAS, schema(exported), options);
      await ensureObject(client, API_EXPORTS, apiExport(exported), options);
    };
    await patiently('the export', exporting, patience);
    await this.#bind(cluster);
    return cluster;
  }

  async #add(cluster: LogicalClusterName, rules: readonly KubeObject[]): Promise<void> {
    const client = this.connection.cluster(cluster);
    await atMost(WRITERS, rules, (each) => patiently('a rule', () => ensureObject(client, RULES, each, options), patience));
  }

  async #guardOfHostile(cluster: LogicalClusterName): Promise<void> {
    const admitted = Array.from({ length: BOUNDS.consents - 1 }, (_, index) => `root:nobody-${index}`);
    const guard = {
      apiVersion: `${GUARDS.group}/${GUARDS.version}`,
      kind: 'DependencyGuard',
      metadata: { name: 'dependency-controller' },
      spec: { allowRulesFrom: [...admitted, this.#path('hostile-dependent')] },
    };
    await patiently('the guard', () => ensureObject(this.connection.cluster(cluster), GUARDS, guard, options), patience);
  }

  /** Every second rule is about the honest provider's type; each has one path that finds 20 000 references in one object. */
  #hostileRule(index: number): KubeObject {
    const side = index % 2 === 0 ? 'honest' : 'hostile';
    const target = this.#path(`${side}-guarded`);
    const paths = Array.from({ length: BOUNDS.dependencies - 1 }, (_, path) => `.spec.r${index}x${path}${'.deeper'.repeat(60)}.name`);
    return rule(
      'hostile',
      index,
      ['.spec.refs[*].name', ...paths].map((path) => dependency(side, target, path)),
    );
  }

  async #consumer(side: Side, index: number, objects: readonly KubeObject[]): Promise<LogicalClusterName> {
    const cluster = await this.#workspace(this.#path(`${side}-consumer-${index}`));
    const client = this.connection.cluster(cluster);
    for (const part of ['guarded', 'dependent'] as const) {
      const { group } = TYPES[side][part];
      await bindExport(client, { export: { path: this.#path(`${side}-${part}`), name: group }, claims: [] }, options);
    }
    const { dependent } = TYPES[side];
    await atMost(WRITERS, objects, (object) => patiently('an object', () => ensureObject(client, dependent, object, options), patience));
    return cluster;
  }
}

/** The review that kcp would post for a deletion. */
export function reviewOf(side: Side, name: string, { cluster }: Pick<Consumer, 'cluster'>): Buffer {
  const { guarded } = TYPES[side];
  const object = side === 'hostile' ? hostileObject(guarded, name) : honestTarget(name);
  const metadata = { ...object.metadata, uid: `uid-of-${name}`, annotations: { 'kcp.io/cluster': cluster } };
  return Buffer.from(
    JSON.stringify({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      request: {
        uid: `review-of-${name}`,
        resource: guarded,
        operation: 'DELETE',
        userInfo: { username: 'bench' },
        object: null,
        oldObject: { ...object, metadata },
      },
    }),
  );
}

function type(group: string, resource: string): GroupVersionResource {
  return { group: `${group}.bench.example.com`, version: VERSION, resource };
}

function dependency(side: Side, path: WorkspacePath, fieldPath: string): object {
  const { guarded } = TYPES[side];
  return { apiExportRef: { path, name: guarded.group }, ...guarded, fieldRef: { path: fieldPath } };
}

function rule(side: Side, index: number, dependencies: readonly object[]): KubeObject {
  const { dependent } = TYPES[side];
  return {
    apiVersion: `${RULES.group}/${RULES.version}`,
    kind: 'DependencyRule',
    metadata: { name: `rule-${index}` },
    spec: { dependent: { ...dependent, apiExportName: dependent.group, kind: kindOf(dependent) }, dependencies },
  };
}

function honestTarget(name: string): KubeObject {
  const { guarded } = TYPES.honest;
  return object(guarded, name, { padding: 'x'.repeat(1_000) });
}

function honestObject(index: number): KubeObject {
  const ref = { name: index === 0 ? REFERRED : `target-${index % 20}` };
  return object(TYPES.honest.dependent, `machine-${index}`, { ref, padding: 'x'.repeat(1_500) });
}

/** References to everything that the hostile side deletes, and what is dear to parse. */
function hostileObject(of: GroupVersionResource, name: string): KubeObject {
  const refs = Array.from({ length: 20_000 }, (_, index) => ({ name: `n${index % 50}` }));
  const made = object(of, name, { refs, filler: [] as unknown[] });
  const left = BOUNDS.objectBytes - JSON.stringify(made).length;
  (made['spec'] as { filler: unknown[] }).filler = Array.from({ length: Math.floor(left / 3) }, () => []);
  return made;
}

function object(of: GroupVersionResource, name: string, spec: object): KubeObject {
  return { apiVersion: `${of.group}/${of.version}`, kind: kindOf(of), metadata: { name, namespace: 'default' }, spec };
}

function schema(of: GroupVersionResource): KubeObject {
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const kind = kindOf(of);
  return {
    apiVersion: 'apis.kcp.io/v1alpha1',
    kind: 'APIResourceSchema',
    metadata: { name: `v1.${of.resource}.${of.group}` },
    spec: {
      group: of.group,
      scope: 'Namespaced',
      names: { plural: of.resource, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: of.version, served: true, storage: true, schema: { type: 'object', properties: { spec: anything } } }],
    },
  };
}

function apiExport(of: GroupVersionResource): KubeObject {
  return {
    apiVersion: 'apis.kcp.io/v1alpha2',
    kind: 'APIExport',
    metadata: { name: of.group },
    spec: { resources: [{ group: of.group, name: of.resource, schema: `v1.${of.resource}.${of.group}`, storage: { crd: {} } }] },
  };
}

function kindOf({ resource }: GroupVersionResource): string {
  return `${resource.charAt(0).toUpperCase()}${resource.slice(1, -1)}`;
}
