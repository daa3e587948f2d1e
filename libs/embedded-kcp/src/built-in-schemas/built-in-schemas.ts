import { authorizationKinds, rbacKinds } from './access-kinds.js';
import { admissionKinds } from './admission-kinds.js';
import { authenticationKinds } from './authentication-kinds.js';
import { certificateKinds, coordinationKinds, extensionKinds } from './coordination-kinds.js';
import { coreKinds, eventKinds } from './core-kinds.js';
import type { Schema } from './schema-notation.js';

const GROUPS: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  v1: coreKinds,
  'admissionregistration.k8s.io/v1': admissionKinds,
  'apiextensions.k8s.io/v1': extensionKinds,
  'authentication.k8s.io/v1': authenticationKinds,
  'authorization.k8s.io/v1': authorizationKinds,
  'certificates.k8s.io/v1': certificateKinds,
  'coordination.k8s.io/v1': coordinationKinds,
  'events.k8s.io/v1': eventKinds,
  'rbac.authorization.k8s.io/v1': rbacKinds,
};

/** The structural schema of a kind that Kubernetes itself defines, if kcp serves it. `apiVersion` as in objects: `v1`, `rbac.authorization.k8s.io/v1`. */
export function builtInSchema(apiVersion: string, kind: string): Schema | undefined {
  const kinds = Object.hasOwn(GROUPS, apiVersion) ? GROUPS[apiVersion] : undefined;
  return kinds !== undefined && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
}
