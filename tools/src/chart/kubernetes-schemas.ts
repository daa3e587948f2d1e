// Holds objects to the schemas of Kubernetes, cert-manager and the Prometheus operator. The validators know what is required and of which type; what
// they never looked at is a field that the schema does not have.
import { createRequire } from 'node:module';
import type { RenderedObject } from './rendered-object.js';

const require = createRequire(import.meta.url);

/** Where the validators of an apiVersion are. */
const VALIDATORS: Readonly<Record<string, string>> = {
  v1: 'kubernetes-models/v1',
  'apps/v1': 'kubernetes-models/apps/v1',
  'policy/v1': 'kubernetes-models/policy/v1',
  'networking.k8s.io/v1': 'kubernetes-models/networking.k8s.io/v1',
  'cert-manager.io/v1': '@kubernetes-models/cert-manager/cert-manager.io/v1',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
};

interface Validated {
  /** Throws where the object is not as the schema says. */
  validate(): void;
}
type Model = new (object: object) => Validated;

/** Each object that was looked at, by its path, with the names of the fields that were. */
type Looks = Map<string, { readonly value: object; readonly read: Set<string> }>;

/** What is wrong with an object, one line each. */
export function schemaProblems(object: RenderedObject): readonly string[] {
  const name = `${object.kind}/${object.metadata.name}`;
  const validators = VALIDATORS[object.apiVersion];
  const ModelOfKind = validators === undefined ? undefined : (require(validators) as Readonly<Record<string, Model>>)[object.kind];
  if (ModelOfKind === undefined) return [`${name}: no schema of ${object.apiVersion} ${object.kind}`];
  const looks: Looks = new Map();
  try {
    (watched(new ModelOfKind(object), '', looks) as Validated).validate();
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`];
  }
  return [...looks].flatMap(([path, { value, read }]) => {
    // Where nothing was looked at, the schema takes anything.
    const unknown = read.size === 0 ? [] : Object.keys(value).filter((key) => !read.has(key));
    return unknown.map((key) => `${name}: ${path}/${key} is no field of the schema`);
  });
}

function watched(value: unknown, path: string, looks: Looks): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const read = looks.get(path)?.read ?? new Set<string>();
  if (!Array.isArray(value)) looks.set(path, { value, read });
  return new Proxy(value, {
    get: (target, key) => {
      const found: unknown = Reflect.get(target, key);
      if (typeof key !== 'string' || typeof found === 'function') return found;
      read.add(key);
      return watched(found, `${path}/${key}`, looks);
    },
  });
}
