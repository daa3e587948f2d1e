// Admission of APIResourceSchemas.
import type { KubeObject } from '@dep-ctrl/kcp-names';
import { arrayAt, recordAt, sameJson, stringAt } from '../json/json.js';
import { APIS_GROUP } from '../kcp/kinds/system-resources.js';
import { refuse, writes, type AdmissionPlugin } from './admission-chain.js';
import { printProblem } from '../http/api-status.js';
import { schemaProblems } from '../machinery/schema/schema-problems.js';
import { columnProblems } from '../machinery/schema/version-rules.js';

/** Refuses a schema that is incomplete or wrongly named, and every change of a stored one. */
export function schemaAdmission(): AdmissionPlugin {
  return {
    validate: (request) => {
      if (!writes(request, APIS_GROUP, 'apiresourceschemas') || request.operation === 'DELETE' || request.object === undefined) return [];
      const problems = request.oldObject === undefined ? problemsOf(request.object) : changeProblems(request.object, request.oldObject);
      if (problems.length > 0) throw refuse(request, `[${problems.join(' ')}]`);
      return [];
    },
  };
}

function changeProblems(object: KubeObject, previous: KubeObject): readonly string[] {
  if (sameJson(object['spec'], previous['spec'])) return [];
  return [`spec: Invalid value: ${JSON.stringify(object['spec'])}: is immutable`];
}

function problemsOf(object: KubeObject): readonly string[] {
  const text = (...path: readonly string[]): string => stringAt(object, 'spec', ...path) ?? '';
  const group = text('group');
  const ending = `.${text('names', 'plural')}.${group === '' ? 'core' : group}`;
  const name = object.metadata.name ?? '';
  const versions = arrayAt(object, 'spec', 'versions');
  return [
    ...(name.endsWith(ending) && name.length > ending.length
      ? []
      : [`metadata.name: Invalid value: ${JSON.stringify(name)}: must end in ${ending}`]),
    ...(text('names', 'singular') === '' ? ['spec.names.singular: Required value'] : []),
    ...(text('names', 'listKind') === '' ? ['spec.names.listKind: Required value'] : []),
    ...(versions.filter((one) => recordAt(one)['storage'] === true).length === 1
      ? []
      : ['spec.versions: Invalid value: must have exactly one version marked as storage version']),
    ...versions.flatMap((version, index) => {
      const at = `spec.versions[${index}]`;
      return [...schemaProblems(recordAt(version, 'schema'), `${at}.schema.openAPIV3Schema`), ...columnProblems(version, at)].map(
        printProblem,
      );
    }),
  ];
}
