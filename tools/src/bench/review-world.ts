// The workspaces of the review bench: one provider whose resources are guarded, one whose objects refer to them, one consumer per size.
// Consumers bind both. The guarded objects themselves are not needed: a review says what is to be deleted.

import { type Connection, systemClock } from '@dep-ctrl/kcp-client';
import {
  parseWorkspacePath,
  type GroupVersionResource,
  type KubeObject,
  type LogicalClusterName,
  type WorkspacePath,
} from '@dep-ctrl/kcp-names';
import { RULES } from '@dep-ctrl/rule-registry';
// The app exports nothing; these are the steps that its own commands take.
/* eslint-disable @nx/enforce-module-boundaries */
import { bindDepCtrl } from '../../../apps/dep-ctrl/src/bind/bind-dep-ctrl.js';
import { bindExport } from '@dep-ctrl/exported-types';
import { bootstrapExport } from '../../../apps/dep-ctrl/src/bootstrap/bootstrap-export.js';
import { API_EXPORTS, API_RESOURCE_SCHEMAS, ensureObject, ensureWorkspace, patiently, removeWorkspace } from '@dep-ctrl/kcp-objects';
/* eslint-enable @nx/enforce-module-boundaries */

const GROUP = 'review.bench.example.com';
const GUARDED_GROUP = 'guarded.bench.example.com';
const VERSION = 'v1';
const OBJECT_BYTES = 2_048;
const WRITERS = 16;

/** The dependent types: the same objects, with and without printer columns on both reference paths. */
export const PLAIN: GroupVersionResource = { group: GROUP, version: VERSION, resource: 'plains' };
export const COLUMNED: GroupVersionResource = { group: GROUP, version: VERSION, resource: 'columneds' };

/** The reference paths. */
export const ONE_PATH = ['.spec.aRef.name'] as const;
export const TWO_PATHS = ['.spec.aRef.name', '.spec.bRef.name'] as const;

/** A guarded resource for each kind of question. */
export const QUESTIONS = [
  { guarded: 'by-plain', dependent: PLAIN, paths: ONE_PATH },
  { guarded: 'by-plain-twice', dependent: PLAIN, paths: TWO_PATHS },
  { guarded: 'by-column', dependent: COLUMNED, paths: ONE_PATH },
  { guarded: 'by-column-twice', dependent: COLUMNED, paths: TWO_PATHS },
] as const;

/** Guarded resources that no rule is about yet. */
export const UNGUARDED = ['new-one', 'new-two', 'new-three', 'new-four', 'new-five'] as const;

/** What a question is. */
export type Question = (typeof QUESTIONS)[number];

/** The name that the last object alone refers to. */
export const LAST = 'only-the-last';

const options = { clock: systemClock, signal: new AbortController().signal };
const patience = { ...options, timeoutMs: 60_000 };

/** The workspaces and what is in them. */
export class ReviewWorld {
  readonly connection: Connection;
  readonly paths: { readonly depCtrl: WorkspacePath; readonly guarded: WorkspacePath; readonly dependents: WorkspacePath };
  readonly #consumers: WorkspacePath[] = [];
  #guarded: LogicalClusterName | undefined;

  constructor(connection: Connection) {
    this.connection = connection;
    const mark = `review-bench-${process.pid}`;
    this.paths = {
      depCtrl: path(`root:${mark}-dep-ctrl`),
      guarded: path(`root:${mark}-guarded`),
      dependents: path(`root:${mark}-dependents`),
    };
  }

  /** The cluster that reviews are about. */
  get guarded(): LogicalClusterName {
    if (this.#guarded === undefined) throw new Error('make the world first');
    return this.#guarded;
  }

  /** Makes the providers and the rules. */
  async make(): Promise<void> {
    const { connection, paths } = this;
    const depCtrlExport = await bootstrapExport({ connection, path: paths.depCtrl, ...options, adopt: true, onEnsured: () => undefined });
    this.#guarded = (await ensureWorkspace(connection, paths.guarded, options)).cluster;
    await ensureWorkspace(connection, paths.dependents, options);
    await this.#export(paths.dependents, GROUP, [PLAIN, COLUMNED]);
    await this.#export(paths.guarded, GUARDED_GROUP, [...QUESTIONS.map(({ guarded }) => guarded), ...UNGUARDED].map(guardedType));
    for (const each of [paths.guarded, paths.dependents]) await bindDepCtrl(connection.cluster(each), depCtrlExport, options);
    for (const question of QUESTIONS) await this.addRule(question.guarded, question);
  }

  /** Declares who refers to a guarded resource. */
  async addRule(guarded: string, { dependent, paths }: Pick<Question, 'dependent' | 'paths'>): Promise<void> {
    const dependents = this.connection.cluster(this.paths.dependents);
    const object = rule(guarded, dependent, paths, this.paths.guarded);
    await patiently('the rule', () => ensureObject(dependents, RULES, object, options), patience);
  }

  /** A consumer workspace with so many objects of both types. */
  async consumer(size: number): Promise<LogicalClusterName> {
    const at = path(`${this.paths.guarded}-with-${String(size)}`);
    this.#consumers.push(at);
    const { cluster } = await ensureWorkspace(this.connection, at, options);
    const client = this.connection.cluster(cluster);
    await bindExport(client, { export: { path: this.paths.dependents, name: GROUP }, claims: [] }, options);
    await bindExport(client, { export: { path: this.paths.guarded, name: GUARDED_GROUP }, claims: [] }, options);
    let next = 0;
    const writer = async (): Promise<void> => {
      for (;;) {
        const index = next;
        next += 1;
        if (index >= size) return;
        for (const type of [PLAIN, COLUMNED])
          await patiently('an object', () => client.create(type, dependentObject(type, index, size), options), patience);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
    return cluster;
  }

  /** Removes every workspace again. Answers what went wrong: kcp may take more than a minute for thousands of objects, and goes on by itself. */
  async remove(): Promise<readonly string[]> {
    const { depCtrl, guarded, dependents } = this.paths;
    const problems: string[] = [];
    for (const each of [...this.#consumers, dependents, guarded, depCtrl]) {
      await removeWorkspace(this.connection, each, options).catch((failure: unknown) => problems.push(String(failure)));
    }
    return problems;
  }

  async #export(path: WorkspacePath, group: string, types: readonly GroupVersionResource[]): Promise<void> {
    const client = this.connection.cluster(path);
    const exporting = async (): Promise<void> => {
      for (const type of types) await ensureObject(client, API_RESOURCE_SCHEMAS, schema(type, type === COLUMNED), options);
      await ensureObject(client, API_EXPORTS, apiExport(group, types), options);
    };
    await patiently('the export', exporting, patience);
  }
}

/** The review that kcp would post for the deletion of a guarded object. */
export function reviewOf({ guarded }: { readonly guarded: string }, name: string, consumer: LogicalClusterName): Buffer {
  const metadata = { name, namespace: 'default', uid: `uid-of-${name}`, annotations: { 'kcp.io/cluster': consumer } };
  return Buffer.from(
    JSON.stringify({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      request: {
        uid: `review-of-${name}`,
        resource: guardedType(guarded),
        operation: 'DELETE',
        userInfo: { username: 'bench' },
        object: null,
        oldObject: { metadata, spec: { padding: 'x'.repeat(2_000) } },
      },
    }),
  );
}

function rule(guarded: string, dependent: GroupVersionResource, fieldPaths: readonly string[], exporter: WorkspacePath): KubeObject {
  return {
    apiVersion: `${RULES.group}/${RULES.version}`,
    kind: 'DependencyRule',
    metadata: { name: guarded },
    spec: {
      dependent: { ...dependent, apiExportName: GROUP, kind: kindOf(dependent) },
      dependencies: fieldPaths.map((fieldPath) => ({
        apiExportRef: { path: exporter, name: GUARDED_GROUP },
        ...guardedType(guarded),
        fieldRef: { path: fieldPath },
      })),
    },
  };
}

// Like a machine of a provider: some references, and much else in small nested fields.
function dependentObject(type: GroupVersionResource, index: number, size: number): KubeObject {
  const isLast = index === size - 1;
  const disks: object[] = [];
  const object = {
    apiVersion: `${type.group}/${type.version}`,
    kind: kindOf(type),
    metadata: { name: `object-${String(index).padStart(6, '0')}`, namespace: 'default' },
    spec: { aRef: { name: isLast ? LAST : `a-${index % 50}` }, bRef: { name: `b-${index % 50}` }, disks },
  };
  while (JSON.stringify(object).length < OBJECT_BYTES) {
    disks.push({
      name: `disk-${disks.length}`,
      sizeGiB: 10 + disks.length,
      encrypted: true,
      image: { name: 'debian', tag: '12.8' },
      tags: ['fast', 'local'],
    });
  }
  return object;
}

function schema(type: GroupVersionResource, hasColumns: boolean): KubeObject {
  const reference = { type: 'object', properties: { name: { type: 'string' } } };
  const disk = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const column = (name: string, jsonPath: string): object => ({ name, type: 'string', jsonPath });
  return {
    apiVersion: 'apis.kcp.io/v1alpha1',
    kind: 'APIResourceSchema',
    metadata: { name: `v1.${type.resource}.${type.group}` },
    spec: {
      group: type.group,
      scope: 'Namespaced',
      names: { plural: type.resource, singular: type.resource.slice(0, -1), kind: kindOf(type), listKind: `${kindOf(type)}List` },
      versions: [
        {
          name: type.version,
          served: true,
          storage: true,
          schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { aRef: reference, bRef: reference, disks: { type: 'array', items: disk } } },
            },
          },
          ...(hasColumns ? { additionalPrinterColumns: [column('A', ONE_PATH[0]), column('B', TWO_PATHS[1])] } : {}),
        },
      ],
    },
  };
}

function apiExport(name: string, types: readonly GroupVersionResource[]): KubeObject {
  const resource = (type: GroupVersionResource): object => ({
    group: type.group,
    name: type.resource,
    schema: `v1.${type.resource}.${type.group}`,
    storage: { crd: {} },
  });
  return {
    apiVersion: 'apis.kcp.io/v1alpha2',
    kind: 'APIExport',
    metadata: { name },
    spec: { resources: types.map(resource) },
  };
}

function guardedType(resource: string): GroupVersionResource {
  return { group: GUARDED_GROUP, version: VERSION, resource };
}

function kindOf({ resource }: GroupVersionResource): string {
  return `${resource.charAt(0).toUpperCase()}${resource.slice(1, -1)}`;
}

function path(text: string): WorkspacePath {
  const parsed = parseWorkspacePath(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
