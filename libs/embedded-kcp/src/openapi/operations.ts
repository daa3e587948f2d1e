// The operations of a resource in an OpenAPI document, as far as clients read them: the kind behind a path, the query parameters of writes (kubectl looks
// here before it sends dryRun or fieldValidation), the supported patches.
import { deleteOptionsSchema, patchSchema, statusSchema } from '../built-in-schemas/object-metadata.js';
import type { Verb } from '../http/request-info.js';
import type { JsonRecord } from '../json/json.js';
import { isCustom, type ResourceDefinition, type ResourceVersion } from '../machinery/resources/resource-definition.js';
import type { Components } from './components.js';
import { DELETE, FORCE, inPath, LIST, PRETTY, WRITE } from './query-parameters.js';

type Json = JsonRecord;

/** Where the resources of a group and version are: `/api/v1`, `/apis/rbac.authorization.k8s.io/v1`. */
export function rootOf(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** The path items of one version of a resource, by path. */
export function pathItems(definition: ResourceDefinition, version: ResourceVersion, components: Components): Json {
  const root = rootOf(definition.group, version.name);
  const scope = definition.namespaced ? '/namespaces/{namespace}' : '';
  const at = new Operations(definition, version, components);
  const namespace = definition.namespaced ? [inPath('namespace', 'Namespace of the object.')] : [];
  const collection = `${root}${scope}/${definition.resource}`;
  const one = `${collection}/{name}`;
  const name = inPath('name', `Name of the ${definition.kind}.`);
  const allNamespaces = definition.namespaced ? { [`${root}/${definition.resource}`]: { ...at.lists(false), parameters: [PRETTY] } } : {};
  const status = version.hasStatus
    ? { [`${one}/status`]: { ...at.one(['get', 'update', 'patch'], 'Status'), parameters: [name, ...namespace, PRETTY] } }
    : {};
  const others = (definition.subresources ?? []).map((sub) => [
    `${one}/${sub.name}`,
    { ...at.one(sub.verbs, titled(sub.name)), parameters: [name, ...namespace, PRETTY] },
  ]);
  const items: Record<string, Json> = {
    ...allNamespaces,
    [collection]: { ...at.lists(definition.namespaced), ...at.collection(), parameters: [...namespace, PRETTY] },
    [one]: { ...at.one(definition.verbs, ''), parameters: [name, ...namespace, PRETTY] },
    ...status,
    ...(Object.fromEntries(others) as Record<string, Json>),
  };
  return Object.fromEntries(Object.entries(items).filter(([, item]) => Object.keys(item).length > 1));
}

class Operations {
  readonly #definition: ResourceDefinition;
  readonly #version: ResourceVersion;
  readonly #components: Components;

  constructor(definition: ResourceDefinition, version: ResourceVersion, components: Components) {
    this.#definition = definition;
    this.#version = version;
    this.#components = components;
  }

  lists(inNamespace: boolean): Json {
    if (!this.#can('list')) return {};
    const all = this.#definition.namespaced && !inNamespace ? 'ForAllNamespaces' : '';
    const schema = this.#components.list(this.#definition, this.#version);
    return { get: this.#operation({ verb: 'list', suffix: all, action: 'list', parameters: LIST, answers: { 200: schema }, inNamespace }) };
  }

  collection(): Json {
    const kind = this.#components.kind(this.#definition, this.#version);
    const status = this.#components.refer(statusSchema);
    const body = { body: kind };
    return {
      ...(this.#can('create')
        ? {
            post: this.#operation({
              verb: 'create',
              action: 'post',
              parameters: WRITE,
              answers: { 200: kind, 201: kind, 202: kind },
              ...body,
            }),
          }
        : {}),
      ...(this.#can('deletecollection')
        ? {
            delete: this.#operation({
              verb: 'deleteCollection',
              action: 'deletecollection',
              parameters: [...LIST, ...DELETE],
              answers: { 200: status },
            }),
          }
        : {}),
    };
  }

  one(verbs: readonly Verb[], suffix: string): Json {
    const kind = this.#components.kind(this.#definition, this.#version);
    const removed = this.#components.refer(statusSchema);
    const operations: Partial<Record<Verb, () => Json>> = {
      get: () => ({ get: this.#operation({ verb: 'read', suffix, action: 'get', parameters: [], answers: { 200: kind } }) }),
      create: () =>
        suffix === ''
          ? {}
          : { post: this.#operation({ verb: 'create', suffix, action: 'post', parameters: WRITE, answers: { 201: kind }, body: kind }) },
      update: () => ({
        put: this.#operation({ verb: 'replace', suffix, action: 'put', parameters: WRITE, answers: { 200: kind, 201: kind }, body: kind }),
      }),
      patch: () => ({
        patch: this.#operation({
          verb: 'patch',
          suffix,
          action: 'patch',
          parameters: [...WRITE, FORCE],
          answers: { 200: kind, 201: kind },
          patches: this.#patchTypes(),
        }),
      }),
      delete: () => ({
        delete: this.#operation({
          verb: 'delete',
          suffix,
          action: 'delete',
          parameters: DELETE,
          answers: { 200: removed, 202: removed },
          body: this.#components.refer(deleteOptionsSchema),
        }),
      }),
    };
    return Object.assign({}, ...verbs.map((verb) => operations[verb]?.() ?? {})) as Json;
  }

  #can(verb: Verb): boolean {
    return this.#definition.verbs.includes(verb);
  }

  #patchTypes(): readonly string[] {
    const strategic = isCustom(this.#definition) ? [] : ['application/strategic-merge-patch+json'];
    return ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json', ...strategic];
  }

  #operation(what: OperationParts): Json {
    const { group, kind, namespaced } = this.#definition;
    const version = this.#version.name;
    const scope = namespaced && what.inNamespace !== false ? 'Namespaced' : '';
    return {
      tags: [`${tagOf(group)}_${version}`],
      operationId: `${what.verb}${titled(tagOf(group))}${titled(version)}${scope}${kind}${what.suffix ?? ''}`,
      description: `${what.verb} ${kind}`,
      parameters: what.parameters,
      ...requestBody(what, this.#components),
      responses: {
        ...Object.fromEntries(
          Object.entries(what.answers).map(([code, schema]) => [code, { description: RESPONSES[code], content: inEveryForm(schema) }]),
        ),
        401: { description: 'Unauthorized' },
      },
      'x-kubernetes-action': what.action,
      'x-kubernetes-group-version-kind': { group, version, kind },
    };
  }
}

interface OperationParts {
  readonly verb: string;
  readonly suffix?: string;
  readonly action: string;
  readonly parameters: readonly Json[];
  readonly answers: Readonly<Record<number, Json>>;
  readonly body?: Json;
  readonly patches?: readonly string[];
  readonly inNamespace?: boolean;
}

const RESPONSES: Readonly<Record<string, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

function requestBody({ body, patches }: OperationParts, components: Components): Json {
  if (patches !== undefined) {
    const schema = components.refer(patchSchema);
    return { requestBody: { content: Object.fromEntries(patches.map((type) => [type, { schema }])), required: true } };
  }
  return body === undefined ? {} : { requestBody: { content: { '*/*': { schema: body } }, required: true } };
}

function inEveryForm(schema: Json): Json {
  return { 'application/json': { schema }, 'application/yaml': { schema } };
}

function tagOf(group: string): string {
  const parts = group === '' ? ['core'] : group.replace(/\.k8s\.io$/, '').split(/[.-]/);
  return parts.map((part, index) => (index === 0 ? part : titled(part))).join('');
}

function titled(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
