import type { ReferencePaths, ReferenceSearch } from '@dep-ctrl/fieldpath';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { Subject } from '../decision/admission-review.js';
import type { Dependent } from '../decision/lookup.js';

/**
 * The queries whose reference paths lead from an object to the subject. The scopes: 1. a cluster-scoped subject is meant wherever its name stands; 2. a
 * subject in a namespace is meant by objects of that namespace and by references that name it; 3. a cluster-scoped object whose reference names no namespace
 * means every namespace. Yields, so that others can run in between.
 */
export function referringIn<P extends ReferencePaths>(
  object: KubeObject,
  paths: Pick<ReferenceSearch<P>, 'referring'>,
  { name, namespace }: Pick<Subject, 'name' | 'namespace'>,
): Generator<void, readonly P[]> {
  const own = object.metadata.namespace;
  return paths.referring(object, { name, namespace, isOwn: own === undefined || own === '' || own === namespace });
}

/** Whether only objects of the subject's own namespace can refer to it, so that no other namespace has to be read. */
export function staysInNamespace(
  isNamespaced: boolean,
  paths: readonly ReferencePaths[],
  { namespace }: Pick<Subject, 'namespace'>,
): boolean {
  return namespace !== undefined && isNamespaced && paths.every(({ namespacePath }) => namespacePath === undefined);
}

/** The parts of an object that a decision needs. */
export function dependentOf({ kind, metadata }: KubeObject): Dependent {
  const { namespace, name = '', uid, deletionTimestamp } = metadata;
  return {
    ...(kind === undefined || kind === '' ? {} : { kind }),
    ...(namespace === undefined || namespace === '' ? {} : { namespace }),
    name,
    ...(uid === undefined ? {} : { uid }),
    isTerminating: deletionTimestamp !== undefined && deletionTimestamp !== '',
  };
}
