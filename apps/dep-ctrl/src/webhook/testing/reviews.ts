/** Changes to {@link deleteReview}; a value of undefined takes the field away. */
export interface ReviewChange {
  readonly review?: Readonly<Record<string, unknown>>;
  readonly request?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The review of a deletion as kcp v0.32 posts it. */
export function deleteReview({ review = {}, request = {}, metadata = {} }: ReviewChange = {}): Record<string, unknown> {
  const resource = { group: 'network.example.com', version: 'v1alpha1', resource: 'vpcs' };
  const kind = { group: 'network.example.com', version: 'v1alpha1', kind: 'VPC' };
  return {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: 'my-vpc',
      namespace: 'default',
      operation: 'DELETE',
      userInfo: { username: 'alice', groups: ['system:authenticated'] },
      object: null,
      oldObject: {
        apiVersion: 'network.example.com/v1alpha1',
        kind: 'VPC',
        metadata: {
          name: 'my-vpc',
          namespace: 'default',
          uid: 'uid-of-vpc',
          annotations: { 'kcp.io/cluster': 'consumer' },
          ...metadata,
        },
        spec: {},
      },
      dryRun: false,
      options: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' },
      ...request,
    },
    ...review,
  };
}

/** A JSON value as bytes on the wire. */
export function wire(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
