// CustomResourceDefinitions: defaults, and checks.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { StatusCause } from '../../http/api-status.js';
import { arrayAt, recordAt, sameJson, stringAt, valueAt, withMetadata } from '../../json/json.js';
import type { ResourceRules } from '../resources/resource-definition.js';
import { schemaProblems } from '../schema/schema-problems.js';
import { wrong } from '../schema/structural-rules.js';
import { columnProblems, selectableProblems } from '../schema/version-rules.js';

/** The finalizer that keeps a deleted CustomResourceDefinition until its objects are gone. */
export const CRD_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/** The rules of CustomResourceDefinitions. */
export const crdRules: ResourceRules = { hasGeneration: true, onCreate: withDefaults, onDelete: held, check };

function withDefaults(crd: KubeObject): KubeObject {
  const names = recordAt(crd, 'spec', 'names');
  const kind = stringAt(names, 'kind') ?? '';
  const complete = { singular: kind.toLowerCase(), listKind: `${kind}List`, ...names };
  const spec = { conversion: { strategy: 'None' }, ...recordAt(crd, 'spec'), names: complete };
  return { ...crd, spec };
}

function held(crd: KubeObject): KubeObject {
  return withMetadata(crd, { finalizers: [...new Set([...(crd.metadata.finalizers ?? []), CRD_FINALIZER])] });
}

function check(crd: KubeObject, previous: KubeObject | undefined): readonly StatusCause[] {
  if (previous !== undefined && sameJson(crd['spec'], previous['spec'])) return [];
  const expected = `${stringAt(crd, 'spec', 'names', 'plural') ?? ''}.${stringAt(crd, 'spec', 'group') ?? ''}`;
  const versions = arrayAt(crd, 'spec', 'versions');
  const isAmbiguous = versions.filter((one) => recordAt(one)['storage'] === true).length !== 1;
  return [
    ...(crd.metadata.name === expected ? [] : [wrong('metadata.name', crd.metadata.name, 'must be spec.names.plural+"."+spec.group')]),
    ...(isAmbiguous ? [wrong('spec.versions', versions, 'must have exactly one version marked as storage version')] : []),
    ...(valueAt(crd, 'spec', 'preserveUnknownFields') === true
      ? [
          wrong(
            'spec.preserveUnknownFields',
            true,
            'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
          ),
        ]
      : []),
    ...versions.flatMap((version, index) => versionProblems(version, index, versions)),
  ];
}

// What all versions have in common Kubernetes keeps, and names, outside of them, and checks once.
function versionProblems(version: unknown, index: number, versions: readonly unknown[]): readonly StatusCause[] {
  const at = `spec.versions[${index}]`;
  const isShared = (key: string): boolean => versions.every((one) => sameJson(valueAt(one, key), valueAt(version, key)));
  const once = <T>(key: string, own: string, shared: string, problems: (field: string) => readonly T[]): readonly T[] => {
    if (!isShared(key)) return problems(own);
    return index === 0 ? problems(shared) : [];
  };
  if (valueAt(version, 'schema', 'openAPIV3Schema') === undefined)
    return [{ reason: 'FieldValueRequired', message: 'Required value', field: `${at}.schema.openAPIV3Schema` }];
  const schema = recordAt(version, 'schema', 'openAPIV3Schema');
  return [
    ...once('schema', `${at}.schema.openAPIV3Schema`, 'spec.validation.openAPIV3Schema', (field) => schemaProblems(schema, field)),
    ...once('additionalPrinterColumns', at, 'spec', (field) => columnProblems(version, field)),
    ...once('selectableFields', `${at}.selectableFields`, 'spec.selectableFields', (field) => selectableProblems(version, schema, field)),
  ];
}
