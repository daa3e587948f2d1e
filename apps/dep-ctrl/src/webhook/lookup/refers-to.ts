import type { ReferencePaths, ReferenceSearch } from '@dep-ctrl/fieldpath';
import type { KubeObject } from '@dep-ctrl/kcp-names';
import type { Subject } from '../decision/admission-review.js';
import type { Dependent } from '../decision/lookup.js';

/**
 * Those whose reference paths lead from an object to the subject. The scope matrix: a dependency without a namespace is meant wherever its name
 * stands; a dependency with one is meant by objects of its namespace, or of the namespace that the reference names; an object without a namespace
 * that names none means every namespace. Yields where others may go on.
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

/** What a decision needs to know of an object. */
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
