// The check of the chart finds what it is there for.
import { describe, expect, it } from '@jest/globals';
import { misfitsIn } from './misfits.js';
import { schemaProblems } from './kubernetes-schemas.js';
import type { RenderedObject } from './rendered-object.js';

const container = {
  name: 'webhook',
  image: 'dep-ctrl',
  args: ['webhook', '--kubeconfig=/etc/kcp/kubeconfig'],
  ports: [{ name: 'https', containerPort: 9443 }],
  volumeMounts: [{ name: 'kcp', mountPath: '/etc/kcp' }],
  resources: { requests: { memory: '1Mi' }, limits: { memory: '2Mi' } },
  securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
};
const pod = {
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [container],
  volumes: [{ name: 'kcp', secret: { secretName: 'kcp', items: [{ key: 'kubeconfig', path: 'kubeconfig' }] } }],
};
const deployment = (spec: object = pod) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'webhook' },
  spec: { selector: { matchLabels: { app: 'x' } }, template: { metadata: { labels: { app: 'x' } }, spec } },
});
const withContainer = (changes: object) => deployment({ ...pod, containers: [{ ...container, ...changes }] });
const service = (targetPort: number) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'webhook' },
  spec: { selector: { app: 'x' }, ports: [{ port: 443, targetPort }] },
});
const certificate = (spec: object) => ({ apiVersion: 'cert-manager.io/v1', kind: 'Certificate', metadata: { name: 'c' }, spec });

describe(schemaProblems, () => {
  it.each([
    [
      'a field that there is not',
      withContainer({ imgae: 'x' }),
      ['Deployment/webhook: /spec/template/spec/containers/0/imgae is no field of the schema'],
    ],
    [
      'a text for a number',
      { ...service(1), spec: { ports: [{ port: '443' }] } },
      ['Service/webhook: data/spec/ports/0/port must be integer'],
    ],
    ['a missing field', { ...deployment(), spec: {} }, [expect.stringContaining('must have required property')]],
    ['a kind that there is not', { ...deployment(), kind: 'Deploiment' }, ['Deploiment/webhook: no schema of apps/v1 Deploiment']],
    ['a certificate without issuer', certificate({ secretName: 's' }), [expect.stringContaining('issuerRef')]],
    [
      'a certificate with a misspelled field',
      certificate({ secretName: 's', issuerRef: { name: 'i' }, dnsName: [] }),
      [expect.stringContaining('/spec/dnsName ')],
    ],
    ['nothing wrong', deployment(), []],
  ])('given %s, then that is told', (_, object, problems) => {
    expect(schemaProblems(object as RenderedObject)).toEqual(problems); // some are none, on purpose
  });
});

describe(misfitsIn, () => {
  it.each([
    ['nothing wrong', [deployment(), service(9443)], []],
    ['a Service of a port where nobody listens', [deployment(), service(9444)], ['Service/webhook: nobody listens on 9444']],
    [
      'a Pod that may run as root',
      [deployment({ ...pod, securityContext: { ...pod.securityContext, runAsUser: 0 } })],
      ['webhook: may run as root'],
    ],
    [
      'a Pod that may write',
      [withContainer({ securityContext: { ...container.securityContext, readOnlyRootFilesystem: false } })],
      ['webhook: may write to its root'],
    ],
    [
      'a file that is not mounted',
      [withContainer({ args: ['webhook', '--url-token-file=/etc/url-token/token'] })],
      ['webhook: --url-token-file=/etc/url-token/token: /etc/url-token/token is not mounted'],
    ],
    [
      'variables of Services',
      [deployment({ ...pod, enableServiceLinks: true })],
      ['webhook: gets variables of Services, which the program would take for flags'],
    ],
    ['an object that is there twice', [service(9443), service(9443), deployment()], ['Service/webhook: is there twice']],
  ])('given %s, then that is told', (_, objects, misfits) => {
    expect(misfitsIn(objects as RenderedObject[])).toEqual(misfits);
  });
});
