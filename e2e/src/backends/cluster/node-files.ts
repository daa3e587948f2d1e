// The files that the programs of a node start from, and the script that starts them. Pure but for what is written to the node's folder.
import { stringify } from 'yaml';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubeconfig } from '../kubeconfig.js';
import { Authority, serviceAccountKeys } from '../pki.js';
import { writePair, writePrivate } from '../work-dir.js';
import type { NodePrograms } from './node-programs.js';

/** The addresses of a node: its own, that of the machine it is on, and those that it gives to Pods and Services. */
export interface NodeAddresses {
  readonly node: string;
  readonly host: string;
  readonly pods: string;
  readonly services: string;
}

/** What those who start a node, and those who use it, have to know. */
export interface NodeFiles {
  /** Starts everything, in a network, a mount and a process namespace of its own. */
  readonly script: string;
  /** Of an admin. */
  readonly kubeconfig: string;
  /** Where containerd listens. */
  readonly containerd: string;
  /** What the node's cgroups are called. */
  readonly cgroup: string;
}

/** The image that holds the namespaces of a Pod. */
export const PAUSE_IMAGE = 'docker.io/library/dep-ctrl-e2e-pause:local';

const API_PORT = 6_443;

/** Writes them into a folder. */
export async function makeNodeFiles(dir: string, programs: NodePrograms, addresses: NodeAddresses): Promise<NodeFiles> {
  const authority = await Authority.create('dep-ctrl-e2e-kubernetes');
  const accounts = serviceAccountKeys();
  const ca = writePrivate(dir, 'ca.crt', authority.pair.cert);
  const serving = writePair(dir, 'api', await authority.server({ addresses: [addresses.node] }));
  const admin = await authority.client({ name: 'admin', groups: ['system:masters'] });
  const accountKey = writePrivate(dir, 'accounts.key', accounts.privateKey);
  const server = `https://${addresses.node}:${String(API_PORT)}`;
  const files = {
    kubeconfig: writePrivate(dir, 'kubernetes.kubeconfig', kubeconfig([{ name: 'admin', server, ca: authority.pair.cert, client: admin }])),
    containerd: join(dir, 'containerd.sock'),
    cgroup: `dep-ctrl-e2e-${String(process.pid)}`,
  };
  writeFileSync(join(dir, 'cni.conflist'), JSON.stringify(network(addresses)));
  writeFileSync(join(dir, 'containerd.toml'), containerdConfig(dir, programs, files.containerd));
  writeFileSync(join(dir, 'kubelet.yaml'), stringify(kubeletConfig(dir, ca, files)));
  const flags = {
    etcd: [`--data-dir=${join(dir, 'etcd')}`, '--unsafe-no-fsync', '--log-level=warn'],
    'kube-apiserver': [
      ...['--etcd-servers=http://127.0.0.1:2379', `--advertise-address=${addresses.node}`, `--secure-port=${String(API_PORT)}`],
      ...[`--service-cluster-ip-range=${addresses.services}`, '--authorization-mode=RBAC', `--client-ca-file=${ca}`],
      ...[`--tls-cert-file=${serving.cert}`, `--tls-private-key-file=${serving.key}`, '--service-account-issuer=https://kubernetes'],
      ...[`--service-account-key-file=${accountKey}`, `--service-account-signing-key-file=${accountKey}`],
    ],
    'kube-controller-manager': [
      ...[`--kubeconfig=${files.kubeconfig}`, '--leader-elect=false', `--service-account-private-key-file=${accountKey}`],
      ...[`--root-ca-file=${ca}`, '--use-service-account-credentials=false'],
    ],
    'kube-scheduler': [`--kubeconfig=${files.kubeconfig}`, '--leader-elect=false'],
    kubelet: [
      ...[`--config=${join(dir, 'kubelet.yaml')}`, `--kubeconfig=${files.kubeconfig}`, '--hostname-override=node'],
      ...[`--root-dir=${join(dir, 'kubelet')}`, `--cert-dir=${join(dir, 'kubelet-pki')}`, `--node-ip=${addresses.node}`],
    ],
    'kube-proxy': [
      ...[`--kubeconfig=${files.kubeconfig}`, '--hostname-override=node', '--proxy-mode=iptables', `--cluster-cidr=${addresses.pods}`],
      '--conntrack-max-per-core=0',
    ],
  } as const;
  const start = (name: keyof typeof flags): string => run(programs[name], flags[name], join(dir, `${name}.log`));
  const script = [
    'set -e',
    // What the programs leave there is the machine's business no more.
    'mount -t tmpfs tmpfs /run',
    'mkdir -p /run/lock /run/netns',
    `${programs.ip} link set lo up`,
    `for controller in /sys/fs/cgroup/*/; do mkdir -p "$controller/${files.cgroup}" 2>/dev/null || true; done`,
    'echo 1 > /proc/sys/net/ipv4/ip_forward',
    run(programs.containerd, ['--config', join(dir, 'containerd.toml')], join(dir, 'containerd.log')),
    start('etcd'),
    start('kube-apiserver'),
    `until ${programs.kubectl} --kubeconfig ${files.kubeconfig} get --raw /readyz >/dev/null 2>&1; do sleep 0.2; done`,
    ...(['kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy'] as const).map(start),
    'wait',
  ];
  writeFileSync(join(dir, 'node.sh'), `${script.join('\n')}\n`);
  return { ...files, script: join(dir, 'node.sh') };
}

function run(program: string, flags: readonly string[], log: string): string {
  return `'${program}' ${flags.map((flag) => `'${flag}'`).join(' ')} >>'${log}' 2>&1 &`;
}

function network({ pods }: NodeAddresses): object {
  const ipam = { type: 'host-local', ranges: [[{ subnet: pods }]], routes: [{ dst: '0.0.0.0/0' }] };
  const plugins = [{ type: 'bridge', bridge: 'pods', isGateway: true, ipMasq: true, hairpinMode: true, ipam }];
  return { cniVersion: '0.4.0', name: 'pods', plugins };
}

function containerdConfig(dir: string, { cniFolder, runc }: NodePrograms, socket: string): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return [
    'version = 2',
    `root = "${join(dir, 'containerd')}"`,
    'state = "/run/containerd"',
    '[grpc]',
    `address = "${socket}"`,
    `[${cri}]`,
    `sandbox_image = "${PAUSE_IMAGE}"`,
    // A machine that is itself confined may not make its processes less likely to be killed.
    'restrict_oom_score_adj = true',
    `[${cri}.cni]`,
    `bin_dir = "${cniFolder}"`,
    `conf_dir = "${dir}"`,
    `[${cri}.containerd.runtimes.runc]`,
    'runtime_type = "io.containerd.runc.v2"',
    `[${cri}.containerd.runtimes.runc.options]`,
    `BinaryName = "${runc}"`,
    'SystemdCgroup = false',
    '',
  ].join('\n');
}

function kubeletConfig(dir: string, ca: string, { containerd, cgroup }: Pick<NodeFiles, 'containerd' | 'cgroup'>): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: { x509: { clientCAFile: ca }, webhook: { enabled: false }, anonymous: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    containerRuntimeEndpoint: `unix://${containerd}`,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${cgroup}`,
    podLogsDir: join(dir, 'pods'),
    volumePluginDir: join(dir, 'volume-plugins'),
    resolvConf: '',
    // A Secret that changed reaches its Pods within so long; a minute where nobody says so.
    syncFrequency: '5s',
    // Of the machine, not of the node: full disks, swap and old cgroups are not what is tried here.
    evictionHard: { 'memory.available': '1Mi' },
    failSwapOn: false,
    failCgroupV1: false,
    localStorageCapacityIsolation: false,
  };
}
