// What no schema says about the objects of a chart: names that must meet, and the restricted Pod Security Standard.
import type { Labels, LabelSelector, PodSpec, RenderedObject } from './rendered-object.js';

interface Pod {
  readonly name: string;
  readonly labels: Labels;
  readonly spec: PodSpec;
}

/** What does not fit together, one line each. */
export function misfitsIn(objects: readonly RenderedObject[]): readonly string[] {
  const of = (kind: string): readonly RenderedObject[] => objects.filter((object) => object.kind === kind);
  const pods = of('Deployment').flatMap(podOf);
  return [
    ...twiceIn(objects),
    ...of('Deployment').flatMap(selectsItsOwn),
    ...pods.flatMap(openIn),
    ...pods.flatMap(mountsIn),
    ...pods.flatMap((pod) => secretsOf(pod, objects)),
    ...of('Service').flatMap((service) => servedBy(service, pods)),
    ...of('PodDisruptionBudget').flatMap((budget) => ofOnePod(budget, budget.spec?.selector, pods)),
    ...of('NetworkPolicy').flatMap((policy) => ofOnePod(policy, policy.spec?.podSelector, pods)),
    ...of('NetworkPolicy').flatMap((policy) => admittedBy(policy, pods)),
    ...of('ServiceMonitor').flatMap((monitor) => scrapedBy(monitor, of('Service'))),
  ];
}

function podOf({ metadata: { name }, spec }: RenderedObject): readonly Pod[] {
  return spec?.template === undefined ? [] : [{ name, labels: spec.template.metadata.labels, spec: spec.template.spec }];
}

function nameOf({ kind, metadata }: RenderedObject): string {
  return `${kind}/${metadata.name}`;
}

function isMatch(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  return Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
}

function twiceIn(objects: readonly RenderedObject[]): readonly string[] {
  const names = objects.map(nameOf);
  return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${name}: is there twice`);
}

function selectsItsOwn(deployment: RenderedObject): readonly string[] {
  const { selector, template } = deployment.spec ?? {};
  return isMatch(selector, template?.metadata.labels) ? [] : [`${nameOf(deployment)}: selects none of its own Pods`];
}

/** What the restricted Pod Security Standard, and a read-only root, ask for. */
function openIn({ name, spec }: Pod): readonly string[] {
  const { securityContext: pod = {} } = spec;
  const wanted: readonly (readonly [boolean, string])[] = [
    [spec.automountServiceAccountToken === false, 'mounts a token of Kubernetes'],
    [spec.enableServiceLinks === false, 'gets variables of Services, which the program would take for flags'],
    [pod.runAsNonRoot === true && (pod.runAsUser ?? 0) > 0, 'may run as root'],
    [pod.seccompProfile?.type === 'RuntimeDefault', 'has no seccomp profile'],
    [spec.hostNetwork !== true && spec.hostPID !== true && spec.hostIPC !== true, 'shares namespaces of the node'],
    [spec.volumes.every(({ secret }) => secret !== undefined), 'has a volume that is no Secret'],
    ...spec.containers.flatMap(({ securityContext = {}, resources = {} }): readonly (readonly [boolean, string])[] => [
      [securityContext.allowPrivilegeEscalation === false, 'may escalate privileges'],
      [securityContext.readOnlyRootFilesystem === true, 'may write to its root'],
      [securityContext.capabilities?.drop?.join() === 'ALL' && securityContext.capabilities.add === undefined, 'keeps capabilities'],
      [resources.requests?.['memory'] !== undefined && resources.limits?.['memory'] !== undefined, 'has no bound of memory'],
    ]),
  ];
  return wanted.filter(([isSo]) => !isSo).map(([, what]) => `${name}: ${what}`);
}

/** Every volume is mounted as a folder, and every file that a flag names lies in one. */
function mountsIn({ name, spec }: Pod): readonly string[] {
  return spec.containers.flatMap(({ args, volumeMounts }) => {
    const unmounted = spec.volumes.filter((volume) => !volumeMounts.some((mount) => mount.name === volume.name));
    const parts = volumeMounts.filter(({ subPath }) => subPath !== undefined);
    const files = volumeMounts.flatMap(({ name: volume, mountPath }) => {
      const { secret } = spec.volumes.find((each) => each.name === volume) ?? {};
      return secret?.items.map(({ path }) => `${mountPath}/${path}`) ?? [];
    });
    return [
      ...unmounted.map((volume) => `${name}: ${volume.name} is not mounted`),
      ...parts.map((mount) => `${name}: ${mount.name} is a subPath, which does not follow its Secret`),
      ...args.flatMap((arg) =>
        filesOf(arg)
          .filter((file) => !files.includes(file))
          .map((file) => `${name}: ${arg}: ${file} is not mounted`),
      ),
    ];
  });
}

function filesOf(arg: string): readonly string[] {
  const [, flag = '', value = ''] = /^(--[^=]+)=(\/.*)$/.exec(arg) ?? [];
  if (value === '') return [];
  return flag === '--tls-cert-dir' ? [`${value}/tls.crt`, `${value}/tls.key`] : [value];
}

/** What the chart makes itself has the keys that are mounted. */
function secretsOf({ name, spec }: Pod, objects: readonly RenderedObject[]): readonly string[] {
  return spec.volumes.flatMap(({ secret }) => {
    if (secret === undefined || !/^dep-ctrl-(?:webhook-tls|url-token)$/.test(secret.secretName)) return [];
    if (objects.some((object) => object.kind === 'Certificate' && object.spec?.secretName === secret.secretName)) return [];
    const made = objects.find((object) => object.kind === 'Secret' && object.metadata.name === secret.secretName);
    return secret.items
      .filter(({ key }) => made?.data?.[key] === undefined)
      .map(({ key }) => `${name}: nobody makes ${secret.secretName} with ${key}`);
  });
}

function servedBy(service: RenderedObject, pods: readonly Pod[]): readonly string[] {
  const { selector = {}, ports = [] } = service.spec ?? {};
  const [pod, ...others] = pods.filter(({ labels }) => isMatch({ matchLabels: selector as Labels }, labels)); // of a Service it is labels
  if (pod === undefined || others.length > 0) return [`${nameOf(service)}: is not of exactly one Deployment`];
  const listening = pod.spec.containers.flatMap((container) => container.ports.map(({ containerPort }) => containerPort));
  return ports
    .filter(({ targetPort }) => !listening.includes(targetPort))
    .map(({ targetPort }) => `${nameOf(service)}: nobody listens on ${String(targetPort)}`);
}

function ofOnePod(object: RenderedObject, selector: LabelSelector | undefined, pods: readonly Pod[]): readonly string[] {
  const chosen = pods.filter(({ labels }) => isMatch(selector, labels));
  return chosen.length === 1 ? [] : [`${nameOf(object)}: is not of exactly one Deployment`];
}

function admittedBy(policy: RenderedObject, pods: readonly Pod[]): readonly string[] {
  const pod = pods.find(({ labels }) => isMatch(policy.spec?.podSelector, labels));
  const called = pod?.spec.containers.flatMap(({ ports }) => ports.filter(({ name }) => name === 'https')) ?? [];
  const admitted = policy.spec?.ingress?.flatMap(({ ports }) => ports.map(({ port }) => port)) ?? [];
  return called.every(({ containerPort }) => admitted.includes(containerPort)) ? [] : [`${nameOf(policy)}: keeps kcp from the webhook`];
}

function scrapedBy(monitor: RenderedObject, services: readonly RenderedObject[]): readonly string[] {
  const { selector, endpoints = [] } = monitor.spec ?? {};
  const ports = services
    .filter(({ metadata }) => isMatch(selector, metadata.labels))
    .flatMap(({ spec }) => spec?.ports?.map(({ name }) => name) ?? []);
  return endpoints.filter(({ port }) => !ports.includes(port)).map(({ port }) => `${nameOf(monitor)}: finds no Service with port ${port}`);
}
