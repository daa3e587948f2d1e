// The rights of these credentials, in kcp's own words. kcp answers 403 for a missing right, for an object that is not there, and for a workspace that not
// every part of kcp knows yet; a SelfSubjectAccessReview tells these apart.
import { isKcpError, type ClusterClient } from '@dep-ctrl/kcp-client';
import type { GroupResource, GroupVersionResource } from '@dep-ctrl/kcp-names';

/** A right in a workspace. */
export interface Right {
  readonly verb: string;
  readonly type: GroupResource;
  readonly subresource?: string;
  readonly name?: string;
}

/** `no-entry`: kcp does not say, as these credentials may not enter the workspace, or there is none. */
export type Holding = 'held' | 'missing' | 'no-entry';

interface Options {
  readonly signal: AbortSignal;
}

const REVIEWS: GroupVersionResource = { group: 'authorization.k8s.io', version: 'v1', resource: 'selfsubjectaccessreviews' };

/** Whether these credentials have the right in the client's workspace. Throws when kcp does not answer. */
export function holdingOf(client: ClusterClient, { verb, type, subresource, name }: Right, options: Options): Promise<Holding> {
  const { group, resource } = type;
  const resourceAttributes = {
    ...{ verb, group, resource },
    ...(subresource === undefined ? {} : { subresource }),
    ...(name === undefined ? {} : { name }),
  };
  return ask(client, { resourceAttributes }, options);
}

/** Whether these credentials may enter the client's workspace: a refusal there is then one of its own rights, and lasts. */
export async function mayEnter(client: ClusterClient, options: Options): Promise<boolean> {
  return (await ask(client, { nonResourceAttributes: { verb: 'access', path: '/' } }, options)) !== 'no-entry';
}

async function ask(client: ClusterClient, spec: object, options: Options): Promise<Holding> {
  try {
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: {}, spec };
    const { status } = await client.create(REVIEWS, review, options);
    return (status as { readonly allowed?: boolean } | undefined)?.allowed === true ? 'held' : 'missing';
  } catch (error) {
    // Every user who may enter may ask: kcp grants that to all.
    if (isKcpError(error, 'forbidden', 'not-served')) return 'no-entry';
    throw error;
  }
}
