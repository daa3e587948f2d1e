// What a node of Kubernetes is made of, as this machine has it: nothing is pulled.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Missing } from '../backend.js';
import { findExecutable } from '../programs.js';

type Environment = Readonly<Record<string, string | undefined>>;

const OF_KUBERNETES = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy'] as const;
const OF_CONTAINERS = ['containerd', 'ctr', 'runc', 'iptables', 'conntrack'] as const;
const OF_USERS = ['kubectl', 'helm'] as const;
const OF_SYSTEM = ['ip', 'nsenter', 'unshare'] as const;
const ALL = [...OF_KUBERNETES, ...OF_CONTAINERS, ...OF_USERS, ...OF_SYSTEM] as const;
// Where Debian and where everybody else has them.
const CNI_FOLDERS = ['/usr/lib/cni', '/opt/cni/bin'];
const CNI_PLUGINS = ['bridge', 'host-local', 'loopback'];

/** The file of each program, and the folder of the network plugins. */
export type NodePrograms = Readonly<Record<(typeof ALL)[number] | 'cniFolder', string>>;

/** Finds all of them on PATH, in KUBE_BIN (a folder) or HELM_BIN (a file); otherwise says what is missing, by name. */
export function findNodePrograms(env: Environment): NodePrograms | Missing {
  const path = [env['KUBE_BIN'], env['PATH'], '/usr/sbin', '/sbin'].filter((each) => each !== undefined).join(delimiter);
  const found = ALL.map((name) => [name, (name === 'helm' ? env['HELM_BIN'] : undefined) ?? findExecutable(name, { PATH: path })] as const);
  const cniFolder = CNI_FOLDERS.find((folder) => CNI_PLUGINS.every((plugin) => existsSync(join(folder, plugin))));
  const missing = [
    ...found.filter(([, file]) => file === undefined).map(([name]) => name),
    ...(cniFolder === undefined ? [`the network plugins ${CNI_PLUGINS.join(', ')}`] : []),
  ];
  if (missing.length > 0) return { missing: `a node of Kubernetes needs what is neither on PATH nor in KUBE_BIN: ${missing.join(', ')}` };
  return { ...Object.fromEntries(found), cniFolder } as NodePrograms; // none is undefined
}
