import type { KubeObject } from '@dep-ctrl/kcp-names';
import { forbidden, type ApiError } from '../http/api-status.js';
import type { Admission, AdmissionRequest } from '../machinery/requests/admission.js';

/** One concern of admission. Plugins run in order: all changes first, then all checks. */
export interface AdmissionPlugin {
  /** Changes the object of a create or update, or refuses it. */
  readonly mutate?: (request: AdmissionRequest, object: KubeObject) => KubeObject;
  /** Refuses a write, or warns. */
  readonly validate?: (request: AdmissionRequest) => readonly string[] | Promise<readonly string[]>;
}

/** Joins plugins. */
export function admissionChain(plugins: readonly AdmissionPlugin[]): Admission {
  return {
    mutate: (request, object) => Promise.resolve(plugins.reduce((current, plugin) => plugin.mutate?.(request, current) ?? current, object)),
    validate: async (request) => {
      const warnings: string[] = [];
      for (const plugin of plugins) if (plugin.validate !== undefined) warnings.push(...(await plugin.validate(request)));
      return warnings;
    },
  };
}

/** The 403 with which a plugin refuses the object of a request. */
export function refuse({ definition, name }: AdmissionRequest, why: string): ApiError {
  return forbidden(definition, name ?? '', why);
}

/** Whether a request writes the main resource of a group and resource. */
export function writes(request: AdmissionRequest, group: string, resource: string): boolean {
  return request.definition.group === group && request.definition.resource === resource && request.subresource === undefined;
}
